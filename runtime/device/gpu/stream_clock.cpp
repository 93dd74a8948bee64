#include "runtime/device/gpu/stream_clock.h"

#include <cmath>

namespace qd::device::gpu {
namespace {

/// Distance, in ms, from which on the origin is moved: up to it the float is exact to 0.06 us.
constexpr float kFar = 512;

}  // namespace

int64_t StreamClock::time_of(Gpu& gpu, const std::shared_ptr<DriverEvent>& event) {
  if (!origin_) {
    origin_ = event;
    return time_of_origin_;
  }
  float milliseconds = 0;
  const Gpu::Current current(gpu);
  gpu.require("event_time", gpu.driver().event_time(&milliseconds, origin_->handle(), event->handle()));
  const int64_t time = time_of_origin_ + std::llround(static_cast<double>(milliseconds) * 1e6);
  if (milliseconds > kFar) {
    origin_ = event;
    time_of_origin_ = time;
  }
  return time;
}

}  // namespace qd::device::gpu
