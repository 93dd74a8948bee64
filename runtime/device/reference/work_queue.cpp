// The thread of a queue: it sleeps until it is hurried, and then works until the queue is empty.
#include "runtime/device/reference/work_queue.h"

#include <csignal>
#include <utility>

namespace qd::device {
namespace {

/// Bounds of a drawn number: when more entries are waiting, they run although no thread waits for them.
constexpr size_t kMostPatience = 64;
constexpr size_t kLeastPatience = 4;

}  // namespace

WorkQueue::WorkQueue(uint64_t seed) : random_(seed) {
  patience_ = kLeastPatience + random_() % kMostPatience;
  // The thread handles no signal of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WorkQueue::~WorkQueue() {
  {
    std::lock_guard lock(mutex_);
    ended_ = hurry_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

size_t WorkQueue::add_stream() {
  std::lock_guard lock(mutex_);
  streams_.emplace_back();
  return streams_.size() - 1;
}

void WorkQueue::put(size_t stream, Entry entry) {
  std::lock_guard lock(mutex_);
  streams_[stream].push_back(std::move(entry));
  if (++waiting_ <= patience_ && wanted_by_ == 0) return;
  hurry_ = true;
  changed_.notify_all();
}

void WorkQueue::add(size_t stream, Job job) { put(stream, {std::move(job), nullptr, nullptr}); }

std::shared_ptr<QueuePoint> WorkQueue::point(size_t stream) {
  auto point = std::make_shared<QueuePoint>();
  put(stream, {nullptr, nullptr, point});
  return point;
}

void WorkQueue::wait_in_stream(size_t stream, std::shared_ptr<QueuePoint> point) {
  put(stream, {nullptr, std::move(point), nullptr});
}

bool WorkQueue::wait_for(const QueuePoint& point, std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (point.reached) return true;
  ++wanted_by_;
  hurry_ = true;
  changed_.notify_all();
  const bool reached = changed_.wait_for(lock, time, [&] { return point.reached; });
  --wanted_by_;
  return reached;
}

void WorkQueue::wait_for_all() {
  std::vector<std::shared_ptr<QueuePoint>> points;
  size_t streams;
  {
    std::lock_guard lock(mutex_);
    if (waiting_ == 0 && !hurry_) return;
    streams = streams_.size();
  }
  for (size_t stream = 0; stream < streams; ++stream) points.push_back(point(stream));
  for (const auto& point : points) {
    while (!wait_for(*point, std::chrono::hours(1))) continue;
  }
}

bool WorkQueue::runnable(size_t stream) const {
  return !streams_[stream].empty() && (!streams_[stream].front().after || streams_[stream].front().after->reached);
}

void WorkQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return hurry_; });
    std::vector<size_t> ready;
    for (size_t stream = 0; stream < streams_.size(); ++stream) {
      if (runnable(stream)) ready.push_back(stream);
    }
    if (ready.empty()) {
      if (ended_) return;
      hurry_ = false;
      patience_ = kLeastPatience + random_() % kMostPatience;
      continue;
    }
    std::deque<Entry>& stream = streams_[ready[random_() % ready.size()]];
    Entry entry = std::move(stream.front());
    stream.pop_front();
    --waiting_;
    if (entry.job) {
      lock.unlock();
      entry.job();
      lock.lock();
    }
    if (entry.reaches) {
      entry.reaches->reached = true;
      changed_.notify_all();
    }
  }
}

}  // namespace qd::device
