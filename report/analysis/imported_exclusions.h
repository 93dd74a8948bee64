// Exclusions in files that other tools measured: the markers of lcov and gcovr, the patterns of [report] exclude_lines
// and exclude_also, and the branches of exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Excluded lines and branches of a source. Lists are sorted.
struct ExcludedParts {
  std::vector<int32_t> lines;
  std::vector<int32_t> branches;    // lines whose branches do not count
  std::vector<int32_t> exceptions;  // lines whose branches of exceptions do not count
  bool all_exceptions = false;      // true: branches of exceptions do not count on any line
  std::vector<std::string> notes;   // markers that do not fit together: "a.cpp:7: 'LCOV_EXCL_STOP' without ..."
};

/// Finds the lines that match `exclusions`, and markers: LCOV_EXCL_LINE, _START and _STOP, the same with BR_ and
/// EXCEPTION_BR_ after EXCL_, and all of them with GCOV and GCOVR for LCOV. As with lcov, START's line is excluded, and
/// STOP's is not. Where they do not fit together, nothing is excluded. `python` is the analysis of `text` if it is
/// Python: then whole suites are excluded. `path` is for notes.
ExcludedParts find_excluded_parts(const std::string& text, const std::string& path, const Exclusions& exclusions,
                                  const SourceAnalysis* python);

/// `file` without these parts.
ImportedFile without(const ImportedFile& file, const ExcludedParts& excluded);

}  // namespace qd::report
