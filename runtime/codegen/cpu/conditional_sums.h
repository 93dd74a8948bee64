// A pass of LLVM's pipeline for sums to which only some iterations add.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Runs before the vectoriser. In an innermost loop, `if c: s += x` becomes `s += x if c else -0.0`, which gives the
/// same s. LLVM vectorises a float sum under a condition only where no value can be NaN. It vectorises a sum that
/// always adds wherever additions may be reordered.
struct ConditionalSums : llvm::PassInfoMixin<ConditionalSums> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
