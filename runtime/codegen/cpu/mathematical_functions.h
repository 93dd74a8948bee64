// The mathematical functions of kernels on this computer.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/PassManager.h>

namespace qd::codegen {

/// Whether an instruction calls a function of libm, or LLVM's intrinsic for it, for which there is a formula.
bool calls_mathematical_function(const llvm::Instruction& inst);

/// Tells LLVM that there are functions of vectors for those of libm, so that loops with calls of them are vectorised.
void add_vector_functions(llvm::TargetLibraryInfoImpl& library);

/// Puts the formulas of runtime/mathematics in the place of calls of libm's functions, of vectors of them, and of
/// LLVM's intrinsics. Runs behind the optimiser, which knows the meaning of libm's functions. A formula that is called
/// from one place is put there; else it is a function of the module.
class MathematicalFunctions : public llvm::PassInfoMixin<MathematicalFunctions> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager& managers);
};

/// Calls libm's function for each lane of a vector, on processors where the formulas cannot run. Runs last.
struct ScalarFunctions : llvm::PassInfoMixin<ScalarFunctions> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&);
};

/// Runs before the vectoriser. Keeps LLVM from repeating the body of a loop with such calls, which it does for sin, cos
/// and pow as if they were single instructions: a formula that is called from one place is put there.
struct UnrollLess : llvm::PassInfoMixin<UnrollLess> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace qd::codegen
