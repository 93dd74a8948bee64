// Condition gates.
#include "report/gate/condition_gates.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/gate/gate_settings.h"

namespace qd::report {

namespace {

constexpr const char* kNotRecorded =
    "No conditions were recorded: run the tests under 'qd-cov run --conditions', and combine with 'qd-cov combine' "
    "('coverage combine' drops them).";

bool recorded(const CoverageData& data) {
  return std::ranges::any_of(data.files, [](const auto& entry) { return !entry.second.decisions.empty(); });
}

}  // namespace

void check_condition_thresholds(const Config& config) {
  auto check = [&](const std::optional<std::string>& text, const char* option) {
    if (text && !parse_threshold(*text))
      throw ConfigError(fmt::format("Invalid [tool.qd-cov] {} value '{}': {}{}", option, *text, kNoPercentage,
                                    place_of_own(config, option)));
  };
  check(config.gates.fail_under_conditions, "fail_under_conditions");
  check(config.gates.fail_under_mcdc, "fail_under_mcdc");
}

std::string note_of_conditions(const CoverageData& data, const ConditionNumbers& numbers) {
  return numbers.n_outcomes > 0 && !recorded(data) ? kNotRecorded : "";
}

std::vector<GateResult> condition_gates(const CoverageData& data, const ConditionNumbers& numbers,
                                        const Config& config) {
  const std::string note = note_of_conditions(data, numbers);
  std::vector<GateResult> result;
  auto add = [&](const std::optional<std::string>& text, const char* what, int64_t covered, int64_t total,
                 const Unit& unit) {
    if (!text) return;
    GateResult gate = share_gate(what, what, {covered, total}, threshold_of(*text), unit);
    if (!note.empty()) gate.reached = false, gate.message = note;
    result.push_back(std::move(gate));
  };
  add(config.gates.fail_under_conditions, "Condition coverage", numbers.n_seen_outcomes(), numbers.n_outcomes,
      {"outcome", "outcomes"});
  add(config.gates.fail_under_mcdc, "MC/DC", numbers.n_shown_mcdc(), numbers.n_mcdc, {"condition", "conditions"});
  return result;
}

}  // namespace qd::report
