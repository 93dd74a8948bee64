// Arithmetic on the bits of scalars, as compiled code does it without fast mathematics.
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"

namespace qd::device::scalar {

/// Values are words of 8 bytes: integers sign- or zero-extended to 64 bits, floats as their own bits. This brings the low bits of a word into that form.
uint64_t canonical(ir::Type type, uint64_t bits);
double to_double(ir::Type type, uint64_t bits);
/// Integers: the nearest that there is; NaN gives 0.
uint64_t from_double(ir::Type type, double value);

// Nothing traps or is undefined, whatever the operands. A division of integers by zero gives 0.
uint64_t unary(ir::UnaryOp op, ir::Type type, ir::Type operand, uint64_t a);
uint64_t binary(ir::BinaryOp op, ir::Type type, uint64_t a, uint64_t b);
bool compare(ir::CompareOp op, ir::Type type, uint64_t a, uint64_t b);
uint64_t cast(ir::Type to, ir::Type from, uint64_t a);
/// What an atomic operation writes.
uint64_t atomic(ir::AtomicOp op, ir::Type type, uint64_t old, uint64_t operand);

/// Blackman and Vigna's xoroshiro128+, https://prng.di.unimi.it/xoroshiro128plus.c
struct RandomState {
  uint64_t words[2];
};
/// A float in [0, 1), an integer over its full range.
uint64_t random(ir::Type type, RandomState& state);

}  // namespace qd::device::scalar
