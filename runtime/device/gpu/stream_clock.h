// The time between events of a stream, in nanoseconds.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/device/gpu/driver_event.h"

namespace qd::device::gpu {

/// Clock whose origin moves. The driver gives distances of events in milliseconds, as 32-bit floats, which have fewer
/// digits the larger they are. So distances are measured from an event that is moved along.
class StreamClock {
 public:
  /// The time of an event that is over, since the first one that was asked for. Throws CallFailed.
  int64_t time_of(Gpu& gpu, const std::shared_ptr<DriverEvent>& event);

 private:
  std::shared_ptr<DriverEvent> origin_;
  int64_t time_of_origin_ = 0;
};

}  // namespace qd::device::gpu
