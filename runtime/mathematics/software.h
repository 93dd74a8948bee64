// Functions that devices lack, or that their compilers compute inexactly, as formulas of kernel IR.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::software {

enum class Function : uint8_t {
  Fma,          // of f32 (through f64) or f64: a * b + c, rounded once
  NearFma,      // as Fma; off by less than 2^-50 ulp more, and several times as fast: for formulas
  Remainder,    // of f32 or f64: C's fmod, exact
  Power,        // of i32, u32, i64 or u64, by repeated squaring; of a negative exponent: the integer part
  HighProduct,  // of u64: the upper half of the product
  RoundToHalf,  // of f32: the nearest f16, as f32; ties to even
  HalfBits,     // of an f32 that is an f16: its bits as an f16, in a u32
  FromHalf,     // of a u32: the f16 with these bits, as f32
  OddSingle,    // of f64: an f32 that rounds to the same f16
  Quotient,     // of u64: a / b; fast if both are below 2^32
};

/// A kernel without tasks, whose only routine is the function. It needs no other one of these functions; each of its
/// operations is rounded once.
ir::Kernel formula(Function function, ir::Type type);

}  // namespace qd::software
