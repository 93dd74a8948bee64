// coverage.py's JSON report of an earlier run, written by `coverage json` or `qd-cov json`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/data/arc.h"

namespace qd::report {

/// A source file in the report. Lists are sorted, each line once.
struct CoverageJsonFile {
  std::vector<int32_t> executed, missing;  // statements
  std::vector<int32_t> excluded;
  std::vector<Arc> executed_branches, missing_branches;
  int64_t covered_lines = 0, num_statements = 0, covered_branches = 0, num_branches = 0;  // its summary
  std::string hash;  // of the source, if it was recorded
};

struct CoverageJson {
  bool branches = false;
  std::string skipped;  // records that were left out because they are of no line, as a sentence; empty: none
  std::map<std::string, CoverageJsonFile> files;  // by their names in the report
  // With `qd-cov json --record-commit`:
  std::string commit;                 // full id; empty when it is not known
  bool dirty = false;                 // tracked files differed from the commit
  std::optional<std::string> folder;  // base of relative names, below the top of the working tree: "" or "sub/"
};

/// Reads a plain or gzip file. Throws DataError for a file that cannot be read, is damaged, or is no such report.
CoverageJson read_coverage_json(const std::string& path);

}  // namespace qd::report
