// What the counters of one compiled variant mean.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/coverage_map.h"
#include "instrument/journal.h"

namespace qd::instrument {

/// The arcs of a variant, grouped by the region whose execution takes them, and the variant's decisions. A variant that
/// is compiled again, for the same kind of device and the same arguments, has an equal meaning.
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
  std::string variant;                             // what the kernel was compiled for
  std::vector<std::string> func_variants;          // for what funcs were called: `arcs` name them
  std::vector<report::JournalArc> arcs;
  std::vector<report::JournalArc> left_out;  // arcs that the cap on probes left out
  std::vector<Region> regions;
  std::vector<report::JournalDecision> decisions;
  std::vector<Word> words;
  uint32_t outcomes = 0;  // how many outcomes all decisions have
  uint32_t counters = 0;

  /// `arch`: the device for which the variant was compiled; `variant`: for which arguments (variant_text).
  CounterMeaning(const CoverageMap& map, const std::vector<ir::Probe>& left_out_probes, const std::string& arch,
                 std::string variant);
  /// How many bits a record of hits has: one for each arc, then one for each outcome.
  size_t bits() const { return arcs.size() + outcomes; }
  bool operator==(const CounterMeaning&) const = default;
};

/// The name under which data has a kernel or func that was compiled for a device.
report::JournalFunction journal_function(const ir::Function& function, bool is_kernel, const std::string& arch);

}  // namespace qd::instrument
