// Comparisons that cost less. Of roots with constants, in fast-math code: sqrt(x) < 20 becomes x < 400. Of vectors of
// integers: x > -1 becomes x >= 0.
#include <optional>
#include <utility>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "runtime/codegen/cpu/passes.h"

namespace qd::codegen {
namespace {

using llvm::APFloat;
using llvm::CmpInst;

/// A comparison of a root with a number.
struct Comparison {
  llvm::FCmpInst* inst;
  llvm::IntrinsicInst* root;
  CmpInst::Predicate predicate;  // with the root on the left
  APFloat square;                // of the number
};

/// Whether a comparison says the same of a square and its root. The root of a negative number is NaN: there an ordered
/// comparison is false, and x > 400 as well, but x < 400 is not.
bool holds_of_squares(CmpInst::Predicate predicate, const llvm::IntrinsicInst& root) {
  switch (predicate) {
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_ULT:
    case CmpInst::FCMP_ULE: return true;
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_UGT:
    case CmpInst::FCMP_UGE:
      return llvm::cannotBeOrderedLessThanZero(root.getArgOperand(0), 0,
                                               llvm::SimplifyQuery(root.getModule()->getDataLayout()));
    default: return false;
  }
}

std::optional<Comparison> comparison_of_root(llvm::FCmpInst& inst) {
  llvm::Value *left = inst.getOperand(0), *right = inst.getOperand(1);
  CmpInst::Predicate predicate = inst.getPredicate();
  if (llvm::isa<llvm::Constant>(left)) {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  auto* root = llvm::dyn_cast<llvm::IntrinsicInst>(left);
  const APFloat* number = nullptr;
  if (!root || root->getIntrinsicID() != llvm::Intrinsic::sqrt || !root->hasApproxFunc() ||
      !llvm::PatternMatch::match(right, llvm::PatternMatch::m_APFloat(number)) || !number->isFinite() ||
      number->isNegative())
    return std::nullopt;
  APFloat square = *number;
  square.multiply(*number, APFloat::rmNearestTiesToEven);
  if (!square.isNormal() || !holds_of_squares(predicate, *root)) return std::nullopt;
  return Comparison{&inst, root, predicate, square};
}

}  // namespace

llvm::PreservedAnalyses RootComparisons::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::IntrinsicInst*> roots;
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    auto* root = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
    if (root && root->getIntrinsicID() == llvm::Intrinsic::sqrt) roots.push_back(root);
  }
  bool changed = false;
  for (llvm::IntrinsicInst* root : roots) {
    std::vector<Comparison> comparisons;
    for (llvm::User* user : root->users()) {
      auto* inst = llvm::dyn_cast<llvm::FCmpInst>(user);
      const std::optional<Comparison> comparison = inst ? comparison_of_root(*inst) : std::nullopt;
      if (!comparison) break;
      comparisons.push_back(*comparison);
    }
    if (comparisons.empty() || comparisons.size() < root->getNumUses()) continue;  // else the root is computed anyway
    for (const Comparison& comparison : comparisons) {
      comparison.inst->setPredicate(comparison.predicate);
      comparison.inst->setOperand(0, root->getArgOperand(0));
      comparison.inst->setOperand(1, llvm::ConstantFP::get(root->getType(), comparison.square));
    }
    root->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses SignComparisons::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&inst);
    if (!comparison || !comparison->getType()->isVectorTy() || comparison->getPredicate() != CmpInst::ICMP_SGT ||
        !llvm::PatternMatch::match(comparison->getOperand(1), llvm::PatternMatch::m_AllOnes()))
      continue;
    comparison->setPredicate(CmpInst::ICMP_SGE);
    comparison->setOperand(1, llvm::Constant::getNullValue(comparison->getOperand(0)->getType()));
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace qd::codegen
