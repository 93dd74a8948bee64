// Counts of vector loops in memory: those for which there are no registers.
#include "runtime/codegen/cpu/passes.h"

#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace qd::codegen {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;
using namespace llvm::PatternMatch;

struct Addition {
  Value* condition;  // or a vector of these
  Value* before;     // the sum to which it is added
};

std::optional<Addition> addition_of(const Value* value) {
  Addition found;
  if (!match(value, m_c_Add(m_ZExt(m_Value(found.condition)), m_Value(found.before))) ||
      !found.condition->getType()->isIntOrIntVectorTy(1))
    return {};
  return found;
}

/// A count of a loop that LLVM has vectorised, with all values that hold it one after the other:
///
///     vectors:   sums = phi <8 x i32> [0, preheader], [next, vectors];   next = sums + conditions
///     middle:    sum = reduce.add(next)
///     rest:      sum = phi [phi [0, bypass], [sum, middle]], [sum + condition, rest]
///     done:      sum = phi [sum, middle], [sum, rest]
class Count {
 public:
  Count(llvm::Loop& vectors, PHINode& sums, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators)
      : vectors_(vectors), sums_(sums), loops_(loops), dominators_(dominators), begin_(vectors.getLoopPreheader()) {}

  /// Whether these values are known, and each is done with when the next one is there.
  bool find() { return find_vectors() && find_numbers(); }

  void move_to_memory() {
    llvm::IRBuilder<> builder(&*begin_->getParent()->getEntryBlock().getFirstInsertionPt());
    llvm::Type* number = builder.getInt32Ty();
    llvm::AllocaInst* place = builder.CreateAlloca(number, nullptr, "count");
    builder.SetInsertPoint(begin_->getTerminator());
    builder.CreateStore(builder.getInt32(0), place);
    for (Instruction* value : values_) {
      const auto addition = addition_of(value);
      if (!addition) continue;
      builder.SetInsertPoint(value);
      Value* amount = addition->condition;
      if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(amount->getType())) {
        Value* bits = builder.CreateBitCast(amount, builder.getIntNTy(vector->getNumElements()));
        amount = builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits);
      }
      amount = builder.CreateZExtOrTrunc(amount, number);
      builder.CreateStore(builder.CreateAdd(builder.CreateLoad(number, place), amount), place);
    }
    for (Instruction* value : values_) {
      for (llvm::Use& use : llvm::make_early_inc_range(value->uses())) {
        auto* user = llvm::cast<Instruction>(use.getUser());
        if (values_.contains(user)) continue;
        BasicBlock* block = value->getParent();
        const bool is_near = user->getParent() == block && !llvm::isa<PHINode>(user);
        builder.SetInsertPoint(block, is_near                     ? user->getIterator()
                                      : llvm::isa<PHINode>(value) ? block->getFirstInsertionPt()
                                                                  : value->getIterator());
        use.set(builder.CreateZExt(builder.CreateLoad(number, place), value->getType()));
      }
    }
    for (Instruction* value : values_) value->dropAllReferences();
    for (Instruction* value : values_) value->eraseFromParent();
  }

 private:
  bool find_vectors() {
    if (!begin_ || !sums_.getType()->isVectorTy() || !sums_.getType()->isIntOrIntVectorTy(32)) return false;
    Value* last = sums_.getIncomingValueForBlock(vectors_.getLoopLatch());
    if (!match(sums_.getIncomingValueForBlock(begin_), m_Zero()) || !sums_.hasOneUse() || !last->hasNUses(2))
      return false;
    values_.insert(&sums_);
    for (Value* value = last; value != &sums_;) {
      const auto addition = addition_of(value);
      if (!addition || (value != last && !value->hasOneUse())) return false;
      values_.insert(llvm::cast<Instruction>(value));
      value = addition->before;
    }
    for (llvm::User* user : last->users()) {
      if (!match(user, m_Intrinsic<llvm::Intrinsic::vector_reduce_add>(m_Specific(last)))) continue;
      values_.insert(llvm::cast<Instruction>(user));
      return true;
    }
    return false;
  }

  bool find_numbers() {
    llvm::SmallPtrSet<BasicBlock*, 4> with_phi;
    for (size_t i = values_.size() - 1; i < values_.size(); ++i) {
      for (llvm::User* user : values_[i]->users()) {
        if (follows(*values_[i], *user)) values_.insert(llvm::cast<Instruction>(user));
      }
    }
    return llvm::all_of(values_, [&](Instruction* value) {
      auto* phi = llvm::dyn_cast<PHINode>(value);
      return !phi || phi == &sums_ || (with_phi.insert(phi->getParent()).second && merges(*phi));
    });
  }

  /// Whether a user of a sum is the sum itself, later.
  static bool follows(const Instruction& value, llvm::User& user) {
    if (llvm::isa<llvm::ZExtInst>(user))  // for a phi of 64 bits
      return user.hasOneUse() && llvm::isa<PHINode>(user.user_back());
    const auto addition = addition_of(&user);
    return llvm::isa<PHINode>(user) || (addition && addition->before == &value && value.hasOneUse());
  }

  /// Whether a phi has the sum from where it was computed, or 0 where nothing is counted yet.
  bool merges(const PHINode& phi) {
    return llvm::all_of(llvm::seq(phi.getNumIncomingValues()), [&](unsigned i) {
      auto* from = llvm::dyn_cast<Instruction>(phi.getIncomingValue(i));
      BasicBlock* block = phi.getIncomingBlock(i);
      if (from) return values_.contains(from) && from->getParent() == block;
      if (!match(phi.getIncomingValue(i), m_Zero()) || loops_.getLoopFor(block) != vectors_.getParentLoop())
        return false;
      if (dominators_.dominates(block, begin_)) begin_ = block;
      return dominators_.dominates(begin_, block) && dominators_.dominates(block, vectors_.getLoopPreheader());
    });
  }

  llvm::Loop& vectors_;
  PHINode& sums_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  BasicBlock* begin_;  // at whose end the count is 0
  llvm::SmallSetVector<Instruction*, 16> values_;
};

}  // namespace

llvm::PreservedAnalyses CountsInMemory::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
    std::vector<Count> counts;
    for (PHINode& phi : loop->getHeader()->phis()) {
      Count count(*loop, phi, loops, dominators);
      if (count.find()) counts.push_back(std::move(count));
    }
    if (counts.size() <= most_in_registers) continue;
    for (Count& count : counts) count.move_to_memory();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace qd::codegen
