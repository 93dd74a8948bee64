// The function of a task, and the entry point that calls it.
#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/ir/blocks.h"
#include "runtime/ir/walk.h"

namespace qd::codegen::spirv {

Id FunctionEmitter::emit_task(const ir::Task& task) {
  if (task.kind == ir::Task::Kind::Parallel) {
    emit_parallel(task);
  } else {
    emit_block(task.body);
  }
  if (!code_.ended()) code_.give_back();
  code_.finish();
  return code_.id();
}

/// A loop over the iterations that TaskArguments gives to the invocation, its chunk. In a block loop the loop
/// counts the first iterations of blocks, which are the same for all threads of a group, so they stay together.
void FunctionEmitter::emit_parallel(const ir::Task& task) {
  Arithmetic& a = arithmetic_;
  for (size_t i = 0; i < task.bounds.size(); i += 2) {
    const ir::Type counts = task.bounds[i].type;
    const bool small =
        counts == ir::Type::I32 && task.bounds[i].kind == ir::Bound::Kind::Const && task.bounds[i].value >= 0;
    axes_.add(bound(task.bounds[i]), bound(task.bounds[i + 1]), counts, small);
  }
  axes_.close();
  const bool blocks = ir::is_block_loop(kernel_, task.body);
  const Id strides = push_constant(offsetof(TaskArguments, group_stride));
  const Id rounds = a.narrow(push_constant(offsetof(TaskArguments, rounds)));
  const Id start = a.integer(spv::OpIMul, component_of_input(spv::BuiltInWorkgroupId), a.narrow(strides));
  const Id own_start = a.integer(spv::OpIAdd, start, thread());
  const Digits first = axes_.digits(blocks ? start : own_start);
  const Digits own_first = blocks ? axes_.digits(own_start) : Digits{};
  const Digits step = axes_.digits(a.narrow(a.wide_integer(spv::OpShiftRightLogical, strides, a.number(32))));

  emit_block(task.prologue);
  if (code_.ended()) return;
  begin_reductions(task);
  const Id before = code_.block(), header = code_.label(), body = code_.label();
  const Loop loop{code_.label(), code_.label()};
  code_.branch(header);
  code_.begin(header);
  Digits next, own_next;
  auto counted = [&](const Digits& begin, Digits& following) {
    Digits at;
    for (size_t axis = 0; axis < begin.size(); ++axis) {
      following.push_back(module_.fresh());
      at.push_back(code_.op(spv::OpPhi, axes_.type(axis), {begin[axis], before, following.back(), loop.next}));
    }
    return at;
  };
  const Digits at = counted(first, next), own_at = counted(own_first, own_next);
  const Id next_round = module_.fresh();
  const Id round = code_.op(spv::OpPhi, a.u32(), {a.number(0), before, next_round, loop.next});
  const Id goes_on = code_.op(spv::OpLogicalAnd, a.truth(), {axes_.holds(at), a.test(spv::OpULessThan, round, rounds)});
  code_.loop_if(goes_on, body, loop.broken, loop.broken, loop.next);

  code_.begin(body);
  loops_.push_back(loop);
  if (blocks) {
    emit_block_iteration(task, round, own_at);
  } else {
    emit_iteration(task, at);
  }
  loops_.pop_back();
  if (!code_.ended()) code_.branch(loop.next);

  code_.begin(loop.next);
  auto count = [&](const Digits& digits, const Digits& following) {
    if (digits.empty()) return;
    const Digits sums = axes_.sum(digits, step);
    for (size_t i = 0; i < sums.size(); ++i) code_.op_as(following[i], spv::OpCopyObject, axes_.type(i), {&sums[i], 1});
  };
  count(at, next);
  count(own_at, own_next);
  const Id counted_round[] = {round, a.number(1)};
  code_.op_as(next_round, spv::OpIAdd, a.u32(), counted_round);
  code_.branch(header);
  code_.begin(loop.broken);
  flush_reductions();
  in_epilogue_ = true;
  emit_block(task.epilogue);
}

void FunctionEmitter::emit_iteration(const ir::Task& task, const Digits& at) {
  iteration_ = at;
  std::vector<Id>& indices = indices_[task.loop];
  for (size_t axis = 0; axis < axes_.size(); ++axis) indices.push_back(axes_.index(at, axis));
  emit_block(task.body);
  iteration_.clear();
}

/// The part of a thread in its group's block number `round`.
void FunctionEmitter::emit_block_iteration(const ir::Task& task, Id round, const Digits& own) {
  // Another block may use the shared variables only when all threads of the one before are done with them.
  if (ir::shared_bytes(kernel_, task.body) > 0) {
    const Id follows = arithmetic_.test(spv::OpINotEqual, round, arithmetic_.number(0));
    code_.when(follows, [&] { emit_barrier(ir::Scope::Block); });
  }
  // With meetings, the iterations are whole blocks, and those threads are here that have not ended.
  bool ends = false, fails = false;
  ir::walk(kernel_, task.body, [&](ir::InstId id) {
    const ir::Op op = kernel_[id].op;
    ends |= op == ir::Op::Continue;
    fails |= op == ir::Op::Assert || op == ir::Op::Call;
  });
  const uint32_t subgroup = shared_.device.subgroup_size;
  threads_stay_ = !ends && subgroup > 0 && static_cast<uint32_t>(task.block_dim) % subgroup == 0;
  all_threads_here_ = threads_stay_ && !fails;
  code_.when(axes_.holds(own), [&] { emit_iteration(task, own); });
  threads_stay_ = all_threads_here_ = false;
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
