// A pass of LLVM's pipeline for code that compares and exchanges.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Before the vectoriser: stores under a condition, to where the same iteration has stored before, become stores of a
/// selected value. So a sorting network has minima and maxima instead of branches that no processor can predict.
struct UnconditionalStores : llvm::PassInfoMixin<UnconditionalStores> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
