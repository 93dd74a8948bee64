// Operators on two numbers. No operation traps, whatever its operands.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/device/reference/scalar.h"

namespace qd::device::reference {

using ir::BinaryOp;
using ir::Type;

namespace {

/// The remainder with the sign of the divisor, as in Python.
double floor_mod(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

uint64_t float_binary(BinaryOp op, Type type, uint64_t a, uint64_t b) {
  // Computed in double and then rounded to the narrower type, the result is as if rounded once: a double has more than
  // twice the digits.
  const double x = to_double(type, a);
  const double y = to_double(type, b);
  const bool wide = type == Type::F64;
  auto single = [](double value) { return static_cast<double>(static_cast<float>(value)); };
  switch (op) {
    case BinaryOp::Add: return from_double(type, x + y);
    case BinaryOp::Sub: return from_double(type, x - y);
    case BinaryOp::Mul: return from_double(type, x * y);
    case BinaryOp::Div:
    case BinaryOp::RawDiv: return from_double(type, x / y);
    case BinaryOp::FloorDiv: return from_double(type, std::floor(wide ? x / y : single(x / y)));
    case BinaryOp::Mod: return from_double(type, wide ? floor_mod(x, y) : single(floor_mod(x, y)));
    case BinaryOp::RawMod: return from_double(type, std::fmod(x, y));
    case BinaryOp::Pow:
      return from_double(
          type, wide ? std::pow(x, y) : static_cast<double>(::powf(static_cast<float>(x), static_cast<float>(y))));
    case BinaryOp::Atan2:
      return from_double(
          type, wide ? std::atan2(x, y) : static_cast<double>(::atan2f(static_cast<float>(x), static_cast<float>(y))));
    // A minimum or maximum with a NaN is the other number.
    case BinaryOp::Min: return std::isnan(x) || y < x ? b : a;
    case BinaryOp::Max: return std::isnan(x) || y > x ? b : a;
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: break;
  }
  throw std::runtime_error("no such operator on floats");
}

/// Quotient or remainder, towards zero or with Python's signs. A division by zero gives 0, and so does its remainder.
uint64_t division(Type type, uint64_t a, uint64_t b, bool remainder, bool floor) {
  if (b == 0) return 0;
  if (!ir::is_signed(type)) return remainder ? a % b : a / b;
  const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  if (y == -1) return remainder ? 0 : canonical(type, uint64_t{0} - a);
  const int64_t rest = x % y;
  const bool step = floor && rest != 0 && (rest < 0) != (y < 0);
  return canonical(type, static_cast<uint64_t>(remainder ? rest + (step ? y : 0) : x / y - step));
}

/// An integer power. A negative exponent gives the integer part of the result: 0, or 1 or -1 when the base is 1 or -1.
uint64_t power(Type type, uint64_t base, uint64_t exponent) {
  if (ir::is_signed(type) && static_cast<int64_t>(exponent) < 0) {
    if (base == 1) return 1;
    return base != ~uint64_t{0} ? 0 : exponent & 1 ? base : 1;
  }
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return canonical(type, result);
}

/// Shift. A count of the width or more shifts everything out.
uint64_t shift(BinaryOp op, Type type, uint64_t x, uint64_t count) {
  if (type == Type::U1) return x & ~count & 1;
  const auto width = static_cast<uint64_t>(ir::bit_width(type));
  const uint64_t mask = ~uint64_t{0} >> (64 - width);
  const uint64_t by = count & mask;
  if (op == BinaryOp::Shr && ir::is_signed(type))
    return static_cast<uint64_t>(static_cast<int64_t>(x) >> std::min(by, width - 1));
  if (by >= width) return 0;
  return canonical(type, op == BinaryOp::Shl ? x << by : (x & mask) >> by);
}

}  // namespace

uint64_t binary(BinaryOp op, Type type, uint64_t a, uint64_t b) {
  if (ir::is_float(type)) return float_binary(op, type, a, b);
  const bool less = ir::is_signed(type) ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
  switch (op) {
    case BinaryOp::Add: return canonical(type, a + b);
    case BinaryOp::Sub: return canonical(type, a - b);
    case BinaryOp::Mul: return canonical(type, a * b);
    case BinaryOp::Div:
    case BinaryOp::RawDiv: return division(type, a, b, false, false);
    case BinaryOp::FloorDiv: return division(type, a, b, false, true);
    case BinaryOp::Mod: return division(type, a, b, true, true);
    case BinaryOp::RawMod: return division(type, a, b, true, false);
    case BinaryOp::Pow: return power(type, a, b);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr: return shift(op, type, a, b);
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return a ^ b;
    case BinaryOp::Min: return less ? a : b;
    case BinaryOp::Max: return less ? b : a;
    case BinaryOp::Atan2: break;
  }
  throw std::runtime_error("no such operator on integers");
}

uint64_t atomic_result(ir::AtomicOp op, Type type, uint64_t old, uint64_t operand) {
  const auto binary_op = ir::binary_op(op);
  return binary_op ? binary(*binary_op, type, old, operand) : operand;
}

}  // namespace qd::device::reference
