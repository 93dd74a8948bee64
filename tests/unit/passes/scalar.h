// Arithmetic on the bits of scalars.
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"

namespace qd::passes::testing {

/// Brings the bits into the form that Const has.
uint64_t canonical(ir::Type type, uint64_t bits);
double to_double(ir::Type type, uint64_t bits);
uint64_t from_double(ir::Type type, double value);

uint64_t unary(ir::UnaryOp op, ir::Type type, ir::Type operand, uint64_t a);
uint64_t binary(ir::BinaryOp op, ir::Type type, uint64_t a, uint64_t b);
bool compare(ir::CompareOp op, ir::Type type, uint64_t a, uint64_t b);
uint64_t cast(ir::Type to, ir::Type from, uint64_t a);

}  // namespace qd::passes::testing
