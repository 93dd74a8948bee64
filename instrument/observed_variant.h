// Observer of one compiled variant. It identifies a launch by its counter set, and adds its counts to the hits when the
// launch is over.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "instrument/context_hits.h"
#include "instrument/session.h"

namespace qd::instrument {

/// A set of counters for launches of one variant on one stream. Only one launch at a time uses a set. So the sums at
/// the end of a launch are those of finished launches.
struct CounterSet {
  uint32_t id = 0;
  uint32_t stream = 0;
  std::vector<uint64_t>
      words;  // for code that counts in the host's memory; has the counts of finished launches in the epoch of `hits`
  std::shared_ptr<ContextHits> hits;  // hits of the launch in flight, or of the last one
};

/// The counter sets of a variant. They do not move, and are found without a lock.
class CounterSets {
 public:
  ~CounterSets() {
    for (std::atomic<CounterSet*>& block : blocks_) delete[] block.load();
  }
  CounterSet& operator[](uint32_t id) const {
    const BlockIndex place = index_of(id);
    return blocks_[place.block].load(std::memory_order_acquire)[place.index];
  }
  /// Adds a set. Only one thread at a time may call this.
  CounterSet& add() {
    const BlockIndex place = index_of(size_);
    if (place.index == 0)
      blocks_[place.block].store(new CounterSet[size_t{1} << place.block], std::memory_order_release);
    CounterSet& set = (*this)[size_];
    set.id = size_++;
    return set;
  }

 private:
  struct BlockIndex {
    size_t block, index;
  };
  /// Address of a set: block n has room for 2^n sets.
  static BlockIndex index_of(uint32_t id) {
    const uint64_t number = uint64_t{id} + 1;
    const size_t block = static_cast<size_t>(std::bit_width(number)) - 1;
    return {block, number - (uint64_t{1} << block)};
  }
  std::array<std::atomic<CounterSet*>, 32> blocks_{};
  uint32_t size_ = 0;
};

class Session::ObservedVariant : public VariantObserver {
 public:
  /// The caller holds the session's lock.
  ObservedVariant(Session& session, std::shared_ptr<const CounterMeaning> meaning)
      : session_(session), meaning_(std::move(meaning)) {
    session_.variants_.insert(this);
  }
  ~ObservedVariant() override {
    std::lock_guard lock(session_.mutex_);
    session_.keep_launches(*this);
    session_.variants_.erase(this);
  }

  const CounterMeaning& meaning() const { return *meaning_; }
  /// Returns and resets the number of launches that have started.
  uint64_t take_launches() { return launches_.exchange(0, std::memory_order_relaxed); }

  Counters begin(uint32_t stream) override {
    const uint64_t epoch = session_.epoch_.load(std::memory_order_acquire);
    CounterSet* idle = stream == kDefaultStream ? idle_.exchange(nullptr) : nullptr;
    CounterSet& set = idle ? *idle : another(stream);
    if (!set.hits || set.hits->epoch != epoch) {
      set.hits = hits_of(epoch);
      std::fill(set.words.begin(), set.words.end(), 0);
    }
    return {set.id, set.words, set.hits->epoch};
  }

  void launch_done(uint32_t id, std::span<const uint64_t> words) override {
    CounterSet& set = sets_[id];
    if (set.hits->add(words)) {
      if (auto later = session_.hits_in_present_journal(*set.hits)) later->add(words);
    }
    if (meaning_->has_sums()) {
      session_.add_sums(*set.hits, words);
      // The words of a set go on from launch to launch, but each launch counts once.
      for (const MappedResults& mapped : meaning_->results)
        if (mapped.results.kind.merge == report::MergeRule::Add && !set.words.empty())
          std::fill_n(set.words.begin() + mapped.first_counter, mapped.results.places.size(), 0);
    }
    if (set.hits->all()) {
      const uint64_t epoch = set.hits->epoch;
      if (taken_in_.load(std::memory_order_relaxed) != epoch) taken_in_.store(epoch, std::memory_order_relaxed);
    }
    give_back(set);
  }

  void launch_left(uint32_t id) override {
    CounterSet& set = sets_[id];
    // The counts of finished launches are in the hits already.
    std::fill(set.words.begin(), set.words.end(), 0);
    give_back(set);
  }

  bool all_taken() const override {
    return taken_in_.load(std::memory_order_relaxed) == session_.epoch_.load(std::memory_order_acquire);
  }

  const std::atomic<uint64_t>& epoch() const override { return session_.epoch_; }

  std::vector<bool> open_counters(uint64_t epoch) const override {
    std::shared_ptr<ContextHits> hits;
    {
      std::lock_guard lock(mutex_);
      hits = latest_;
    }
    if (!hits || hits->epoch != epoch) return {};
    std::vector<bool> open(meaning_->counters);
    hits->mark_open(open);
    return open;
  }

 private:
  CounterSet& another(uint32_t stream) {
    std::lock_guard lock(mutex_);
    std::vector<CounterSet*>& more = more_[stream];
    if (!more.empty()) {
      CounterSet* set = more.back();
      more.pop_back();
      return *set;
    }
    CounterSet& set = sets_.add();
    set.stream = stream;
    set.words.resize(std::max<uint32_t>(1, meaning_->counters));
    return set;
  }

  void give_back(CounterSet& set) {
    CounterSet* none = nullptr;
    if (set.stream == kDefaultStream && idle_.compare_exchange_strong(none, &set)) return;
    std::lock_guard lock(mutex_);
    more_[set.stream].push_back(&set);
  }

  std::shared_ptr<ContextHits> hits_of(uint64_t epoch) {
    {
      std::lock_guard lock(mutex_);
      if (latest_ && latest_->epoch == epoch) return latest_;
    }
    // The session's lock is taken before ours (see ForkHandlers).
    std::shared_ptr<ContextHits> hits = session_.present_hits(meaning_);
    std::lock_guard lock(mutex_);
    latest_ = hits;
    return hits;
  }

  Session& session_;
  std::shared_ptr<const CounterMeaning> meaning_;
  CounterSets sets_;
  std::atomic<CounterSet*> idle_ = nullptr;  // an idle set of the default stream
  std::atomic<uint64_t> taken_in_ = 0;       // an epoch with nothing left to learn; at least 1
  friend class ForkHandlers;
  mutable std::mutex mutex_;                           // guards the members below, and the adding of sets
  std::map<uint32_t, std::vector<CounterSet*>> more_;  // idle sets, by stream
  std::shared_ptr<ContextHits> latest_;
};

}  // namespace qd::instrument
