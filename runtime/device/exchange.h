// What a device has in common with other libraries of the process that use it too.
#pragma once

#include <cstdint>
#include <string>

namespace qd::device {

/// A stream of the device's driver, by its handle; 0: the driver's default stream.
using DriverStream = uint64_t;

/// Of devices whose memory other libraries can use, and whose kernels can use that of others. Thread-safe.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// The device, as DLPack (DLDevice) and the array interface of CUDA call it.
  virtual int dlpack_type() const = 0;
  virtual int number() const = 0;
  /// Why kernels cannot use memory at this address; empty: they can.
  virtual std::string why_not(uint64_t address) = 0;
  /// Work on `later` from now on runs behind the work on `earlier` so far. Throws std::runtime_error.
  virtual void order(DriverStream earlier, DriverStream later) = 0;
};

}  // namespace qd::device
