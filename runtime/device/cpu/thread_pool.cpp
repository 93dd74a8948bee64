// Workers spin for a moment after a range, because tasks follow each other, and sleep then.
#include "runtime/device/cpu/thread_pool.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/device/cpu/code_call.h"

namespace qd::device {
namespace {

/// Looks at an atomic before a thread sleeps: some 10 µs.
constexpr int kSpins = 400;
constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr std::chrono::milliseconds kBetweenInterruptions{1};
/// More are of no use on any computer that there is, and the next program may want some, too.
constexpr int kMostThreads = 1024;

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

/// Signals of the program are handled by its own threads, not by ours, but what stops a thread where it is.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t most;
    sigfillset(&most);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGURG})
      sigdelset(&most, number);
    pthread_sigmask(SIG_BLOCK, &most, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

struct ThreadPool::State {
  explicit State(int worker_count) : generation(fork_generation) {
    SignalsBlocked blocked;
    workers.reserve(static_cast<size_t>(worker_count));
    try {
      while (workers.size() < static_cast<size_t>(worker_count)) workers.emplace_back([this] { work(); });
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

  /// What `look` says; it may run ranges of its own, on its thread alone.
  static bool looked(const Waiting* waiting) {
    if (!waiting) return false;
    inside_part = true;
    const bool stop = waiting->look(waiting->data);
    inside_part = false;
    return stop;
  }

  void run(int64_t range_count, int64_t range_chunk, Part range_part, void* range_data, const Waiting* waiting) {
    std::unique_lock one_range(ranges, std::defer_lock);
    if (!waiting) {
      one_range.lock();
    } else {
      while (!one_range.try_lock_for(kBetweenLooks)) {
        if (looked(waiting)) return;
      }
    }
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
  std::timed_mutex ranges;  // held by whoever runs a range
  std::string shortage;     // why there are not as many workers as wanted

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
  std::atomic<bool> stopped = false;  // a worker that wakes for a range may already look
  std::vector<std::thread> workers;
};

ThreadPool::ThreadPool(int threads, std::function<void(const std::string&)> warn)
    : wanted_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      threads_(std::min(wanted_, kMostThreads)),
      warn_(std::move(warn)) {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, count_fork);
}

ThreadPool::~ThreadPool() {
  State* state = state_.load();
  if (state && state->generation == fork_generation) delete state;
}

ThreadPool::State& ThreadPool::state() {
  State* state = state_.load(std::memory_order_acquire);
  if (state && state->generation == fork_generation) return *state;
  {
    std::lock_guard lock(creation);
    state = state_.load();
    if (state && state->generation == fork_generation) return *state;
    // The threads of the parent are gone, and its locks may be held for ever: that state is left behind.
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
