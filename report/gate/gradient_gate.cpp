// Gradient gate.
#include "report/gate/gradient_gate.h"

#include <fmt/format.h>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/gate/gate_settings.h"

namespace qd::report {

void check_gradient_threshold(const Config& config) {
  const std::optional<std::string>& text = config.gates.fail_under_gradients;
  if (text && !parse_threshold(*text))
    throw ConfigError(fmt::format("Invalid [tool.qd-cov] fail_under_gradients value '{}': {}{}", *text, kNoPercentage,
                                  place_of_own(config, "fail_under_gradients")));
}

std::string note_of_gradients(const CoverageData& data, bool in_kernels) {
  if (!in_kernels || has_gradients(data)) return "";
  return "No gradients were recorded: no kernel was compiled for arrays with gradients, QD_KERNEL_COVERAGE_GRADIENTS=0 "
         "was set, or the data is of an older qd-cov or was combined by 'coverage combine', which drops them.";
}

std::string note_of_gradients(const CoverageData& data) {
  return note_of_gradients(data, !measured_archs(data).empty());
}

std::vector<GateResult> gradient_gates(const std::string& note, const GradientNumbers& numbers, const Config& config) {
  if (!config.gates.fail_under_gradients) return {};
  GateResult gate = share_gate("Gradient coverage", "Gradient coverage", {numbers.n_differentiated(), numbers.n_lines},
                               threshold_of(*config.gates.fail_under_gradients), {"line", "lines"});
  if (!note.empty()) gate.reached = false, gate.message = note;
  return {gate};
}

}  // namespace qd::report
