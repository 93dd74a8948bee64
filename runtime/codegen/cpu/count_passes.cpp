// Sums of counts, as TaskEmitter::emit_count emits them: (add sum, (zext condition)) in 32 bits.
#include "runtime/codegen/cpu/passes.h"

#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace qd::codegen {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

/// Largest number of instructions of a condition that is computed in every iteration, instead of only in its arm.
constexpr int kMaxHoisted = 8;

/// A sum that is carried around a loop, and the places in the loop that add conditions to it.
struct Sum {
  llvm::PHINode* start;  // in the header
  llvm::SmallVector<Instruction*, 2> adds;
};

Value* condition_of(const Instruction* add) {
  Value* condition = nullptr;
  return match(add, m_c_Add(m_ZExt(m_Value(condition)), m_Value())) && condition->getType()->isIntegerTy(1) ? condition
                                                                                                            : nullptr;
}

/// Finds such a sum: walks backwards from the value that the latch gives the next iteration, to the phi in the header.
class SumFinder {
 public:
  SumFinder(llvm::Loop& loop, llvm::PHINode& start) : loop_(loop), sum_{&start, {}}, seen_({&start}) {}

  std::optional<Sum> find() {
    Value* end = sum_.start->getIncomingValueForBlock(loop_.getLoopLatch());
    if (!sum_.start->getType()->isIntegerTy(32) || !follow(end) || sum_.adds.empty()) return {};
    // Nothing but the sum itself may use its values, except for the final one behind the loop.
    for (Value* value : seen_) {
      for (llvm::User* user : value->users()) {
        if (!seen_.contains(user) && (value != end || loop_.contains(llvm::cast<Instruction>(user)))) return {};
      }
    }
    return std::move(sum_);
  }

 private:
  bool follow(Value* value) {
    auto* inst = llvm::dyn_cast<Instruction>(value);
    if (!inst || !loop_.contains(inst)) return false;
    if (!seen_.insert(value).second) return true;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(inst))
      return llvm::all_of(phi->incoming_values(), [&](Value* incoming) { return follow(incoming); });
    if (!condition_of(inst)) return false;
    sum_.adds.push_back(inst);
    return follow(llvm::isa<llvm::ZExtInst>(inst->getOperand(0)) ? inst->getOperand(1) : inst->getOperand(0));
  }

  llvm::Loop& loop_;
  Sum sum_;
  llvm::SmallPtrSet<Value*, 8> seen_;
};

class Flattener {
 public:
  Flattener(llvm::Loop& loop, llvm::DominatorTree& dominators)
      : loop_(loop), latch_(loop.getLoopLatch()), dominators_(dominators) {}

  bool run() {
    bool changed = false;
    for (llvm::PHINode& phi : llvm::make_early_inc_range(loop_.getHeader()->phis())) {
      std::optional<Sum> sum = SumFinder(loop_, phi).find();
      const bool in_arms = sum && !llvm::all_of(sum->adds, [&](Instruction* add) {
                             return dominators_.dominates(add->getParent(), latch_);
                           });
      if (in_arms) changed |= flatten(*sum);
    }
    return changed;
  }

 private:
  /// A condition that is added to a sum, and the branches that lead to the place, innermost first.
  struct Counted {
    Value* condition;
    llvm::SmallVector<std::pair<Value*, bool>, 4> path;
    Instruction* at;  // a place that every iteration passes
  };

  bool flatten(const Sum& sum) {
    llvm::SmallVector<Counted, 2> counted;
    for (Instruction* add : sum.adds) {
      std::optional<Counted> found = counted_by(add);
      if (!found) return false;
      counted.push_back(std::move(*found));
    }
    Value* total = sum.start;
    for (const Counted& place : counted) {
      hoist(place.condition, place.at);
      for (auto [condition, taken] : place.path) hoist(condition, place.at);
      llvm::IRBuilder<> builder(place.at);
      Value* all = place.condition;
      for (auto [condition, taken] : place.path)
        all = builder.CreateLogicalAnd(taken ? condition : builder.CreateNot(condition), all);
      builder.SetInsertPoint(latch_->getTerminator());
      total = builder.CreateAdd(total, builder.CreateZExt(all, sum.start->getType()));
    }
    Value* old = sum.start->getIncomingValueForBlock(latch_);
    sum.start->setIncomingValueForBlock(latch_, total);
    // Behind the loop, too.
    old->replaceUsesWithIf(total,
                           [&](llvm::Use& use) { return !loop_.contains(llvm::cast<Instruction>(use.getUser())); });
    llvm::RecursivelyDeleteTriviallyDeadInstructions(old);
    return true;
  }

  std::optional<Counted> counted_by(Instruction* add) const {
    Counted counted{condition_of(add), {}, nullptr};
    BasicBlock* block = add->getParent();
    while (!dominators_.dominates(block, latch_)) {
      BasicBlock* before = block->getSinglePredecessor();
      auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
      if (!branch) return {};
      if (branch->isConditional()) counted.path.push_back({branch->getCondition(), branch->getSuccessor(0) == block});
      block = before;
    }
    counted.at = block->getTerminator();
    int cost = 0;
    bool possible = can_hoist(counted.condition, counted.at, cost);
    for (auto [condition, taken] : counted.path) possible = possible && can_hoist(condition, counted.at, cost);
    return possible ? std::optional(std::move(counted)) : std::nullopt;
  }

  bool can_hoist(Value* value, Instruction* at, int& cost) const {
    auto* inst = llvm::dyn_cast<Instruction>(value);
    if (!inst || dominators_.dominates(inst, at)) return true;
    if (++cost > kMaxHoisted || llvm::isa<llvm::PHINode>(inst) || inst->mayReadFromMemory() ||
        !llvm::isSafeToSpeculativelyExecute(inst))
      return false;
    return llvm::all_of(inst->operands(), [&](Value* operand) { return can_hoist(operand, at, cost); });
  }

  void hoist(Value* value, Instruction* at) const {
    auto* inst = llvm::dyn_cast<Instruction>(value);
    if (!inst || dominators_.dominates(inst, at)) return;
    for (Value* operand : inst->operands()) hoist(operand, at);
    inst->moveBefore(at);
    inst->dropUBImplyingAttrsAndMetadata();
  }

  llvm::Loop& loop_;
  BasicBlock* latch_;
  llvm::DominatorTree& dominators_;
};

}  // namespace

llvm::PreservedAnalyses FlattenCounts::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (loop->isInnermost() && loop->getLoopLatch() && loop->getExitingBlock() == loop->getLoopLatch())
      changed |= Flattener(*loop, dominators).run();
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

llvm::PreservedAnalyses InterleaveLess::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
    size_t counts = 0;
    const bool only_sums = llvm::all_of(loop->getHeader()->phis(), [&](llvm::PHINode& phi) {
      if (std::optional<Sum> sum = SumFinder(*loop, phi).find()) return (counts += sum->adds.size()) > 0;
      return match(phi.getIncomingValueForBlock(loop->getLoopLatch()),
                   m_Add(m_Specific(&phi), m_ConstantInt()));  // the index
    });
    if (only_sums && counts > 1) llvm::addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses CountUnderMask::run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : llvm_module) {
    for (Instruction& inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      Value *sum, *condition;
      if (!inst.getType()->isVectorTy() || !inst.getType()->isIntOrIntVectorTy(32)) continue;
      if (!match(&inst, m_c_Add(m_ZExt(m_Value(condition)), m_Value(sum))) ||
          !condition->getType()->isIntOrIntVectorTy(1))
        continue;
      llvm::IRBuilder<> builder(&inst);
      inst.replaceAllUsesWith(
          builder.CreateSelect(condition, builder.CreateAdd(sum, llvm::ConstantInt::get(inst.getType(), 1)), sum));
      inst.eraseFromParent();
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace qd::codegen
