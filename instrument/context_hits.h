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

/// The hits of all variants with the same meaning in one epoch. Thread-safe.
class ContextHits {
 public:
  /// `bits` are in `journal`, for the arcs and outcomes of the meaning; none of them is set. Without a journal nothing
  /// is recorded.
  ContextHits(std::shared_ptr<const CounterMeaning> meaning, uint64_t epoch, std::string label,
              std::shared_ptr<Journal> journal, HitBits bits);

  const std::shared_ptr<const CounterMeaning> meaning;
  const uint64_t epoch;
  const std::string label;  // of the context

  /// Takes in the counters of launches that have finished. True when they had something new.
  bool add(std::span<const uint64_t> counters);
  /// True when every arc and outcome is hit: nothing is left to learn.
  bool all() const { return all_.load(std::memory_order_relaxed); }
  bool belongs_to(const std::shared_ptr<Journal>& journal) const { return journal_ == journal; }
  /// Marks the counters that can still say something new.
  void mark_open(std::vector<bool>& counters) const;

 private:
  struct OpenWord {
    uint32_t index;  // into CounterMeaning::words
    uint64_t seen;
  };
  std::shared_ptr<Journal> journal_;  // the journal that holds the bits
  HitBits bits_;
  mutable std::mutex mutex_;          // guards the members below
  std::vector<uint32_t> open_;        // the groups of arcs that were not taken yet
  std::vector<OpenWord> open_words_;  // the counters of decisions that have not been evaluated in all ways
  std::atomic<bool> all_ = false;     // nothing is open
};

}  // namespace qd::instrument
