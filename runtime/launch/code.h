// The loaded code of one form of a kernel.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"
#include "runtime/launch/other_loop_forms.h"

namespace qd {

struct Config;
class CodeCache;

class KernelCode {
 public:
  using LowerProbes = std::function<void(ir::Kernel&)>;

  /// Compiles a kernel. It is as the front end made it, or is cut into tasks and has the remaining counters. A kernel
  /// with probes needs `lower_probes`. `cache` may be null.
  KernelCode(ir::Kernel kernel, const Config& config, device::Device& device, const LowerProbes& lower_probes = nullptr,
             const std::shared_ptr<CodeCache>& cache = nullptr);

  /// The kernel after all passes.
  const ir::Kernel& kernel() const { return kernel_; }
  const device::Executable& executable() const { return *executable_; }
  /// Called when a launch is over.
  void launched() const {
    if (other_forms_) other_forms_->launched();
  }
  /// A number that no other code of the process has, or has had.
  uint64_t id() const { return id_; }
  std::string assembly(const Config& config) const;
  /// Whether the machine code was in the cache.
  bool found() const { return found_; }

 private:
  const uint64_t id_;
  device::Device& device_;
  ir::Kernel kernel_;
  bool found_ = false;
  std::shared_ptr<device::Executable> executable_;
  std::shared_ptr<OtherLoopForms> other_forms_;  // null: no loop has one
};

}  // namespace qd
