// Inferred arcs: of kernels that Quadrants itself measured, by lines alone.
#pragma once

#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Arcs between lines that were measured by lines alone. Each list is sorted; no arc is in both.
struct InferredArcs {
  std::vector<Arc> taken;    // control has no other way, from the entry of the function or to its exit
  std::vector<Arc> unknown;  // it has: the arc may have been taken or not
};

/// Finds the arcs of `source` that the measured ones do not show, and that the lines do not rule out. `measured` are
/// the arcs as they are in the data, `executed` is executed_arcs() of both.
///
/// Quadrants knows the lines of a kernel that ran. In data with branches, it writes two arcs for each of them,
/// {-1, line} and {line, -1}. Nobody else has these for a line of a function: coverage.py writes the function's first
/// line, and -1 belongs to the module. So such data is known by its arcs, whatever it was combined with.
InferredArcs infer_arcs(const SourceAnalysis& source, const std::vector<Arc>& measured,
                        const std::vector<Arc>& executed);

}  // namespace qd::report
