// The function of a task, with the exit at which threads write gathered values to memory.
#include "runtime/abi/task_arguments.h"
#include "runtime/codegen/gpu/emitter.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/codegen/narrow_counters.h"
#include "runtime/ir/blocks.h"
#include "runtime/ir/calls.h"

namespace qd::codegen::gpu {

using llvm::Value;

Emitter::Emitter(Shared& shared, llvm::Function* function)
    : FunctionEmitter(shared.kernel, function, shared.options),
      shared_(shared),
      hardware_(shared.hardware),
      launch_(function->getArg(kLaunch)),
      state_(nullptr) {
  arithmetic_.set_atomic_scope(hardware_.atomic_scope(function->getContext()));
}

void Emitter::emit_task(const ir::Task& task, const passes::ThreadCode& code, bool hands_over) {
  const TaskShape shape = shape_of(kernel_, task);
  group_size_ = shape.group_size;
  meet_at_exit_ = task.kind == ir::Task::Kind::Parallel && !shape.one_round;
  const uint64_t words = uint64_t{kCounts} + shared_.routines.counters.words();
  state_ = local(llvm::ArrayType::get(b_.getInt64Ty(), words), "state");
  entry_.CreateMemSet(state_, b_.getInt8(0), 8 * words, llvm::MaybeAlign(8));
  narrow_counters_ = narrow_counters(kernel_, task);
  note_used_atomics(code.block);
  llvm::BasicBlock* begin = new_block("begin");
  b_.CreateCondBr(launch_has_failed(), exit_, begin);
  b_.SetInsertPoint(begin);
  if (shape.draws) begin_random();
  if (task.kind == ir::Task::Kind::Parallel) {
    emit_parallel(task, code);
  } else {
    emit_block(code.block);
  }
  branch(exit_);
  b_.SetInsertPoint(exit_);
  hardware_.inst_begins(b_, kernel_, nullptr);
  write_gathered(task);
  if (hands_over) hand_over(task);
  b_.CreateRetVoid();
}

/// Whether the launch has failed: alike for all threads of a subgroup, so that they come to subgroup operations
/// together. The load may be served by a multiprocessor's cache, which is empty when a task begins: thousands of
/// subgroups that read the same place in the device's memory would wait for each other.
Value* Emitter::launch_has_failed() {
  llvm::Type* number = b_.getInt32Ty();
  llvm::LoadInst* failed =
      b_.CreateAlignedLoad(number, beyond(b_, messages(), offsetof(DeviceMessages, failed)), llvm::Align(4), "failed");
  failed->setAtomic(llvm::AtomicOrdering::Unordered);
  Value* has = b_.CreateICmpNE(failed, b_.getInt32(0));
  if (group_size_ == 1) return has;
  return b_.CreateICmpNE(hardware_.ballot(b_, Lanes::All, has), b_.getInt64(0));
}

void Emitter::emit_parallel(const ir::Task& task, const passes::ThreadCode& code) {
  if (task.prologue != ir::BlockId::None) emit_block(task.prologue);
  if (ir::is_block_loop(kernel_, task.body)) look_at_block_loop(task, code.block);
  iteration_ = code.iteration;
  emit_block(code.block);
  iteration_ = ir::InstId::None;
  in_epilogue_ = true;
  if (task.epilogue != ir::BlockId::None) emit_block(task.epilogue);
}

/// Properties of a block loop. All threads come to the code around its iterations, and, with meetings, to the
/// iterations themselves: these are whole blocks, and threads that have not ended are here.
void Emitter::look_at_block_loop(const ir::Task& task, ir::BlockId code) {
  bool continues = false;
  ir::walk(kernel_, task.body, [&](ir::InstId id) { continues |= kernel_[id].op == ir::Op::Continue; });
  const bool may_fail = ir::may_fail(kernel_, task.body);
  threads_stay_ = !continues;
  auto come_to = [&](auto& self, ir::BlockId block) -> void {
    if (block == ir::BlockId::None || (block == task.body && (continues || may_fail))) return;
    for (ir::InstId id : kernel_[block]) {
      by_all_.insert(id);
      for (ir::BlockId inner : kernel_[id].blocks) {
        if (block != task.body) self(self, inner);
      }
    }
  };
  come_to(come_to, code);
}

/// The number of the present iteration of the parallel task.
Value* Emitter::iteration() {
  if (is_routine_) return b_.CreateAlignedLoad(b_.getInt64Ty(), state_word(kIteration), llvm::Align(8));
  return iteration_ == ir::InstId::None ? b_.getInt64(0) : value(iteration_);
}

/// Seeds the random numbers of a thread by the task's seed and the number of the thread: two numbers of SplitMix64 by
/// Steele, Lea and Flood, https://prng.di.unimi.it/splitmix64.c
void Emitter::begin_random() {
  llvm::Type* word = b_.getInt64Ty();
  Value* group = b_.CreateZExt(hardware_.group(b_), word);
  Value* number =
      b_.CreateAdd(b_.CreateMul(group, b_.getInt64(group_size_)), b_.CreateZExt(hardware_.thread(b_), word));
  Value* state = b_.CreateXor(argument(kSeed), b_.CreateShl(number, 20));
  auto mixed = [&](Value* x, uint64_t count) { return b_.CreateXor(x, b_.CreateLShr(x, count)); };
  for (uint64_t i = 0; i < 2; ++i) {
    state = b_.CreateAdd(state, b_.getInt64(0x9e3779b97f4a7c15u));
    Value* z = b_.CreateMul(mixed(state, 30), b_.getInt64(0xbf58476d1ce4e5b9u));
    z = b_.CreateMul(mixed(z, 27), b_.getInt64(0x94d049bb133111ebu));
    b_.CreateAlignedStore(mixed(z, 31), state_word(kRandom + i), llvm::Align(8));
  }
}

}  // namespace qd::codegen::gpu
