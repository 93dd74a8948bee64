// Arithmetic on the bits of scalars.
#include "tests/unit/passes/scalar.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "runtime/ir/half.h"

namespace qd::passes::testing {

using ir::BinaryOp;
using ir::Type;
using ir::UnaryOp;

uint64_t canonical(Type type, uint64_t bits) {
  const int width = ir::bit_width(type);
  if (width == 64) return bits;
  const uint64_t mask = (uint64_t{1} << width) - 1;
  const bool negative = ir::is_signed(type) && (bits >> (width - 1) & 1);
  return negative ? bits | ~mask : bits & mask;
}

double to_double(Type type, uint64_t bits) {
  if (type == Type::F16) return ir::double_from_half(static_cast<uint16_t>(bits));
  if (type == Type::F32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == Type::F64) return std::bit_cast<double>(bits);
  return ir::is_signed(type) ? static_cast<double>(static_cast<int64_t>(bits)) : static_cast<double>(bits);
}

uint64_t from_double(Type type, double value) {
  if (type == Type::F16) return ir::half_from_double(value);
  if (type == Type::F32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == Type::F64) return std::bit_cast<uint64_t>(value);
  if (type == Type::U1) return value != 0;
  if (std::isnan(value)) return 0;
  // The nearest integer of the type.
  const int width = ir::bit_width(type);
  const uint64_t sign = uint64_t{1} << (width - 1);
  const double end = std::ldexp(1.0, ir::is_signed(type) ? width - 1 : width);
  if (value >= end) return ir::is_signed(type) ? sign - 1 : (sign - 1) | sign;
  if (!ir::is_signed(type)) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  return value < -end ? canonical(type, sign) : static_cast<uint64_t>(static_cast<int64_t>(value));
}

uint64_t unary(UnaryOp op, Type type, Type operand, uint64_t a) {
  const double x = to_double(operand, a);
  switch (op) {
    case UnaryOp::Neg: return ir::is_float(type) ? from_double(type, -x) : canonical(type, uint64_t{0} - a);
    case UnaryOp::BitNot: return canonical(type, ~a);
    case UnaryOp::LogicalNot: return x == 0;
    case UnaryOp::Abs: return ir::is_float(type) ? from_double(type, std::abs(x)) : canonical(type, x < 0 ? uint64_t{0} - a : a);
    case UnaryOp::Sqrt: return from_double(type, std::sqrt(x));
    case UnaryOp::Floor: return from_double(type, std::floor(x));
    default: throw std::runtime_error("the interpreter has no such unary operator");
  }
}

uint64_t binary(BinaryOp op, Type type, uint64_t a, uint64_t b) {
  if (ir::is_float(type)) {
    const double x = to_double(type, a);
    const double y = to_double(type, b);
    switch (op) {
      case BinaryOp::Add: return from_double(type, x + y);
      case BinaryOp::Sub: return from_double(type, x - y);
      case BinaryOp::Mul: return from_double(type, x * y);
      case BinaryOp::Div: return from_double(type, x / y);
      case BinaryOp::Min: return from_double(type, std::min(x, y));
      case BinaryOp::Max: return from_double(type, std::max(x, y));
      default: throw std::runtime_error("the interpreter has no such operator on floats");
    }
  }
  const auto x = static_cast<int64_t>(a);
  const auto y = static_cast<int64_t>(b);
  const bool less = ir::is_signed(type) ? x < y : a < b;
  switch (op) {
    case BinaryOp::Add: return canonical(type, a + b);
    case BinaryOp::Sub: return canonical(type, a - b);
    case BinaryOp::Mul: return canonical(type, a * b);
    case BinaryOp::FloorDiv: case BinaryOp::Mod: {
      if (y <= 0) throw std::runtime_error("the interpreter divides by positive integers only");
      const int64_t remainder = ((x % y) + y) % y;
      return canonical(type, static_cast<uint64_t>(op == BinaryOp::Mod ? remainder : (x - remainder) / y));
    }
    case BinaryOp::BitAnd: return canonical(type, a & b);
    case BinaryOp::BitOr: return canonical(type, a | b);
    case BinaryOp::BitXor: return canonical(type, a ^ b);
    case BinaryOp::Min: return less ? a : b;
    case BinaryOp::Max: return less ? b : a;
    default: throw std::runtime_error("the interpreter has no such operator on integers");
  }
}

bool compare(ir::CompareOp op, Type type, uint64_t a, uint64_t b) {
  bool less;
  bool equal;
  bool ordered = true;
  if (ir::is_float(type)) {
    const double x = to_double(type, a);
    const double y = to_double(type, b);
    less = x < y;
    equal = x == y;
    ordered = !std::isnan(x) && !std::isnan(y);
  } else {
    less = ir::is_signed(type) ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
    equal = a == b;
  }
  switch (op) {
    case ir::CompareOp::Lt: return less;
    case ir::CompareOp::Le: return less || equal;
    case ir::CompareOp::Gt: return ordered && !less && !equal;
    case ir::CompareOp::Ge: return ordered && !less;
    case ir::CompareOp::Eq: return equal;
    case ir::CompareOp::Ne: return !equal;
    case ir::CompareOp::AddOverflows: case ir::CompareOp::SubOverflows: case ir::CompareOp::MulOverflows:
      throw std::runtime_error("the interpreter does not look for overflows");
  }
  return false;
}

uint64_t cast(Type to, Type from, uint64_t a) {
  if (to == Type::U1) return to_double(from, a) != 0;
  if (ir::is_float(from) || ir::is_float(to)) return from_double(to, to_double(from, a));
  return canonical(to, a);
}

}  // namespace qd::passes::testing
