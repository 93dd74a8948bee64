// A kernel as the reference device's code.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/device/device.h"

namespace qd::device {

class InterpretedKernel : public Executable {
 public:
  /// `code`: tasks and routines, after all passes. `kernel`: the same with what is added to counters when tasks start.
  InterpretedKernel(ir::Kernel code, const ir::Kernel& kernel);

  /// Runs all tasks. `seed`: of random numbers.
  void run(const Invocation& invocation, uint64_t seed) const;

 private:
  /// Whether nobody has asked for this format before.
  bool first_warning(uint32_t format) const { return !warned_[format].exchange(true); }

  ir::Kernel code_;
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format
};

}  // namespace qd::device
