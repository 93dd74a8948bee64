// Coverage map: execution counts of the source's arcs, each as a sum of counters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/data/journal_meaning.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Execution count of a piece of code, as a sum of counters with factors. Without terms: 0.
class CounterSum {
 public:
  CounterSum() = default;
  static CounterSum of(uint32_t counter) {
    CounterSum count;
    count.terms_.push_back({counter, 1});
    return count;
  }

  struct Term {
    uint32_t counter;
    int32_t factor;
    bool operator==(const Term&) const = default;
  };
  std::span<const Term> terms() const { return terms_; }
  int64_t value(std::span<const uint64_t> counters) const { return value(terms_, counters); }
  /// The sum of these terms.
  static int64_t value(std::span<const Term> terms, std::span<const uint64_t> counters) {
    uint64_t sum = 0;
    for (const Term& term : terms) sum += static_cast<uint64_t>(int64_t{term.factor}) * counters[term.counter];
    return static_cast<int64_t>(sum);
  }

  CounterSum operator+(const CounterSum& other) const { return combined(other, 1); }
  CounterSum operator-(const CounterSum& other) const { return combined(other, -1); }
  bool operator==(const CounterSum&) const = default;
  /// The same sum over counters with new numbers, in the same order.
  CounterSum renumbered(std::span<const uint32_t> numbers) const;
  /// The sum without the terms of counters for which `wanted` is false.
  template <class Wanted>
  CounterSum only(const Wanted& wanted) const {
    CounterSum result;
    for (const Term& term : terms_) {
      if (wanted(term.counter)) result.terms_.push_back(term);
    }
    return result;
  }

 private:
  CounterSum combined(const CounterSum& other, int32_t factor) const;

  std::vector<Term> terms_;  // sorted by counter, no zero factor
};

/// An arc of the source, with the execution count.
struct MappedArc {
  uint32_t function = 0;  // into CoverageMap::functions
  int32_t from = 0;
  int32_t to = 0;
  CounterSum count;
  uint32_t variant = ir::Probe::kNoVariant;  // into CoverageMap::variants
};

/// The bits of a decision: outcome k was seen when bit k % 64 of counter first_counter + k / 64 is set. These counters
/// hold no counts.
struct MappedDecision {
  report::JournalDecision decision;
  uint32_t first_counter = 0;
};

/// Results of a further instrument: the value of place i is that of counter first_counter + i. Their merge rule is the
/// combine rule of these counters.
struct MappedResults {
  report::JournalResults results;
  uint32_t first_counter = 0;
  bool operator==(const MappedResults&) const = default;
};

/// Meaning of all counters of one compiled variant.
struct CoverageMap {
  std::vector<ir::Function> functions;
  std::vector<std::string> variants;  // argument types of funcs
  std::vector<MappedArc> arcs;
  std::vector<MappedDecision> decisions;
  std::vector<MappedResults> results;
  uint32_t counters = 0;
};

}  // namespace qd::instrument
