// Evaluations of decisions, found in the data by the position of a decision in the source.
#include "report/formats/html/source_json_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace qd::report {
namespace {

/// Evaluations in a context; null: none.
const std::set<Evaluation>* evaluations_in(const FileData& data, const DecisionCoverage& decision, ContextId context) {
  auto measured = data.decisions.find(decision.source.range);
  if (!decision.measured || measured == data.decisions.end()) return nullptr;
  auto found = measured->second.evaluations.find(context);
  return found == measured->second.evaluations.end() ? nullptr : &found->second;
}

size_t index_of(const DecisionCoverage& decision, const Evaluation& evaluation) {
  return static_cast<size_t>(std::distance(decision.evaluations.begin(), decision.evaluations.find(evaluation)));
}

}  // namespace

SourceEvaluations::SourceEvaluations(const FileData& data, std::vector<const DecisionCoverage*> decisions)
    : data_(data), decisions_(std::move(decisions)) {}

std::vector<uint32_t> SourceEvaluations::origins_of(const DecisionCoverage& decision,
                                                    const std::vector<Origin>& origins) const {
  std::vector<uint32_t> masks(decision.evaluations.size());
  for (size_t i = 0; i < origins.size(); ++i)
    for (ContextId context : origins[i].contexts)
      if (const std::set<Evaluation>* seen = evaluations_in(data_, decision, context))
        for (const Evaluation& evaluation : *seen) masks[index_of(decision, evaluation)] |= 1U << i;
  return masks;
}

std::vector<int64_t> SourceEvaluations::of_context(ContextId context) const {
  std::vector<int64_t> numbers;
  int64_t first = 0;
  for (const DecisionCoverage* decision : decisions_) {
    if (const std::set<Evaluation>* seen = evaluations_in(data_, *decision, context))
      for (const Evaluation& evaluation : *seen)
        numbers.push_back(first + static_cast<int64_t>(index_of(*decision, evaluation)));
    first += static_cast<int64_t>(decision->evaluations.size());
  }
  return numbers;
}

}  // namespace qd::report
