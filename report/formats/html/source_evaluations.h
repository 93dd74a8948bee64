// Evaluations of a file's decisions in each origin and context, for the file view, which can show a part of the
// executions.
#pragma once

#include <cstdint>
#include <vector>

#include "report/formats/common/reported_files.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {

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
