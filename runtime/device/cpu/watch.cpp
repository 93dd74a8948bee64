// The watcher: one thread of the process looks at the launching threads from time to time, and sleeps when they have
// not launched for a while. A launch costs two stores.
#include "runtime/device/cpu/watch.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/device/cpu/code_call.h"

namespace qd::device {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenChecks{100};
/// The time until the next try, after an interruption that may have found the thread in a function that the code calls.
/// Each further try waits twice as long.
constexpr milliseconds kFirstRetry{1};
/// Looks without a launch until the watcher sleeps. More than one, because a launch may begin just as the watcher
/// decides to sleep; the next look then sees that launch.
constexpr int kIdleLooks = 10;

}  // namespace

/// State of a thread that launches. Written by that thread, read by the watcher.
struct Watch::Thread {
  Thread();
  ~Thread();

  const pthread_t id = pthread_self();
  std::atomic<uint64_t> inside = 0;  // odd while the thread is in a watched launch; another number for each launch
  std::atomic<bool> due = false;
  int depth = 0;
  uint64_t last_seen = 0;  // `inside` at the watcher's last look
};

struct Watch::Watcher {
  std::mutex mutex;  // guards the members below
  std::condition_variable wake;
  std::vector<Thread*> threads;
  bool started = false;
  std::atomic<bool> asleep = true;

  void look() {
    using Clock = std::chrono::steady_clock;
    int idle = 0;
    milliseconds retry{0};
    Clock::time_point next_look = Clock::now() + kBetweenChecks;
    std::unique_lock lock(mutex);
    for (;;) {
      if (idle > kIdleLooks) {
        wake.wait(lock, [&] { return !asleep.load(std::memory_order_relaxed); });
        idle = 0;
        next_look = Clock::now() + kBetweenChecks;
      }
      wake.wait_until(lock, retry > milliseconds(0) ? std::min(next_look, Clock::now() + retry) : next_look);
      const bool regular = Clock::now() >= next_look;
      bool launching = false, untold = false;
      for (Thread* thread : threads) {
        const uint64_t inside = thread->inside.load(std::memory_order_relaxed);
        const bool lasts = inside % 2 == 1 && inside == thread->last_seen;
        launching |= inside % 2 == 1;
        if (regular) {
          thread->last_seen = inside;
          if (lasts) thread->due.store(true, std::memory_order_relaxed);
        }
        if (!lasts || !thread->due.load(std::memory_order_relaxed)) continue;
        interrupt(thread->id);
        untold = true;
      }
      retry = !untold ? milliseconds(0) : regular ? kFirstRetry : std::min(retry * 2, kBetweenChecks);
      if (!regular) continue;
      next_look = Clock::now() + kBetweenChecks;
      idle = launching ? 0 : idle + 1;
      if (launching || idle == kIdleLooks) asleep.store(!launching, std::memory_order_relaxed);
    }
  }

  void woken() {
    std::lock_guard lock(mutex);
    asleep.store(false, std::memory_order_relaxed);
    if (started) {
      wake.notify_one();
      return;
    }
    // The watcher handles no signal of the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([this] { look(); }).detach();
      started = true;
    } catch (const std::system_error&) {
      // Without a watcher, no launch of this process is interrupted.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  /// The child of a fork has none of the parent's other threads.
  void in_child() {
    new (&mutex) std::mutex();
    new (&wake) std::condition_variable();
    std::erase_if(threads, [](Thread* thread) { return !pthread_equal(thread->id, pthread_self()); });
    started = false;
    asleep = true;
  }
};

namespace {

// Never destroyed: programs may launch until the process ends.
auto& watcher = *new Watch::Watcher();
[[maybe_unused]] const int registered =
    pthread_atfork([] { watcher.mutex.lock(); }, [] { watcher.mutex.unlock(); }, [] { watcher.in_child(); });

}  // namespace

Watch::Thread::Thread() {
  std::lock_guard lock(watcher.mutex);
  watcher.threads.push_back(this);
}

Watch::Thread::~Thread() {
  std::lock_guard lock(watcher.mutex);
  std::erase(watcher.threads, this);
}

Watch::Thread& Watch::this_thread() {
  // A pointer of its own, because reading it does not ask whether a thread_local has been constructed.
  __attribute__((tls_model("initial-exec"))) thread_local Thread* known = nullptr;
  if (!known) {
    thread_local Thread thread;
    known = &thread;
  }
  return *known;
}

Watch::Watch() : thread_(this_thread()) {
  if (thread_.depth++ > 0) return;
  thread_.due.store(false, std::memory_order_relaxed);
  thread_.inside.store(thread_.inside.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (watcher.asleep.load(std::memory_order_relaxed)) watcher.woken();
}

Watch::~Watch() {
  if (--thread_.depth == 0)
    thread_.inside.store(thread_.inside.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

bool Watch::due() {
  std::atomic<bool>& due = this_thread().due;
  return due.load(std::memory_order_relaxed) && due.exchange(false, std::memory_order_relaxed);
}

}  // namespace qd::device
