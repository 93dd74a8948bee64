// Marks the accesses of parallel loops as independent, except where the vectoriser would take that too far.
#include "runtime/codegen/cpu/passes.h"

#include <map>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace qd::codegen {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The key of a group of neighbours: loads, or stores, of one array, each of which moves on by a constant number of
/// elements, two or more, from iteration to iteration.
using Neighbours = std::pair<const Value*, bool>;  // the array, and whether they are stores

bool strided(Instruction& access, llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  Value* address = llvm::getLoadStorePointerOperand(&access);
  const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(address));
  if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine()) return false;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution));
  const llvm::DataLayout& layout = access.getModule()->getDataLayout();
  return step && step->getAPInt().abs().ugt(layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
}

/// Whether some neighbours, as one access of vectors, would pass by another access of their memory. The vectoriser
/// loads all of them where the first one stands, and stores all where the last one stands.
bool disturbed(llvm::ArrayRef<Instruction*> accesses, const std::vector<size_t>& neighbours,
               llvm::BatchAAResults& aliases) {
  const bool stores = llvm::isa<llvm::StoreInst>(accesses[neighbours.front()]);
  for (size_t i = neighbours.front() + 1; i < neighbours.back(); ++i) {
    if (!stores && !accesses[i]->mayWriteToMemory()) continue;
    for (size_t neighbour : neighbours) {
      const bool moves = stores ? neighbour < i : neighbour > i;
      if (moves && aliases.alias(llvm::MemoryLocation::get(accesses[i]),
                                 llvm::MemoryLocation::get(accesses[neighbour])) != llvm::AliasResult::NoAlias)
        return true;
    }
  }
  return false;
}

bool keeps_order(llvm::Loop& loop, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                 llvm::AAResults& alias_analysis) {
  std::vector<Instruction*> accesses;
  std::map<Neighbours, std::vector<size_t>> neighbours;
  llvm::LoopBlocksRPO blocks(&loop);
  blocks.perform(&loops);
  for (llvm::BasicBlock* block : blocks) {
    for (Instruction& inst : *block) {
      const Value* address = llvm::getLoadStorePointerOperand(&inst);
      if (!address) continue;
      if (strided(inst, loop, evolution))
        neighbours[{llvm::getUnderlyingObject(address), llvm::isa<llvm::StoreInst>(inst)}].push_back(accesses.size());
      accesses.push_back(&inst);
    }
  }
  llvm::BatchAAResults aliases(alias_analysis);
  for (const auto& [kind, places] : neighbours) {
    if (disturbed(accesses, places, aliases)) return false;
  }
  return true;
}

llvm::MDNode* parallel_group(const llvm::Loop& loop) {
  llvm::MDNode* id = loop.getLoopID();
  llvm::MDNode* accesses = id ? llvm::findOptionMDForLoopID(id, "llvm.loop.parallel_accesses") : nullptr;
  return accesses ? llvm::cast<llvm::MDNode>(accesses->getOperand(1)) : nullptr;
}

}  // namespace

llvm::PreservedAnalyses ParallelAccesses::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::MDNode* group = parallel_group(*loop);
    if (!group) continue;
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto& aliases = analyses.getResult<llvm::AAManager>(function);
    const bool marked = keeps_order(*loop, loops, evolution, aliases);
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (Instruction& inst : *block) {
        const Value* address = llvm::getLoadStorePointerOperand(&inst);
        const bool plain = address && !inst.isAtomic() && !inst.hasMetadata(llvm::LLVMContext::MD_invariant_load);
        if (!plain || !llvm::isa<llvm::LoadInst>(llvm::getUnderlyingObject(address))) continue;
        inst.setMetadata(llvm::LLVMContext::MD_access_group, marked ? group : nullptr);
      }
    }
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace qd::codegen
