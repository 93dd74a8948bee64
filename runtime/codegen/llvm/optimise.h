// LLVM's optimiser at its highest level.
#pragma once

#include <functional>

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace qd::codegen {

/// Adds a target's own passes and analyses, before LLVM's are registered.
using PrepareOptimiser = std::function<void(llvm::PassBuilder&, llvm::FunctionAnalysisManager&)>;

/// Optimises a module. Throws GivenUp where the compilation was given up; the module is of no use then.
void optimise(llvm::Module& llvm_module, llvm::TargetMachine& machine, const llvm::PipelineTuningOptions& tuning = {},
              const PrepareOptimiser& prepare = {});

}  // namespace qd::codegen
