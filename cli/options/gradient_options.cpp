// Gradient options: options, and warnings of gradient coverage.
#include "cli/options/gradient_options.h"

#include <fmt/format.h>

#include "cli/options/gates.h"
#include "report/gate/gradient_gate.h"

namespace qd::cli {

void add_gradient_options(CommandLine& line) {
  line.group("Output");
  line.add("gradients",
           "Also show the lines of kernels that ran and were never differentiated, of those that a derivative passes "
           "through.");
  line.group("Gate");
  line.add("fail-under-gradients",
           "Exit with a status of 2 if less than this percentage of the lines that ran, and that a derivative passes "
           "through, was differentiated.",
           kText, "MIN");
}

void apply_gradient_options(const CommandLine& line, report::Config& config) {
  config.gradients = config.gradients || line.flag("gradients");
  apply_threshold(line, "fail-under-gradients", config.gates.fail_under_gradients);
}

void warn_of_gradients(const report::CoverageData& data, const report::Config& config) {
  if (const std::string note = report::note_of_gradients(data); config.gradients && !note.empty()) warn(note);
}

void warn_of_stale_gradients(const std::string& file, const report::FileGradients& gradients,
                             const report::Config& config) {
  if (gradients.n_stale == 0 || !config.needs_gradients()) return;
  warn(
      fmt::format("Gradients of '{}' were recorded for another version of it, {} of them are left out: after a "
                  "change, run the tests again.",
                  file, gradients.n_stale));
}

}  // namespace qd::cli
