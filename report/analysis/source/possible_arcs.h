// Possible arcs of a source: jumps between lines by coverage.py's rules, over the syntax tree.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "report/analysis/source/arc_descriptions.h"
#include "report/analysis/source/line_set.h"
#include "report/analysis/source/logical_lines.h"
#include "report/data/coverage_data.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

struct PossibleArcs {
  std::vector<Arc> arcs;  // sorted, between first lines of logical lines; before `with_jumps` are applied
  // Replacements of arcs that go back from the body of a `with` to its head, which then jumps on; nothing: the arc is
  // left out.
  std::map<Arc, std::optional<Arc>> with_jumps;
  ArcReasons reasons;  // when they are asked for; arcs as they are before `with_jumps` are applied
};

/// Finds the arcs. `statements` are the first lines of the logical lines of find_statements.
PossibleArcs find_possible_arcs(const syntax::Module& module, const LogicalLines& lines, const LineSet& statements,
                                bool reasons = false);

/// Returns the arcs with those in `with_jumps` replaced; sorted, unique.
std::vector<Arc> replace_with_jumps(std::vector<Arc> arcs, const std::map<Arc, std::optional<Arc>>& with_jumps);

}  // namespace qd::report
