// Loop of the stream's thread: it takes one entry of the queue after the other.
#include "runtime/device/cpu/queue_stream.h"

#include <atomic>
#include <exception>
#include <utility>

#include "runtime/device/stream_queue.h"

namespace qd::device {

struct QueueStream::Queue {
  /// Poll of the launch that is running: ends it when the stream is to end early.
  class EndPoll : public LaunchPoll {
   public:
    bool wants_end() override { return wanted.load(std::memory_order_relaxed); }
    std::atomic<bool> wanted = false;
  };
  Queue(ThreadPool& pool, uint64_t random_seed) : state{pool, random_seed} {
    entries.start([this] { work(); });
  }
  ~Queue() { entries.end(); }

  void work() {
    StreamQueue::Entries taken;
    const auto alone = [](const StreamQueue::Entries&, const StreamQueue::Entry&) { return false; };
    for (entries.take(taken, alone); !taken.empty(); entries.take(taken, alone)) {
      StreamQueue::Entry& entry = taken[0];
      while (entry.after && !poll.wants_end() && !entry.after->wait_for(kBetweenEndLooks)) continue;
      if (entry.code) run(entry);
      if (entry.reaches) entry.reaches->reach();
    }
  }

  void run(StreamQueue::Entry& entry) {
    LaunchOutcome& outcome = *entry.invocation.outcome;
    if (poll.wants_end()) {
      outcome.status = LaunchOutcome::Status::Interrupted;
      return;
    }
    entry.invocation.poll = &poll;
    try {
      device::run(state, static_cast<const CpuExecutable&>(*entry.code), entry.invocation);
    } catch (const std::exception& error) {  // there is no memory
      outcome.status = LaunchOutcome::Status::Lost;
      outcome.error = error.what();
    }
  }

  CpuState state;
  EndPoll poll;
  StreamQueue entries;
};

QueueStream::QueueStream(ThreadPool& pool, uint64_t random_seed) : queue_(std::make_unique<Queue>(pool, random_seed)) {}

QueueStream::~QueueStream() {
  if (queue_->entries.is_of_parent()) (void)queue_.release();
}

void QueueStream::run(const Executable& executable, const Invocation& invocation) {
  queue_->entries.put({.code = &executable, .invocation = invocation});
}

std::shared_ptr<Event> QueueStream::record() { return queue_->entries.record(); }
void QueueStream::wait(std::shared_ptr<Event> event) { queue_->entries.wait(std::move(event)); }
void QueueStream::end_early() { queue_->poll.wanted.store(true); }

}  // namespace qd::device
