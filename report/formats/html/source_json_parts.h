// Parts of the JSON of a file for the file view: branches, variants of kernels, and evaluations of decisions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/engine/file_analyzer.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {

// Branches of a file, with the states of their edges.

/// Appends the list of "branches" (source_json.cpp has the layout), and returns their edges in that order.
/// `can_choose`: the reader can choose a part of the executions, in which other edges are missing. Edges of an imported
/// file have no numbers.
std::vector<Arc> append_branches(std::string& out, const AnalyzedFile& file, const std::vector<Origin>& origins,
                                 bool can_choose);

// Variants of kernels, funcs and templates in the data of a file.

/// Appends "variants" (source_json.cpp has the layout), unless there are none. `n_lines`: of the source.
void append_variants(std::string& out, const Analysis& analysis, size_t n_lines);

// Evaluations of a file's decisions in each origin and context, for the file view, which can show a part of the
// executions.

/// Evaluations are numbered over all decisions, in order. Keeps references to the data and the decisions.
class SourceEvaluations {
 public:
  SourceEvaluations(const FileData& data, std::vector<const DecisionCoverage*> decisions);

  /// Returns for each evaluation of a decision the origins in which it was seen, a bit each.
  std::vector<uint32_t> origins_of(const DecisionCoverage& decision, const std::vector<Origin>& origins) const;
  /// Numbers of the evaluations that a context saw, in order.
  std::vector<int64_t> of_context(ContextId context) const;

 private:
  const FileData& data_;
  std::vector<const DecisionCoverage*> decisions_;
};

}  // namespace qd::report
