#include "runtime/codegen/gpu/gpu_module.h"

#include <stdexcept>

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "runtime/codegen/llvm/optimise.h"

namespace qd::codegen::gpu {
namespace {

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

GpuModule::GpuModule(const std::string& name, const Hardware& hardware)
    : hardware_(hardware), machine_(hardware.machine()), module_(std::make_unique<llvm::Module>(name, context_)) {
  module_->setTargetTriple(machine_->getTargetTriple().str());
  module_->setDataLayout(machine_->createDataLayout());
}

llvm::Function* GpuModule::declare_kernel(const std::string& name, uint32_t group_size) {
  llvm::Type* number = llvm::Type::getInt32Ty(context_);
  llvm::Type* params[] = {llvm::PointerType::get(context_, kDeviceMemory), llvm::Type::getInt64Ty(context_), number,
                          number, number};
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_), params, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, *module_);
  const char* names[] = {"launch", "seed", "group_stride", "step", "rounds"};
  for (unsigned i = 0; i < 5; ++i) function->getArg(i)->setName(names[i]);
  hardware_.make_kernel(*function, group_size);
  kernels_.push_back(name);
  return function;
}

void GpuModule::finish_functions() {
  link_library(*module_, hardware_);
  for (llvm::Function& function : *module_) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine_->getTargetCPU());
    function.addFnAttr("target-features", machine_->getTargetFeatureString());
    function.addFnAttr("no-trapping-math", "true");
    hardware_.prepare(function);
    function.setConvergent();  // the optimiser takes it away where no threads meet
  }
}

Binary GpuModule::code(llvm::CodeGenFileType kind, bool assembly) {
  finish_functions();
#ifndef NDEBUG
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  if (llvm::verifyModule(*module_, &stream)) throw std::logic_error("invalid LLVM IR: " + wrong);
#endif
  optimise(*module_, *machine_);
  hardware_.choose_instructions(*module_);
  Binary result{.code = {}, .symbols = kernels_, .assembly = {}};
  if (assembly && kind != llvm::CodeGenFileType::AssemblyFile)
    result.assembly = generate(*llvm::CloneModule(*module_), *machine_, llvm::CodeGenFileType::AssemblyFile);
  result.code = generate(*module_, *machine_, kind);
  if (assembly && kind == llvm::CodeGenFileType::AssemblyFile) result.assembly = result.code;
  return result;
}

}  // namespace qd::codegen::gpu
