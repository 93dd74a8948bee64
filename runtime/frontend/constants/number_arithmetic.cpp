// Python's arithmetic on numbers. Integers that fit 64 bits take the short way if the result does, too.
#include "runtime/frontend/constants/number_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace qd::frontend {
namespace {

using syntax::Operator;

// Largest size of an integer in bits. No program needs more; Python itself would compute for minutes.
constexpr size_t kMostBits = 1 << 13;

Outcome too_large() { return Outcome::impossible("the integer is too large for a constant of a kernel"); }
Outcome division_by_zero() { return Outcome::failed("division by zero"); }

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
int64_t floor_mod(int64_t a, int64_t b) { return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0); }

/// The result in 64 bits. Nothing if it is not known to fit.
std::optional<int64_t> short_way(Operator op, int64_t a, int64_t b) {
  int64_t r = 0;
  switch (op) {
    case Operator::Add: return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Operator::Sub: return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Operator::Mult: return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Operator::FloorDiv: return b == 0 || b == -1 ? std::nullopt : std::optional(floor_div(a, b));
    case Operator::Mod: return b == 0 || b == -1 ? std::nullopt : std::optional(floor_mod(a, b));
    case Operator::RShift: return b < 0 ? std::nullopt : std::optional(a >> std::min<int64_t>(b, 63));
    case Operator::BitOr: return a | b;
    case Operator::BitXor: return a ^ b;
    case Operator::BitAnd: return a & b;
    default: return std::nullopt;
  }
}

Outcome power(const BigInteger& base, const BigInteger& exponent) {
  if (exponent.negative())
    return base.zero() ? division_by_zero() : Outcome(std::pow(base.to_double(), exponent.to_double()));
  const bool unit = base.bits() <= 1;
  if (!unit && (exponent.bits() > 20 || base.bits() * exponent.low_bits() > kMostBits)) return too_large();
  uint64_t rest = unit ? exponent.low_bits() & 1 : exponent.low_bits();
  if (base.zero() && !exponent.zero()) return Value(int64_t{0});
  BigInteger result(1), square = base;
  for (; rest > 0; rest >>= 1) {
    if (rest & 1) result = result * square;
    if (rest > 1) square = square * square;
  }
  return whole_number(result);
}

Outcome shifted(Operator op, const BigInteger& a, const BigInteger& b) {
  if (b.negative()) return Outcome::impossible("negative shift count");
  if (op == Operator::RShift)
    return whole_number(a.shifted_right(b.bits() > 32 ? kMostBits * 2 : std::min<size_t>(b.low_bits(), kMostBits * 2)));
  if (a.zero()) return Value(int64_t{0});
  if (b.bits() > 32 || a.bits() + b.low_bits() > kMostBits) return too_large();
  return whole_number(a.shifted_left(b.low_bits()));
}

Outcome integers(Operator op, const BigInteger& a, const BigInteger& b) {
  switch (op) {
    case Operator::Add: return whole_number(a + b);
    case Operator::Sub: return whole_number(a - b);
    case Operator::Mult: return a.bits() + b.bits() > kMostBits ? too_large() : Outcome(whole_number(a * b));
    case Operator::Div: return b.zero() ? division_by_zero() : Outcome(BigInteger::true_divide(a, b));
    case Operator::FloorDiv:
      return b.zero() ? division_by_zero() : Outcome(whole_number(BigInteger::floor_divide(a, b).first));
    case Operator::Mod:
      return b.zero() ? division_by_zero() : Outcome(whole_number(BigInteger::floor_divide(a, b).second));
    case Operator::Pow: return power(a, b);
    case Operator::LShift:
    case Operator::RShift: return shifted(op, a, b);
    case Operator::BitOr: return whole_number(a | b);
    case Operator::BitXor: return whole_number(a ^ b);
    case Operator::BitAnd: return whole_number(a & b);
    case Operator::MatMult: break;
  }
  return Outcome::failed("`@` is not supported in kernels");
}

/// Python's divmod of doubles: the quotient is a whole number, even where a / b was rounded up to one. `b` is not 0.
std::pair<double, double> floor_divide(double a, double b) {
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) {
    rest += b;
    quotient -= 1;
  }
  if (rest == 0) rest = std::copysign(0.0, b);
  if (quotient == 0) return {std::copysign(0.0, a / b), rest};
  const double whole = std::floor(quotient);
  return {quotient - whole > 0.5 ? whole + 1 : whole, rest};
}

Outcome floats(Operator op, double a, double b) {
  switch (op) {
    case Operator::Add: return Value(a + b);
    case Operator::Sub: return Value(a - b);
    case Operator::Mult: return Value(a * b);
    case Operator::Div: return b == 0 ? division_by_zero() : Outcome(a / b);
    case Operator::FloorDiv: return b == 0 ? division_by_zero() : Outcome(floor_divide(a, b).first);
    case Operator::Mod: return b == 0 ? division_by_zero() : Outcome(floor_divide(a, b).second);
    case Operator::Pow:
      if (a == 0 && b < 0) return division_by_zero();
      if (a < 0 && std::isfinite(b) && b != std::trunc(b))
        return Outcome::failed("the power of a negative number is complex");
      return Value(std::pow(a, b));
    default: return Outcome::failed(fmt::format("`{}` needs integers", text(op)));
  }
}

}  // namespace

Value whole_number(const BigInteger& number) {
  if (auto small = number.small()) return *small;
  return number;
}

std::optional<BigInteger> as_big_integer(const Value& value) {
  if (auto* big = std::get_if<BigInteger>(&value)) return *big;
  auto small = as_integer(value);
  return small ? std::optional(BigInteger(*small)) : std::nullopt;
}

Outcome number_binary(Operator op, const Value& a, const Value& b) {
  if (std::holds_alternative<double>(a) || std::holds_alternative<double>(b))
    return floats(op, as_double(a), as_double(b));
  if (auto x = as_integer(a), y = as_integer(b); x && y) {
    if (auto result = short_way(op, *x, *y)) return Value(*result);
  }
  return integers(op, *as_big_integer(a), *as_big_integer(b));
}

std::partial_ordering compare_numbers(const Value& a, const Value& b) {
  if (auto x = as_integer(a), y = as_integer(b); x && y) return *x <=> *y;
  auto whole = [](const Value& value) {
    auto* number = std::get_if<double>(&value);
    return number ? BigInteger::of_double(*number) : *as_big_integer(value);
  };
  auto fraction = [](const Value& value) {
    auto* number = std::get_if<double>(&value);
    return number ? *number - std::trunc(*number) : 0.0;
  };
  const double x = as_double(a), y = as_double(b);
  if (!std::isfinite(x) || !std::isfinite(y) ||
      (std::holds_alternative<double>(a) && std::holds_alternative<double>(b))) {
    const bool both = as_big_integer(a) && as_big_integer(b);  // of integers that are larger than all doubles
    if (!both) return x <=> y;
  }
  const std::partial_ordering order = whole(a) <=> whole(b);
  return order != std::partial_ordering::equivalent ? order : fraction(a) <=> fraction(b);
}

}  // namespace qd::frontend
