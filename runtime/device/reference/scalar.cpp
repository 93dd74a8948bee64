// Numbers in words: conversions, comparisons and unary operators.
#include "runtime/device/reference/scalar.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "runtime/ir/half.h"

namespace qd::device::reference {

using ir::BinaryOp;
using ir::Type;
using ir::UnaryOp;

namespace {

/// Sets the bits above those of the type to 0.
uint64_t own_bits(Type type, uint64_t word) {
  const int width = ir::bit_width(type);
  return width == 64 ? word : word & ((uint64_t{1} << width) - 1);
}

uint64_t sign_bit(Type type) { return uint64_t{1} << (ir::bit_width(type) - 1); }

/// Calls a function of libm. For f16: computes in f32, and rounds.
template <class Single, class Double>
uint64_t library(Type type, uint64_t word, Single&& single, Double&& real) {
  const double x = to_double(type, word);
  return type == Type::F64 ? from_double(type, real(x))
                           : from_double(type, static_cast<double>(single(static_cast<float>(x))));
}

uint64_t float_unary(UnaryOp op, Type type, uint64_t word) {
  const double x = to_double(type, word);
  switch (op) {
    case UnaryOp::Neg: return word ^ sign_bit(type);
    case UnaryOp::Abs: return word & ~sign_bit(type);
    case UnaryOp::Sign:
      return x > 0 ? from_double(type, 1) : x < 0 ? from_double(type, -1) : word;  // zeros and NaN are their own sign
    case UnaryOp::Sqrt: return from_double(type, std::sqrt(x));
    case UnaryOp::Rsqrt: return from_double(type, 1 / to_double(type, from_double(type, std::sqrt(x))));
#define QD_FUNCTION(name, function, derivative) \
  case UnaryOp::name: return library(type, word, ::function##f, ::function);
#include "runtime/ir/operators.def"
    case UnaryOp::Floor: return from_double(type, std::floor(x));
    case UnaryOp::Ceil: return from_double(type, std::ceil(x));
    case UnaryOp::Round: return from_double(type, std::nearbyint(x));  // ties to even
    case UnaryOp::LogicalNot: return x == 0;
    case UnaryOp::IsNan: return std::isnan(x);
    case UnaryOp::IsInf: return std::isinf(x);
    case UnaryOp::BitNot:
    case UnaryOp::Popcnt:
    case UnaryOp::Clz:
    case UnaryOp::Ffs: break;
  }
  throw std::runtime_error("no such operator on a float");
}

uint64_t integer_unary(UnaryOp op, Type result, Type type, uint64_t word) {
  const uint64_t bits = own_bits(type, word);
  const bool negative = ir::is_signed(type) && static_cast<int64_t>(word) < 0;
  switch (op) {
    case UnaryOp::Neg: return canonical(type, uint64_t{0} - word);
    case UnaryOp::BitNot: return canonical(type, ~word);
    case UnaryOp::LogicalNot: return word == 0;
    case UnaryOp::Abs: return negative ? canonical(type, uint64_t{0} - word) : word;
    case UnaryOp::Sign: return negative ? ~uint64_t{0} : word != 0;
    case UnaryOp::Sqrt:
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Round: return word;
    case UnaryOp::IsNan:
    case UnaryOp::IsInf: return 0;
    case UnaryOp::Popcnt: return canonical(result, static_cast<uint64_t>(std::popcount(bits)));
    case UnaryOp::Clz:
      return canonical(result, static_cast<uint64_t>(std::countl_zero(bits) - (64 - ir::bit_width(type))));
    case UnaryOp::Ffs: return bits == 0 ? 0 : canonical(result, static_cast<uint64_t>(std::countr_zero(bits)) + 1);
    case UnaryOp::Rsqrt:
#define QD_FUNCTION(name, function, derivative) case UnaryOp::name:
#include "runtime/ir/operators.def"
      break;
  }
  throw std::runtime_error("no such operator on an integer");
}

bool overflows(ir::CompareOp op, Type type, uint64_t x, uint64_t y) {
  using Wide = __int128;
  auto wide = [&](uint64_t word) {
    return ir::is_signed(type) ? static_cast<Wide>(static_cast<int64_t>(word)) : static_cast<Wide>(word);
  };
  const Wide a = wide(x), b = wide(y);
  if (op == ir::CompareOp::MulOverflows && !ir::is_signed(type))
    return a != 0 && static_cast<unsigned __int128>(x) * y >> ir::bit_width(type) != 0;
  const Wide exact = op == ir::CompareOp::AddOverflows ? a + b : op == ir::CompareOp::SubOverflows ? a - b : a * b;
  return exact != wide(canonical(type, static_cast<uint64_t>(exact)));
}

}  // namespace

uint64_t canonical(Type type, uint64_t word) {
  const uint64_t bits = own_bits(type, word);
  const bool negative = ir::is_signed(type) && (bits & sign_bit(type)) != 0;
  return negative ? bits | ~own_bits(type, ~uint64_t{0}) : bits;
}

double to_double(Type type, uint64_t word) {
  if (type == Type::F16) return ir::double_from_half(static_cast<uint16_t>(word));
  if (type == Type::F32) return std::bit_cast<float>(static_cast<uint32_t>(word));
  if (type == Type::F64) return std::bit_cast<double>(word);
  return ir::is_signed(type) ? static_cast<double>(static_cast<int64_t>(word)) : static_cast<double>(word);
}

uint64_t from_double(Type type, double value) {
  if (type == Type::F16) return ir::half_from_double(value);
  if (type == Type::F32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == Type::F64) return std::bit_cast<uint64_t>(value);
  if (type == Type::U1) return value != 0;
  if (std::isnan(value)) return 0;
  // The nearest integer of the type.
  const int width = ir::bit_width(type);
  const uint64_t sign = sign_bit(type);
  const double end = std::ldexp(1.0, ir::is_signed(type) ? width - 1 : width);
  if (value >= end) return ir::is_signed(type) ? sign - 1 : (sign - 1) | sign;
  if (!ir::is_signed(type)) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  return value < -end ? canonical(type, sign) : static_cast<uint64_t>(static_cast<int64_t>(value));
}

uint64_t unary(UnaryOp op, Type result, Type operand, uint64_t x) {
  return ir::is_float(operand) ? float_unary(op, operand, x) : integer_unary(op, result, operand, x);
}

bool compare(ir::CompareOp op, Type type, uint64_t a, uint64_t b) {
  if (op >= ir::CompareOp::AddOverflows) return overflows(op, type, a, b);
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
    case ir::CompareOp::AddOverflows:
    case ir::CompareOp::SubOverflows:
    case ir::CompareOp::MulOverflows: break;
  }
  return false;
}

uint64_t fma(Type type, uint64_t a, uint64_t b, uint64_t c) {
  if (type == Type::F64) return from_double(type, std::fma(to_double(type, a), to_double(type, b), to_double(type, c)));
  auto single = [](uint64_t word) { return std::bit_cast<float>(static_cast<uint32_t>(word)); };
  return std::bit_cast<uint32_t>(std::fma(single(a), single(b), single(c)));
}

uint64_t cast(Type to, Type from, uint64_t x) {
  if (from == to) return x;
  if (to == Type::U1) return to_double(from, x) != 0;
  // Converted straight from the integer: through a double it would be rounded twice.
  if (to == Type::F32 && !ir::is_float(from))
    return std::bit_cast<uint32_t>(ir::is_signed(from) ? static_cast<float>(static_cast<int64_t>(x))
                                                       : static_cast<float>(x));
  if (ir::is_float(from) || ir::is_float(to)) return from_double(to, to_double(from, x));
  return canonical(to, x);
}

}  // namespace qd::device::reference
