// A pass of LLVM's pipeline that turns conditional stores into selections, for code that compares and swaps.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Runs before the vectoriser. A store under a condition, to a place where the same iteration has stored before,
/// becomes a store of a selected value. So a sorting network consists of minima and maxima instead of branches, which
/// no processor can predict.
struct UnconditionalStores : llvm::PassInfoMixin<UnconditionalStores> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
