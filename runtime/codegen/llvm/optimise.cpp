// The managers of LLVM's passes. A compilation that was given up runs none of the passes that are left.
#include "runtime/codegen/llvm/optimise.h"

#include <mutex>
#include <optional>

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/IR/PassInstrumentation.h>

#include "runtime/codegen/compile_guard.h"

namespace qd::codegen {

namespace {

/// Notes that a pass has run; the first run of each makes variables.
void note(llvm::StringRef pass) {
  static std::mutex mutex;
  static auto* seen = new llvm::StringSet<>();
  std::lock_guard lock(mutex);
  if (seen->insert(pass).second) end_before_variables_of_llvm();
}

}  // namespace

void optimise(llvm::Module& llvm_module, llvm::TargetMachine& machine, const llvm::PipelineTuningOptions& tuning,
              const PrepareOptimiser& prepare) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef, const llvm::Any&) { return !given_up(); });
  callbacks.registerAfterPassCallback(
      [](llvm::StringRef pass, const llvm::Any&, const llvm::PreservedAnalyses&) { note(pass); });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
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
