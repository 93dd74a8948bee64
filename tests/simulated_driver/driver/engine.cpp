#include "tests/simulated_driver/driver/engine.h"

#include <algorithm>
#include <thread>

#include "tests/simulated_driver/driver/faults.h"

namespace qd::simulated {
namespace {

using std::chrono::microseconds;

constexpr microseconds kLag{500};
/// Time that a kernel runs before the second thread does other operations.
constexpr microseconds kPatience{1000};

bool is_ready(const Queue& queue) {
  return !queue.runs && !queue.waiting.empty() &&
         (!queue.waiting.front().after || queue.waiting.front().after->reached);
}

}  // namespace

void Engine::start_threads() {
  if (started_) return;
  started_ = true;
  const SignalsLeft left;
  // They live as long as the process does.
  for (bool stands_in : {false, true}) std::thread([this, stands_in] { work(stands_in); }).detach();
}

void Engine::begin_again(std::optional<uint64_t> seed) {
  seed_ = seed;
  random_.seed(seed.value_or(0));
  failed_ = Result::Success;
}

void Engine::add(const std::shared_ptr<Queue>& queue, Operation operation) {
  if (const std::shared_ptr<Capture>& capture = queue->capture) {
    capture->nodes->operations.push_back(std::move(operation));
    if (queue != capture->queues.front()) capture->unfinished.insert(queue.get());
    return;
  }
  start_threads();
  if (idle()) oldest_ = Clock::now();
  if (std::ranges::find(queues_, queue) == queues_.end()) queues_.push_back(queue);
  queue->waiting.push_back(std::move(operation));
  ++queue->added;
  if (kernel_runs_) {
    wake_stand_in_.notify_one();
  } else {
    wake_.notify_one();
  }
}

void Engine::hurry() {
  if (hurries_ || !seed_) return;
  hurries_ = true;
  wake_.notify_one();
}

void Engine::look_again() {
  wake_.notify_one();
  wake_stand_in_.notify_one();
}

void Engine::wait_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& holds) {
  hurry();
  ++hosts_waiting_;
  progress_.wait(lock, holds);
  --hosts_waiting_;
}

void Engine::finish(std::unique_lock<std::mutex>& lock, const Queue& queue) {
  const uint64_t wanted = queue.added;
  if (queue.done < wanted) wait_until(lock, [&] { return queue.done >= wanted; });
}

void Engine::finish_all(std::unique_lock<std::mutex>& lock) {
  if (!idle()) wait_until(lock, [&] { return idle(); });
}

bool Engine::idle() const { return queues_.empty(); }

/// One of the queues whose next operation can be done.
Engine::Chosen Engine::choose(bool kernels) {
  std::vector<Chosen> ready;
  for (const auto& queue : queues_) {
    if (is_ready(*queue) && (kernels || !queue->waiting.front().is_kernel)) ready.push_back(queue);
  }
  if (ready.empty()) return nullptr;
  return ready[ready.size() == 1 ? 0 : random_() % ready.size()];
}

bool Engine::may_begin() const { return !seed_ || hurries_ || Clock::now() >= oldest_ + kLag; }

void Engine::run(std::unique_lock<std::mutex>& lock, const Chosen& queue) {
  const Operation operation = std::move(queue->waiting.front());
  queue->waiting.pop_front();
  if (operation.work && failed_ == Result::Success) {
    queue->runs = true;
    if (operation.is_kernel) {
      kernel_runs_ = true;
      kernel_since_ = Clock::now();
      if (queues_.size() > 1) wake_stand_in_.notify_one();
    }
    lock.unlock();
    const Result result = operation.work();
    lock.lock();
    queue->runs = false;
    if (operation.is_kernel) kernel_runs_ = false;
    if (failed_ == Result::Success) failed_ = result;
  }
  ++queue->done;
  if (queue->waiting.empty()) std::erase(queues_, queue);
  if (idle()) hurries_ = false;
  // The next operation on this stream may be a kernel, which the other thread has to do.
  if (!idle()) wake_.notify_one();
  if (on_progress) on_progress();
  if (hosts_waiting_ > 0) progress_.notify_all();
}

void Engine::work(bool stands_in) {
  prepare_thread();
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stands_in) {
      if (!kernel_runs_) {
        wake_stand_in_.wait(lock);
      } else if (const auto patience = kernel_since_ + kPatience; Clock::now() < patience) {
        wake_stand_in_.wait_until(lock, patience);
      } else if (const Chosen queue = choose(false)) {
        run(lock, queue);
      } else {
        wake_stand_in_.wait(lock);
      }
    } else if (!idle() && !may_begin()) {
      wake_.wait_until(lock, oldest_ + kLag);
    } else if (const Chosen queue = choose(true)) {
      run(lock, queue);
    } else {
      wake_.wait(lock);
    }
  }
}

}  // namespace qd::simulated
