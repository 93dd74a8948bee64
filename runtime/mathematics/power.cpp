// pow(x, y) = exp(y log|x|), with more digits of the logarithm than the result has: f32 computes in f64, f64 in pairs
// of f64, a value and what is left of it.
#include <limits>

#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/exponential.h"
#include "runtime/mathematics/functions.h"
#include "runtime/mathematics/logarithm.h"
#include "runtime/mathematics/pair.h"

namespace qd::mathematics {
namespace {

using ir::Type;

/// a + b exactly, where |a| >= |b| or a is 0.
Pair sum(Value a, Value b) {
  const Value high = a + b;
  return {high, (a - high) + b};
}

/// The product of two pairs.
Pair product(const Pair& a, const Pair& b) {
  const Value high = a.high * b.high;
  const Value rest = fma(a.high, b.high, -high);
  return {high, fma(a.low, b.high, fma(a.high, b.low, rest))};
}

/// log(x) of a positive finite f64.
Pair accurate_log(Value x) {
  const Parts parts = parts_of(x);
  const Value f = parts.mantissa - 1.0;
  const Value bottom = parts.mantissa + 1.0;
  const Value bottom_low = parts.mantissa - (bottom - 1.0);
  const Value inverse = 1.0 / bottom;
  const Value s_high = f * inverse;
  const Value left = fma(-s_high, bottom_low, fma(-s_high, bottom, f));
  const Pair s{s_high, left * inverse};
  // log(m) = 2 s + s z (2/3 + z P(z)) with z = s * s
  const Value z_high = s.high * s.high;
  const Pair z{z_high, fma(s.high + s.high, s.low, fma(s.high, s.high, -z_high))};
  const Value tail = z_high * polynomial(z_high, kLogTail);
  const Value c_high = x.same(0x1.5555555555555p-1);
  const Pair third = sum(c_high, tail);
  const Pair cubic = product(product(z, {third.high, third.low + 0x1.5555555555555p-55}), s);
  const Pair of_mantissa = sum(s.high + s.high, cubic.high);
  const Value low = of_mantissa.low + fma(s.low, 2.0, cubic.low);
  // The exponent times the high part of log(2) is exact.
  const Pair total = sum(parts.exponent * 0x1.62e42fefa38p-1, of_mantissa.high);
  return sum(total.high, total.low + fma(parts.exponent, 0x1.ef35793c7673p-45, low));
}

/// log(x) of a positive finite f32, in f64.
Value single_log(Value x) {
  const Parts parts = parts_of(convert(Type::F64, x));
  const Value s = (parts.mantissa - 1.0) / (parts.mantissa + 1.0);
  const Value z = s * s;
  const Value of_mantissa = fma(s * z, polynomial(z, kPowLog), s + s);
  return fma(parts.exponent, 0x1.62e42fefa39efp-1, of_mantissa);
}

/// exp(w) as an f32; |w| <= 200.
Value single_exp(Value w) {
  const double rounder = 0x1.8p52;
  const Value power = fma(w, 0x1.71547652b82fep0, rounder);
  const Value r = fma(power - rounder, -0x1.62e42fefa39efp-1, w);
  const Value p = fma(r * r, polynomial(r, kPowExp), r + 1.0);
  const Value scale = from_bits((bits(power) + bits(power).whole(1023)) << 52);
  return convert(Type::F32, p * scale);
}

/// y * logarithm, where the logarithm may be infinite. 0 * infinity is 0, so that 1 ** infinity is 1.
Value exponent_of(Value y, Value logarithm, Value size) {
  const Value endless = unlikely(size == kInfinity, kInfinity, logarithm);
  const Value all = unlikely(size == 0.0, -kInfinity, endless);
  return unlikely(all == 0.0, 0.0, y * all);
}

/// |x| ** y, but not where that is NaN or y is 0.
Value magnitude(Value size, Value y) {
  if (!is_double(size)) {
    const Value logarithm = single_log(size);
    const Value wide_size = convert(Type::F64, size);
    return single_exp(limited(exponent_of(convert(Type::F64, y), logarithm, wide_size), -200, 200));
  }
  const Pair logarithm = accurate_log(size);
  const Value w = exponent_of(y, logarithm.high, size);
  const Value low = fma(y, logarithm.low, fma(y, logarithm.high, -w));
  // Far out the rest is without meaning.
  const Value rest = select(abs(low) < 0x1p-30, low, 0.0);
  return unscaled(scaled_exp(limited(w, -746, 710), rest));
}

}  // namespace

namespace {

/// x ** y, where |x| ** y is known unless that is NaN or y is 0.
Value odd_pow(Value x, Value y, Value positive) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // The sign of a negative base stays when the exponent is odd.
  const Value half = y * 0.5;
  const Value whole = rint(y) == y;
  const Value odd = whole & (rint(half) != half);
  const Value sign = sign_of(x);
  const Value signed_result = select(odd, from_bits(bits(positive) | sign), positive);
  const Value below = (x < 0.0) & (x > -kInfinity);
  const Value real = select(below, select(whole, signed_result, nan), signed_result);
  const Value defined = select((x == x) & (y == y), real, x + y);
  return select((y == 0.0) | (x == 1.0), 1.0, defined);
}

}  // namespace

Value pow_of(Value x, Value y) {
  const Value positive = magnitude(abs(x), y);
  if (!x.notation().alone()) return odd_pow(x, y, positive);
  return x.notation().branch(
      x.type(), (x > 0.0) & (x < kInfinity) & (abs(y) > 0.0), [&] { return positive; },
      [&] { return odd_pow(x, y, positive); });
}

}  // namespace qd::mathematics
