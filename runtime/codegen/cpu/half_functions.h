// A pass of LLVM's pipeline that keeps functions of f16 in vectors.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Computes functions of f16 (floor, sqrt, minnum, ...) in f32, which gives the same numbers. Runs last: an earlier
/// pass of LLVM would turn them back into functions of f16.
struct HalfFunctions : llvm::PassInfoMixin<HalfFunctions> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&);
};

}  // namespace qd::codegen
