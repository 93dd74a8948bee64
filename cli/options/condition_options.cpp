// Condition options: options, warnings and gates of condition coverage.
#include "cli/options/condition_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/options/gates.h"
#include "report/gate/gate.h"

namespace qd::cli {

namespace {

constexpr const char* kNotRecorded =
    "No conditions were recorded: run the tests under 'qd-cov run --conditions', and combine with 'qd-cov combine' "
    "('coverage combine' drops them).";

void apply_threshold(const CommandLine& line, const std::string& name, std::optional<std::string>& setting) {
  std::optional<std::string> text = line.text(name);
  if (!text) return;
  if (!report::parse_threshold(*text))
    throw UsageError(fmt::format("option --{}: '{}' is no percentage from 0 to 100", name, *text));
  setting = text;
}

bool recorded(const report::CoverageData& data) {
  return std::any_of(data.files.begin(), data.files.end(),
                     [](const auto& entry) { return !entry.second.decisions.empty(); });
}

struct Gate {
  const char* what;
  report::Unit unit;
  int64_t covered = 0, total = 0;
  report::Threshold threshold;

  bool reached() const { return report::reaches(covered, total, threshold); }
};

std::vector<Gate> gates(const report::ConditionNumbers& n, const report::Config& config) {
  std::vector<Gate> result;
  auto threshold = [](const std::string& text) { return *report::parse_threshold(text); };
  if (const auto& text = config.fail_under_conditions)
    result.push_back(
        {"Condition coverage", {"outcome", "outcomes"}, n.n_seen_outcomes(), n.n_outcomes, threshold(*text)});
  if (const auto& text = config.fail_under_mcdc)
    result.push_back({"MC/DC", {"condition", "conditions"}, n.n_shown_mcdc(), n.n_mcdc, threshold(*text)});
  return result;
}

}  // namespace

void add_condition_options(CommandLine& line) {
  line.add("conditions",
           "Also show conditions of kernels: outcomes that were never seen, and conditions that were not shown to "
           "decide alone (MC/DC).");
  line.add("fail-under-conditions",
           "Exit with a status of 2 if less than this percentage of the outcomes of conditions was seen.", kText,
           "MIN");
  line.add("fail-under-mcdc",
           "Exit with a status of 2 if less than this percentage of the conditions was shown to decide alone (MC/DC).",
           kText, "MIN");
}

void apply_condition_options(const CommandLine& line, report::Config& config) {
  config.conditions = config.conditions || line.flag("conditions");
  apply_threshold(line, "fail-under-conditions", config.fail_under_conditions);
  apply_threshold(line, "fail-under-mcdc", config.fail_under_mcdc);
}

std::string note_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers) {
  return numbers.n_outcomes > 0 && !recorded(data) ? kNotRecorded : "";
}

void warn_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                        const report::Config& config) {
  std::string note = note_of_conditions(data, numbers);
  if (config.conditions && !note.empty()) warn(note);
}

void warn_of_stale_conditions(const std::string& file, const report::FileConditions& conditions) {
  if (conditions.n_stale == 0) return;
  warn(
      fmt::format("Conditions of '{}' were recorded for another version of it, {} of them are left out: after a "
                  "change, run the tests again.",
                  file, conditions.n_stale));
}

std::vector<report::GateResult> condition_gates(const report::CoverageData& data,
                                                const report::ConditionNumbers& numbers, const report::Config& config) {
  std::string note = note_of_conditions(data, numbers);
  std::vector<report::GateResult> result;
  for (const Gate& gate : gates(numbers, config)) {
    report::GateResult& one = result.emplace_back(
        report::GateResult{gate.what, gate.threshold.text + "%", note.empty() && gate.reached(), false, note});
    if (!one.reached && note.empty())
      one.message = report::below_message(gate.what, gate.covered, gate.total, gate.threshold, gate.unit);
  }
  return result;
}

int check_condition_gates(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                          const report::Config& config, std::FILE* out) {
  return report_gates(condition_gates(data, numbers, config), out);
}

}  // namespace qd::cli
