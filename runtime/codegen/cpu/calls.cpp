// Calls of routines (functions that are called at run time, not inlined), and their results.
#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using llvm::Value;

void TaskEmitter::emit_call(ir::InstId id, const ir::Inst& inst) {
  std::vector<Value*> arguments{context_, thread_};
  for (ir::InstId operand : kernel_.operands_of(inst)) arguments.push_back(value(operand));
  if (tell_iteration_ && !is_routine_)
    b_.CreateAlignedStore(iteration(), thread_field(offsetof(ThreadState, iteration)), llvm::Align(8));
  llvm::CallInst* call = b_.CreateCall(routines_.functions[inst.aux], arguments);
  calls_[id] = call;
  if (!routines_.failing[inst.aux]) return;
  llvm::BasicBlock* wrong = new_block("call.failed");
  llvm::BasicBlock* right = new_block("called");
  Value* did_fail = b_.CreateExtractValue(call, static_cast<unsigned>(kernel_.routines[inst.aux].results.size()));
  b_.CreateCondBr(did_fail, wrong, right, llvm::MDBuilder(b_.getContext()).createBranchWeights(1, 1000000));
  b_.SetInsertPoint(wrong);
  llvm::Type* pointer = b_.getPtrTy();
  Value* called_from = context_field(offsetof(LaunchContext, called_from), pointer);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt64Ty()}, false);
  b_.CreateCall(type, called_from, {context_, b_.getInt64(inst.imm)});
  note_failure();
  b_.CreateBr(failed());
  b_.SetInsertPoint(right);
}

Value* TaskEmitter::call_result(const ir::Inst& inst) {
  return b_.CreateExtractValue(calls_.at(inst.aux_inst()), inst.result());
}

void TaskEmitter::emit_return(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (is_routine_) {
      b_.CreateStore(value(operands[i]), results_[i]);
      continue;
    }
    Value* results = context_field(offsetof(LaunchContext, results), b_.getPtrTy());
    Value* word = arithmetic_.to_word(kernel_[operands[i]].type, value(operands[i]));
    b_.CreateStore(word, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), results, i));
  }
}

void TaskEmitter::note_failure() {
  if (failed_) b_.CreateStore(b_.getTrue(), failed_);
}

void TaskEmitter::emit_routine(uint32_t index) {
  const ir::Routine& routine = kernel_.routines[index];
  is_routine_ = true;
  for (ir::Type type : routine.results) results_.push_back(local(arithmetic_.type(type), "result"));
  if (routines_.failing[index]) {
    failed_ = local(b_.getInt1Ty(), "failed");
    entry_.CreateStore(b_.getFalse(), failed_);
  }
  find_count_places();
  emit_block(task_.body);
  branch(exit_);
  finish_routine(routines_.failing[index]);
}

/// Every routine ends here: its counts are combined with the words behind the ThreadState, which its other calls have
/// changed before.
void TaskEmitter::finish_routine(bool failing) {
  llvm::Type* word = b_.getInt64Ty();
  b_.SetInsertPoint(exit_);
  for (const auto& [counter, sum] : counters_) {
    const auto [rule, number] = counter;
    Value* place =
        thread_field(sizeof(ThreadState) + sizeof(uint64_t) * size_t{routines_.counters.word_of(rule, number)});
    Value* value = b_.CreateZExt(b_.CreateLoad(sum->getAllocatedType(), sum), word);
    Value* before = b_.CreateAlignedLoad(word, place, llvm::Align(8));
    b_.CreateAlignedStore(arithmetic_.atomic_result(rule, ir::Type::U64, before, value), place, llvm::Align(8));
  }
  if (function_->getReturnType()->isVoidTy()) {
    b_.CreateRetVoid();
    return;
  }
  Value* result = llvm::PoisonValue::get(function_->getReturnType());
  unsigned position = 0;
  for (llvm::AllocaInst* place : results_)
    result = b_.CreateInsertValue(result, b_.CreateLoad(place->getAllocatedType(), place), position++);
  if (failing) result = b_.CreateInsertValue(result, b_.CreateLoad(b_.getInt1Ty(), failed_), position);
  b_.CreateRet(result);
}

}  // namespace qd::codegen
