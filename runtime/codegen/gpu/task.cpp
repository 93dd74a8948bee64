// The function of a task: the loop over a thread's iterations, and the exit, at which threads write gathered values to
// memory.
#include "runtime/abi/task_arguments.h"
#include "runtime/codegen/gpu/emitter.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/codegen/narrow_counters.h"
#include "runtime/ir/blocks.h"
#include "runtime/ir/calls.h"

namespace qd::codegen::gpu {

using llvm::Value;

namespace {

/// The order of a task's parameters.
enum Argument : size_t { kLaunch, kSeed, kGroupStride, kStep, kRounds };

}  // namespace

Emitter::Emitter(Shared& shared, llvm::Function* function)
    : FunctionEmitter(shared.kernel, function, shared.options),
      shared_(shared),
      hardware_(shared.hardware),
      launch_(function->getArg(0)),
      state_(nullptr) {
  arithmetic_.set_atomic_scope(hardware_.atomic_scope(function->getContext()));
}

void Emitter::emit_task(const ir::Task& task) {
  const TaskShape shape = shape_of(kernel_, task);
  group_size_ = shape.group_size;
  meet_at_exit_ = task.kind == ir::Task::Kind::Parallel && !shape.one_round;
  const uint64_t words = uint64_t{kCounts} + shared_.counters.words();
  state_ = local(llvm::ArrayType::get(b_.getInt64Ty(), words), "state");
  entry_.CreateMemSet(state_, b_.getInt8(0), 8 * words, llvm::MaybeAlign(8));
  for (ir::BlockId block : {task.prologue, task.body}) {
    ir::walk(kernel_, block, [&](ir::InstId id) {
      const ir::Inst& inst = kernel_[id];
      may_fail_ |= inst.op == ir::Op::Assert || (inst.op == ir::Op::Call && shared_.failing[inst.aux]);
    });
  }
  narrow_counters_ = narrow_counters(kernel_, task);
  llvm::BasicBlock* begin = new_block("begin");
  b_.CreateCondBr(launch_has_failed(), exit_, begin);
  b_.SetInsertPoint(begin);
  if (shape.draws) begin_random();
  if (task.kind == ir::Task::Kind::Parallel) {
    emit_parallel(task);
  } else {
    emit_block(task.body);
  }
  branch(exit_);
  b_.SetInsertPoint(exit_);
  hardware_.inst_begins(b_, kernel_, nullptr);
  write_gathered(task);
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

void Emitter::emit_parallel(const ir::Task& task) {
  begin_reductions(task);
  Axes axes(b_);
  for (size_t i = 0; i < task.bounds.size(); i += 2) {
    const ir::Type counts = task.bounds[i].type;
    const bool small =
        counts == ir::Type::I32 && task.bounds[i].kind == ir::Bound::Kind::Const && task.bounds[i].value >= 0;
    axes.add(bound(task.bounds[i]), bound(task.bounds[i + 1]), counts, small);
  }
  axes.close();
  if (task.prologue != ir::BlockId::None) emit_block(task.prologue);
  emit_rounds(task, axes);
  in_epilogue_ = true;
  if (task.epilogue != ir::BlockId::None) emit_block(task.epilogue);
}

/// A loop over the iterations that TaskArguments gives to the thread, its chunk. In a block loop it counts the first
/// iterations of blocks, which are the same for all threads of a group, so they stay together.
void Emitter::emit_rounds(const ir::Task& task, Axes& axes) {
  llvm::Type* number = b_.getInt32Ty();
  const bool blocks = ir::is_block_loop(kernel_, task.body);
  if (blocks) look_at_block_loop(task);
  Value* start = b_.CreateMul(hardware_.group(b_), argument(kGroupStride));
  Value* own_start = b_.CreateAdd(start, hardware_.thread(b_));
  const Digits first = axes.digits(blocks ? start : own_start), step = axes.digits(argument(kStep));
  const Digits own_first = blocks ? axes.digits(own_start) : Digits{};
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* header = new_block("round");
  llvm::BasicBlock* inside = new_block("iteration");
  llvm::BasicBlock* next = new_block("round.next");
  llvm::BasicBlock* done = new_block("rounds.done");
  b_.CreateBr(header);

  b_.SetInsertPoint(header);
  std::vector<llvm::PHINode*> phis;
  auto counted = [&](const Digits& begin) {
    Digits at;
    for (Value* digit : begin) {
      phis.push_back(b_.CreatePHI(digit->getType(), 2));
      phis.back()->addIncoming(digit, before);
      at.push_back(phis.back());
    }
    return at;
  };
  const Digits at = counted(first), own_at = counted(own_first);
  llvm::PHINode* round = b_.CreatePHI(number, 2);
  round->addIncoming(b_.getInt32(0), before);
  b_.CreateCondBr(b_.CreateAnd(axes.holds(at), b_.CreateICmpULT(round, argument(kRounds))), inside, done);

  b_.SetInsertPoint(inside);
  if (blocks) {
    // Another block may use the shared variables only when all threads of the one before are done with them.
    if (ir::shared_bytes(kernel_, task.body) > 0)
      when(b_.CreateICmpNE(round, b_.getInt32(0)), [&] { hardware_.barrier(b_, Lanes::All, ir::Scope::Block); });
    llvm::BasicBlock* own = new_block("thread");
    b_.CreateCondBr(axes.holds(own_at), own, next);
    b_.SetInsertPoint(own);
  }
  axes_ = &axes;
  iteration_ = blocks ? own_at : at;
  for (size_t axis = 0; axis < axes.size(); ++axis) indices_[task.loop].push_back(axes.index(iteration_, axis));
  emit_iteration(task.body, next);
  axes_ = nullptr;

  b_.SetInsertPoint(next);
  Digits following = axes.sum(at, step);
  if (blocks) {
    const Digits own_following = axes.sum(own_at, step);
    following.insert(following.end(), own_following.begin(), own_following.end());
  }
  llvm::BasicBlock* back = b_.GetInsertBlock();
  for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(following[i], back);
  round->addIncoming(b_.CreateAdd(round, b_.getInt32(1)), back);
  b_.CreateBr(header);
  b_.SetInsertPoint(done);
}

/// Properties of a block loop. With meetings, its iterations are whole blocks; threads that have not ended are here.
void Emitter::look_at_block_loop(const ir::Task& task) {
  bool continues = false, may_fail = false;
  ir::walk(kernel_, task.body, [&](ir::InstId id) {
    const ir::Op op = kernel_[id].op;
    continues |= op == ir::Op::Continue;
    may_fail |= op == ir::Op::Assert || op == ir::Op::Call;
  });
  threads_stay_ = !continues;
  if (continues || may_fail) return;
  for (ir::InstId id : kernel_[task.body]) by_all_.insert(id);
}

/// The number of the present iteration of the parallel task.
Value* Emitter::iteration() {
  if (is_routine_) return b_.CreateAlignedLoad(b_.getInt64Ty(), state_word(kIteration), llvm::Align(8));
  return axes_ ? axes_->number(iteration_) : b_.getInt64(0);
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
