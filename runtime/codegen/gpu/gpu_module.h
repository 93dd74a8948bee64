// A module of LLVM with kernels of a GPU, from its first function to its code.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "runtime/codegen/gpu/hardware.h"
#include "runtime/codegen/target.h"

namespace qd::codegen::gpu {

class GpuModule {
 public:
  GpuModule(const std::string& name, const Hardware& hardware);

  llvm::Module& get() { return *module_; }
  /// Declares a kernel of the device that runs in groups of so many threads. Its parameters are the fields of
  /// TaskArguments (abi/task_arguments.h).
  llvm::Function* declare_kernel(const std::string& name, uint32_t group_size);
  /// Adds library functions that the functions call, and optimises them. Assembly or an object file, by `kind`;
  /// `assembly`: fill in Binary::assembly, too. Throws std::runtime_error.
  Binary code(llvm::CodeGenFileType kind, bool assembly);

 private:
  void finish_functions();

  const Hardware& hardware_;
  const std::unique_ptr<llvm::TargetMachine> machine_;
  llvm::LLVMContext context_;
  const std::unique_ptr<llvm::Module> module_;
  std::vector<std::string> kernels_;
};

// Functions that the hardware lacks, or that LLVM computes inexactly for it.

class Hardware;

/// Puts formulas of runtime/mathematics in the place of calls of libm's functions, of LLVM's intrinsics for them, and
/// of remainders of floats. Each formula is a function of the module.
void link_library(llvm::Module& llvm_module, const Hardware& hardware);

}  // namespace qd::codegen::gpu
