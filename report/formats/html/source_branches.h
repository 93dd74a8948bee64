// The branches of a file, and what is known of each of their edges, for the file view.
#pragma once

#include <string>
#include <vector>

#include "report/formats/common/reported_files.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {

/// Appends the list of "branches" (source_json.cpp gives its layout) and returns their edges as they stand in it.
/// `can_choose`: of what ran, the reader can choose a part, where other edges are missing. Of an imported file no edge
/// has a number.
std::vector<Arc> append_branches(std::string& out, const AnalyzedFile& file, const std::vector<Origin>& origins,
                                 bool can_choose);

}  // namespace qd::report
