// Branches of a file for the file view, with the states of their edges.
#pragma once

#include <string>
#include <vector>

#include "report/formats/common/reported_files.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {

/// Appends the list of "branches" (source_json.cpp has the layout), and returns their edges in that order.
/// `can_choose`: the reader can choose a part of the executions, in which other edges are missing. Edges of an imported
/// file have no numbers.
std::vector<Arc> append_branches(std::string& out, const AnalyzedFile& file, const std::vector<Origin>& origins,
                                 bool can_choose);

}  // namespace qd::report
