// Passes of LLVM's pipeline that keep loops which count as fast as they can be.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Before the vectoriser: counts that stand in arms of an innermost loop move to where every iteration comes by, as
/// sums of "the arm was entered, and the condition held". So the vectoriser has one sum of a condition for each, and no
/// blend of two.
struct FlattenCounts : llvm::PassInfoMixin<FlattenCounts> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectoriser: a loop that counts is not interleaved for its sums' sake. Sums of integers hide no latency,
/// and copies cost compile time and registers.
struct InterleaveLess : llvm::PassInfoMixin<InterleaveLess> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Counting a condition in lanes: on AVX-512, where conditions are bit masks, one addition under the mask does what
/// otherwise takes widening the mask and a subtraction. Runs after the last pass that would turn it back.
struct CountUnderMask : llvm::PassInfoMixin<CountUnderMask> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace qd::codegen
