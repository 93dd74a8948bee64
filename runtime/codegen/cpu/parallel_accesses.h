// A pass of LLVM's pipeline that marks parallel loops for the vectoriser.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Runs before the vectoriser. LLVM drops the mark "the accesses of this parallel loop are independent" when it merges
/// stores. This pass gives the mark back to all accesses through an array's address. It unmarks a loop in which the
/// vectoriser would move neighbouring accesses to one place, past other accesses of the same iteration: in marked loops
/// the vectoriser does not check whether those touch the same memory.
struct ParallelAccesses : llvm::PassInfoMixin<ParallelAccesses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
