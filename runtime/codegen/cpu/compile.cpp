// LLVM's optimiser and code generator, set up for this computer.
#include "runtime/codegen/cpu/compile.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "runtime/build/build_id.h"
#include "runtime/codegen/compile_guard.h"
#include "runtime/codegen/cpu/emit.h"
#include "runtime/codegen/cpu/host_processor.h"
#include "runtime/codegen/cpu/lane_emitter.h"
#include "runtime/codegen/cpu/mathematical_functions.h"
#include "runtime/codegen/cpu/passes.h"
#include "runtime/codegen/llvm/optimise.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {
namespace {

/// The width of vectors that the vectoriser prefers, in bits. Longer ones help arithmetic alone, of which mathematical
/// functions have most: exp(-x) * sin(x) takes 0.8 of the time, but a sum of two arrays 1.1.
constexpr const char* kVectorWidth = "256";
constexpr const char* kWidthForFunctions = "512";

const char* vector_width(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), calls_mathematical_function) ? kWidthForFunctions : kVectorWidth;
}

/// Features at the end of a list.
constexpr const char* kAvoidGathers = ",+prefer-no-gather,+prefer-no-scatter";

/// Features of the code. On AMD's processors a gather or a scatter takes longer than the loads or stores in its place,
/// which LLVM's cost model does not know.
std::string features_of_code() { return host_features() + (host_name().starts_with("znver") ? kAvoidGathers : ""); }

/// Features for functions with lanes (lane_emitter.h). A gather of lanes has a mask: without the instruction, LLVM
/// makes a branch of each lane.
llvm::StringRef features_for_lanes(const llvm::TargetMachine& machine) {
  return machine.getTargetFeatureString().split(kAvoidGathers).first;
}

/// Sets one of LLVM's switches; does nothing where LLVM does not know it.
bool set_switch(const char* name, const char* value) {
  auto& options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  return found != options.end() && !found->second->addOccurrence(0, name, value);
}

/// LLVM's code generator. It is costly to make and not thread-safe, so each thread has one of its own.
llvm::TargetMachine& target_machine() {
  thread_local std::unique_ptr<llvm::TargetMachine> machine = [] {
    static const bool initialised = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
    // This pass takes half of the compile time where many conditions are counted, and helps nothing.
    static const bool without = set_switch("disable-x86-domain-reassignment", "true");
    // Accesses from which the schedulers take neighbours as one. With LLVM's 1,000, pairs of the accesses of a long
    // block, such as a gradient's, take most of the compile time, and the code is no better.
    static const bool together = set_switch("dag-maps-huge-region", "200");
    // Processors reorder instructions themselves: this pass takes a tenth of the compile time of a long block, and the
    // code is no faster.
    static const bool unordered = set_switch("post-RA-scheduler", "false");
    // Operands of a node that orders accesses. With LLVM's 2,048, merging the stores of a block with hundreds of them
    // looks at all of their orders again for each: nine tenths of the compile time of a kernel with 50 scans, and the
    // code is the same.
    static const bool short_orders = set_switch("combiner-tokenfactor-inline-limit", "16");
    (void)without;
    (void)together;
    (void)unordered;
    (void)short_orders;
    std::string triple = llvm::sys::getProcessTriple();
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!initialised || !target) throw std::runtime_error("LLVM has no code generator for " + triple + ": " + error);
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine(triple, host_name(), features_of_code(), llvm::TargetOptions(), llvm::Reloc::PIC_,
                                    llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive,
                                    /*JIT=*/true));
  }();
  return *machine;
}

/// Whether the formulas of runtime/mathematics can run here: they need a fused multiply-add.
bool has_own_functions(const llvm::TargetMachine& machine) {
  return !machine.getTargetTriple().isX86() || host_has("fma");
}

/// The largest number of counts of a vector loop that are faster in registers than with CountsInMemory: nearly half of
/// the registers. None where no instructions count the conditions of a vector: then registers are always faster.
std::optional<size_t> most_counts_in_registers(const llvm::TargetMachine& machine) {
  if (!machine.getTargetTriple().isX86() || !host_has("popcnt")) return {};
  return has_mask_registers() ? 14 : 7;
}

/// Whether a task or a routine has a loop of its own, beside that over the iterations of a parallel task.
bool has_serial_loop(const ir::Kernel& kernel) {
  bool found = false;
  ir::walk(kernel, [&](ir::InstId id) { found |= kernel[id].op == ir::Op::For || kernel[id].op == ir::Op::Loop; });
  return found;
}

bool has_vectors(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction& inst) { return inst.getType()->isVectorTy(); });
}

/// Notes the function whose vectors are made next. LLVM gives it to callbacks in an `llvm::Any`, which only a binary
/// that shows its symbols can read.
struct NoteFunction : llvm::PassInfoMixin<NoteFunction> {
  const llvm::Function** noted;

  explicit NoteFunction(const llvm::Function** place) : noted(place) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    *noted = &function;
    return llvm::PreservedAnalyses::all();
  }
};

/// Whether a pass of LLVM's helps a function. `serial_loop`: the kernel has_serial_loop.
bool helps(llvm::StringRef pass, const llvm::Function* function, bool serial_loop) {
  // No iteration of a parallel task reads what another one stores. For a long body this pass compares all pairs of its
  // accesses.
  if (pass == "LoopLoadEliminationPass") return serial_loop;
  // Stores of zeros to a matrix become a call of memset, which keeps the loop out of vectors.
  if (pass == "MemCpyOptPass") return false;
  // Components of a vector or a matrix become vectors, such as in a particle's step in a grid: 0.6 of the time. In
  // loops with branches, as in a ray tracer, LLVM packs and unpacks too often: 1.1 of the time. Where iterations are in
  // vectors already, it finds little, and compiles twice as long.
  if (pass != "SLPVectorizerPass") return true;
  return !serial_loop && !has_vectors(*function);
}

void optimise_for_host(llvm::Module& llvm_module, llvm::TargetMachine& machine,
                       const llvm::TargetLibraryInfoImpl& library, bool serial_loop) {
  const bool own_functions = has_own_functions(machine);
  const bool has_masks = has_mask_registers();
  const std::optional<size_t> most_counts = most_counts_in_registers(machine);
  const llvm::Function* function = nullptr;
  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = true;
  optimise(llvm_module, machine, tuning, [&](llvm::PassBuilder& builder, llvm::FunctionAnalysisManager& functions) {
    builder.getPassInstrumentationCallbacks()->registerShouldRunOptionalPassCallback(
        [&function, serial_loop](llvm::StringRef pass, const llvm::Any&) {
          return helps(pass, function, serial_loop);
        });
    functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
    builder.registerVectorizerStartEPCallback(
        [=, &function](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(NoteFunction(&function));
          passes.addPass(RootComparisons());
          passes.addPass(ConditionalSums());
          passes.addPass(UnconditionalStores());
          passes.addPass(ParallelAccesses());
          passes.addPass(FlattenCounts());
          passes.addPass(InterleaveLess());
          if (own_functions) passes.addPass(UnrollLess());
          passes.addPass(ShortLoops());
        });
    builder.registerOptimizerLastEPCallback([=](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
      passes.addPass(HalfFunctions());
      if (own_functions)
        passes.addPass(MathematicalFunctions());
      else
        passes.addPass(ScalarFunctions());
      if (most_counts) passes.addPass(llvm::createModuleToFunctionPassAdaptor(CountsInMemory(*most_counts)));
      if (has_masks) passes.addPass(CountUnderMask());
      if (has_masks) passes.addPass(llvm::createModuleToFunctionPassAdaptor(FastReciprocals()));
      if (has_masks) passes.addPass(llvm::createModuleToFunctionPassAdaptor(SignComparisons()));
    });
  });
}

std::string generate(llvm::Module& llvm_module, llvm::TargetMachine& machine,
                     const llvm::TargetLibraryInfoImpl& library, llvm::CodeGenFileType kind) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    throw std::runtime_error("LLVM cannot write objects for this target");
  passes.run(llvm_module);
  return std::string(buffer);
}

}  // namespace

Binary compile(const ir::Kernel& kernel, const Options& options) {
  const CompileGuard not_over;
  llvm::TargetMachine& machine = target_machine();
  Binary result;
  llvm::LLVMContext llvm_context;
  std::unique_ptr<llvm::Module> llvm_module = emit(kernel, options, llvm_context, result);
  llvm_module->setTargetTriple(machine.getTargetTriple().str());
  llvm_module->setDataLayout(machine.createDataLayout());
  for (llvm::Function& function : *llvm_module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", function.hasFnAttribute(kLanesAttribute) ? features_for_lanes(machine)
                                                                                   : machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", vector_width(function));
    function.addFnAttr("no-trapping-math", "true");
    // Vectors of 64 bytes that are kept on the stack: elsewhere each would lie in two lines of the cache.
    if (function.hasFnAttribute(kLanesAttribute)) function.addFnAttr("stackrealign");
    // LLVM's own approximations give NaN for 1 / sqrt(0): see FastReciprocals.
    function.addFnAttr("reciprocal-estimates", "none");
  }
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  // Elsewhere libm's functions stay; libmvec's are exact to 4 ulp only.
  if (has_own_functions(machine))
    add_vector_functions(library);
  else if (options.fast_math)
    library.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC_X86, machine.getTargetTriple());
  optimise_for_host(*llvm_module, machine, library, has_serial_loop(kernel));
  if (options.assembly)
    result.assembly = generate(*llvm::CloneModule(*llvm_module), machine, library, llvm::CodeGenFileType::AssemblyFile);
  result.code = generate(*llvm_module, machine, library, llvm::CodeGenFileType::ObjectFile);
  end_before_variables_of_llvm();
  return result;
}

std::string llvm_ir(const ir::Kernel& kernel, const Options& options) {
  llvm::LLVMContext llvm_context;
  Binary unused;
  std::unique_ptr<llvm::Module> llvm_module = emit(kernel, options, llvm_context, unused);
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm_module->print(stream, nullptr);
  if (llvm::verifyModule(*llvm_module, &stream)) throw std::runtime_error("invalid LLVM IR:\n" + text);
  return text;
}

const std::string& host_cpu() {
  static const std::string text = host_name() + " " + features_of_code();
  return text;
}

const std::string& version() {
  static const std::string text = fmt::format("LLVM {} {} {}", LLVM_VERSION_STRING,
                                              build_id_of(reinterpret_cast<const void*>(&llvm::sys::getHostCPUName)),
                                              build_id_of(reinterpret_cast<const void*>(&compile)));
  return text;
}

}  // namespace qd::codegen
