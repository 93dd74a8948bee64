// Memory for the stacks of gradients, in the sizes that a launch needs.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/abi/array_slot.h"
#include "runtime/device/device.h"
#include "runtime/launch/program.h"

namespace qd {

/// Whether a kernel is a gradient that keeps values on stacks (runtime/autodiff/stack.h).
bool has_stacks(const ir::Kernel& kernel);

/// Stacks of a kernel's launches that are over, for later ones. Thread-safe.
class GradientStacks {
 public:
  /// Gives a launch its stacks, and fills in their slots. `sizes`: the results of the kernel that counts them.
  /// `workers`: the largest number of iterations that run at a time. Throws KernelRuntimeError when there is not
  /// enough memory.
  std::shared_ptr<device::Memory> take(const ir::Kernel& kernel, std::span<const Scalar> sizes, int64_t workers,
                                       device::Device& device, ArraySlot* arrays);
  /// Takes back the memory of a launch that is over.
  void give_back(std::shared_ptr<device::Memory> memory);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<device::Memory>> free_;
};

}  // namespace qd
