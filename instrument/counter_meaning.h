// Meaning of a compiled variant's counters: the arcs, outcomes and other results that they are for.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/coverage_map.h"
#include "instrument/journal.h"

namespace qd::instrument {

/// The arcs of a variant, grouped by the sum of counters that tells how often they were taken, and its decisions. A
/// variant that is compiled again, for the same kind of device and the same arguments, has an equal meaning.
struct CounterMeaning {
  struct ArcGroup {
    CounterSum count;
    std::vector<uint32_t> arcs;  // indices into CounterMeaning::arcs
    bool operator==(const ArcGroup&) const = default;
  };
  /// A counter whose set bits are the outcomes seen of a decision.
  struct Word {
    uint32_t counter;
    uint64_t all;    // the bits that belong to outcomes
    uint32_t first;  // number of the lowest bit among the outcomes of all decisions
    bool operator==(const Word&) const = default;
  };
  std::vector<report::JournalFunction> functions;  // [0] is the kernel; each knows its device
  std::string variant;                             // argument types of the kernel (variant_text)
  std::vector<std::string> func_variants;          // argument types of funcs, indexed by `arcs`
  std::vector<report::JournalArc> arcs;
  std::vector<report::JournalArc> left_out;  // arcs that the cap on probes left out
  std::vector<ArcGroup> groups;
  std::vector<report::JournalDecision> decisions;
  std::vector<Word> words;
  uint32_t outcomes = 0;  // number of outcomes of all decisions
  std::vector<MappedResults> results;
  uint32_t counters = 0;

  /// `arch`: the device for which the variant was compiled; `variant`: its argument types (variant_text).
  CounterMeaning(const CoverageMap& map, const std::vector<ir::Probe>& left_out_probes, const std::string& arch,
                 std::string variant);
  /// Number of bits in a record of hits: one for each arc, then one for each outcome.
  size_t bits() const { return arcs.size() + outcomes; }
  /// Whether launches have anything to tell.
  bool tells() const { return bits() > 0 || !results.empty(); }
  /// Whether it has derivatives alone: the variant is for a mode in which no line counts.
  bool of_derivatives() const;
  /// Whether some results are sums over all launches.
  bool has_sums() const;
  bool operator==(const CounterMeaning&) const = default;
};

/// Key of a kernel or func in the data: name, file and device.
report::JournalFunction journal_function(const ir::Function& function, bool is_kernel, const std::string& arch);

}  // namespace qd::instrument
