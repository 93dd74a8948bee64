// Staged arrays: copies of arrays of the host, for a launch on a device that does not reach the host's memory.
#pragma once

#include <memory>
#include <vector>

#include "runtime/launch/program.h"

namespace qd {

/// The copies of one launch's arrays, in memory of the device. Arrays that overlap share a copy, so that they overlap
/// there too.
class StagedArrays {
 public:
  /// An array of the host, and its slot in the launch.
  struct Staged {
    const ArrayView* view;
    ArraySlot* slot;
  };

  /// Copies arrays of the host. Their slots get the addresses of the copies, `memories` the copies.
  StagedArrays(device::Device& device, const std::vector<Staged>& arrays,
               std::vector<std::shared_ptr<device::Memory>>& memories);

  bool empty() const { return copies_.empty(); }
  /// Copies back, after the launch, the parts of arrays that may be written.
  void copy_back();

 private:
  struct Copy {
    char* begin;
    char* end;
    std::shared_ptr<device::Memory> memory;
  };
  /// A range of bytes that may be written.
  struct Writable {
    char* begin;
    char* end;
  };
  std::vector<Copy> copies_;
  std::vector<Writable> writable_;
};

}  // namespace qd
