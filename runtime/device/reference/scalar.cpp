// Floats go through double, which rounds sums, products, quotients and roots of f16 and f32 as if they were computed at once; functions of libm have their own for f32.
#include "runtime/device/reference/scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/ir/half.h"

namespace qd::device::scalar {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Type;
using ir::UnaryOp;

namespace {

/// A function of libm: f16 by way of f32.
template <class Function>
uint64_t library(Type type, double x, Function&& function) {
  return type == Type::F64 ? from_double(type, function(x)) : from_double(type, function(static_cast<float>(x)));
}
template <class Function>
uint64_t library(Type type, double x, double y, Function&& function) {
  return type == Type::F64 ? from_double(type, function(x, y)) : from_double(type, function(static_cast<float>(x), static_cast<float>(y)));
}

/// A quotient as the type has it; of f16 as f32 has it.
double quotient(Type type, double x, double y) { return type == Type::F64 ? x / y : static_cast<float>(x / y); }

/// With the sign of y, as Python has it.
double float_mod(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

uint64_t float_binary(BinaryOp op, Type type, double x, double y) {
  switch (op) {
    case BinaryOp::Add: return from_double(type, x + y);
    case BinaryOp::Sub: return from_double(type, x - y);
    case BinaryOp::Mul: return from_double(type, x * y);
    case BinaryOp::Div: case BinaryOp::RawDiv: return from_double(type, x / y);
    case BinaryOp::FloorDiv: return from_double(type, std::floor(quotient(type, x, y)));
    case BinaryOp::Mod: return from_double(type, float_mod(x, y));
    case BinaryOp::RawMod: return from_double(type, std::fmod(x, y));
    case BinaryOp::Pow: return library(type, x, y, [](auto a, auto b) { return std::pow(a, b); });
    case BinaryOp::Atan2: return library(type, x, y, [](auto a, auto b) { return std::atan2(a, b); });
    case BinaryOp::Min: return from_double(type, std::fmin(x, y));
    case BinaryOp::Max: return from_double(type, std::fmax(x, y));
    case BinaryOp::Shl: case BinaryOp::Shr: case BinaryOp::LogicalShr: case BinaryOp::BitAnd: case BinaryOp::BitOr: case BinaryOp::BitXor: break;  // the verifier refuses them
  }
  return 0;
}

/// Towards zero, or with Python's signs. The smallest number divided by -1 wraps.
uint64_t integer_division(Type type, uint64_t a, uint64_t b, bool remainder, bool floor) {
  if (!ir::is_signed(type)) return b == 0 ? 0 : remainder ? a % b : a / b;
  const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  if (y == 0) return 0;
  if (y == -1) return remainder ? 0 : canonical(type, uint64_t{0} - a);
  const int64_t rest = x % y;
  const bool step = floor && rest != 0 && (rest < 0) != (y < 0);
  return static_cast<uint64_t>(remainder ? rest + (step ? y : 0) : x / y - (step ? 1 : 0));
}

uint64_t integer_power(Type type, uint64_t base, uint64_t exponent) {
  if (ir::is_signed(type) && static_cast<int64_t>(exponent) < 0) {
    const auto x = static_cast<int64_t>(base);
    return x == 1 ? 1 : x != -1 ? 0 : canonical(type, exponent & 1 ? ~uint64_t{0} : 1);
  }
  const int width = ir::bit_width(type);
  if (width < 64) exponent &= (uint64_t{1} << width) - 1;
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return canonical(type, result);
}

/// A count of the width or more shifts everything out.
uint64_t shift(BinaryOp op, Type type, uint64_t a, uint64_t b) {
  const auto width = static_cast<uint64_t>(ir::bit_width(type));
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t count = b & mask;
  if (op == BinaryOp::Shr && ir::is_signed(type)) return static_cast<uint64_t>(static_cast<int64_t>(a) >> std::min(count, width - 1));
  if (count >= width) return 0;
  return canonical(type, op == BinaryOp::Shl ? a << count : (a & mask) >> count);
}

bool overflows(CompareOp op, Type type, uint64_t a, uint64_t b) {
  __extension__ using Wide = __int128;
  const bool is_signed = ir::is_signed(type);
  const Wide x = is_signed ? static_cast<Wide>(static_cast<int64_t>(a)) : static_cast<Wide>(a), y = is_signed ? static_cast<Wide>(static_cast<int64_t>(b)) : static_cast<Wide>(b);
  if (!is_signed && op == CompareOp::MulOverflows) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) || canonical(type, product) != product;
  }
  const Wide result = op == CompareOp::AddOverflows ? x + y : op == CompareOp::SubOverflows ? x - y : x * y;
  const uint64_t kept = canonical(type, static_cast<uint64_t>(result));
  return (is_signed ? static_cast<Wide>(static_cast<int64_t>(kept)) : static_cast<Wide>(kept)) != result;
}

}  // namespace

uint64_t canonical(Type type, uint64_t bits) {
  const int width = ir::bit_width(type);
  if (width == 64 || width == 0) return bits;
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
  const int width = ir::bit_width(type);
  const uint64_t sign = uint64_t{1} << (width - 1);
  const double end = std::ldexp(1.0, ir::is_signed(type) ? width - 1 : width);
  if (value >= end) return ir::is_signed(type) ? sign - 1 : (sign - 1) | sign;
  if (!ir::is_signed(type)) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  return value < -end ? canonical(type, sign) : static_cast<uint64_t>(static_cast<int64_t>(value));
}

uint64_t unary(UnaryOp op, Type type, Type operand, uint64_t a) {
  const bool is_float = ir::is_float(operand);
  const int width = ir::bit_width(operand);
  const uint64_t low = width == 64 ? a : a & ((uint64_t{1} << width) - 1);
  const double x = to_double(operand, a);
  auto real = [&](auto&& function) { return is_float ? library(type, x, function) : a; };
  switch (op) {
    case UnaryOp::Neg: return is_float ? from_double(type, -x) : canonical(type, uint64_t{0} - a);
    case UnaryOp::BitNot: return canonical(type, ~a);
    case UnaryOp::LogicalNot: return is_float ? x == 0 : a == 0;
    case UnaryOp::Abs: return is_float ? from_double(type, std::abs(x)) : ir::is_signed(type) && static_cast<int64_t>(a) < 0 ? canonical(type, uint64_t{0} - a) : a;
    case UnaryOp::Sign:
      if (is_float) return x > 0 ? from_double(type, 1) : x < 0 ? from_double(type, -1) : a;
      return ir::is_signed(type) && static_cast<int64_t>(a) < 0 ? ~uint64_t{0} : a != 0;
    case UnaryOp::Sqrt: return is_float ? from_double(type, std::sqrt(x)) : a;
    case UnaryOp::Rsqrt: return from_double(type, 1 / to_double(type, from_double(type, std::sqrt(x))));
    case UnaryOp::Sin: return real([](auto v) { return std::sin(v); });
    case UnaryOp::Cos: return real([](auto v) { return std::cos(v); });
    case UnaryOp::Tan: return real([](auto v) { return std::tan(v); });
    case UnaryOp::Asin: return real([](auto v) { return std::asin(v); });
    case UnaryOp::Acos: return real([](auto v) { return std::acos(v); });
    case UnaryOp::Atan: return real([](auto v) { return std::atan(v); });
    case UnaryOp::Sinh: return real([](auto v) { return std::sinh(v); });
    case UnaryOp::Cosh: return real([](auto v) { return std::cosh(v); });
    case UnaryOp::Tanh: return real([](auto v) { return std::tanh(v); });
    case UnaryOp::Exp: return real([](auto v) { return std::exp(v); });
    case UnaryOp::Log: return real([](auto v) { return std::log(v); });
    case UnaryOp::Floor: return is_float ? from_double(type, std::floor(x)) : a;
    case UnaryOp::Ceil: return is_float ? from_double(type, std::ceil(x)) : a;
    case UnaryOp::Round: return is_float ? from_double(type, std::nearbyint(x)) : a;
    case UnaryOp::IsNan: return is_float && std::isnan(x);
    case UnaryOp::IsInf: return is_float && std::isinf(x);
    case UnaryOp::Popcnt: return static_cast<uint64_t>(std::popcount(low));
    case UnaryOp::Clz: return static_cast<uint64_t>(std::countl_zero(low) - (64 - width));
    case UnaryOp::Ffs: return low == 0 ? 0 : static_cast<uint64_t>(std::countr_zero(low)) + 1;
  }
  return 0;
}

uint64_t binary(BinaryOp op, Type type, uint64_t a, uint64_t b) {
  if (ir::is_float(type)) return float_binary(op, type, to_double(type, a), to_double(type, b));
  switch (op) {
    case BinaryOp::Add: return canonical(type, a + b);
    case BinaryOp::Sub: return canonical(type, a - b);
    case BinaryOp::Mul: return canonical(type, a * b);
    case BinaryOp::Div: case BinaryOp::RawDiv: return integer_division(type, a, b, false, false);
    case BinaryOp::FloorDiv: return integer_division(type, a, b, false, true);
    case BinaryOp::Mod: return integer_division(type, a, b, true, true);
    case BinaryOp::RawMod: return integer_division(type, a, b, true, false);
    case BinaryOp::Pow: return integer_power(type, a, b);
    case BinaryOp::Shl: case BinaryOp::Shr: case BinaryOp::LogicalShr: return shift(op, type, a, b);
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return canonical(type, a ^ b);
    case BinaryOp::Min: return compare(CompareOp::Lt, type, a, b) ? a : b;
    case BinaryOp::Max: return compare(CompareOp::Gt, type, a, b) ? a : b;
    case BinaryOp::Atan2: break;  // the verifier refuses it
  }
  return 0;
}

bool compare(CompareOp op, Type type, uint64_t a, uint64_t b) {
  if (op >= CompareOp::AddOverflows) return overflows(op, type, a, b);
  bool less, equal, greater;
  if (ir::is_float(type)) {
    const double x = to_double(type, a), y = to_double(type, b);
    less = x < y;
    equal = x == y;
    greater = x > y;
  } else {
    less = ir::is_signed(type) ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
    equal = a == b;
    greater = !less && !equal;
  }
  switch (op) {
    case CompareOp::Lt: return less;
    case CompareOp::Le: return less || equal;
    case CompareOp::Gt: return greater;
    case CompareOp::Ge: return greater || equal;
    case CompareOp::Eq: return equal;
    case CompareOp::Ne: return !equal;
    case CompareOp::AddOverflows: case CompareOp::SubOverflows: case CompareOp::MulOverflows: break;
  }
  return false;
}

uint64_t cast(Type to, Type from, uint64_t a) {
  if (to == from) return a;
  if (to == Type::U1) return ir::is_float(from) ? to_double(from, a) != 0 : a != 0;
  if (ir::is_float(from)) return from_double(to, to_double(from, a));
  if (to == Type::F32) {
    // Rounded once.
    const float value = ir::is_signed(from) ? static_cast<float>(static_cast<int64_t>(a)) : static_cast<float>(a);
    return std::bit_cast<uint32_t>(value);
  }
  if (ir::is_float(to)) return from_double(to, to_double(from, a));
  return canonical(to, a);
}

uint64_t atomic(ir::AtomicOp op, Type type, uint64_t old, uint64_t operand) {
  switch (op) {
    case ir::AtomicOp::Add: return binary(BinaryOp::Add, type, old, operand);
    case ir::AtomicOp::Sub: return binary(BinaryOp::Sub, type, old, operand);
    case ir::AtomicOp::Mul: return binary(BinaryOp::Mul, type, old, operand);
    case ir::AtomicOp::Min: return binary(BinaryOp::Min, type, old, operand);
    case ir::AtomicOp::Max: return binary(BinaryOp::Max, type, old, operand);
    case ir::AtomicOp::And: return binary(BinaryOp::BitAnd, type, old, operand);
    case ir::AtomicOp::Or: return binary(BinaryOp::BitOr, type, old, operand);
    case ir::AtomicOp::Xor: return binary(BinaryOp::BitXor, type, old, operand);
    case ir::AtomicOp::Exchange: return operand;
  }
  return 0;
}

uint64_t random(Type type, RandomState& state) {
  auto& [s0, s1] = state.words;
  const uint64_t result = s0 + s1;
  s1 ^= s0;
  s0 = std::rotl(s0, 24) ^ s1 ^ (s1 << 16);
  s1 = std::rotl(s1, 37);
  switch (type) {
    case Type::F64: return std::bit_cast<uint64_t>(static_cast<double>(result >> 11) * 0x1p-53);
    case Type::F32: return std::bit_cast<uint32_t>(static_cast<float>(result >> 40) * 0x1p-24f);
    case Type::F16: return ir::half_from_double(static_cast<double>(result >> 53) * 0x1p-11);
    default: return canonical(type, result >> (64 - ir::bit_width(type)));
  }
}

}  // namespace qd::device::scalar
