// List of a stream's launches in flight.
#include "runtime/launch/launch_stream.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace qd {

LaunchStream::LaunchStream(std::shared_ptr<device::Device> device, std::unique_ptr<device::Stream> own, uint32_t number)
    : device_(std::move(device)),
      number_(number),
      own_(std::move(own)),
      stream_(own_ ? *own_ : device_->stream()),
      in_place_(stream_.in_place()) {}

bool LaunchStream::enqueue(std::shared_ptr<LaunchInFlight> launch, std::atomic<uint64_t>& numbers, bool measured) {
  std::lock_guard lock(mutex_);
  if (closed_) return false;
  stream_.run(launch->code->executable(),
              {launch->arrays.data(), launch->params.data(), launch->results.data(), launch->counters.data(), nullptr,
               &launch->outcome, measured ? &launch->times : nullptr,
               launch->kept.empty() ? nullptr : launch->kept.data(), launch->with_others});
  launch->event = stream_.record();
  launch->number = last_ = ++numbers;
  in_flight_.push_back(std::move(launch));
  return true;
}

std::shared_ptr<LaunchInFlight> LaunchStream::oldest(uint64_t last) const {
  std::lock_guard lock(mutex_);
  return in_flight_.empty() || in_flight_.front()->number > last ? nullptr : in_flight_.front();
}

uint64_t LaunchStream::last() const {
  std::lock_guard lock(mutex_);
  return last_;
}

uint64_t LaunchStream::last_use(const device::Memory& memory) const {
  std::lock_guard lock(mutex_);
  for (const auto& launch : std::views::reverse(in_flight_)) {
    if (std::ranges::any_of(launch->memories, [&](const auto& used) { return used.get() == &memory; }))
      return launch->number;
  }
  return 0;
}

size_t LaunchStream::in_flight() const {
  std::lock_guard lock(mutex_);
  return in_flight_.size();
}

bool LaunchStream::close() {
  std::lock_guard lock(mutex_);
  if (!in_flight_.empty()) return false;
  return closed_ = true;
}

bool LaunchStream::begin_taking_in(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  const std::thread::id self = std::this_thread::get_id();
  if (!taken_in_.wait_for(lock, time, [&] { return depth_ == 0 || taker_ == self; })) return false;
  taker_ = self;
  ++depth_;
  return true;
}

void LaunchStream::end_taking_in() {
  std::lock_guard lock(mutex_);
  if (--depth_ == 0) taken_in_.notify_all();
}

bool LaunchStream::take_off(const LaunchInFlight& launch) {
  std::lock_guard lock(mutex_);
  if (in_flight_.empty() || in_flight_.front().get() != &launch) return false;
  in_flight_.pop_front();
  return true;
}

}  // namespace qd
