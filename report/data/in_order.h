// Parallel map with ordered results: works on all cores, and uses the results in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace qd::report {

/// Number of threads that `in_order` uses for `n` pieces of work.
inline size_t worker_threads(size_t n) {
  return std::clamp<size_t>(std::thread::hardware_concurrency(), 1, std::max<size_t>(n, 1));
}

/// Calls make(i) for each i < n, on several threads at once, and use(i, result) for each in order, on the calling
/// thread. At most `ahead` results wait for their turn, so memory is bounded. An exception of make(i) is thrown when
/// use(i) would have been called. After that, or when `use` throws, no more work is begun.
template <typename Make, typename Use>
void in_order(size_t n, Make make, Use use, size_t ahead = 64) {
  using Result = std::invoke_result_t<Make&, size_t>;
  struct Slot {
    std::optional<Result> result;
    std::exception_ptr error;
    bool done = false;
  };
  std::vector<Slot> slots(std::min(n, ahead));
  std::mutex mutex;
  std::condition_variable made, used;
  size_t next = 0, first_unused = 0;  // guarded by mutex
  bool stopped = false;               // likewise

  auto work = [&] {
    for (;;) {
      std::unique_lock lock(mutex);
      used.wait(lock, [&] { return stopped || next >= n || next < first_unused + slots.size(); });
      if (stopped || next >= n) return;
      size_t i = next++;
      lock.unlock();
      Slot slot;
      try {
        slot.result.emplace(make(i));
      } catch (...) {
        slot.error = std::current_exception();
      }
      slot.done = true;
      lock.lock();
      slots[i % slots.size()] = std::move(slot);
      if (i == first_unused) made.notify_one();
    }
  };
  struct Threads {
    std::vector<std::thread> threads;
    std::mutex& mutex;
    std::condition_variable& used;
    bool& stopped;
    ~Threads() {
      {
        std::lock_guard lock(mutex);
        stopped = true;
      }
      used.notify_all();
      for (std::thread& thread : threads) thread.join();
    }
  } workers{{}, mutex, used, stopped};
  for (size_t i = 0; i < worker_threads(n); ++i) workers.threads.emplace_back(work);

  for (size_t i = 0; i < n; ++i) {
    Slot slot;
    {
      std::unique_lock lock(mutex);
      made.wait(lock, [&] { return slots[i % slots.size()].done; });
      slot = std::exchange(slots[i % slots.size()], Slot{});
      first_unused = i + 1;
    }
    used.notify_one();
    if (slot.error) std::rethrow_exception(slot.error);
    use(i, std::move(*slot.result));
  }
}

}  // namespace qd::report
