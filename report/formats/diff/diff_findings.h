// Diff findings: missing coverage of a change, as places in files, for formats that mark lines.
#pragma once

#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"
#include "report/formats/common/findings.h"

namespace qd::report {

enum class FindingKind : uint8_t { Missing, Partial, NotMeasured, Lost, NeverOnDevice };

/// A finding about the consecutive physical lines first..last of a file.
struct DiffFinding {
  FindingKind kind = FindingKind::Missing;
  const DiffFile* file = nullptr;
  int32_t first = 1, last = 1;
  int32_t n_statements = 1;  // size: missing statements, or changed ones of a file that is not measured
  std::string message;       // one line: "Lines 31-33 are not covered by tests"
};

/// Returns the findings. Consecutive missing statements are one finding. So are statements that lost their coverage, or
/// that ran on one device and never on another, the missing branches of a line (when branches count), and a file
/// without data. The findings with the most statements come first, then the order is that of path and line.
std::vector<DiffFinding> diff_findings(const DiffCoverage& coverage);

/// Rule of a kind: "missing-lines", "missing-branches", "not-measured", "lost-lines", "lines-never-on-device".
const char* rule_name(FindingKind kind);

/// The findings in the form for services, in the same order.
std::vector<Finding> as_findings(const std::vector<DiffFinding>& findings, FindingLevel level = FindingLevel::Warning);

}  // namespace qd::report
