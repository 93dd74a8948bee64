// Turns "keep the sum or add x to it" into "add x or nothing": the select moves from the sum to the added number.
#include "runtime/codegen/cpu/passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

namespace qd::codegen {
namespace {

using llvm::BinaryOperator;
using llvm::Value;

/// The operation if `value` is `sum` + x or `sum` - x, is used once, and may be reordered; else null.
BinaryOperator* step(Value* value, const Value* sum) {
  auto* inst = llvm::dyn_cast<BinaryOperator>(value);
  if (!inst || !inst->hasOneUse()) return nullptr;
  const bool adds =
      inst->getOpcode() == llvm::Instruction::FAdd && (inst->getOperand(0) == sum) != (inst->getOperand(1) == sum);
  const bool subtracts =
      inst->getOpcode() == llvm::Instruction::FSub && inst->getOperand(0) == sum && inst->getOperand(1) != sum;
  return (adds || subtracts) && inst->hasAllowReassoc() ? inst : nullptr;
}

Value* addend(const BinaryOperator& step, const Value* sum) {
  return step.getOperand(step.getOperand(0) == sum ? 1 : 0);
}

/// The number that changes no sum when it is added: -0.0, which keeps signed zeros too.
Value* nothing(const BinaryOperator& step) {
  return llvm::ConstantFP::getZero(step.getType(), /*Negative=*/step.getOpcode() == llvm::Instruction::FAdd);
}

void replace(llvm::Instruction& choice, const BinaryOperator& step, Value* sum, Value* chosen,
             llvm::IRBuilder<>& builder) {
  builder.setFastMathFlags(step.getFastMathFlags());
  choice.replaceAllUsesWith(step.getOpcode() == llvm::Instruction::FAdd ? builder.CreateFAdd(sum, chosen)
                                                                        : builder.CreateFSub(sum, chosen));
}

/// Rewrites the form: select c, s + x, s
bool rewrite(llvm::SelectInst& select) {
  for (bool stepping : {true, false}) {
    Value* sum = stepping ? select.getFalseValue() : select.getTrueValue();
    BinaryOperator* inst = step(stepping ? select.getTrueValue() : select.getFalseValue(), sum);
    if (!inst) continue;
    llvm::IRBuilder<> builder(&select);
    Value* x = addend(*inst, sum);
    Value* none = nothing(*inst);
    replace(select, *inst, sum, builder.CreateSelect(select.getCondition(), stepping ? x : none, stepping ? none : x),
            builder);
    return true;
  }
  return false;
}

/// Rewrites the form: phi [s + x, arm], [s, elsewhere], where the arms of a branch come together.
bool rewrite(llvm::PHINode& phi, const llvm::Loop& loop) {
  if (phi.getNumIncomingValues() != 2 || phi.getParent() == loop.getHeader()) return false;
  for (unsigned arm : {0u, 1u}) {
    Value* sum = phi.getIncomingValue(1 - arm);
    BinaryOperator* inst = step(phi.getIncomingValue(arm), sum);
    if (!inst || inst->getParent() != phi.getIncomingBlock(arm)) continue;
    llvm::IRBuilder<> builder(&phi);
    llvm::PHINode* chosen = builder.CreatePHI(phi.getType(), 2);
    chosen->addIncoming(addend(*inst, sum), phi.getIncomingBlock(arm));
    chosen->addIncoming(nothing(*inst), phi.getIncomingBlock(1 - arm));
    builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
    replace(phi, *inst, sum, chosen, builder);
    return true;
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses ConditionalSums::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::Instruction*, 8> dead;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& inst : llvm::make_early_inc_range(*block)) {
        auto* select = llvm::dyn_cast<llvm::SelectInst>(&inst);
        auto* phi = llvm::dyn_cast<llvm::PHINode>(&inst);
        if ((select && rewrite(*select)) || (phi && rewrite(*phi, *loop))) dead.push_back(&inst);
      }
    }
  }
  if (dead.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Instruction* inst : dead) {
    llvm::SmallVector<Value*, 3> operands(inst->operands());
    inst->eraseFromParent();
    for (Value* operand : operands) {
      auto* unused = llvm::dyn_cast<BinaryOperator>(operand);
      if (unused && unused->use_empty()) unused->eraseFromParent();
    }
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace qd::codegen
