// What the counters of one compiled variant mean.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/coverage_map.h"
#include "instrument/journal.h"

namespace qd::instrument {

/// The arcs of a variant, grouped by the region whose execution takes them, and the variant's decisions. Two variants
/// that compile alike for the same kind of device have equal meanings.
struct CounterMeaning {
  struct Region {
    RegionCount count;
    std::vector<uint32_t> arcs;  // indices into CounterMeaning::arcs
    bool operator==(const Region&) const = default;
  };
  /// A counter whose bits say which outcomes of a decision were seen.
  struct Word {
    uint32_t counter;
    uint64_t all;    // the bits that belong to outcomes
    uint32_t first;  // the number of the lowest bit among the outcomes of all decisions
    bool operator==(const Word&) const = default;
  };
  std::vector<report::JournalFunction> functions;  // [0] is the kernel; each knows its device
  std::vector<report::JournalArc> arcs;
  std::vector<report::JournalArc> left_out;  // arcs that the cap on probes left out
  std::vector<Region> regions;
  std::vector<report::JournalDecision> decisions;
  std::vector<Word> words;
  uint32_t outcomes = 0;  // how many outcomes all decisions have
  uint32_t counters = 0;

  /// `arch`: the device for which the variant was compiled.
  CounterMeaning(const CoverageMap& map, const std::vector<ir::Probe>& left_out_probes, const std::string& arch);
  /// How many bits a record of hits has: one for each arc, then one for each outcome.
  size_t bits() const { return arcs.size() + outcomes; }
  bool operator==(const CounterMeaning&) const = default;
};

/// The name under which data has a kernel or func that was compiled for a device.
report::JournalFunction journal_function(const ir::Function& function, bool is_kernel, const std::string& arch);

}  // namespace qd::instrument
