// Routines (functions that are called at run time, not inlined), and calls of them.
#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using llvm::Value;

void TaskEmitter::emit_call(ir::InstId id, const ir::Inst& inst) {
  if (tell_iteration_ && !is_routine_)
    b_.CreateAlignedStore(iteration(), thread_field(offsetof(ThreadState, iteration)), llvm::Align(8));
  auto when_failed = [&](Value*) {
    llvm::Type* pointer = b_.getPtrTy();
    Value* called_from = context_field(offsetof(LaunchContext, called_from), pointer);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt64Ty()}, false);
    b_.CreateCall(type, called_from, {context_, b_.getInt64(inst.imm)});
    note_failure();
  };
  const bool fails = routines_.failing[inst.aux];
  call(id, routines_.functions[inst.aux], {context_, thread_}, fails ? std::function(when_failed) : nullptr);
}

Value* TaskEmitter::results() { return context_field(offsetof(LaunchContext, results), b_.getPtrTy()); }

void TaskEmitter::note_failure() {
  if (failure_) b_.CreateStore(b_.getTrue(), failure_);
}

void TaskEmitter::emit_routine(uint32_t index) {
  begin_routine(kernel_.routines[index], routines_.failing[index] ? b_.getInt1Ty() : nullptr);
  find_count_places();
  emit_block(task_.body);
  branch(exit_);
  b_.SetInsertPoint(exit_);
  flush_routine_counts();
  end_routine();
}

/// Combines the counts of a routine with the words behind the ThreadState, which its other calls have changed before.
void TaskEmitter::flush_routine_counts() {
  llvm::Type* word = b_.getInt64Ty();
  for (const auto& [counter, sum] : counters_) {
    const auto [rule, number] = counter;
    Value* place =
        thread_field(sizeof(ThreadState) + sizeof(uint64_t) * size_t{routines_.counters.word_of(rule, number)});
    Value* value = b_.CreateZExt(b_.CreateLoad(sum->getAllocatedType(), sum), word);
    Value* before = b_.CreateAlignedLoad(word, place, llvm::Align(8));
    b_.CreateAlignedStore(arithmetic_.atomic_result(rule, ir::Type::U64, before, value), place, llvm::Align(8));
  }
}

}  // namespace qd::codegen
