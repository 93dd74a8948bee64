// Passes of LLVM's pipeline that keep a loop fast although it counts.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Runs before the vectoriser. A count that stands in an arm of an innermost loop moves to a place that every iteration
/// passes, and becomes a sum of "the arm was entered, and the condition held". So the vectoriser sees one sum of a
/// condition, and does not have to blend two sums.
struct FlattenCounts : llvm::PassInfoMixin<FlattenCounts> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Runs before the vectoriser. Keeps LLVM from interleaving a loop only because the loop has sums of counts: integer
/// sums have no latency that interleaving would hide, and more copies cost compile time and registers.
struct InterleaveLess : llvm::PassInfoMixin<InterleaveLess> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Counts conditions in vectors on AVX-512. There a vector of conditions is a bit mask, and one addition under the mask
/// does what otherwise takes a widening of the mask and a subtraction. Runs after the last pass that would turn it
/// back.
struct CountUnderMask : llvm::PassInfoMixin<CountUnderMask> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace qd::codegen
