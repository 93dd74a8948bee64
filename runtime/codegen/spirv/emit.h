// SPIR-V modules of a kernel's tasks.
#pragma once

#include "runtime/codegen/spirv/constant_tables.h"
#include "runtime/codegen/spirv/container.h"
#include "runtime/codegen/spirv/spirv_target.h"

namespace qd::codegen::spirv {

/// Emits the module of a task, or both where the device wants two. `tables`: of the kernel.
TaskCode emit(const ir::Kernel& kernel, const ir::Task& task, const SpirvDevice& device, const Options& options,
              const ConstantTables& tables);

}  // namespace qd::codegen::spirv
