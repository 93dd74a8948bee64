// Moves stores out of the arms of branches. The loads that this adds are removed again by store forwarding.
#include "runtime/codegen/cpu/passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace qd::codegen {
namespace {

using llvm::BasicBlock;
using llvm::StoreInst;
using llvm::Value;

/// Largest number of stores in an arm for which a selection each is cheaper than the branch.
constexpr size_t kMostStores = 4;

/// Whether this iteration has certainly stored to the same address before it comes to `at`. Then the address can be
/// written, and no other thread reads it meanwhile.
bool stored_before(const StoreInst& store, const BasicBlock& at, const llvm::Loop& loop,
                   const llvm::DominatorTree& dominators) {
  for (const llvm::User* user : store.getPointerOperand()->users()) {
    const auto* other = llvm::dyn_cast<StoreInst>(user);
    const bool same_place = other && other != &store && other->getPointerOperand() == store.getPointerOperand() &&
                            other->isSimple() &&
                            other->getValueOperand()->getType() == store.getValueOperand()->getType();
    if (same_place && loop.contains(other) && dominators.dominates(other->getParent(), &at)) return true;
  }
  return false;
}

/// Handles an arm that does nothing but store: moves its stores behind the branch.
bool move_stores(BasicBlock& arm, const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  BasicBlock* before = arm.getSinglePredecessor();
  BasicBlock* after = arm.getSingleSuccessor();
  auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !after || !after->hasNPredecessors(2) || !loop.contains(after))
    return false;
  if ((branch->getSuccessor(0) == after) == (branch->getSuccessor(1) == after)) return false;
  llvm::SmallVector<StoreInst*, 4> stores;
  for (llvm::Instruction& inst : arm) {
    if (inst.isTerminator()) break;
    auto* store = llvm::dyn_cast<StoreInst>(&inst);
    if (!store || !store->isSimple() || stores.size() == kMostStores ||
        !stored_before(*store, *before, loop, dominators))
      return false;
    stores.push_back(store);
  }
  if (stores.empty()) return false;
  llvm::IRBuilder<> builder(branch);
  const bool on_true = branch->getSuccessor(0) == &arm;
  for (StoreInst* store : stores) {
    Value* value = store->getValueOperand();
    llvm::LoadInst* old = builder.CreateAlignedLoad(value->getType(), store->getPointerOperand(), store->getAlign());
    old->copyMetadata(*store);
    Value* selected = builder.CreateSelect(branch->getCondition(), on_true ? value : old, on_true ? old : value);
    store->setOperand(0, selected);
    store->moveBefore(branch);
  }
  return true;
}

}  // namespace

llvm::PreservedAnalyses UnconditionalStores::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    for (BasicBlock* block : loop->blocks()) changed |= move_stores(*block, *loop, dominators);
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager tidy;
  tidy.addPass(llvm::SimplifyCFGPass());
  tidy.addPass(llvm::GVNPass());
  tidy.addPass(llvm::DSEPass());
  tidy.addPass(llvm::InstCombinePass());
  tidy.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace qd::codegen
