// Hits of one compiled variant in one coverage context.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "instrument/counter_meaning.h"
#include "instrument/journal.h"

namespace qd::instrument {

/// The hits and other results of all variants with the same meaning in one epoch. Thread-safe.
class ContextHits {
 public:
  /// `bits` are in `journal`, for the arcs and outcomes of the meaning; none of them is set. So are `values`, for each
  /// of CounterMeaning::results; all are 0. Without a journal nothing is recorded.
  ContextHits(std::shared_ptr<const CounterMeaning> meaning, uint64_t epoch, std::string label,
              std::shared_ptr<Journal> journal, JournalValues bits, std::vector<JournalValues> values);

  const std::shared_ptr<const CounterMeaning> meaning;
  const uint64_t epoch;
  const std::string label;  // of the context

  /// Takes in the counters of launches that have finished, except for sums. True when they had something new.
  bool add(std::span<const uint64_t> counters);
  /// Adds the counters of a launch to the results that are sums.
  void add_sums(std::span<const uint64_t> counters);
  /// True when nothing is left to learn: every arc and outcome is hit, and there are no other results.
  bool all() const { return all_.load(std::memory_order_relaxed); }
  bool belongs_to(const std::shared_ptr<Journal>& journal) const { return journal_ == journal; }
  /// Marks the counters that can still say something new.
  void mark_open(std::vector<bool>& counters) const;

 private:
  /// The sums of the groups of arcs that were not taken yet, one behind the other: a launch evaluates all of them.
  struct OpenSums {
    struct Sum {
      uint32_t group;  // into CounterMeaning::groups
      uint32_t end;    // of its terms
    };
    std::vector<Sum> sums;
    std::vector<CounterSum::Term> terms;
    void push_back(uint32_t group, std::span<const CounterSum::Term> of_group);
  };
  struct OpenWord {
    uint32_t index;  // into CounterMeaning::words
    uint64_t seen;
  };
  struct Results {
    JournalValues values;
    std::vector<uint64_t> merged;  // by place
  };
  std::vector<uint32_t> close_groups(std::span<const uint64_t> counters);
  bool merge_results(std::span<const uint64_t> counters, bool sums);

  std::shared_ptr<Journal> journal_;  // the journal that holds the bits and values
  JournalValues bits_;
  mutable std::mutex mutex_;  // guards the members below
  OpenSums open_;
  std::vector<OpenWord> open_words_;  // the counters of decisions that have not been evaluated in all ways
  std::vector<Results> results_;      // as CounterMeaning::results
  std::atomic<bool> all_ = false;     // nothing is open
};

}  // namespace qd::instrument
