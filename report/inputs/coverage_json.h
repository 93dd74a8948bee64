// A full report of an earlier run, kept as JSON: what `coverage json` or `qd-cov json` wrote.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/data/arc.h"

namespace qd::report {

/// One source file of it. Lists are sorted, each line once.
struct CoverageJsonFile {
  std::vector<int32_t> executed, missing;  // statements
  std::vector<int32_t> excluded;
  std::vector<Arc> executed_branches, missing_branches;
  int64_t covered_lines = 0, num_statements = 0, covered_branches = 0, num_branches = 0;  // its summary
  std::string hash;  // of the source, when it was recorded
};

struct CoverageJson {
  bool branches = false;
  std::string skipped;  // what was left out because it can be of no line, as a sentence; empty: nothing
  std::map<std::string, CoverageJsonFile> files;  // by the names that the report has for them
  // With `qd-cov json --record-commit`:
  std::string commit;                 // full id; empty when it is not known
  bool dirty = false;                 // tracked files were not what the commit has
  std::optional<std::string> folder;  // that relative names start from, below the top of the working tree: "" or "sub/"
};

/// Plain or gzip. Throws DataError for a file that cannot be read, is damaged, or is no such report.
CoverageJson read_coverage_json(const std::string& path);

}  // namespace qd::report
