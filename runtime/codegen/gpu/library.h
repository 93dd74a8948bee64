// Functions that the hardware lacks, or that LLVM computes inexactly for it.
#pragma once

#include <llvm/IR/Module.h>

namespace qd::codegen::gpu {

class Hardware;

/// Puts formulas of runtime/mathematics in the place of calls of libm's functions, of LLVM's intrinsics for them, and
/// of remainders of floats. Each formula is a function of the module.
void link_library(llvm::Module& llvm_module, const Hardware& hardware);

}  // namespace qd::codegen::gpu
