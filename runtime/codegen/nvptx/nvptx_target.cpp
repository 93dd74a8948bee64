#include "runtime/codegen/nvptx/nvptx_target.h"

#include <fmt/format.h>

#include "runtime/codegen/gpu/compile.h"
#include "runtime/codegen/nvptx/nvptx_hardware.h"
#include "runtime/codegen/nvptx/ptxas_faults.h"

namespace qd::codegen {

NvptxTarget::NvptxTarget(NvptxDevice device) : device_(device) {
  compiler_ = gpu::compiler_version("nvptx");
  processor_ = fmt::format("{}, stack {}", nvptx::processor_name(device_.compute_capability), device_.stack_bytes);
}

const passes::Plan& NvptxTarget::plan() const { return passes::kGpuPlan; }

Binary NvptxTarget::compile(const ir::Kernel& kernel, const Options& options) const {
  Binary binary = gpu::compile(kernel, options, nvptx::Hardware(device_), llvm::CodeGenFileType::AssemblyFile);
  binary.code = nvptx::without_ptxas_faults(binary.code);
  if (options.assembly) binary.assembly = binary.code;
  return binary;
}

Binary NvptxTarget::condition_setter() const {
  return gpu::condition_setter(nvptx::Hardware(device_), llvm::CodeGenFileType::AssemblyFile);
}

}  // namespace qd::codegen
