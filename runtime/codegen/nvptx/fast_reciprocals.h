// Reciprocals of fast-math code: NVIDIA's instructions for 1 / sqrt(x) and 1 / x.
#pragma once

#include <llvm/IR/Module.h>

namespace qd::codegen::nvptx {

/// Rewrites divisions of f32 that may be approximated, where exact ones take some 20 instructions and a branch:
///
///     a / sqrt(x)              becomes   a * rsqrt.approx(x)     if nothing else uses the root
///     1 / x;  a / x, b / x     become    rcp.approx(x);  a * rcp.approx(x), b * rcp.approx(x)
///
/// Their errors are 2^-22.9 and one ulp (PTX ISA 9.7.3). A single quotient a / b stays exact, and so does a root by
/// itself: programs take `int(a / b)` and `int(sqrt(n))`. So do formulas of mathematical functions, which are no
/// fast-math code.
void use_fast_reciprocals(llvm::Module& llvm_module);

}  // namespace qd::codegen::nvptx
