// An analysis as bytes, for the cache.
#pragma once

#include <string>
#include <string_view>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Everything of `source` that analyze_source() gave under `options`. KernelDefinition::def is not among it.
std::string pack_analysis(const SourceAnalysis& source, const AnalysisOptions& options);

/// Fills `source` with what pack_analysis() made under the same options, or under options that ask for more: regions,
/// or those and descriptions. What `options` does not ask for stays empty. False when `bytes` is nothing that it made:
/// `source` then holds anything.
bool unpack_analysis(std::string_view bytes, const AnalysisOptions& options, SourceAnalysis& source);

}  // namespace qd::report
