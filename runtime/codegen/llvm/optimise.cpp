// The managers of LLVM's passes. A compilation that was given up runs none of the passes that are left.
#include "runtime/codegen/llvm/optimise.h"

#include <optional>

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/IR/PassInstrumentation.h>

#include "runtime/codegen/compile_guard.h"

namespace qd::codegen {

void optimise(llvm::Module& llvm_module, llvm::TargetMachine& machine, const PrepareOptimiser& prepare) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef, const llvm::Any&) { return !given_up(); });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  if (prepare) prepare(builder, functions);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(llvm_module, modules);
  if (given_up()) throw GivenUp();
}

}  // namespace qd::codegen
