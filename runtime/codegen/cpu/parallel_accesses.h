// A pass of LLVM's pipeline that tells the vectoriser which loops are parallel.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Before the vectoriser. Merging stores drops the mark that a parallel loop's accesses are independent: this gives it
/// back to all that go through an array's address. It takes the mark from loops where the vectoriser would gather
/// accesses to neighbours in one place, past others of the same iteration: in marked loops it does not ask whether
/// those touch the same memory.
struct ParallelAccesses : llvm::PassInfoMixin<ParallelAccesses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
