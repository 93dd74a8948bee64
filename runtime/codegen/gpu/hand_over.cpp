// Output of a launch for the host, written by the launch itself: counters and results. Behind a task that takes 5 us, a
// copy by the driver and one of zeros before the next launch would take twice that.
//
// Each group counts itself behind its last change of memory. The group that finds all others counted copies the output
// to the host's memory, and clears it.
#include "runtime/abi/task_arguments.h"
#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using llvm::Value;

namespace {

constexpr uint64_t kOutputWord = 8;
/// Words in front of the output that hold the mark of its end.
constexpr uint64_t kMark = 2;

}  // namespace

void Emitter::hand_over(const ir::Task& task) {
  llvm::BasicBlock* done = new_block("handed_over");
  Value* left = late_field(offsetof(DeviceLaunch, left));
  auto go_on_if = [&](Value* condition) {
    llvm::BasicBlock* next = new_block("hand_over");
    b_.CreateCondBr(condition, next, done);
    b_.SetInsertPoint(next);
  };
  go_on_if(b_.CreateIsNotNull(left));
  if (task.kind == ir::Task::Kind::Parallel) go_on_if(is_last_group());
  copy_output(left);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

/// Whether this group is the last one that has come here: alike for all of its threads.
Value* Emitter::is_last_group() {
  llvm::Type* number = b_.getInt32Ty();
  Value* is_last = shared_variable(number);
  hardware_.barrier(b_, Lanes::All, ir::Scope::Block);
  when(b_.CreateICmpEQ(hardware_.thread(b_), b_.getInt32(0)), [&] {
    hardware_.fence(b_, ir::Scope::Device);
    Value* place = beyond(b_, launch_, offsetof(DeviceLaunch, groups_over));
    Value* before = arithmetic_.atomic_rmw(ir::AtomicOp::Add, ir::Type::U32, place, b_.getInt32(1));
    Value* groups = b_.CreateUDiv(argument(kStep), b_.getInt32(group_size_));
    Value* last = b_.CreateICmpEQ(before, b_.CreateSub(groups, b_.getInt32(1)));
    hardware_.fence(b_, ir::Scope::Device);
    b_.CreateAlignedStore(b_.CreateZExt(last, number), is_last, llvm::Align(4));
  });
  hardware_.barrier(b_, Lanes::All, ir::Scope::Block);
  return b_.CreateIsNotNull(b_.CreateAlignedLoad(number, is_last, llvm::Align(4)));
}

/// Copies the output to `left`, and clears what the next launch finds as zeros. All threads of a group share the work.
void Emitter::copy_output(Value* left) {
  llvm::Type* word = b_.getInt64Ty();
  Value* output = late_field(offsetof(DeviceLaunch, output));
  auto words_up_to = [&](Value* end) {
    Value* bytes = b_.CreateSub(b_.CreatePtrToInt(end, word), b_.CreatePtrToInt(output, word));
    return b_.CreateLShr(bytes, 3);
  };
  Value* zeros = words_up_to(late_field(offsetof(DeviceLaunch, results)));
  Value* end_of_zeros = words_up_to(messages());
  Value* end = b_.CreateAdd(end_of_zeros, b_.getInt64(sizeof(DeviceMessages) / kOutputWord));
  Value* thread = group_size_ == 1 ? b_.getInt32(0) : hardware_.thread(b_);
  Value* first = b_.CreateAdd(b_.CreateZExt(thread, word), b_.getInt64(kMark));

  llvm::BasicBlock *entry = b_.GetInsertBlock(), *loop = new_block("copy"), *copied = new_block("copied");
  b_.CreateCondBr(b_.CreateICmpULT(first, end), loop, copied);
  b_.SetInsertPoint(loop);
  llvm::PHINode* at = b_.CreatePHI(word, 2);
  at->addIncoming(first, entry);
  Value* from = word_at(b_, output, at);
  llvm::LoadInst* load = b_.CreateAlignedLoad(word, from, llvm::Align(kOutputWord));
  load->setAtomic(llvm::AtomicOrdering::Monotonic, hardware_.atomic_scope(b_.getContext()));
  b_.CreateAlignedStore(load, word_at(b_, left, at), llvm::Align(kOutputWord), true);
  Value* cleared = b_.CreateAnd(b_.CreateICmpUGE(at, zeros), b_.CreateICmpULT(at, end_of_zeros));
  when(cleared, [&] { b_.CreateAlignedStore(b_.getInt64(0), from, llvm::Align(kOutputWord)); });
  Value* next = b_.CreateAdd(at, b_.getInt64(group_size_));
  at->addIncoming(next, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpULT(next, end), loop, copied);
  b_.SetInsertPoint(copied);

  hardware_.fence_for_host(b_);
  if (group_size_ > 1) hardware_.barrier(b_, Lanes::All, ir::Scope::Block);
  when(b_.CreateICmpEQ(thread, b_.getInt32(0)), [&] {
    b_.CreateAlignedStore(b_.getInt32(0), beyond(b_, launch_, offsetof(DeviceLaunch, groups_over)), llvm::Align(4));
    b_.CreateAlignedStore(b_.getInt32(1), left, llvm::Align(4), true);
  });
}

}  // namespace qd::codegen::gpu
