#include "runtime/codegen/nvptx/fast_reciprocals.h"

#include <map>
#include <set>
#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace qd::codegen::nvptx {
namespace {

using llvm::Instruction;
using llvm::Value;

bool is_fast_division(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FDiv && instruction.getType()->isFloatTy() &&
         instruction.hasAllowReciprocal() && instruction.hasApproxFunc();
}

/// The operand of a root that only serves as a divisor; null: it is another value.
Value* only_divides(Value* divisor) {
  auto* root = llvm::dyn_cast<llvm::IntrinsicInst>(divisor);
  if (!root || root->getIntrinsicID() != llvm::Intrinsic::sqrt || !root->hasApproxFunc()) return nullptr;
  for (const llvm::User* user : root->users()) {
    const auto* division = llvm::dyn_cast<Instruction>(user);
    if (!division || !is_fast_division(*division) || division->getOperand(1) != root || division->getOperand(0) == root)
      return nullptr;
  }
  return root->getArgOperand(0);
}

Value* approximate(llvm::IRBuilder<>& b, const char* instruction, Value* x) {
  llvm::Type* number = b.getFloatTy();
  auto* type = llvm::FunctionType::get(number, {number}, false);
  auto* code = llvm::InlineAsm::get(type, std::string(instruction) + " $0, $1;", "=f,f", false);
  llvm::CallInst* call = b.CreateCall(type, code, {x});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

void rewrite(llvm::Function& function) {
  std::vector<Instruction*> divisions;
  std::map<std::pair<llvm::BasicBlock*, Value*>, int> quotients;  // of a divisor, in a block
  for (Instruction& instruction : llvm::instructions(function)) {
    if (!is_fast_division(instruction) || llvm::isa<llvm::Constant>(instruction.getOperand(1))) continue;
    divisions.push_back(&instruction);
    ++quotients[{instruction.getParent(), instruction.getOperand(1)}];
  }
  std::map<std::pair<llvm::BasicBlock*, Value*>, Value*> reciprocals;
  std::set<Instruction*> roots;
  for (Instruction* division : divisions) {
    const std::pair key(division->getParent(), division->getOperand(1));
    Value* of_root = only_divides(key.second);
    const auto* one = llvm::dyn_cast<llvm::ConstantFP>(division->getOperand(0));
    if (!of_root && quotients[key] < 2 && !(one && one->isExactlyValue(1.0))) continue;
    llvm::IRBuilder<> b(division);
    b.setFastMathFlags(division->getFastMathFlags());
    Value*& reciprocal = reciprocals[key];  // the first one of the block is in front of the others
    if (!reciprocal)
      reciprocal = of_root ? approximate(b, "rsqrt.approx.f32", of_root) : approximate(b, "rcp.approx.f32", key.second);
    division->replaceAllUsesWith(b.CreateFMul(division->getOperand(0), reciprocal));
    division->eraseFromParent();
    if (of_root && key.second->use_empty()) roots.insert(llvm::cast<Instruction>(key.second));
  }
  for (Instruction* root : roots) root->eraseFromParent();
}

}  // namespace

void use_fast_reciprocals(llvm::Module& llvm_module) {
  for (llvm::Function& function : llvm_module) rewrite(function);
}

}  // namespace qd::codegen::nvptx
