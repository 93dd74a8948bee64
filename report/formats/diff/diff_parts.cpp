// Parts of diff formats. Commits are shown by their first ten digits.
#include "report/formats/diff/diff_parts.h"

#include <fmt/format.h>

#include <string_view>

#include "report/formats/common/text.h"
#include "report/formats/html/html_parts.h"
#include "report/gate/gate.h"

namespace qd::report {

std::string full_report_address(const DiffFile& file, const DiffStyle& style) {
  if (style.full_report.empty() || !file.path.starts_with(style.full_report_folder)) return "";
  // That page names files from the folder in which it was made.
  return fmt::format("{}#/{}", style.full_report, url_path(visible(file.path.substr(style.full_report_folder.size()))));
}

std::string provenance(const DiffCoverage& coverage, const std::function<std::string(const std::string&)>& code) {
  auto commit = [&](const std::string& id) { return code(id.substr(0, 10)); };
  std::string head = coverage.head.empty() ? "" : fmt::format("Commit {}", commit(coverage.head));
  if (coverage.base_commit.empty())
    return fmt::format("{}{} {}", head, head.empty() ? "Made of the" : ", with the", code(coverage.title));
  return fmt::format("{}, compared with {} ({} {})", head, code(coverage.compare_branch),
                     coverage.from_merge_base ? "merge base" : "commit", commit(coverage.base_commit));
}

std::string gate_words(const GateResult& gate) {
  if (gate.wanted.ends_with('%'))
    return fmt::format("{} {} {}", gate.what, gate.reached ? "reaches" : "below", gate.wanted);
  if (gate.wanted.empty()) return gate.what;
  return fmt::format("{}: {} {}", gate.what, gate.reached ? "at most" : "more than", gate.wanted);
}

const char* light(int64_t covered, int64_t total, const DiffStyle& style) {
  if (style.threshold) return reaches(covered, total, *style.threshold) ? "🟢" : "🔴";
  std::string_view shown = quality(covered, total);
  return shown == "good" ? "🟢" : shown == "bad" ? "🔴" : "🟡";
}

}  // namespace qd::report
