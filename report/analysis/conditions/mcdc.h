// Modified condition/decision coverage: whether evaluations show that each condition decides alone.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "report/data/kernel_data.h"

namespace qd::report {

/// Largest number of conditions of a decision with MC/DC, as in clang: each condition may double the number of ways to
/// evaluate a decision.
inline constexpr size_t kMaxMcdcConditions = 6;

/// Two evaluations that show a condition to decide alone: its value differs, the result differs, and each other
/// condition has the same value in both or was not evaluated in one of them. That is LLVM's definition (`llvm-cov show
/// --show-mcdc`): unique-cause MC/DC in which a condition that short circuit skipped agrees with any value.
struct IndependencePair {
  Evaluation when_true, when_false;  // of the condition
};

/// Pair that shows a condition to decide alone, or else the evaluations that would complete one.
struct Independence {
  std::optional<IndependencePair> shown;
  /// When not shown: the evaluations, one or two, that complete a pair together with the seen ones. None: no evaluation
  /// can.
  std::vector<Evaluation> wanted;
};

/// Returns an entry for each of `n` conditions. `possible` are all ways to evaluate the decision. An evaluation without
/// a result shows nothing.
std::vector<Independence> independence(const std::set<Evaluation>& seen, size_t n,
                                       const std::set<Evaluation>& possible);

}  // namespace qd::report
