// The observer of one compiled variant: hands out counters, and takes them back when a launch is over.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "instrument/hits.h"
#include "instrument/session.h"

namespace qd::instrument {

/// Hands out counters: a set of its own to each launch in flight, so that its sums are those of finished launches when it ends.
class Session::Variant : public VariantObserver {
 public:
  /// The session's lock is held.
  Variant(Session& session, std::shared_ptr<const Meaning> meaning) : session_(session), meaning_(std::move(meaning)) { session_.variants_.insert(this); }
  ~Variant() override {
    std::lock_guard lock(session_.mutex_);
    session_.variants_.erase(this);
    delete idle_.load();
  }

  Counters counters() override {
    uint64_t epoch = session_.epoch_.load(std::memory_order_acquire);
    std::unique_ptr<Set> set(idle_.exchange(nullptr));
    if (!set) set = another();
    if (!set->hits || set->hits->epoch != epoch) {
      set->hits = hits_of(epoch);
      std::fill(set->counters.begin(), set->counters.end(), 0);
    }
    const Counters counters{set->counters.data(), set->hits->epoch};
    set.release();
    return counters;
  }

  void launch_done(uint64_t* counters) override {
    std::unique_ptr<Set> set = in_flight(counters);
    if (set->hits->add(set->counters)) {
      if (auto later = session_.hits_in_present_journal(*set->hits)) later->add(set->counters);
    }
    if (set->hits->all()) {
      const uint64_t epoch = set->hits->epoch;
      if (taken_in_.load(std::memory_order_relaxed) != epoch) taken_in_.store(epoch, std::memory_order_relaxed);
    }
    give_back(std::move(set));
  }

  void launch_left(uint64_t* counters) override {
    std::unique_ptr<Set> set = in_flight(counters);
    // What finished launches added is in the hits.
    std::fill(set->counters.begin(), set->counters.end(), 0);
    give_back(std::move(set));
  }

  bool all_taken() const override { return taken_in_.load(std::memory_order_relaxed) == session_.epoch_.load(std::memory_order_acquire); }

  const std::atomic<uint64_t>& epoch() const override { return session_.epoch_; }

  std::vector<bool> open_counters(uint64_t epoch) const override {
    std::shared_ptr<Hits> hits;
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
  struct Set {
    std::vector<uint64_t> counters;
    std::shared_ptr<Hits> hits;
  };

  std::unique_ptr<Set> another() {
    std::lock_guard lock(mutex_);
    if (!more_.empty()) {
      std::unique_ptr<Set> set = std::move(more_.back());
      more_.pop_back();
      return set;
    }
    auto set = std::make_unique<Set>();
    set->counters.resize(std::max<uint32_t>(1, meaning_->counters));
    sets_[set->counters.data()] = set.get();
    return set;
  }

  std::unique_ptr<Set> in_flight(uint64_t* counters) {
    Set* last = last_.load(std::memory_order_acquire);  // another thread may have made it
    if (last && last->counters.data() == counters) return std::unique_ptr<Set>(last);
    std::lock_guard lock(mutex_);
    Set* set = sets_.at(counters);
    last_.store(set, std::memory_order_release);
    return std::unique_ptr<Set>(set);
  }

  void give_back(std::unique_ptr<Set> set) {
    Set* none = nullptr;
    if (idle_.compare_exchange_strong(none, set.get())) {
      set.release();
    } else {
      std::lock_guard lock(mutex_);
      more_.push_back(std::move(set));
    }
  }

  std::shared_ptr<Hits> hits_of(uint64_t epoch) {
    {
      std::lock_guard lock(mutex_);
      if (latest_ && latest_->epoch == epoch) return latest_;
    }
    std::shared_ptr<Hits> hits = session_.present_hits(meaning_);  // its lock comes before ours (see ForkHandlers)
    std::lock_guard lock(mutex_);
    latest_ = hits;
    return hits;
  }

  Session& session_;
  std::shared_ptr<const Meaning> meaning_;
  std::atomic<Set*> idle_ = nullptr;
  std::atomic<Set*> last_ = nullptr;
  std::atomic<uint64_t> taken_in_ = 0;  // an epoch in which all was taken; from 1
  friend class ForkHandlers;
  mutable std::mutex mutex_;  // of what follows
  std::map<uint64_t*, Set*> sets_;
  std::vector<std::unique_ptr<Set>> more_;
  std::shared_ptr<Hits> latest_;
};

}  // namespace qd::instrument
