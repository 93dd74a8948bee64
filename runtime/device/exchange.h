// Exchange of memory and order of work with other libraries of the process that use the device, too.
#pragma once

#include <cstdint>
#include <string>

namespace qd::device {

/// A stream of the device's driver, by its handle; 0: the driver's default stream.
using DriverStream = uint64_t;

/// Interface of devices whose memory other libraries can use, and whose kernels can use that of others. Thread-safe.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// The device in DLPack's terms (DLDevice), which the array interface of CUDA shares.
  virtual int dlpack_type() const = 0;
  virtual int number() const = 0;
  /// The reason why kernels cannot use memory at this address; empty: they can.
  virtual std::string why_not(uint64_t address) = 0;
  /// Makes work on `later` from now on run behind the work on `earlier` so far. Throws std::runtime_error.
  virtual void order(DriverStream earlier, DriverStream later) = 0;
};

}  // namespace qd::device
