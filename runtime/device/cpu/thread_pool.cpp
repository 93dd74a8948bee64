// Work stealing: each thread has a slice of the range, and takes one part of it after the other; at its end it takes
// parts of other slices. The workers have one range at a time. A thread with another range runs parts of it alone, and
// hands the rest to the workers as soon as they are free. So ranges of several streams or host threads run side by
// side, and no thread waits.
//
// After a range, workers spin for a moment, because the next task often follows at once; then they sleep.
#include "runtime/device/cpu/thread_pool.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/device/cpu/code_call.h"
#include "runtime/device/host_threads.h"

namespace qd::device {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr std::chrono::milliseconds kBetweenInterruptions{1};
/// Largest number of threads of a pool. No computer has use for more, and other programs need some too.
constexpr int kMostThreads = 1024;

std::mutex creation;  // guards the creation of states

/// Whether this thread is running a part of a range.
thread_local bool inside_part = false;

}  // namespace

/// Adjacent parts of a range. The same thread has them in the next range, too, if it has as many iterations: they are
/// in its cache then, and threads meet less often at elements that many iterations change.
struct alignas(64) Slice {
  std::atomic<int64_t> next = 0;  // begin of the first part that no thread has taken
  int64_t end = 0;
};

struct ThreadPool::State {
  explicit State(int worker_count) : generation(fork_count()), slices(static_cast<size_t>(worker_count) + 1) {
    SignalsBlocked blocked;
    workers.reserve(static_cast<size_t>(worker_count));
    try {
      while (workers.size() < static_cast<size_t>(worker_count))
        workers.emplace_back([this, own = workers.size() + 1] { work(own); });
    } catch (const std::system_error& error) {
      shortage = error.code().message();
    }
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

  /// Takes parts as a worker. `own`: the number of the thread's slice.
  void work(size_t own) {
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
      // A worker that comes late finds the range closed. No thread has waited for that worker.
      inside.fetch_add(1);
      if (open.load()) parts(own);
      if (inside.fetch_sub(1) == 1 && !open.load()) {
        std::lock_guard lock(mutex);
        finished.notify_one();
      }
    }
  }

  /// Runs the parts of the thread's own slice, then the remaining parts of the others.
  void parts(size_t own) {
    for (size_t i = 0; i < slices.size(); ++i) {
      Slice& slice = slices[own + i < slices.size() ? own + i : own + i - slices.size()];
      while (slice.next.load(std::memory_order_relaxed) < slice.end) {
        const int64_t begin = slice.next.fetch_add(chunk, std::memory_order_relaxed);
        if (begin >= slice.end) break;
        part(data, begin, std::min(begin + chunk, slice.end));
      }
    }
  }

  /// Gives each thread as many parts as the others, one more or less, which lie together.
  void cut_into_slices() {
    const int64_t all = (count - first + chunk - 1) / chunk;
    const auto threads = static_cast<int64_t>(slices.size());
    int64_t begin = first;
    for (int64_t i = 0; i < threads; ++i) {
      Slice& slice = slices[static_cast<size_t>(i)];
      slice.next.store(begin, std::memory_order_relaxed);
      begin = std::min(count, begin + (all / threads + (i < all % threads)) * chunk);
      slice.end = begin;
    }
  }

  /// Result of `look`. It may run ranges itself, which then run on this thread alone.
  static bool looked(const Waiting* waiting) {
    if (!waiting) return false;
    inside_part = true;
    const bool stop = waiting->look(waiting->data);
    inside_part = false;
    return stop;
  }

  /// Runs a range. As long as another range has the workers, this thread runs its parts alone.
  void run(int64_t range_count, int64_t range_chunk, Part range_part, void* range_data, const Waiting* waiting) {
    int64_t begin = 0;
    while (begin < range_count && !ranges.try_lock()) {
      inside_part = true;
      range_part(range_data, begin, std::min(begin + range_chunk, range_count));
      inside_part = false;
      begin += range_chunk;
    }
    if (begin >= range_count) return;
    std::lock_guard one_range(ranges, std::adopt_lock);
    first = begin;
    count = range_count;
    chunk = range_chunk;
    part = range_part;
    data = range_data;
    cut_into_slices();
    open.store(true);
    bool someone_sleeps;
    {
      std::lock_guard lock(mutex);
      epoch.fetch_add(1, std::memory_order_release);
      someone_sleeps = sleepers > 0;
    }
    if (someone_sleeps) wake.notify_all();
    inside_part = true;
    parts(0);
    inside_part = false;
    open.store(false);
    for (int i = 0; i < kSpins && inside.load() != 0; ++i) pause_cpu();
    if (inside.load() != 0) wait_for_workers(waiting);
  }

  void wait_for_workers(const Waiting* waiting) {
    auto all_out = [&] { return inside.load() == 0; };
    std::unique_lock lock(mutex);
    if (!waiting) return finished.wait(lock, all_out);
    bool stop = false;
    while (!finished.wait_for(lock, stop ? kBetweenInterruptions : kBetweenLooks, all_out)) {
      lock.unlock();
      stop = stop || looked(waiting);
      for (std::thread& worker : workers) {
        if (stop) interrupt(worker.native_handle());
      }
      lock.lock();
    }
  }

  const uint64_t generation;
  std::mutex ranges;     // held by the thread whose range the workers run
  std::string shortage;  // the reason why there are fewer workers than wanted

  // The present range. These are written while the range is closed and no worker is inside.
  int64_t first = 0;  // the part before it has run already
  int64_t count = 0;
  int64_t chunk = 1;
  Part part = nullptr;
  void* data = nullptr;
  std::vector<Slice> slices;  // the launching thread has the first
  alignas(64) std::atomic<bool> open = false;
  std::atomic<int> inside = 0;  // number of workers that are looking at the range
  alignas(64) std::atomic<uint64_t> epoch = 0;

  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable finished;
  int sleepers = 0;
  std::atomic<bool> stopped = false;  // a worker that wakes for a range may already look
  std::vector<std::thread> workers;
};

ThreadPool::ThreadPool(int threads, std::function<void(const std::string&)> warn)
    : wanted_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      threads_(std::min(wanted_, kMostThreads)),
      warn_(std::move(warn)) {
  // In the child of a fork, the lock may be held by a thread that the child does not have.
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] { new (&creation) std::mutex(); });
}

ThreadPool::~ThreadPool() {
  State* state = state_.load();
  if (state && state->generation == fork_count()) delete state;
}

ThreadPool::State& ThreadPool::state() {
  State* state = state_.load(std::memory_order_acquire);
  if (state && state->generation == fork_count()) return *state;
  {
    std::lock_guard lock(creation);
    state = state_.load();
    if (state && state->generation == fork_count()) return *state;
    // In the child of a fork the parent's threads are gone, and its locks may be held for ever. So the old state is
    // left behind.
    state = new State(threads_ - 1);
    state_.store(state, std::memory_order_release);
  }
  const size_t started = state->workers.size() + 1;
  if (warn_ && started < static_cast<size_t>(wanted_)) {
    const std::string why =
        state->shortage.empty() ? "more are not used" : "the next could not be started: " + state->shortage;
    warn_(fmt::format("{} threads are wanted (cpu_max_num_threads); kernels run on {}: {}", wanted_, started, why));
  }
  return *state;
}

void ThreadPool::run(int64_t count, int64_t chunk, Part part, void* data, const Waiting* waiting) {
  if (threads_ == 1 || count <= chunk || inside_part) {
    if (count > 0) part(data, 0, count);
    return;
  }
  state().run(count, chunk, part, data, waiting);
}

}  // namespace qd::device
