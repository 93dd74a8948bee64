// Condition gates: thresholds on the outcomes of conditions, and on MC/DC.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/conditions/conditions.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/gate/diff_gates.h"

namespace qd::report {

/// Throws ConfigError for a threshold of the configuration that is no percentage.
void check_condition_thresholds(const Config& config);

/// Note for the reader of a report about missing condition data and its effect on the numbers. Empty when there is
/// some, or none to record.
std::string note_of_conditions(const CoverageData& data, const ConditionNumbers& numbers);

/// Returns the gates that `config` asks for. Without any recorded condition a gate is missed, unless kernels have no
/// conditions.
std::vector<GateResult> condition_gates(const CoverageData& data, const ConditionNumbers& numbers,
                                        const Config& config);

}  // namespace qd::report
