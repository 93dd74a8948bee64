// Arithmetic on numbers in words, as the code generator's arithmetic.cpp defines it (without fast math).
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"

namespace qd::device::reference {

// A number stands in a word as in Inst::imm of a Const: integers sign- or zero-extended, floats as their own bits.

/// Brings a word into that form: what stands above the bits of the type is overwritten.
uint64_t canonical(ir::Type type, uint64_t word);
/// Integers beyond 2^53 are rounded.
double to_double(ir::Type type, uint64_t word);
/// Rounded once; what an integer cannot hold becomes the nearest one that it can, NaN becomes 0.
uint64_t from_double(ir::Type type, double value);

// Operators on types that operators.def does not have them for throw std::runtime_error.

uint64_t unary(ir::UnaryOp op, ir::Type result, ir::Type operand, uint64_t x);
uint64_t binary(ir::BinaryOp op, ir::Type type, uint64_t x, uint64_t y);
bool compare(ir::CompareOp op, ir::Type operands, uint64_t x, uint64_t y);
uint64_t cast(ir::Type to, ir::Type from, uint64_t x);
/// What an atomic operation leaves in memory.
uint64_t atomic_result(ir::AtomicOp op, ir::Type type, uint64_t old, uint64_t operand);

}  // namespace qd::device::reference
