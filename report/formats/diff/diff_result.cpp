// Result of a change in a few words: its percentage, and what the gates say.
#include "report/formats/diff/diff_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_parts.h"
#include "report/gate/diff_gates.h"
#include "report/gate/gate.h"

namespace qd::report {
namespace {

constexpr const char* kNoLines = "no lines with coverage information in this diff";

/// A missed gate in a few words; that of the change as a whole has no name, because the words follow its percentage.
std::string missed_words(const GateResult& gate, const DiffCoverage& coverage) {
  if (gate.what == "Diff coverage") return "below " + gate.wanted;
  if (gate.what == kDataGate && !coverage.not_measured.empty())
    return plural(static_cast<int64_t>(coverage.not_measured.size()), "file") + " not measured";
  return gate_words(gate);
}

/// Result of the gates, behind the percentage: ", below 90%", ", reaches 80%".
std::string result_of_gates(const DiffCoverage& coverage, const DiffStyle& style) {
  if (style.gates.empty()) return "";
  const std::vector<std::string> missed = missed_gates(coverage, style);
  if (missed.size() > kMostGatesInHeading)
    return fmt::format(", {}, {} missed", missed.front(), plural(static_cast<int64_t>(missed.size()) - 1, "more gate"));
  const auto own = std::ranges::find(style.gates, "Diff coverage", &GateResult::what);
  const bool has_reached = coverage.has_lines() && own != style.gates.end() && own->reached;
  const std::string reached = has_reached ? ", reaches " + own->wanted : "";
  if (!missed.empty()) return fmt::format("{}, {}{}", reached, reached.empty() ? "" : "but ", fmt::join(missed, ", "));
  if (!reached.empty() || !coverage.has_lines()) return reached;
  if (!std::ranges::all_of(style.gates, &GateResult::reached)) return "";  // some only warn
  return style.gates.size() == 1 ? ", gate reached" : ", all gates reached";
}

}  // namespace

std::vector<std::string> missed_gates(const DiffCoverage& coverage, const DiffStyle& style) {
  std::vector<std::string> result;
  for (const GateResult& gate : style.gates)
    if (!gate.reached && !gate.is_warning)
      result.insert(gate.what == "Diff coverage" ? result.begin() : result.end(), missed_words(gate, coverage));
  return result;
}

std::string result_words(const DiffCoverage& coverage, const DiffStyle& style) {
  const int64_t covered = coverage.covered(), total = coverage.total();
  const bool is_below = style.threshold && !reaches(covered, total, *style.threshold);
  const std::string share = !coverage.has_lines() ? kNoLines
                            : is_below            ? percent_below(covered, total, *style.threshold) + "%"
                                                  : percent(covered, total) + "%";
  return fmt::format("Diff coverage: {}{}", share, result_of_gates(coverage, style));
}

}  // namespace qd::report
