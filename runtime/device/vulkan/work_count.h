// Count of a stream's launches that are over, for threads that wait for all of them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace qd::device::vulkan {

/// Counter of one stream. Its launches end in their order. Thread-safe.
class WorkCount {
 public:
  void begin() { begun_.fetch_add(1); }
  void end() {
    over_.fetch_add(1);
    if (waiting_.load() == 0) return;
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  /// Waits for all launches that have begun.
  void wait() {
    const uint64_t begun = begun_.load();
    if (over_.load() >= begun) return;
    std::unique_lock lock(mutex_);
    waiting_.fetch_add(1);  // before it looks again, so that end() sees it
    changed_.wait(lock, [&] { return over_.load() >= begun; });
    waiting_.fetch_sub(1);
  }

 private:
  std::atomic<uint64_t> begun_ = 0;
  std::atomic<uint64_t> over_ = 0;
  std::atomic<int> waiting_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// The counts of all streams of a device. Thread-safe.
class AllWork {
 public:
  std::shared_ptr<WorkCount> add();
  /// Waits for all launches that have begun on any stream.
  void wait();

 private:
  std::mutex mutex_;  // of `streams_`
  std::vector<std::weak_ptr<WorkCount>> streams_;
};

}  // namespace qd::device::vulkan
