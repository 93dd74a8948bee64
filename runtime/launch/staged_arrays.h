// Staged arrays: copies of arrays of the host, for a launch on a device that does not reach the host's memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/launch/program.h"

namespace qd {

/// The copies of one launch's arrays, in memory of the device. Arrays that overlap share a copy, so that they overlap
/// there too.
class StagedArrays {
 public:
  /// Copies the host's arrays that are among `arguments`. Their slots in `arrays`, which has one slot for each array of
  /// the signature, in order, get the addresses of the copies. `memories` gets the copies.
  StagedArrays(device::Device& device, const frontend::Signature& signature, std::span<const Argument> arguments,
               ArraySlot* arrays, std::vector<std::shared_ptr<device::Memory>>& memories);

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
