#include "runtime/codegen/spirv/emit.h"

#include <algorithm>

#include "runtime/codegen/narrow_counters.h"
#include "runtime/codegen/spirv/constant_tables.h"
#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/ir/blocks.h"
#include "runtime/ir/calls.h"
#include "runtime/passes/messages.h"
#include "runtime/passes/thread_rounds.h"

namespace qd::codegen::spirv {
namespace {

/// Invocations of a group. If the driver ends loops, groups have whole subgroups: invocations that are not there would
/// run loops as well, with whatever numbers, up to the limit.
uint32_t local_size_of(const ir::Kernel& kernel, const ir::Task& task, const SpirvDevice& device) {
  const uint32_t whole = device.loop_limit > 0 ? std::max(1u, device.subgroup_size) : 1;
  if (task.kind == ir::Task::Kind::Serial) return whole;
  if (ir::is_block_loop(kernel, task.body)) return static_cast<uint32_t>(task.block_dim);
  // When loops are counted together, each iteration with loops has an invocation of its own, and groups are large.
  const uint32_t kUsual = SpirvDevice{}.local_size;
  if (device.loop_limit > 0 && ir::has_loops(kernel, task)) return std::min(kUsual, device.max_invocations);
  const bool asks = task.block_dim > 0 && device.local_size == kUsual;
  const uint32_t wanted = asks ? static_cast<uint32_t>(task.block_dim) : device.local_size;
  return std::clamp((wanted + whole - 1) / whole * whole, 1u, std::max(1u, device.max_invocations));
}

using Modes = std::vector<std::pair<spv::ExecutionMode, uint32_t>>;

/// Execution modes for floats, as far as the device has them.
Modes float_controls(Module& module, const SpirvDevice& device) {
  Modes modes;
  auto set = [&](bool there, spv::ExecutionMode mode, spv::Capability capability, uint32_t width) {
    if (!there || (width == 64 && !module.has(spv::CapabilityFloat64))) return;
    module.capability(capability);
    modes.emplace_back(mode, width);
  };
  set(device.denormals_f32, spv::ExecutionModeDenormPreserve, spv::CapabilityDenormPreserve, 32);
  set(device.denormals_f64, spv::ExecutionModeDenormPreserve, spv::CapabilityDenormPreserve, 64);
  set(device.nearest_f32, spv::ExecutionModeRoundingModeRTE, spv::CapabilityRoundingModeRTE, 32);
  set(device.nearest_f64, spv::ExecutionModeRoundingModeRTE, spv::CapabilityRoundingModeRTE, 64);
  set(device.signed_zero_f32, spv::ExecutionModeSignedZeroInfNanPreserve, spv::CapabilitySignedZeroInfNanPreserve, 32);
  set(device.signed_zero_f64, spv::ExecutionModeSignedZeroInfNanPreserve, spv::CapabilitySignedZeroInfNanPreserve, 64);
  return modes;
}

/// The module of a task, of which the local size and so on are known. `bound` gets the arrays that have a binding.
Words module_of(const ir::Kernel& kernel, const ir::Task& task, const passes::ThreadCode& thread,
                const SpirvDevice& device, const Options& options, const ConstantTables& tables, const TaskCode& code,
                uint32_t most_bound, std::vector<uint32_t>& bound) {
  Shared shared(device, tables, most_bound);
  const Arithmetic::Mode mode = options.fast_math ? Arithmetic::Mode::FastMath : Arithmetic::Mode::Exact;
  Module& module = shared.module;
  module.capability(spv::CapabilityShader);
  module.capability(spv::CapabilityInt64);
  module.capability(spv::CapabilityPhysicalStorageBufferAddresses);
  shared.push_constants = module.push_constants(sizeof(TaskArguments) / sizeof(uint64_t));
  shared.narrow_counters = narrow_counters(kernel, task);
  const Id function = FunctionEmitter(shared, kernel, {}, {}, mode).emit_task(task, thread);
  const Id main = FunctionEmitter(shared, kernel, {}, {}, mode).emit_main(task, function, code.draws, code.local_size);
  const Modes modes = float_controls(module, device);
  bound = shared.bound;
  return module.finish(main, code.local_size, modes);
}

}  // namespace

KernelCode emit(ir::Kernel kernel, const SpirvDevice& device, const Options& options) {
  passes::messages(kernel);
  const std::vector<passes::ThreadCode> threads = passes::thread_rounds(
      kernel, device.is_processor ? passes::UnknownRange::InPieces : passes::UnknownRange::Interleaved);
  const ConstantTables tables(kernel);
  KernelCode all{.tasks = {}, .tables = tables.words()};
  for (size_t i = 0; i < kernel.tasks.size(); ++i) {
    const ir::Task& task = kernel.tasks[i];
    TaskCode& code = all.tasks.emplace_back();
    code.local_size = local_size_of(kernel, task, device);
    code.draws = ir::draws(kernel, task);
    auto module = [&](uint32_t most_bound) {
      return module_of(kernel, task, threads[i], device, options, tables, code, most_bound, code.bound);
    };
    code.words = module(0);
    if (device.bound_arrays == 0) continue;
    code.bound_words = module(device.bound_arrays);
    if (code.bound.empty()) code.bound_words.clear();
  }
  return all;
}

}  // namespace qd::codegen::spirv
