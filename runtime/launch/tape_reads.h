// Reads of the launches of a tape that validates them: marks that outlive each launch, and numbers for the places of
// the reads in all kernels.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"

namespace qd {

/// The marks of one tape. Used by the tape's thread alone.
class TapeReads {
 public:
  /// Memory of an i32 for each of the numbers of an array, all 0 at first; for the same array again the same. `array`:
  /// the identity of a field, or the address of other memory.
  std::shared_ptr<device::Memory> marks(uint64_t array, size_t numbers, device::Device& device);

 private:
  std::map<std::pair<uint64_t, size_t>, std::shared_ptr<device::Memory>> marks_;
};

/// Numbers the locations of a kernel, as long as it lives. Returns the number of location 0, which is above 0; no
/// number is used twice in the process. Thread-safe.
int32_t number_reads(const std::shared_ptr<const ir::Kernel>& kernel);

/// The kernel and the location of a number; no kernel: it is gone. Thread-safe.
std::pair<std::shared_ptr<const ir::Kernel>, uint32_t> read_of(int32_t number);

}  // namespace qd
