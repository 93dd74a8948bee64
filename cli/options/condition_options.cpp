// Condition options: options, warnings and gates of condition coverage.
#include "cli/options/condition_options.h"

#include <fmt/format.h>

#include "cli/options/gates.h"
#include "report/gate/condition_gates.h"

namespace qd::cli {

void add_condition_options(CommandLine& line) {
  line.group("Output");
  line.add("conditions",
           "Also show conditions of kernels: outcomes that were never seen, and conditions that were not shown to "
           "decide alone (MC/DC).");
  line.group("Gate");
  line.add("fail-under-conditions",
           "Exit with a status of 2 if less than this percentage of the outcomes of conditions was seen.", kText,
           "MIN");
  line.add("fail-under-mcdc",
           "Exit with a status of 2 if less than this percentage of the conditions was shown to decide alone (MC/DC).",
           kText, "MIN");
}

void apply_condition_options(const CommandLine& line, report::Config& config) {
  config.conditions = config.conditions || line.flag("conditions");
  apply_threshold(line, "fail-under-conditions", config.gates.fail_under_conditions);
  apply_threshold(line, "fail-under-mcdc", config.gates.fail_under_mcdc);
}

void warn_of_conditions(const report::CoverageData& data, const report::ConditionNumbers& numbers,
                        const report::Config& config) {
  std::string note = report::note_of_conditions(data, numbers);
  if (config.conditions && !note.empty()) warn(note);
}

void warn_of_stale_conditions(const std::string& file, const report::FileConditions& conditions) {
  if (conditions.n_stale == 0) return;
  warn(
      fmt::format("Conditions of '{}' were recorded for another version of it, {} of them are left out: after a "
                  "change, run the tests again.",
                  file, conditions.n_stale));
}

}  // namespace qd::cli
