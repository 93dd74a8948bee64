// Kernel IR to machine code of this computer, through LLVM.
#pragma once

#include <string>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::codegen {

struct CodegenOptions {
#define QD_CODE_OPTION(type, name, value, ...) type name = value;
#include "runtime/options/options.def"
  bool assembly = false;   // fill CompiledObject::assembly
  int vector_width = 256;  // bits that the vectoriser prefers
};

/// Relocatable code with one function of type TaskFunction (abi.h) for each task. It holds no address and no pointer of this process.
struct CompiledObject {
  std::string object;                // an ELF file
  std::vector<std::string> symbols;  // the name of each task's function
  std::string assembly;
};

/// Compiles a kernel that passes::split_tasks has split and that has no Op::Probe left. Thread-safe.
CompiledObject compile(const ir::Kernel& kernel, const CodegenOptions& options);

/// The LLVM IR of a kernel before optimisation, the same on every computer.
std::string llvm_ir(const ir::Kernel& kernel, const CodegenOptions& options);

/// Name and features of this computer's processor: part of every key of a code cache.
const std::string& host_cpu();

/// The compiler that compile() is: LLVM's version and build, and ours. Part of every key of a code cache.
const std::string& version();

/// Every option, for keys.
std::string to_string(const CodegenOptions& options);

}  // namespace qd::codegen
