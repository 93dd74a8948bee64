// Gradient gate: a threshold on the lines that were differentiated, of those that ran and that a derivative passes
// through.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/gradients.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/gate/diff_gates.h"

namespace qd::report {

/// Throws ConfigError for a threshold of the configuration that is no percentage.
void check_gradient_threshold(const Config& config);

/// Note for the reader of a report of lines, some of which ran in kernels, that the data has no gradients at all. Empty
/// when it has some, and when none of the lines ran in a kernel.
std::string note_of_gradients(const CoverageData& data, bool in_kernels);
/// The same for a report of everything.
std::string note_of_gradients(const CoverageData& data);

/// Returns the gate, if `config` asks for it. It is missed when there is a note: nobody knows whether there was a
/// gradient to record.
std::vector<GateResult> gradient_gates(const std::string& note, const GradientNumbers& numbers, const Config& config);

}  // namespace qd::report
