// Contexts of a report, chosen by patterns.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::report {

/// Contexts of `data` that match one of [report] contexts; no value: all. Throws ConfigError for a pattern that is no
/// regular expression.
std::optional<std::set<ContextId>> chosen_contexts(const CoverageData& data, const OptionalList& patterns);

/// Archs of the contexts of a report: measured_archs() (arch_coverage.h) of these contexts.
std::vector<std::string> reported_archs(const CoverageData& data, const OptionalList& patterns);

/// Filter for read_data(): merges the data of each device, in the contexts that `patterns` choose, into the first of
/// these contexts. A report that names no contexts needs no more.
FoldContext one_context_a_device(const OptionalList& patterns);

}  // namespace qd::report
