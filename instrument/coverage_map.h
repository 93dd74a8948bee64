// Coverage map: execution counts of the source's arcs, each as a sum of counters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/data/journal_meaning.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Execution count of a region, as a sum of counters with factors. Without terms: 0.
class RegionCount {
 public:
  RegionCount() = default;
  static RegionCount of(uint32_t counter) {
    RegionCount count;
    count.terms_.push_back({counter, 1});
    return count;
  }

  struct Term {
    uint32_t counter;
    int64_t factor;
    bool operator==(const Term&) const = default;
  };
  std::span<const Term> terms() const { return terms_; }
  int64_t value(std::span<const uint64_t> counters) const;

  RegionCount operator+(const RegionCount& other) const { return combined(other, 1); }
  RegionCount operator-(const RegionCount& other) const { return combined(other, -1); }
  bool operator==(const RegionCount&) const = default;
  /// The same sum over counters with new numbers, in the same order.
  RegionCount renumbered(std::span<const uint32_t> numbers) const;
  /// The sum without the terms of counters for which `wanted` is false.
  template <class Wanted>
  RegionCount only(const Wanted& wanted) const {
    RegionCount result;
    for (const Term& term : terms_) {
      if (wanted(term.counter)) result.terms_.push_back(term);
    }
    return result;
  }

 private:
  RegionCount combined(const RegionCount& other, int64_t factor) const;

  std::vector<Term> terms_;  // sorted by counter, no zero factor
};

/// An arc of the source, with the execution count of the region that takes it.
struct MappedArc {
  uint32_t function = 0;  // into CoverageMap::functions
  int32_t from = 0;
  int32_t to = 0;
  RegionCount count;
  uint32_t variant = ir::Probe::kNoVariant;  // into CoverageMap::variants
};

/// The bits of a decision: outcome k was seen when bit k % 64 of counter first_counter + k / 64 is set. These counters
/// hold no counts.
struct MappedDecision {
  report::JournalDecision decision;
  uint32_t first_counter = 0;
};

/// Meaning of all counters of one compiled variant.
struct CoverageMap {
  std::vector<ir::Function> functions;
  std::vector<std::string> variants;  // argument types of funcs
  std::vector<MappedArc> arcs;
  std::vector<MappedDecision> decisions;
  uint32_t counters = 0;
};

}  // namespace qd::instrument
