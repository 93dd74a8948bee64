// Arrays of the host that a launch gets on a device that does not reach the host's memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/launch/program.h"

namespace qd {

/// Copies of the arrays of one launch in memory of the device. Arrays of the host that overlap share a copy, so that
/// they overlap there too.
class StagedArrays {
 public:
  /// Copies what `arguments` have of the host's arrays, and gives their slots in `arrays` (those of the signature's
  /// arrays, in their order) the copies' addresses. `memories` gets the copies.
  StagedArrays(device::Device& device, const frontend::Signature& signature, std::span<const Argument> arguments,
               ArraySlot* arrays, std::vector<std::shared_ptr<device::Memory>>& memories);

  bool empty() const { return copies_.empty(); }
  /// After the launch: the arrays get what the copies hold now.
  void copy_back();

 private:
  struct Copy {
    char* begin;
    char* end;
    std::shared_ptr<device::Memory> memory;
  };
  std::vector<Copy> copies_;
};

}  // namespace qd
