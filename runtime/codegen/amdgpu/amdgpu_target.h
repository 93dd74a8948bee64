// The target of AMD's GPUs.
#pragma once

#include <string>

#include "runtime/codegen/target.h"

namespace qd::codegen {

/// Compiles for AMD's GPUs. Binary::code is a code object of version 4 for amdhsa (an ELF file), and Binary::assembly
/// its assembly. Kernels have the names of Binary::symbols, and take the fields of TaskArguments
/// (abi/task_arguments.h). For their launch shape see gpu::shape_of (gpu/task_shape.h). A kernel that recurses does not
/// compile.
class AmdgpuTarget : public Target {
 public:
  /// A processor as LLVM and HIP call it: gfx906, gfx90a, gfx942, gfx1030, gfx1100, or another one with flat memory.
  explicit AmdgpuTarget(std::string processor);
  const std::string& compiler() const override { return compiler_; }
  const std::string& processor() const override { return processor_; }
  const passes::Plan& plan() const override;
  Binary compile(const ir::Kernel& kernel, const Options& options) const override;

 private:
  std::string compiler_, processor_;
};

}  // namespace qd::codegen
