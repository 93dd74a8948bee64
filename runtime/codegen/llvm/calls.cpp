// Calls of routines (functions that are called at run time, not inlined), and their results. A routine in which an
// assert may fail gives one more result, which is 0 unless one has failed.
#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/llvm/function_emitter.h"
#include "runtime/ir/calls.h"

namespace qd::codegen {

using llvm::Value;

RoutineFunctions declare_routines(const ir::Kernel& kernel, llvm::Module& llvm_module,
                                  std::span<llvm::Type* const> in_front, llvm::Type* failure) {
  llvm::IRBuilder<> builder(llvm_module.getContext());
  Arithmetic arithmetic(builder, false);
  RoutineFunctions routines{{}, ir::failing_routines(kernel), ir::routine_counters(kernel)};
  for (size_t i = 0; i < kernel.routines.size(); ++i) {
    const ir::Routine& routine = kernel.routines[i];
    std::vector<llvm::Type*> params(in_front.begin(), in_front.end()), results;
    for (ir::Type type : routine.params) params.push_back(arithmetic.type(type));
    for (ir::Type type : routine.results) results.push_back(arithmetic.type(type));
    if (failure && routines.failing[i]) results.push_back(failure);
    llvm::Type* result =
        results.empty() ? builder.getVoidTy() : llvm::StructType::get(llvm_module.getContext(), results);
    auto* type = llvm::FunctionType::get(result, params, false);
    routines.functions.push_back(
        llvm::Function::Create(type, llvm::Function::InternalLinkage, "qd.routine." + routine.name, llvm_module));
  }
  return routines;
}

void FunctionEmitter::call(ir::InstId id, llvm::Function* routine, std::vector<Value*> arguments,
                           const std::function<void(Value* failure)>& when_failed) {
  const ir::Inst& inst = kernel_[id];
  for (ir::InstId operand : kernel_.operands_of(inst)) arguments.push_back(value(operand));
  llvm::CallInst* result = b_.CreateCall(routine, arguments);
  values_[id] = result;
  if (!when_failed) return;
  llvm::BasicBlock* wrong = new_block("call.failed");
  llvm::BasicBlock* right = new_block("called");
  Value* failure = b_.CreateExtractValue(result, static_cast<unsigned>(kernel_.routines[inst.aux].results.size()));
  b_.CreateCondBr(b_.CreateIsNotNull(failure), wrong, right,
                  llvm::MDBuilder(b_.getContext()).createBranchWeights(1, 1000000));
  b_.SetInsertPoint(wrong);
  when_failed(failure);
  b_.CreateBr(failed());
  b_.SetInsertPoint(right);
}

void FunctionEmitter::emit_return(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (is_routine_) {
      b_.CreateStore(value(operands[i]), results_[i]);
      continue;
    }
    Value* word = arithmetic_.to_word(kernel_[operands[i]].type, value(operands[i]));
    b_.CreateAlignedStore(word, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), results(), i), llvm::Align(8));
  }
}

void FunctionEmitter::begin_routine(const ir::Routine& routine, llvm::Type* failure) {
  is_routine_ = true;
  for (ir::Type type : routine.results) results_.push_back(local(arithmetic_.type(type), "result"));
  if (!failure) return;
  failure_ = local(failure, "failure");
  entry_.CreateStore(llvm::Constant::getNullValue(failure), failure_);
}

void FunctionEmitter::end_routine() {
  if (function_->getReturnType()->isVoidTy()) {
    b_.CreateRetVoid();
    return;
  }
  if (failure_) results_.push_back(failure_);
  Value* all = llvm::PoisonValue::get(function_->getReturnType());
  for (unsigned i = 0; i < results_.size(); ++i)
    all = b_.CreateInsertValue(all, b_.CreateLoad(results_[i]->getAllocatedType(), results_[i]), i);
  b_.CreateRet(all);
}

}  // namespace qd::codegen
