// Arithmetic on numbers in words of 64 bits, with the results of the code generator's arithmetic.cpp without fast math.
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"

namespace qd::device::reference {

// A number is stored in a word as in Inst::imm of a Const: integers sign- or zero-extended, floats as their own bits.

/// Brings a word into that form. Bits above those of the type are overwritten.
uint64_t canonical(ir::Type type, uint64_t word);
/// The value as a double. Integers beyond 2^53 are rounded.
double to_double(ir::Type type, uint64_t word);
/// Converts a double, rounding once. A value outside an integer type becomes the nearest number of the type; NaN
/// becomes 0.
uint64_t from_double(ir::Type type, double value);

// These throw std::runtime_error for types for which operators.def does not have the operator.

uint64_t unary(ir::UnaryOp op, ir::Type result, ir::Type operand, uint64_t x);
uint64_t binary(ir::BinaryOp op, ir::Type type, uint64_t x, uint64_t y);
bool compare(ir::CompareOp op, ir::Type operands, uint64_t x, uint64_t y);
/// a * b + c of f32 or f64, rounded once.
uint64_t fma(ir::Type type, uint64_t a, uint64_t b, uint64_t c);
uint64_t cast(ir::Type to, ir::Type from, uint64_t x);
/// The value that an atomic operation leaves in memory.
uint64_t atomic_result(ir::AtomicOp op, ir::Type type, uint64_t old, uint64_t operand);

}  // namespace qd::device::reference
