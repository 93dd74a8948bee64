// The loaded code of the reference device: a kernel to interpret.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/device/device.h"

namespace qd::device {

class InterpretedKernel : public Executable {
 public:
  /// Loads a kernel. `code`: tasks and routines after all passes. `kernel`: the same kernel, of which the counters for
  /// the starts of tasks are used.
  InterpretedKernel(ir::Kernel code, const ir::Kernel& kernel);

  /// Runs all tasks. `seed`: for random numbers.
  void run(const Invocation& invocation, uint64_t seed) const;

 private:
  /// Whether this is the first call for this format.
  bool first_warning(uint32_t format) const { return !warned_[format].exchange(true); }

  ir::Kernel code_;
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format
};

}  // namespace qd::device
