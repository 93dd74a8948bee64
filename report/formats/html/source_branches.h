// The branches of a file for the file view, and what is known about each of their edges.
#pragma once

#include <string>
#include <vector>

#include "report/formats/common/reported_files.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {

/// Appends the list of "branches" (source_json.cpp gives its layout), and returns their edges in that order.
/// `can_choose`: the reader can choose a part of what ran, in which other edges are missing. Edges of an imported file
/// have no numbers.
std::vector<Arc> append_branches(std::string& out, const AnalyzedFile& file, const std::vector<Origin>& origins,
                                 bool can_choose);

}  // namespace qd::report
