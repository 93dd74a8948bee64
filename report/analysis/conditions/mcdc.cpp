// MC/DC, modified condition/decision coverage: finds the conditions that were seen to decide by themselves.
//
// A condition is shown by a pair of evaluations with different outcomes, in one of which it was true and in the other
// false, while every other condition was the same or, in one of them, not evaluated (unique cause with short circuit,
// as LLVM counts it). For `a and (b or c)`:
//
//   a b c   outcome
//   T T -   T          with the next line: a pair for a (b and c were not evaluated there)
//   F - -   F
//   T F F   F          with the first line: a pair for b
//   T F T   T          with the third line: a pair for c
//
// Pairs are looked for by trying them all: six conditions have at most 64 evaluations. For a condition that has no
// pair, the report names an evaluation that would complete one. An evaluation that would complete pairs of several
// conditions is named first.
#include "report/analysis/conditions/mcdc.h"

#include <algorithm>
#include <utility>

namespace qd::report {

namespace {

bool is_pair(const Evaluation& a, const Evaluation& b, size_t condition) {
  if (a.conditions[condition] != 'T' || b.conditions[condition] != 'F') return false;
  if (a.result == b.result || a.result == '-' || b.result == '-') return false;
  for (size_t i = 0; i < a.conditions.size(); ++i)
    if (i != condition && a.conditions[i] != b.conditions[i] && a.conditions[i] != '-' && b.conditions[i] != '-')
      return false;
  return true;
}

bool shows_with(const Evaluation& added, const std::set<Evaluation>& seen, size_t condition) {
  return std::any_of(seen.begin(), seen.end(),
                     [&](const Evaluation& e) { return is_pair(e, added, condition) || is_pair(added, e, condition); });
}

std::optional<IndependencePair> find_pair(const std::set<Evaluation>& seen, size_t condition) {
  for (const Evaluation& a : seen)
    for (const Evaluation& b : seen)
      if (is_pair(a, b, condition)) return IndependencePair{a, b};
  return std::nullopt;
}

}  // namespace

std::vector<Independence> independence(const std::set<Evaluation>& seen, size_t n,
                                       const std::set<Evaluation>& possible) {
  std::vector<Independence> result(n);
  std::vector<size_t> lacking;
  for (size_t i = 0; i < n; ++i) {
    result[i].shown = find_pair(seen, i);
    if (!result[i].shown) lacking.push_back(i);
  }
  // One evaluation may be enough for several conditions: the most useful one is asked for.
  std::vector<std::pair<const Evaluation*, size_t>> useful;
  for (const Evaluation& evaluation : possible) {
    auto n_shown =
        std::count_if(lacking.begin(), lacking.end(), [&](size_t i) { return shows_with(evaluation, seen, i); });
    if (n_shown > 0) useful.emplace_back(&evaluation, static_cast<size_t>(n_shown));
  }
  std::sort(useful.begin(), useful.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : *a.first < *b.first;
  });
  for (size_t i : lacking) {
    auto best = std::find_if(useful.begin(), useful.end(),
                             [&](const auto& entry) { return shows_with(*entry.first, seen, i); });
    if (best != useful.end()) {
      result[i].wanted = {*best->first};
    } else if (std::optional<IndependencePair> pair = find_pair(possible, i)) {
      result[i].wanted = {pair->when_true, pair->when_false};
    }
  }
  return result;
}

}  // namespace qd::report
