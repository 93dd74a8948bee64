// Serialises an analysis for the cache.
#pragma once

#include <string>
#include <string_view>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Packs all results of analyze_source() under `options`, except KernelDefinition::def.
std::string pack_analysis(const SourceAnalysis& source, const AnalysisOptions& options);

/// Fills `source` from bytes of pack_analysis() under the same options, or under options that ask for more (regions, or
/// regions and descriptions). Parts that `options` does not ask for stay empty. False when `bytes` were not packed by
/// pack_analysis(); then `source` may hold anything.
bool unpack_analysis(std::string_view bytes, const AnalysisOptions& options, SourceAnalysis& source);

}  // namespace qd::report
