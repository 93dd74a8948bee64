// Other forms of loops: iterations one at a time instead of as lanes of vectors, or the other way round, for loops of
// which code generation cannot tell which is faster.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/device/device.h"
#include "runtime/launch/background.h"

namespace qd {

class CodeCache;

/// Compiles the other forms of a kernel's loops in the background once launches have run long enough; the device then
/// times both. The job may outlive its code.
class OtherLoopForms : public BackgroundJob, public std::enable_shared_from_this<OtherLoopForms> {
 public:
  /// `kernel`, `options`: of the first forms. `cache` may be null.
  OtherLoopForms(ir::Kernel kernel, const codegen::Options& options, const codegen::Target& target,
                 std::shared_ptr<device::Executable> executable, std::shared_ptr<CodeCache> cache);

  /// Called when a launch is over.
  void launched() {
    if (executable_->wants_other_forms()) ask();
  }

  void run() override;
  void dropped() override;

 private:
  void ask();

  const ir::Kernel kernel_;
  const codegen::Options options_;
  const codegen::Target& target_;
  const std::shared_ptr<device::Executable> executable_;
  const std::shared_ptr<CodeCache> cache_;
  std::atomic<bool> asked_ = false;
};

}  // namespace qd
