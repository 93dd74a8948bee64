// Loop of the stream's thread: it takes one entry of the queue after the other. When there is none, it spins for a
// moment, because the next launch often follows at once; then it sleeps.
#include "runtime/device/cpu/queue_stream.h"

#include <deque>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/device/host_threads.h"

namespace qd::device {

struct QueueStream::Queue {
  /// Poll of the launch that is running: ends it when the stream is to end early.
  class EndPoll : public LaunchPoll {
   public:
    bool wants_end() override { return wanted.load(std::memory_order_relaxed); }
    std::atomic<bool> wanted = false;
  };
  struct Entry {
    const CpuExecutable* code = nullptr;  // null: the entry only waits for an event, or reaches one
    Invocation invocation = {};
    std::shared_ptr<QueueEvent> after = nullptr;  // the entry runs behind this; may be null
    std::shared_ptr<QueueEvent> reaches = nullptr;
  };

  Queue(ThreadPool& pool, uint64_t random_seed) : state{pool, random_seed} {
    SignalsBlocked blocked;
    try {
      thread = std::thread([this] { work(); });
    } catch (const std::system_error& error) {
      throw std::runtime_error("the thread of a stream could not be started: " + error.code().message());
    }
  }

  ~Queue() {
    {
      std::lock_guard lock(mutex);
      ended = true;
      changed.notify_one();
    }
    thread.join();
  }

  void put(Entry entry) {
    std::lock_guard lock(mutex);
    entries.push_back(std::move(entry));
    waiting.store(true, std::memory_order_relaxed);
    if (sleeps) changed.notify_one();
  }

  /// The next entry, as soon as there is one. False when there will be none.
  bool take(Entry& entry) {
    for (int i = 0; i < kSpins && !waiting.load(std::memory_order_relaxed); ++i) pause_cpu();
    std::unique_lock lock(mutex);
    sleeps = true;
    changed.wait(lock, [&] { return ended || !entries.empty(); });
    sleeps = false;
    if (entries.empty()) return false;
    entry = std::move(entries.front());
    entries.pop_front();
    waiting.store(!entries.empty(), std::memory_order_relaxed);
    return true;
  }

  void work() {
    for (Entry entry; take(entry); entry = {}) {
      while (entry.after && !poll.wants_end() && !entry.after->wait_for(kBetweenEndLooks)) continue;
      if (entry.code) run(entry);
      if (entry.reaches) entry.reaches->reach();
    }
  }

  void run(Entry& entry) {
    LaunchOutcome& outcome = *entry.invocation.outcome;
    if (poll.wants_end()) {
      outcome.status = LaunchOutcome::Status::Interrupted;
      return;
    }
    entry.invocation.poll = &poll;
    try {
      device::run(state, *entry.code, entry.invocation);
    } catch (const std::exception& error) {  // there is no memory
      outcome.status = LaunchOutcome::Status::Lost;
      outcome.error = error.what();
    }
  }

  const uint64_t forks = fork_count();
  CpuState state;
  EndPoll poll;
  std::atomic<bool> waiting = false;  // whether there are entries
  std::mutex mutex;                   // guards the members below
  std::condition_variable changed;
  std::deque<Entry> entries;
  bool sleeps = false;
  bool ended = false;
  std::thread thread;
};

QueueStream::QueueStream(ThreadPool& pool, uint64_t random_seed) : queue_(std::make_unique<Queue>(pool, random_seed)) {}

QueueStream::~QueueStream() {
  // In the child of a fork the thread does not exist, and locks may be held for ever. So the queue is left behind.
  if (queue_->forks != fork_count()) (void)queue_.release();
}

void QueueStream::run(const Executable& executable, const Invocation& invocation) {
  queue_->put({.code = &static_cast<const CpuExecutable&>(executable), .invocation = invocation});
}

std::shared_ptr<Event> QueueStream::record() {
  auto event = std::make_shared<QueueEvent>();
  queue_->put({.reaches = event});
  return event;
}

void QueueStream::wait(std::shared_ptr<Event> event) {
  auto after = std::static_pointer_cast<QueueEvent>(std::move(event));
  if (!after->over()) queue_->put({.after = std::move(after)});
}

void QueueStream::end_early() { queue_->poll.wanted.store(true); }

}  // namespace qd::device
