// log(2**k * m) = k * log(2) + log(m), with a polynomial in s = f / (2 + f), f = m - 1: log(1 + f) = 2 atanh(s).
#include "runtime/mathematics/logarithm.h"

#include <limits>

#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/functions.h"

namespace qd::mathematics {

Parts parts_of(Value given) {
  const bool wide = is_double(given);
  const int fraction = wide ? 52 : 23;
  const double smallest = wide ? 0x1p-1022 : 0x1p-126, larger = wide ? 0x1p54 : 0x1p25;
  const double rounder = wide ? 0x1p52 : 0x1p23, bias = wide ? 1023 : 127, moved = wide ? 54 : 25;
  const int64_t root = wide ? 0x3fe6a09e667f3bcd : 0x3f3504f3, one = wide ? 0x3ff0000000000000 : 0x3f800000;
  // Denormal numbers become normal ones first.
  const Value tiny = given < smallest;
  const Value x = unlikely(tiny, given * larger, given);
  // The exponent changes at sqrt(1/2).
  const Value word = bits(x) + bits(x).whole(one - root);
  const Value mantissa = from_bits((word & word.whole((int64_t{1} << fraction) - 1)) + word.whole(root));
  // A whole number in the last bits of 2**52 is that float, less 2**52.
  const Value field = from_bits((word >> fraction) | bits(x.same(rounder)));
  return {mantissa, field - select_of(x, tiny, rounder + bias + moved, rounder + bias)};
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

Value log_of(Value x) {
  const bool wide = is_double(x);
  // The exponent times the high part is exact.
  const double high = wide ? 0x1.62e42feep-1 : 0x1.62e3p-1, low = wide ? 0x1.a39ef35793c76p-33 : 0x1.2fefa39ef3579p-17;
  const Parts parts = parts_of(x);
  const Value f = parts.mantissa - 1.0;
  const Value s = f / (parts.mantissa + 1.0);
  const Value z = s * s;
  const Value half_square = f * f * 0.5;
  const Value rest = fma(z, polynomial(z, coefficients(x, kLogSingles, kLogDoubles)), half_square);
  // All but s * rest, as a sum and what is left of it: nothing of that waits for the division.
  const Value of_exponent = parts.exponent * high;
  const Value of_mantissa = f - half_square;
  const Value near = of_exponent + of_mantissa;
  const Value left = ((of_exponent - near) + of_mantissa) + ((f - of_mantissa) - half_square);
  const Value sum = near + fma(s, rest, fma(parts.exponent, low, left));
  if (x.notation().alone()) {
    return x.notation().branch(
        x.type(), (x > 0.0) & (x < kInfinity), [&] { return sum; }, [&] { return odd_log(x, sum); });
  }
  return odd_log(x, sum);
}

}  // namespace qd::mathematics
