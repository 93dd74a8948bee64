// Formula: log(2**k * m) = k * log(2) + log(m), a polynomial in f = m - 1: log(1 + f) = f - f**2 / 2 + f**3 * P(f).
#include "runtime/mathematics/logarithm.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/functions.h"

namespace qd::mathematics {

namespace {

/// A type's layout, and the factor that makes denormal numbers normal.
struct Layout {
  explicit Layout(Value x) : wide(is_double(x)) {}
  const bool wide;
  const int fraction = wide ? 52 : 23, bias = wide ? 1023 : 127, moved = wide ? 54 : 25;
  const double rounder = wide ? 0x1p52 : 0x1p23, larger = wide ? 0x1p54 : 0x1p25,
               smallest = wide ? 0x1p-1022 : 0x1p-126;
};

/// The mantissa between sqrt(1/2) and sqrt(2): its root, as a float of the type, and `fraction` units of the last
/// place of x above it.
Value mantissa_of(Value fraction, ir::Type type) {
  if (fraction.type() == ir::Type::I64) return from_bits(fraction + fraction.whole(0x3fe6a09e667f3bcd));
  if (type == ir::Type::F32) return from_bits(fraction + fraction.whole(0x3f3504f3));
  const Value wide = convert(ir::Type::I64, fraction) << 29;
  return from_bits(wide + wide.whole(0x3fe6a09e60000000));
}

/// Bias to subtract from a float with the exponent field in its last bits, for the exponent of the number * 2**-moved.
Value bias_of(Value x, int moved) { return x.same(Layout(x).rounder + Layout(x).bias + moved); }

}  // namespace

Value is_odd(Value x) {
  // As unsigned numbers, the bits of usual numbers are in one range. Its begin becomes the least signed number.
  const Layout layout(x);
  const int64_t least = layout.wide ? INT64_MIN : INT32_MIN, unit = int64_t{1} << layout.fraction;
  const Value word = bits(x) - bits(x).whole(unit + least);
  return word > word.whole(least + 2 * layout.bias * unit - 1);
}

Parts parts_of(Value given, Value odd, ir::Type type) {
  const Layout layout(given);
  // Denormal numbers become normal ones first.
  const std::vector<Value> scaled = given.notation().rarely(odd, {given, bias_of(given, 0)}, [&] {
    const Value size = abs(given), tiny = size < layout.smallest;
    return std::vector<Value>{select(tiny, size * layout.larger, size),
                              select(tiny, bias_of(given, layout.moved), bias_of(given, 0))};
  });
  const Value x = scaled[0];
  const int64_t root = layout.wide ? 0x3fe6a09e667f3bcd : 0x3f3504f3, one = int64_t{layout.bias} << layout.fraction;
  // The exponent changes at sqrt(1/2).
  const Value word = bits(x) + bits(x).whole(one - root);
  const Value fraction = word & word.whole((int64_t{1} << layout.fraction) - 1);
  // A whole number in the last bits of 2**52 is that float, less 2**52.
  const Value field = from_bits((word >> layout.fraction) | bits(x.same(layout.rounder)));
  return {mantissa_of(fraction, type), convert(type, field - scaled[1]), fraction};
}

namespace {

/// The logarithm of any number; `sum` is that of positive ones.
Value odd_log(Value x, Value sum) {
  const Value usual = select(x < kInfinity, sum, x);
  const Value of_zero = select_of(x, x == 0.0, -kInfinity, std::numeric_limits<double>::quiet_NaN());
  // NaN takes the last arm, and is itself there.
  return select(x > 0.0, usual, select(x == x, of_zero, x));
}

}  // namespace

namespace {

/// log(x + rest), for a rest of at most half an ulp of x. Without a rest the usual one.
Value log_of_sum(Value x, const Value* rest) {
  const bool wide = is_double(x);
  // The exponent times the high part is exact.
  const double high = wide ? 0x1.62e42feep-1 : 0x1.62e3p-1, low = wide ? 0x1.a39ef35793c76p-33 : 0x1.2fefa39ef3579p-17;
  const Value odd = is_odd(x);
  const Parts parts = parts_of(x, odd, x.type());
  const Value f = parts.mantissa - 1.0;
  const Value square = f * f;
  // All but the cube's part, as a sum and its remainder: nothing of that waits for the polynomial.
  const Value minus_half = f * -0.5;
  const Value of_exponent = parts.exponent * high;
  const Value of_mantissa = fma(f, minus_half, f);
  const Value near = of_exponent + of_mantissa;
  Value left = ((of_exponent - near) + of_mantissa) + fma(f, minus_half, f - of_mantissa);
  if (rest) {
    // The derivative 1 / mantissa times the rest; few of its digits matter. The exponents of both differ in their bits.
    const Layout layout(x);
    const Value scale =
        from_bits(bits(parts.mantissa) - bits(x) + bits(x).whole(int64_t{layout.bias} << layout.fraction));
    const Value moved = select(x < 0x1p64, *rest * scale, 0.0);
    left = fma(moved, square - f + 1.0, left);
  }
  const Value p = polynomial(f, square, coefficients(x, kLogSingles, kLogDoubles));
  const Value sum = near + fma(f * square, p, fma(parts.exponent, low, left));
  return x.notation().rarely(odd, {sum}, [&] { return std::vector<Value>{odd_log(x, sum)}; })[0];
}

}  // namespace

Value log_of(Value x) { return log_of_sum(x, nullptr); }

Value log1p_of(Value x) {
  const Value sum = x + 1.0;
  // The remainder of the sum is exact, by Knuth, whichever of both is larger.
  const Value seen = sum - 1.0;
  const Value rest = (1.0 - (sum - seen)) + (x - seen);
  return with_sign(abs(log_of_sum(sum, &rest)), sign_of(x));
}

}  // namespace qd::mathematics
