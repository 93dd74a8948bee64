// For the file view: how the decisions of a file were evaluated in each origin and context, so that the view can show a
// part of what ran.
#pragma once

#include <cstdint>
#include <vector>

#include "report/formats/common/reported_files.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {

/// Evaluations are numbered over all decisions in the order in which they are given. Keeps references to the data and
/// the decisions.
class SourceEvaluations {
 public:
  SourceEvaluations(const FileData& data, std::vector<const DecisionCoverage*> decisions);

  /// For each evaluation of a decision the origins in which it was seen, a bit each.
  std::vector<uint32_t> origins_of(const DecisionCoverage& decision, const std::vector<Origin>& origins) const;
  /// The numbers of those that a context saw, in order.
  std::vector<int64_t> of_context(ContextId context) const;

 private:
  const FileData& data_;
  std::vector<const DecisionCoverage*> decisions_;
};

}  // namespace qd::report
