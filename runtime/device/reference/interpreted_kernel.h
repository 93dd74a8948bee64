// A kernel as the reference device's code: run by interpreting its instructions, one iteration after the other.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/device/device.h"
#include "runtime/device/reference/frame_layout.h"

namespace qd::device {

class InterpretedKernel : public Executable {
 public:
  /// `code`: tasks and routines, after all passes. `kernel`: the same with what is added to counters when tasks start.
  InterpretedKernel(ir::Kernel code, const ir::Kernel& kernel);

  /// Runs all tasks. `seed`: of random numbers. Places outside of an array read as 0 and are not written.
  void run(const Invocation& invocation, uint64_t seed) const;

  const ir::Kernel& code() const { return code_; }
  const FrameLayouts& frames() const { return frames_; }
  /// Whether nobody has asked for this format before.
  bool first_warning(uint32_t format) const { return !warned_[format].exchange(true); }

 private:
  ir::Kernel code_;
  const FrameLayouts frames_;
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format
};

}  // namespace qd::device
