// Vectors of inner loops, which are often short.
#include <mutex>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Utils/InjectTLIMappings.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "runtime/codegen/cpu/passes.h"

namespace qd::codegen {
namespace {

/// LLVM's switch of the shortest vector, in numbers, of which a loop is followed by one with shorter vectors. LLVM
/// reads it in all threads, so one thread at a time has it set; a loop that another one vectorises meanwhile may be
/// followed by one, too.
class ShorterVectors {
 public:
  ShorterVectors() : lock_(mutex()) {
    auto& options = llvm::cl::getRegisteredOptions();
    const auto found = options.find(kName);
    if (found == options.end()) return;
    option_ = found->second;
    option_->addOccurrence(0, kName, "8");
  }
  ~ShorterVectors() {
    if (option_) option_->reset();
  }
  ShorterVectors(const ShorterVectors&) = delete;
  ShorterVectors& operator=(const ShorterVectors&) = delete;

 private:
  static std::mutex& mutex() {
    static auto* mutex = new std::mutex();
    return *mutex;
  }

  static constexpr const char* kName = "epilogue-vectorization-minimum-VF";
  std::lock_guard<std::mutex> lock_;
  llvm::cl::Option* option_ = nullptr;
};

/// Whether a loop is one of the kernel's source inside of another, rather than that over the last axis of a task.
bool may_be_short(const llvm::Loop& loop) {
  return loop.isInnermost() && !loop.isOutermost() &&
         !llvm::findOptionMDForLoopID(loop.getLoopID(), "llvm.loop.parallel_accesses");
}

}  // namespace

llvm::PreservedAnalyses ShortLoops::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto loops = analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder();
  if (llvm::none_of(loops, [](const llvm::Loop* loop) { return may_be_short(*loop); }))
    return llvm::PreservedAnalyses::all();
  // Passes that LLVM runs in front of its vectoriser.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  passes.addPass(llvm::InjectTLIMappings());
  llvm::PreservedAnalyses preserved = passes.run(function, analyses);
  const ShorterVectors shorter;
  preserved.intersect(llvm::LoopVectorizePass().run(function, analyses));
  return preserved;
}

}  // namespace qd::codegen
