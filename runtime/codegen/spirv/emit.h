// SPIR-V modules of a kernel's tasks.
#pragma once

#include "runtime/codegen/spirv/container.h"
#include "runtime/codegen/spirv/spirv_target.h"

namespace qd::codegen::spirv {

/// Emits the modules of a kernel's tasks: one of each, or both where the device wants two.
KernelCode emit(ir::Kernel kernel, const SpirvDevice& device, const Options& options);

}  // namespace qd::codegen::spirv
