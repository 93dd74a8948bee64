// A pass of LLVM's pipeline for sums of some of the elements.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Before the vectoriser: `if c: s += x` in an innermost loop becomes `s += x if c else -0.0`, the same for every s.
/// LLVM vectorises a float sum under a condition only where no value can be NaN; one that always adds, it does wherever
/// the order of additions is free.
struct ConditionalSums : llvm::PassInfoMixin<ConditionalSums> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
