// Workers spin for a moment after a range, because tasks follow each other, and sleep then.
#include "runtime/device/cpu/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace qd::device {
namespace {

/// Looks at an atomic before a thread sleeps: some 10 µs.
constexpr int kSpins = 400;

void pause_cpu() { __builtin_ia32_pause(); }

/// Counts forks: threads of another generation do not exist in this process.
std::atomic<uint64_t> fork_generation = 0;
std::mutex creation;  // of states
void count_fork() {
  ++fork_generation;
  new (&creation) std::mutex;
}

/// Whether this thread is in a part of a range.
thread_local bool inside_part = false;

}  // namespace

struct ThreadPool::State {
  explicit State(int worker_count) : generation(fork_generation) {
    for (int i = 0; i < worker_count; ++i) workers.emplace_back([this] { work(); });
  }

  ~State() {
    {
      std::lock_guard lock(mutex);
      stopped = true;
      epoch.fetch_add(1);
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void work() {
    inside_part = true;
    uint64_t seen = 0;
    for (;;) {
      for (int i = 0; i < kSpins && epoch.load(std::memory_order_acquire) == seen; ++i) pause_cpu();
      if (epoch.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex);
        ++sleepers;
        wake.wait(lock, [&] { return epoch.load(std::memory_order_relaxed) != seen; });
        --sleepers;
      }
      seen = epoch.load(std::memory_order_acquire);
      if (stopped) return;
      // A worker that comes late finds the range closed, and nobody has waited for it.
      inside.fetch_add(1);
      if (open.load()) parts();
      if (inside.fetch_sub(1) == 1 && !open.load()) {
        std::lock_guard lock(mutex);
        finished.notify_one();
      }
    }
  }

  void parts() {
    for (;;) {
      int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= count) return;
      part(data, begin, std::min(begin + chunk, count));
    }
  }

  void run(int64_t range_count, int64_t range_chunk, Part range_part, void* range_data) {
    std::lock_guard one_range(ranges);
    count = range_count;
    chunk = range_chunk;
    part = range_part;
    data = range_data;
    next.store(0, std::memory_order_relaxed);
    open.store(true);
    bool someone_sleeps;
    {
      std::lock_guard lock(mutex);
      epoch.fetch_add(1, std::memory_order_release);
      someone_sleeps = sleepers > 0;
    }
    if (someone_sleeps) wake.notify_all();
    inside_part = true;
    parts();
    inside_part = false;
    open.store(false);
    for (int i = 0; i < kSpins && inside.load() != 0; ++i) pause_cpu();
    if (inside.load() != 0) {
      std::unique_lock lock(mutex);
      finished.wait(lock, [&] { return inside.load() == 0; });
    }
  }

  const uint64_t generation;
  std::mutex ranges;  // held by whoever runs a range

  // The range that runs: written while it is closed and nobody is inside.
  int64_t count = 0;
  int64_t chunk = 1;
  Part part = nullptr;
  void* data = nullptr;
  alignas(64) std::atomic<int64_t> next = 0;
  alignas(64) std::atomic<bool> open = false;
  std::atomic<int> inside = 0;  // workers that look at the range
  alignas(64) std::atomic<uint64_t> epoch = 0;

  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable finished;
  int sleepers = 0;
  bool stopped = false;
  std::vector<std::thread> workers;
};

ThreadPool::ThreadPool(int threads) : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, count_fork);
}

ThreadPool::~ThreadPool() {
  State* state = state_.load();
  if (state && state->generation == fork_generation) delete state;
}

ThreadPool::State& ThreadPool::state() {
  State* state = state_.load(std::memory_order_acquire);
  if (state && state->generation == fork_generation) return *state;
  std::lock_guard lock(creation);
  state = state_.load();
  if (state && state->generation == fork_generation) return *state;
  // The threads of the parent are gone, and its locks may be held for ever: that state is left behind.
  state = new State(threads_ - 1);
  state_.store(state, std::memory_order_release);
  return *state;
}

void ThreadPool::run(int64_t count, int64_t chunk, Part part, void* data) {
  if (threads_ == 1 || count <= chunk || inside_part) {
    if (count > 0) part(data, 0, count);
    return;
  }
  state().run(count, chunk, part, data);
}

}  // namespace qd::device
