// Functions of f16 by way of f32. Where the processor has no instruction for one, LLVM's code generator takes the
// vector apart and computes one number at a time. It does know how to compute sums and products of f16 in f32.
#include "runtime/codegen/cpu/passes.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace qd::codegen {
namespace {

/// Whether the function, computed in f32 and rounded to f16, gives the exact f16 result.
bool widens(llvm::Intrinsic::ID function) {
  switch (function) {
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum: return true;
    default: return false;
  }
}

}  // namespace

llvm::PreservedAnalyses HalfFunctions::run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&) {
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::Function& function : llvm_module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& inst : block) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
        if (call && call->getType()->isVectorTy() && call->getType()->getScalarType()->isHalfTy() &&
            widens(call->getIntrinsicID()))
          found.push_back(call);
      }
    }
  }
  for (llvm::IntrinsicInst* call : found) {
    llvm::IRBuilder<> b(call);
    b.setFastMathFlags(call->getFastMathFlags());
    llvm::Type* wide =
        llvm::VectorType::get(b.getFloatTy(), llvm::cast<llvm::VectorType>(call->getType())->getElementCount());
    llvm::SmallVector<llvm::Value*, 2> operands;
    for (llvm::Value* operand : call->args()) operands.push_back(b.CreateFPExt(operand, wide));
    call->replaceAllUsesWith(
        b.CreateFPTrunc(b.CreateIntrinsic(call->getIntrinsicID(), {wide}, operands), call->getType()));
    call->eraseFromParent();
  }
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace qd::codegen
