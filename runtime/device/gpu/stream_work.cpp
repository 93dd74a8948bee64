// Progress of launches. The driver runs them by itself; the host looks at their events only when a thread waits.
#include "runtime/device/gpu/stream_work.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "runtime/device/host_threads.h"

namespace qd::device::gpu {
namespace {

/// Time limit for a launch to end after it was stopped; then the device is lost.
constexpr std::chrono::seconds kToStop{2};
/// Time during which a wait looks again and again; then it sleeps between two looks, longer each time.
constexpr std::chrono::microseconds kBusy{200};
constexpr std::chrono::microseconds kLongestSleep{500};
constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr size_t kAskedTogether = 32;

/// Waits a moment between two looks at an event.
class Pause {
 public:
  void take() {
    if (std::chrono::steady_clock::now() - begin_ < kBusy) {
      for (int i = 0; i < 20; ++i) pause_cpu();
      return;
    }
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min(2 * sleep_, kLongestSleep);
  }

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::microseconds sleep_{20};
};

}  // namespace

StreamWork::StreamWork(std::shared_ptr<EventPool> events, uint64_t seed, std::chrono::nanoseconds limit)
    : gpu_(events->gpu()), limit_(limit) {
  if (!gpu_->usable()) throw std::runtime_error(gpu_->lost_error());
  parts_.events = std::move(events);
  parts_.seed = seed;
  const SignalsBlocked blocked;  // drivers start threads
  const Gpu::Current current(*gpu_);
  gpu_->require("stream_create", gpu_->driver().stream_create(&parts_.stream, kNonBlockingStream, 0));
}

StreamWork::~StreamWork() {
  if (!gpu_->usable()) return;
  wait();
  if (!gpu_->usable()) return;
  const Gpu::Current current(*gpu_, std::nothrow);
  for (const StreamParts* parts = &parts_; parts; parts = parts->body.get()) {
    for (Handle stream : parts->beside) gpu_->driver().stream_destroy(stream);
    if (parts->stream) gpu_->driver().stream_destroy(parts->stream);
  }
}

/// Makes the streams that a launch uses beside its own, as far as they are missing. Throws CallFailed.
void StreamWork::make_streams(const GpuExecutable& executable) {
  auto make = [&](Handle& stream) {
    gpu_->require("stream_create", gpu_->driver().stream_create(&stream, kNonBlockingStream, 0));
  };
  StreamParts* parts = &parts_;
  for (int depth = 0;; ++depth, parts = parts->body.get()) {
    for (size_t i = parts->beside.size(); i < executable.sections_beside(); ++i) {
      Handle stream = nullptr;
      make(stream);
      parts->beside.push_back(stream);
    }
    if (depth == executable.condition_depth()) return;
    if (!parts->body) parts->body = std::make_unique<StreamParts>(StreamParts{.events = parts_.events});
    if (!parts->body->stream) make(parts->body->stream);
  }
}

void StreamWork::launch(const GpuExecutable& executable, const Invocation& invocation) {
  LaunchOutcome& outcome = *invocation.outcome;
  auto end = [&](LaunchOutcome::Status status, const std::string& error) {
    outcome.status = status;
    outcome.error = error;
  };
  if (ends_early()) return end(LaunchOutcome::Status::Interrupted, {});
  if (!gpu_->usable()) return end(LaunchOutcome::Status::Lost, gpu_->lost_error());
  const std::lock_guard enqueue_lock(enqueue_mutex_);
  std::optional<Gpu::Current> current;
  std::unique_ptr<GpuLaunch> launch;
  try {
    current.emplace(*gpu_);
    make_streams(executable);
    launch = std::make_unique<GpuLaunch>(executable, invocation, this);
  } catch (const std::exception& error) {
    return end(LaunchOutcome::Status::Lost, error.what());
  }
  {
    const std::lock_guard lock(mutex_);
    if (launches_.empty()) progress_ = Clock::now();
    waited_for_ = launch.get();
  }
  last_ = nullptr;
  try {
    launch->enqueue(parts_, [&] { return reach(*launch); });
  } catch (const std::exception& error) {
    // Part of it may run, in memory that must be there until then.
    try {
      if (gpu_->usable()) launch->fail(parts_, error.what());
    } catch (const std::exception& again) {
      gpu_->lose(again.what());
    }
  }
  bool many = false;
  {
    const std::lock_guard lock(mutex_);
    waited_for_ = nullptr;
    if (ends_early() && !gpu_->usable()) return end(LaunchOutcome::Status::Interrupted, {});
    if (!gpu_->usable()) return end(LaunchOutcome::Status::Lost, gpu_->lost());
    last_ = launch->end_event();
    launches_.push_back(std::move(launch));
    many = launches_.size() % kAskedTogether == 0;
  }
  if (many) take_in_over();  // the next launches use their memory
}

bool StreamWork::reach(GpuLaunch& launch) {
  DriverEvent reached(parts_.events, parts_.stream);
  while (!wait_for(reached, kBetweenLooks)) continue;
  return gpu_->usable() && !launch.stopped();
}

std::shared_ptr<DriverEvent> StreamWork::last_event() {
  const std::lock_guard lock(enqueue_mutex_);
  if (!gpu_->usable()) return nullptr;
  if (last_) return last_;
  try {
    return last_ = std::make_shared<DriverEvent>(parts_.events, parts_.stream);
  } catch (const std::exception& error) {
    gpu_->lose(error.what());
    return nullptr;
  }
}

void StreamWork::wait_behind(const DriverEvent& event) {
  const std::lock_guard lock(enqueue_mutex_);
  if (!gpu_->usable()) return;
  last_ = nullptr;
  const Gpu::Current current(*gpu_);
  gpu_->require("stream_wait", gpu_->driver().stream_wait(parts_.stream, event.handle(), 0));
}

bool StreamWork::wait_for(DriverEvent& event, std::chrono::milliseconds time) {
  const Clock::time_point end = Clock::now() + time;
  for (Pause pause;; pause.take()) {
    bool over = false;
    try {
      over = gpu_->usable() && event.over();
    } catch (const std::exception& error) {
      gpu_->lose(error.what());
    }
    if (!gpu_->usable()) {
      settle();
      return true;
    }
    if (over) {
      take_in_over();
      return true;
    }
    look_after_launches();
    if (Clock::now() >= end) return false;
  }
}

void StreamWork::wait() {
  for (Pause pause; announced_.load() > 0;) pause.take();
  {
    const std::lock_guard lock(mutex_);
    if (launches_.empty() && !waited_for_) return;
  }
  const std::shared_ptr<DriverEvent> end = last_event();
  while (end && !wait_for(*end, kBetweenLooks)) continue;
  settle();
}

/// Notes which of the first launches are over by asking for one in the middle. The driver takes 1.4 us to answer, which
/// is a fifth of a launch.
void StreamWork::note_over() {
  size_t over = 0;
  for (size_t many = std::min(launches_.size(), kAskedTogether); over < many;) {
    const size_t middle = (over + many) / 2;
    if (launches_[middle]->end_event()->over()) {
      for (; over <= middle; ++over) launches_[over]->end_event()->note_over();
    } else {
      many = middle;
    }
  }
}

void StreamWork::take_in_over() {
  const std::lock_guard lock(mutex_);
  try {
    note_over();
    while (!launches_.empty() && launches_.front()->end_event()->over()) {
      const std::unique_ptr<GpuLaunch> launch = std::move(launches_.front());
      launches_.pop_front();
      launch->finish(clock_);
      progress_ = Clock::now();
    }
  } catch (const std::exception& error) {
    gpu_->lose(error.what());
  }
  if (!gpu_->usable()) give_up();
}

void StreamWork::settle() {
  if (gpu_->usable()) return;
  const std::lock_guard lock(mutex_);
  give_up();
}

void StreamWork::stop(GpuLaunch& launch, LaunchOutcome::Status status, const std::string& error) {
  launch.stop(status, error);
  for (const auto& other : launches_) {
    if (other.get() != &launch && !other->stopped() && other->ends_with(launch)) other->note_stop(status, error);
  }
}

void StreamWork::look_after_launches() {
  if (!ends_early() && (limit_.count() == 0 || Clock::now() - progress_.load() <= limit_)) return;
  if (!ends_early()) take_in_over();
  const std::lock_guard lock(mutex_);
  GpuLaunch* oldest = launches_.empty() ? waited_for_ : launches_.front().get();
  if (!oldest || !gpu_->usable()) return;
  const Clock::time_point now = Clock::now();
  if (!ends_early() && now - progress_.load() <= limit_) return;
  try {
    if (oldest->stopped()) {
      if (now - stopped_at_ <= kToStop) return;
      gpu_->lose(ends_early() ? "a launch was ended early" : fmt::format("kernel {} did not end", oldest->kernel()));
      return give_up();
    }
    stopped_at_ = now;
    if (!ends_early()) return stop(*oldest, LaunchOutcome::Status::Lost, timeout_error());
    for (const auto& launch : launches_) {
      if (!launch->stopped()) stop(*launch, LaunchOutcome::Status::Interrupted, {});
    }
    if (waited_for_ && !waited_for_->stopped()) stop(*waited_for_, LaunchOutcome::Status::Interrupted, {});
  } catch (const std::exception& error) {
    gpu_->lose(error.what());
  }
}

/// Ends all launches of a lost device. Launches whose last copy has arrived are over; the first of the others is the
/// one that failed, unless nothing is copied behind it.
void StreamWork::give_up() {
  bool told = false;
  for (const auto& launch : launches_) {
    if (launch->has_left()) {
      launch->finish(clock_);
    } else if (ends_early()) {
      launch->end(LaunchOutcome::Status::Interrupted, {});
    } else {
      const bool others = launches_.size() > 1 || waited_for_;
      std::string error = gpu_->lost();
      if (told) {
        error = gpu_->lost_error();
      } else if (launch->stopped()) {
        error = timeout_error();
      } else if (others) {
        error += " (in this launch, or in one behind it)";
      }
      launch->end(LaunchOutcome::Status::Lost, error);
      told = true;
    }
  }
  launches_.clear();
}

std::string StreamWork::timeout_error() const {
  return fmt::format("the device got no further for {} s (device_timeout)",
                     std::chrono::duration<double>(limit_).count());
}

}  // namespace qd::device::gpu
