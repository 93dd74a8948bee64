// Formula: pow(x, y) = exp(y log|x|), with more digits of the logarithm than the result has: f32 computes in f64, f64
// in pairs of f64, a value and its remainder.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/exponential.h"
#include "runtime/mathematics/functions.h"
#include "runtime/mathematics/logarithm.h"
#include "runtime/mathematics/logarithm_table.h"
#include "runtime/mathematics/notation.h"

namespace qd::mathematics {
namespace {

using ir::Type;

/// log(x) of a positive finite f64: k log(2) - log(inverse) + log(1 + r), where the inverse of nearly the mantissa
/// comes from a table, as in the pow of ARM's optimized routines. r is exact.
Pair accurate_log(const Parts& parts) {
  Notation& n = parts.mantissa.notation();
  auto of_table = [&](std::span<const double> table) { return n.pick(parts.fraction >> 45, Type::F64, table); };
  const Value r = fma(parts.mantissa, of_table(kLogInverse), -1.0);
  // The exponent times the high part of log(2) is exact, and so is this sum.
  const Value far = fma(parts.exponent, 0x1.62e42fefa38p-1, of_table(kLogHigh));
  const Value far_low = fma(parts.exponent, 0x1.ef35793c7673p-45, of_table(kLogLow));
  const Value near = far + r;
  const Value minus_half = r * -0.5, square = r * r;
  const Value bent = r * minus_half;
  const Value high = near + bent;
  const Value low = far_low + ((far - near) + r) + (fma(r, minus_half, -bent) + ((near - high) + bent));
  const Value rest = fma(r * square, polynomial(r, square, kLogNear), low);
  const Value sum = high + rest;
  return {sum, (high - sum) + rest};
}

/// 2**(i / 8), less i in the bits to which single_magnitude adds it.
std::array<double, 8> eighth_roots() {
  std::array<double, 8> out{0x1p0,
                            0x1.172b83c7d517bp0,
                            0x1.306fe0a31b715p0,
                            0x1.4bfdad5362a27p0,
                            0x1.6a09e667f3bcdp0,
                            0x1.8ace5422aa0dbp0,
                            0x1.ae89f995ad3adp0,
                            0x1.d5818dcfba487p0};
  for (uint64_t i = 0; i < out.size(); i++) out[i] = std::bit_cast<double>(std::bit_cast<uint64_t>(out[i]) - (i << 49));
  return out;
}

/// |x| ** y of f32 in f64: 2**w with w = y * log2|x|. Nothing usual is infinite, and nothing denormal in f64.
Value single_magnitude(const Parts& parts, Value y) {
  const Value f = parts.mantissa - 1.0;
  const Value w = limited(fma(y * f, polynomial(f, f * f, kPowLog), y * parts.exponent), -200, 200);
  // 2**w is 2**(whole + eighths / 8) * 2**r. The sum's last bits are 8 * whole + eighths.
  const double rounder = 0x1.8p49;
  const Value power = w + rounder;
  const Value r = w - (power - rounder);
  const Value word = bits(power);
  const Value root = w.notation().pick(word & word.whole(7), Type::F64, eighth_roots());
  const Value scale = from_bits((word << 49) + bits(root));
  return convert(Type::F32, fma(r * polynomial(r, r * r, kPowExp), scale, scale));
}

/// The same where |x| or |y| may be 0 or infinite, if |x| ** y is `usual` elsewhere. y is not 0 where |x| is.
Value endless_magnitude(Value size, Value y, Value usual) {
  const Value end = (size == 0.0) | (size == kInfinity) | (abs(y) == kInfinity);
  const Value grows = (size > 1.0) ^ (y < 0.0);
  return select(end, select(size == 1.0, 1.0, select_of(usual, grows, kInfinity, 0.0)), usual);
}

/// |x| ** y of f64. Nothing is infinite.
Value double_magnitude(const Parts& parts, Value y) {
  const Pair logarithm = accurate_log(parts);
  const Value w = y * logarithm.high;
  const Value low = fma(y, logarithm.low, fma(y, logarithm.high, -w));
  // Far out the rest is without meaning, and NaN where products are infinite.
  const Value rest = likely(abs(low) < 0x1p-30, low, low.same(0.0));
  return unscaled(scaled_exp(limited(w, -746, 710), rest));
}

}  // namespace

namespace {

/// Computes x ** y; |x| ** y is known unless that is NaN or y is 0.
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
  const Parts parts = parts_of(x, is_odd(x), Type::F64);
  const Value usual = is_double(x) ? double_magnitude(parts, y) : single_magnitude(parts, convert(Type::F64, y));
  const Value odd = is_odd(x) | (y - y != y.same(0.0));
  return x.notation().rarely(odd, {usual},
                             [&] { return std::vector<Value>{odd_pow(x, y, endless_magnitude(abs(x), y, usual))}; })[0];
}

}  // namespace qd::mathematics
