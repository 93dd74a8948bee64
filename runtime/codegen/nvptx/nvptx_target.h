// The target of NVIDIA's GPUs.
#pragma once

#include <string>

#include "runtime/codegen/target.h"

namespace qd::codegen {

/// Properties of a GPU on which its code depends.
struct NvptxDevice {
  int compute_capability = 75;  // 10 * major + minor; at least 75
  /// Size of a thread's stack in bytes (CU_LIMIT_STACK_SIZE), for functions that call themselves; 4096 at least.
  uint32_t stack_bytes = 8192;
};

/// Compiles for NVIDIA's GPUs. Binary::code, and Binary::assembly, is PTX 7.8, which drivers know from CUDA 11.8 on.
/// Kernels have the names of Binary::symbols, and take the fields of TaskArguments (abi/task_arguments.h). For their
/// launch shape see gpu::shape_of (gpu/task_shape.h). A block has 48 KiB of shared memory at most.
class NvptxTarget : public Target {
 public:
  explicit NvptxTarget(NvptxDevice device);
  const std::string& compiler() const override { return compiler_; }
  const std::string& processor() const override { return processor_; }
  const passes::Plan& plan() const override;
  Binary compile(const ir::Kernel& kernel, const Options& options) const override;
  Binary condition_setter() const override;

 private:
  NvptxDevice device_;
  std::string compiler_, processor_;
};

}  // namespace qd::codegen
