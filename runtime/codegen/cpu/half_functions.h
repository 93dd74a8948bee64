// f16 in vectors: what LLVM would do one number at a time.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Functions of f16 (floor, sqrt, minnum ...) by way of f32, which gives the same numbers. Runs last: LLVM makes them
/// functions of f16 again where it sees them.
struct HalfFunctions : llvm::PassInfoMixin<HalfFunctions> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&);
};

}  // namespace qd::codegen
