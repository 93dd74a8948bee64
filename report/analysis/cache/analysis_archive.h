// An analysis as bytes, for the cache.
#pragma once

#include <string>
#include <string_view>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Packs everything that analyze_source() found under `options`, except KernelDefinition::def.
std::string pack_analysis(const SourceAnalysis& source, const AnalysisOptions& options);

/// Fills `source` from what pack_analysis() packed under the same options, or under options that ask for more (regions,
/// or regions and descriptions). What `options` does not ask for stays empty. False when `bytes` were not packed by
/// pack_analysis(); then `source` may hold anything.
bool unpack_analysis(std::string_view bytes, const AnalysisOptions& options, SourceAnalysis& source);

}  // namespace qd::report
