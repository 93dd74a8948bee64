// Operators on numbers, vectors and matrices: arithmetic and comparisons.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `a op b` with an operator of the source; `@` is matrix_product.
Item apply_operator(Compilation& c, syntax::Operator op, const Item& a, const Item& b, const Range& range);
/// Lowers `a op b`: known numbers are folded as Python does, tensors go component by component. `text`: the operator in
/// messages.
Item apply_binary(Compilation& c, ir::BinaryOp op, const Item& a, const Item& b, std::string_view text,
                  const Range& range);
/// Lowers `+operand`, `-operand`.
Item signed_value(Compilation& c, syntax::UnaryOperator op, const Item& operand, const Range& range);
/// Lowers `~operand`.
Item bit_not(Compilation& c, const Item& operand, const Range& range);
inline Item multiply(Compilation& c, const Item& a, const Item& b, const Range& range) {
  return apply_binary(c, ir::BinaryOp::Mul, a, b, "*", range);
}
inline Item add(Compilation& c, const Item& a, const Item& b, const Range& range) {
  return apply_binary(c, ir::BinaryOp::Add, a, b, "+", range);
}
inline Item subtract(Compilation& c, const Item& a, const Item& b, const Range& range) {
  return apply_binary(c, ir::BinaryOp::Sub, a, b, "-", range);
}
inline Item divide(Compilation& c, const Item& a, const Item& b, const Range& range) {
  return apply_binary(c, ir::BinaryOp::Div, a, b, "/", range);
}
/// Lowers `a @ b`: of matrices, and of a matrix and a vector.
Item matrix_product(Compilation& c, const Item& a, const Item& b, const Range& range);

// Comparisons of two values.

/// Compares two numbers, in the type that both promote to: a u1.
std::optional<ir::InstId> compare_pair(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                       const Range& range);
/// Compares each component: a vector or matrix of u1.
Item compare_tensors(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b, const Range& range);

}  // namespace qd::frontend
