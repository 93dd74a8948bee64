// Messages as gcc writes them, for editors and for tools that read the output of compilers:
//
//   pkg/mod.py:31: warning: Lines 31-33 are not covered by tests. [missing-lines]
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_findings.h"
#include "report/formats/diff/diff_formats.h"

namespace qd::report {

/// In the order of paths and lines, in which an editor goes through them. A path with control characters is told with
/// these escaped: a name must not begin a message of its own.
std::string diff_gcc(const DiffCoverage& coverage, const DiffStyle&) {
  std::vector<DiffFinding> findings = diff_findings(coverage);
  std::stable_sort(findings.begin(), findings.end(), [](const DiffFinding& a, const DiffFinding& b) {
    return std::tuple(std::string_view(a.file->path), a.first) < std::tuple(std::string_view(b.file->path), b.first);
  });
  std::string text;
  for (const DiffFinding& one : findings)
    fmt::format_to(std::back_inserter(text), "{}:{}: warning: {} [{}]\n", visible(one.file->path), one.first,
                   one.message, rule_name(one.kind));
  return text;
}

}  // namespace qd::report
