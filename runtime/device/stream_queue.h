// The launches and events of a stream that has a thread of the host, in their order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/host_threads.h"
#include "runtime/device/queue_event.h"

namespace qd::device {

/// Any thread may put entries; the stream's own takes them.
class StreamQueue {
 public:
  struct Entry {
    const Executable* code = nullptr;  // null: the entry only waits for an event, or reaches one
    Invocation invocation = {};
    std::shared_ptr<QueueEvent> after = nullptr;  // the entry runs behind this; may be null
    std::shared_ptr<QueueEvent> reaches = nullptr;
  };
  using Entries = std::vector<Entry>;

  /// Starts the thread, which must end when take() gives nothing. Throws std::runtime_error.
  void start(std::function<void()> work) { thread_ = start_stream_thread(std::move(work)); }
  /// Waits until the thread has taken all entries and ended.
  void end();
  /// Whether the process was forked since. Then the thread does not exist, and locks may be held for ever: the queue
  /// may not even be destroyed.
  bool is_of_parent() const { return forks_ != fork_count(); }

  void put(Entry entry);
  std::shared_ptr<Event> record();
  void wait(std::shared_ptr<Event> event);
  /// Takes the next entry, as soon as there is one, and those behind it for as long as `fits(taken, next)` holds. Takes
  /// nothing when there will be none.
  void take(Entries& taken, const std::function<bool(const Entries& taken, const Entry& next)>& fits);

 private:
  const uint64_t forks_ = fork_count();
  std::atomic<bool> waiting_ = false;  // whether there are entries
  std::mutex mutex_;                   // guards the members below
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  bool sleeps_ = false;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace qd::device
