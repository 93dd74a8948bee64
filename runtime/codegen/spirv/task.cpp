// The function of a task, and the entry point that calls it.
#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/ir/blocks.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/walk.h"

namespace qd::codegen::spirv {

Id FunctionEmitter::emit_task(const ir::Task& task, const passes::ThreadCode& code) {
  if (task.kind == ir::Task::Kind::Parallel) {
    emit_parallel(task, code);
  } else {
    emit_block(code.block);
  }
  if (!code_.ended()) code_.give_back();
  code_.finish();
  return code_.id();
}

void FunctionEmitter::emit_parallel(const ir::Task& task, const passes::ThreadCode& code) {
  emit_block(task.prologue);
  if (code_.ended()) return;
  if (ir::is_block_loop(kernel_, task.body)) look_at_block_loop(task);
  iteration_ = code.iteration;
  emit_block(code.block);
  iteration_ = ir::InstId::None;
  threads_stay_ = false;
  in_epilogue_ = true;
  emit_block(task.epilogue);
}

/// Properties of a block loop. With meetings, its iterations are whole blocks, and those threads are here that have not
/// ended.
void FunctionEmitter::look_at_block_loop(const ir::Task& task) {
  bool ends = false;
  ir::walk(kernel_, task.body, [&](ir::InstId id) { ends |= kernel_[id].op == ir::Op::Continue; });
  const uint32_t subgroup = shared_.device.subgroup_size;
  threads_stay_ = !ends && subgroup > 0 && static_cast<uint32_t>(task.block_dim) % subgroup == 0;
  if (threads_stay_ && !ir::may_fail(kernel_, task.body)) body_of_all_ = task.body;
}

/// One of the numbers by which an invocation finds its iterations.
Id FunctionEmitter::dispatch(ir::Dispatch number) {
  Arithmetic& a = arithmetic_;
  auto strides = [&] { return push_constant(offsetof(TaskArguments, group_stride)); };
  switch (number) {
    case ir::Dispatch::Group: return component_of_input(spv::BuiltInWorkgroupId);
    case ir::Dispatch::Thread: return thread();
    case ir::Dispatch::GroupStride: return a.narrow(strides());
    case ir::Dispatch::Step: return a.narrow(a.wide_integer(spv::OpShiftRightLogical, strides(), a.number(32)));
    case ir::Dispatch::Rounds: return a.narrow(push_constant(offsetof(TaskArguments, rounds)));
  }
  return 0;
}

Id FunctionEmitter::emit_main(const ir::Task& task, Id function, bool draws, uint32_t local_size) {
  Arithmetic& a = arithmetic_;
  const Id messages = launch_field(offsetof(DeviceLaunch, messages));
  const Id failed = read(beyond(messages, offsetof(DeviceMessages, failed)), a.u32(), 4);
  code_.when(a.test(spv::OpINotEqual, failed, a.number(0)), [&] { code_.give_back(); });
  if (task.kind == ir::Task::Kind::Serial) {
    const Id number = component_of_input(spv::BuiltInGlobalInvocationId);
    code_.when(a.test(spv::OpINotEqual, number, a.number(0)), [&] { code_.give_back(); });
  }
  if (draws) begin_random();
  code_.op(spv::OpFunctionCall, module_.void_type(), {function});
  if (shared_.device.loop_limit > 0 && module_.has_loops()) tell_ended_loops(local_size);
  flush_counts(task.kind == ir::Task::Kind::Parallel);
  code_.give_back();
  code_.finish();
  return code_.id();
}

}  // namespace qd::codegen::spirv
