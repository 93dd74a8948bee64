// Formula: exp(x) = 2**k * exp(r) with the whole number k nearest to x / ln 2, and a polynomial for exp(r).
#include "runtime/mathematics/exponential.h"

#include "runtime/mathematics/coefficients.h"

namespace qd::mathematics {
namespace {

/// Rounding constant: added to a small number, it leaves the nearest whole number in the last bits of the sum.
double rounder(Value x) { return is_double(x) ? 0x1.8p52 : 0x1.8p23; }

/// exp(r) - 1 for |r| <= ln(2) / 2.
Value near_zero(Value r) {
  const Value square = square_of(r);
  return fma(square, polynomial(r, square, coefficients(r, kExpSingles, kExpDoubles)), r);
}

struct PowerAndRest {
  Value power;  // as in Scaled
  Value first;  // x - k * ln(2), but for the last digits of ln(2)
  Value more;   // the part of x - k * ln(2) from the latter
};

PowerAndRest power_and_rest(Value x) {
  const bool wide = is_double(x);
  const double log2_e = wide ? 0x1.71547652b82fep0 : 0x1.715476p0;
  const double high = wide ? 0x1.62e42fefa39efp-1 : 0x1.62e43p-1;
  const double low = wide ? 0x1.abc9e3b39803fp-56 : -0x1.05c61p-29;
  const Value power = fma(x, log2_e, rounder(x));
  const Value k = power - rounder(x);
  return {power, fma(k, -high, x), k * -low};
}

}  // namespace

Scaled scaled_exp(Value x) {
  const PowerAndRest part = power_and_rest(x);
  return {x.same(1.0), near_zero(part.first + part.more), part.power};
}

namespace {

/// The exponential of a part, as the sum of 1 and the rest with digits of both. `least`: as in square_of.
Scaled exact_exp(const PowerAndRest& part, double least) {
  const Value r = part.first + part.more;
  const Value r_low = (part.first - r) + part.more;
  const Value square = square_of(r, least);
  const Value tail = fma(square, polynomial(r, square, coefficients(r, kExpSingles, kExpDoubles)), r_low);
  const Value sum = r + 1.0;
  return {sum, (1.0 - sum) + r + tail, part.power};
}

}  // namespace

Scaled scaled_exp(Value x, Value rest) {
  PowerAndRest part = power_and_rest(x);
  part.more = part.more + rest;
  return exact_exp(part, least_beside_one(x));
}

namespace {

/// Computes `unscaled` for results that may be too large or too small for a normal number.
Value far_unscaled(const Scaled& number, int more) {
  const Value mantissa = number.base + number.more;
  const bool wide = is_double(mantissa);
  const int bias = wide ? 1023 : 127, fraction = wide ? 52 : 23;
  // In two steps, because 2**k alone may be out of range. The bits of the rounder vanish on the left.
  const Value word = bits(number.power);
  const Value first = word >> 1;
  const Value second = word - first;
  const Value by_first = from_bits((first + first.whole(bias)) << fraction);
  // The bits of a denormal number count its last place. As an integer, to which floats are added up, it is never a
  // float that processors take long for.
  const int last_place = bias - 1 + fraction;
  const Value tiny = number.power < rounder(mantissa) - (bias - 1);
  const Value integer = mantissa.same(wide ? 0x1p52 : 0x1p23);
  const Value exponent = second + select(tiny, word.whole(bias + last_place), word.whole(bias + more));
  const Value by_second = from_bits(exponent << fraction);
  const Value sum = fma(mantissa * by_first, by_second, select(tiny, integer, 0.0));
  return from_bits(bits(sum) - select(tiny, bits(integer), word.whole(0)));
}

}  // namespace

Value unscaled(const Scaled& number, int more) {
  const Value power = number.power;
  if (!power.notation().alone()) return far_unscaled(number, more);
  const int bias = is_double(power) ? 1023 : 127, fraction = is_double(power) ? 52 : 23;
  // The sum is rounded once, after a product that is exact: the same bits, and nothing waits for the product.
  auto usual = [&] {
    const Value word = bits(power);
    const Value scale = from_bits((word + word.whole(bias + more)) << fraction);
    return fma(number.more, scale, number.base * scale);
  };
  const Value near = abs(power - rounder(power)) < bias - 4;
  return power.notation().branch(power.type(), near, usual, [&] { return far_unscaled(number, more); });
}

Value limited(Value x, double low, double high) {
  const Value above = unlikely(x < low, low, x);
  return unlikely(above > high, high, above);
}

Value exp_of(Value x) {
  const double low = is_double(x) ? -746 : -104, high = is_double(x) ? 710 : 89;
  auto usual = [&] { return unscaled(scaled_exp(limited(x, low, high))); };
  if (!x.notation().alone()) return usual();
  // Many terms of sums in practice are 0.
  return x.notation().branch(x.type(), x < low, [&] { return x.same(0.0); }, usual);
}

/// exp(x) - 1 = 2**k * (base - 2**-k + more): the difference with the base is exact where it cancels, for k of 0 and 1.
Value expm1_of(Value x) {
  const bool wide = is_double(x);
  // Below, the result is -1.
  const Value inside = limited(x, wide ? -40 : -20, wide ? 710 : 89);
  const Scaled grown = exact_exp(power_and_rest(inside), wide ? 0x1p-55 : 0x1p-26);
  const int bias = wide ? 1023 : 127, fraction = wide ? 52 : 23;
  // The bits of the rounder vanish on the left, as in `unscaled`. A large k leaves nothing of 2**-k.
  const Value word = bits(grown.power);
  const Value inverse = from_bits((word.whole(bias) - word) << fraction);
  const Value one = select(grown.power > rounder(x) + 100, 0.0, inverse);
  // The sums of zeros have lost their sign.
  return with_sign(abs(unscaled({grown.base - one, grown.more, grown.power})), sign_of(x));
}

Value exp2_of(Value given) {
  const bool wide = is_double(given);
  const Value x = wide ? limited(given, -1076, 1024) : limited(given, -151, 128);
  const Value power = x + rounder(x);
  const Value fraction = x - (power - rounder(x));
  return unscaled({x.same(1.0), near_zero(fraction * (wide ? 0x1.62e42fefa39efp-1 : 0x1.62e43p-1)), power});
}

}  // namespace qd::mathematics
