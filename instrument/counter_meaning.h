// What the counters of one compiled variant mean.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/coverage_map.h"
#include "instrument/journal.h"

namespace qd::instrument {

/// The arcs of a variant, grouped by the region whose execution takes them, and its decisions. Equal for variants that
/// are compiled alike, for the same kind of device.
struct CounterMeaning {
  struct Region {
    RegionCount count;
    std::vector<uint32_t> arcs;  // indices into CounterMeaning::arcs
    bool operator==(const Region&) const = default;
  };
  /// A counter that has bits of a decision's outcomes.
  struct Word {
    uint32_t counter;
    uint64_t all;    // those bits
    uint32_t first;  // the lowest one's number among the outcomes of all decisions
    bool operator==(const Word&) const = default;
  };
  std::vector<report::JournalFunction> functions;  // [0]: the kernel; they know the device
  std::vector<report::JournalArc> arcs;
  std::vector<report::JournalArc> left_out;  // by the cap on probes
  std::vector<Region> regions;
  std::vector<report::JournalDecision> decisions;
  std::vector<Word> words;
  uint32_t outcomes = 0;  // of all decisions
  uint32_t counters = 0;

  /// `arch`: of the device that the variant was compiled for.
  CounterMeaning(const CoverageMap& map, const std::vector<ir::Probe>& left_out_probes, const std::string& arch);
  /// Of a record of hits: one for each arc, then one for each outcome.
  size_t bits() const { return arcs.size() + outcomes; }
  bool operator==(const CounterMeaning&) const = default;
};

/// How data names a kernel or func that was compiled for a device.
report::JournalFunction journal_function(const ir::Function& function, bool is_kernel, const std::string& arch);

}  // namespace qd::instrument
