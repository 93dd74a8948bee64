// Enqueues with the driver at once if it can; else a thread does. That is made when it is needed for the first time, by
// put().
#include "runtime/device/gpu/gpu_stream.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/device/host_threads.h"
#include "runtime/device/queue_event.h"

namespace qd::device::gpu {

class GpuEvent : public Event {
 public:
  explicit GpuEvent(std::shared_ptr<StreamWork> work) : work_(std::move(work)) {}

  /// Sets the event's place in the stream, once it is known. `reached`: null when the device is lost.
  void place(std::shared_ptr<DriverEvent> reached) {
    {
      const std::lock_guard lock(mutex_);
      driver_event_ = std::move(reached);
    }
    placed_.reach();
  }
  bool is_placed() const { return placed_.over(); }
  bool wait_until_placed(std::chrono::milliseconds time) { return placed_.wait_for(time); }
  /// The driver's event of this one. Not before it is placed.
  const std::shared_ptr<DriverEvent>& driver_event() const { return driver_event_; }
  const StreamWork* work() const { return work_.get(); }

  bool wait_for(std::chrono::milliseconds time) override {
    const auto begin = std::chrono::steady_clock::now();
    if (!placed_.wait_for(time)) return false;
    if (!driver_event_) {
      work_->settle();
      return true;
    }
    const auto rest =
        time - std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    return work_->wait_for(*driver_event_, std::max(rest, std::chrono::milliseconds(0)));
  }

 private:
  const std::shared_ptr<StreamWork> work_;
  QueueEvent placed_;
  std::mutex mutex_;
  std::shared_ptr<DriverEvent> driver_event_;
};

struct GpuStream::Queue {
  struct Entry {
    const GpuExecutable* code = nullptr;  // null: the entry only waits for an event, or places one
    Invocation invocation = {};
    std::shared_ptr<GpuEvent> after = nullptr;  // may be null
    std::shared_ptr<GpuEvent> placed = nullptr;
  };

  explicit Queue(std::shared_ptr<StreamWork> of) : work(std::move(of)) {}

  ~Queue() {
    {
      const std::lock_guard lock(mutex);
      ended = true;
      changed.notify_one();
    }
    if (thread.joinable()) thread.join();
  }

  /// Appends an entry. The caller holds the lock. Throws std::runtime_error.
  void put(Entry entry) {
    if (!thread.joinable()) thread = start_stream_thread([this] { run_entries(); });
    if (entry.code) work->announce();
    entries.push_back(std::move(entry));
    is_busy = true;
    changed.notify_one();
  }

  void run_entries() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return ended || !entries.empty(); });
      if (entries.empty()) return;
      const Entry entry = std::move(entries.front());
      entries.pop_front();
      lock.unlock();
      run(entry);
      lock.lock();
      is_busy = !entries.empty();
    }
  }

  void run(const Entry& entry) {
    if (entry.after) {
      while (!work->ends_early() && !entry.after->wait_until_placed(kBetweenEndLooks)) continue;
      try {
        if (entry.after->is_placed() && entry.after->driver_event()) work->wait_behind(*entry.after->driver_event());
      } catch (const std::exception& error) {  // later work must not run too early
        work->gpu().lose(error.what());
      }
    }
    if (entry.code) {
      work->launch(*entry.code, entry.invocation);
      work->has_come();
    }
    if (entry.placed) entry.placed->place(work->last_event());
  }

  const uint64_t forks = fork_count();
  const std::shared_ptr<StreamWork> work;
  std::mutex mutex;  // guards the members below
  std::condition_variable changed;
  std::deque<Entry> entries;
  bool is_busy = false;  // the thread has something to do: new work is behind it
  bool ended = false;
  std::thread thread;
};

GpuStream::GpuStream(std::shared_ptr<EventPool> events, uint64_t seed, std::chrono::nanoseconds limit)
    : queue_(std::make_unique<Queue>(std::make_shared<StreamWork>(std::move(events), seed, limit))) {}

GpuStream::~GpuStream() {
  // In the child of a fork the thread does not exist, and locks may be held for ever. So the queue is left behind.
  if (queue_->forks != fork_count()) {
    (void)queue_.release();
    return;
  }
  const std::shared_ptr<StreamWork> work = queue_->work;
  queue_.reset();
  work->wait();
}

void GpuStream::run(const Executable& executable, const Invocation& invocation) {
  const auto& code = static_cast<const GpuExecutable&>(executable);
  std::shared_ptr<GpuEvent> launched;
  {
    const std::lock_guard lock(queue_->mutex);
    if (!queue_->is_busy && !code.waits(invocation)) return queue_->work->launch(code, invocation);
    queue_->put({.code = &code, .invocation = invocation});
    // Work of other libraries behind this call must find the launch in the driver's stream.
    if (invocation.with_others) queue_->put({.placed = launched = std::make_shared<GpuEvent>(queue_->work)});
  }
  while (launched && !launched->wait_until_placed(kBetweenEndLooks)) continue;
}

std::shared_ptr<Event> GpuStream::record() {
  auto event = std::make_shared<GpuEvent>(queue_->work);
  const std::lock_guard lock(queue_->mutex);
  if (queue_->is_busy) {
    queue_->put({.placed = event});
  } else {
    event->place(queue_->work->last_event());
  }
  return event;
}

void GpuStream::wait(std::shared_ptr<Event> event) {
  auto after = std::static_pointer_cast<GpuEvent>(std::move(event));
  if (after->work() == queue_->work.get()) return;  // the stream is in order
  const std::lock_guard lock(queue_->mutex);
  if (queue_->is_busy || !after->is_placed()) {
    queue_->put({.after = std::move(after)});
  } else if (after->driver_event()) {
    queue_->work->wait_behind(*after->driver_event());
  }
}

void GpuStream::end_early() { queue_->work->end_early(); }

DriverStream GpuStream::driver_stream() const { return reinterpret_cast<DriverStream>(queue_->work->stream()); }

std::shared_ptr<StreamWork> GpuStream::work() const { return queue_->work; }

}  // namespace qd::device::gpu
