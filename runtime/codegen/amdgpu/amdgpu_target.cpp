#include "runtime/codegen/amdgpu/amdgpu_target.h"

#include <stdexcept>

#include "runtime/codegen/amdgpu/amdgpu_hardware.h"
#include "runtime/codegen/amdgpu/link.h"
#include "runtime/codegen/gpu/compile.h"

namespace qd::codegen {

AmdgpuTarget::AmdgpuTarget(std::string processor)
    : compiler_(gpu::compiler_version("amdgpu")), processor_(std::move(processor)) {
  if (!amdgpu::knows(processor_)) throw std::runtime_error("LLVM knows no GPU " + processor_);
}

const passes::Plan& AmdgpuTarget::plan() const { return passes::kGpuPlan; }

Binary AmdgpuTarget::compile(const ir::Kernel& kernel, const Options& options) const {
  Binary binary = gpu::compile(kernel, options, amdgpu::Hardware(processor_), llvm::CodeGenFileType::ObjectFile);
  binary.code = amdgpu::link(binary.code);
  return binary;
}

}  // namespace qd::codegen
