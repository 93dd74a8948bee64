#include "runtime/codegen/gpu/compile.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "runtime/build/build_id.h"
#include "runtime/codegen/before_the_end.h"
#include "runtime/codegen/gpu/emitter.h"
#include "runtime/codegen/gpu/library.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/ir/calls.h"

namespace qd::codegen::gpu {
namespace {

/// Names of kernels are ASCII without dots: PTX has no others.
std::string symbol(const ir::Kernel& kernel, size_t task) {
  std::string name;
  for (char c : kernel.name) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name + "_" + std::to_string(task);
}

llvm::Function* declare_task(const std::string& name, llvm::Module& llvm_module) {
  llvm::LLVMContext& llvm_context = llvm_module.getContext();
  llvm::Type* number = llvm::Type::getInt32Ty(llvm_context);
  llvm::Type* params[] = {llvm::PointerType::get(llvm_context, kDeviceMemory), llvm::Type::getInt64Ty(llvm_context),
                          number, number, number};
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(llvm_context), params, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, llvm_module);
  const char* names[] = {"launch", "seed", "group_stride", "step", "rounds"};
  for (unsigned i = 0; i < 5; ++i) function->getArg(i)->setName(names[i]);
  return function;
}

std::unique_ptr<llvm::Module> emit(const ir::Kernel& kernel, const Options& options, const Hardware& hardware,
                                   llvm::TargetMachine& machine, llvm::LLVMContext& llvm_context,
                                   std::vector<std::string>& symbols) {
  auto llvm_module = std::make_unique<llvm::Module>(kernel.name, llvm_context);
  llvm_module->setTargetTriple(machine.getTargetTriple().str());
  llvm_module->setDataLayout(machine.createDataLayout());
  Shared shared{kernel, options, hardware, *llvm_module};
  declare_routines(shared);
  for (size_t i = 0; i < kernel.tasks.size(); ++i) {
    symbols.push_back(symbol(kernel, i));
    llvm::Function* function = declare_task(symbols.back(), *llvm_module);
    hardware.make_kernel(*function, shape_of(kernel, kernel.tasks[i]).group_size);
    Emitter(shared, function).emit_task(kernel.tasks[i]);
  }
  for (uint32_t i = 0; i < kernel.routines.size(); ++i) Emitter(shared, shared.routines[i]).emit_routine(i);
  link_library(*llvm_module, hardware);
  for (llvm::Function& function : *llvm_module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("no-trapping-math", "true");
    hardware.prepare(function);
    function.setConvergent();  // the optimiser takes it away where no threads meet
  }
  return llvm_module;
}

void optimise(llvm::Module& llvm_module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(llvm_module, modules);
}

std::string generate(llvm::Module& llvm_module, llvm::TargetMachine& machine, llvm::CodeGenFileType kind) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    throw std::runtime_error("LLVM cannot write code for this target");
  passes.run(llvm_module);
  return std::string(buffer);
}

}  // namespace

Binary compile(const ir::Kernel& kernel, const Options& options, const Hardware& hardware, llvm::CodeGenFileType kind) {
  if (hardware.stack_bytes() == 0 && std::ranges::count(ir::recursive_routines(kernel), true) > 0)
    throw std::runtime_error("functions of this GPU cannot call themselves");
  const BeforeTheEnd not_over;
  const std::unique_ptr<llvm::TargetMachine> machine = hardware.machine();
  Binary result;
  llvm::LLVMContext llvm_context;
  std::unique_ptr<llvm::Module> llvm_module = emit(kernel, options, hardware, *machine, llvm_context, result.symbols);
#ifndef NDEBUG
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  if (llvm::verifyModule(*llvm_module, &stream)) throw std::logic_error("invalid LLVM IR: " + wrong);
#endif
  optimise(*llvm_module, *machine);
  if (options.assembly && kind != llvm::CodeGenFileType::AssemblyFile)
    result.assembly = generate(*llvm::CloneModule(*llvm_module), *machine, llvm::CodeGenFileType::AssemblyFile);
  result.code = generate(*llvm_module, *machine, kind);
  if (options.assembly && kind == llvm::CodeGenFileType::AssemblyFile) result.assembly = result.code;
  return result;
}

std::string compiler_version(const char* target) {
  return fmt::format("{}, LLVM {} {} {}", target, LLVM_VERSION_STRING,
                     build_id_of(reinterpret_cast<const void*>(&llvm::verifyModule)),
                     build_id_of(reinterpret_cast<const void*>(&compile)));
}

}  // namespace qd::codegen::gpu
