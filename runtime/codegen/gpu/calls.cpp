// Calls of routines (functions that are called at run time, not inlined), and their results.
#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/gpu/emitter.h"
#include "runtime/ir/calls.h"

namespace qd::codegen::gpu {

using llvm::Value;

void declare_routines(Shared& shared) {
  const ir::Kernel& kernel = shared.kernel;
  llvm::IRBuilder<> builder(shared.llvm_module.getContext());
  Arithmetic arithmetic(builder, false);
  shared.failing = ir::failing_routines(kernel);
  shared.counters = ir::routine_counters(kernel);
  const unsigned own_memory = shared.llvm_module.getDataLayout().getAllocaAddrSpace();
  for (size_t i = 0; i < kernel.routines.size(); ++i) {
    const ir::Routine& routine = kernel.routines[i];
    std::vector<llvm::Type*> params{builder.getPtrTy(kDeviceMemory), builder.getPtrTy(own_memory)}, results;
    for (ir::Type type : routine.params) params.push_back(arithmetic.type(type));
    for (ir::Type type : routine.results) results.push_back(arithmetic.type(type));
    if (shared.failing[i]) results.push_back(builder.getInt32Ty());
    llvm::Type* result =
        results.empty() ? builder.getVoidTy() : llvm::StructType::get(shared.llvm_module.getContext(), results);
    shared.routines.push_back(llvm::Function::Create(llvm::FunctionType::get(result, params, false),
                                                     llvm::Function::InternalLinkage, "qd.routine." + routine.name,
                                                     shared.llvm_module));
  }
}

void Emitter::emit_call(ir::InstId id, const ir::Inst& inst) {
  std::vector<Value*> arguments{launch_, state_};
  for (ir::InstId operand : kernel_.operands_of(inst)) arguments.push_back(value(operand));
  if (!is_routine_) b_.CreateAlignedStore(iteration(), state_word(kIteration), llvm::Align(8));
  llvm::CallInst* call = b_.CreateCall(shared_.routines[inst.aux], arguments);
  calls_[id] = call;
  if (!shared_.failing[inst.aux]) return;
  llvm::BasicBlock* wrong = new_block("call.failed");
  llvm::BasicBlock* right = new_block("called");
  Value* failure = b_.CreateExtractValue(call, static_cast<unsigned>(kernel_.routines[inst.aux].results.size()));
  b_.CreateCondBr(b_.CreateICmpNE(failure, b_.getInt32(kNone)), wrong, right,
                  llvm::MDBuilder(b_.getContext()).createBranchWeights(1, 1000000));
  b_.SetInsertPoint(wrong);
  when(b_.CreateICmpEQ(failure, b_.getInt32(kTold)),
       [&] { b_.CreateCall(add_caller(), {messages(), b_.getInt64(inst.imm)}); });
  if (failed_) b_.CreateStore(failure, failed_);
  b_.CreateBr(failed());
  b_.SetInsertPoint(right);
}

Value* Emitter::call_result(const ir::Inst& inst) {
  return b_.CreateExtractValue(calls_.at(inst.aux_inst()), inst.result());
}

void Emitter::emit_return(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (is_routine_) {
      b_.CreateStore(value(operands[i]), results_[i]);
      continue;
    }
    Value* word = arithmetic_.to_word(kernel_[operands[i]].type, value(operands[i]));
    b_.CreateAlignedStore(word, beyond(b_, launch_field(offsetof(DeviceLaunch, results)), 8 * i), llvm::Align(8));
  }
}

void Emitter::emit_routine(uint32_t index) {
  const ir::Routine& routine = kernel_.routines[index];
  is_routine_ = true;
  state_ = argument(1);
  for (ir::Type type : routine.results) results_.push_back(local(arithmetic_.type(type), "result"));
  if (shared_.failing[index]) {
    failed_ = local(b_.getInt32Ty(), "failure");
    entry_.CreateStore(b_.getInt32(kNone), failed_);
  }
  emit_block(routine.body);
  branch(exit_);
  b_.SetInsertPoint(exit_);
  if (function_->getReturnType()->isVoidTy()) {
    b_.CreateRetVoid();
    return;
  }
  Value* result = llvm::PoisonValue::get(function_->getReturnType());
  unsigned position = 0;
  for (llvm::AllocaInst* place : results_)
    result = b_.CreateInsertValue(result, b_.CreateLoad(place->getAllocatedType(), place), position++);
  if (failed_) result = b_.CreateInsertValue(result, b_.CreateLoad(b_.getInt32Ty(), failed_), position);
  b_.CreateRet(result);
}

}  // namespace qd::codegen::gpu
