// Kernels for tests of code generation that cannot run its output: as different ones as there are.
#pragma once

#include <functional>
#include <string>

#include "instrument/lower_probes.h"
#include "runtime/codegen/target.h"

namespace qd::codegen::gpu::testing {

/// Gets a kernel that is ready for a target with the plan of GPUs.
using Check = std::function<void(const ir::Kernel& kernel, const std::string& name)>;

void every_operator(const Check& check);
/// Random kernels, other ones for each part (a processor). Their number of each kind: the environment variable
/// QD_GPU_KERNELS, or 1.
void random_kernels(uint32_t part, const Check& check);
/// Kernels of tests/ir.
void golden_kernels(bool recursive, const Check& check);

/// Lowers probes and runs the passes. Gives what the counters mean.
instrument::CoverageMap make_ready(ir::Kernel& kernel, const passes::Plan& plan);

}  // namespace qd::codegen::gpu::testing
