// asin, acos, atan and atan2.
#include <limits>

#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/functions.h"

namespace qd::mathematics {
namespace {

struct Constant {
  double high;
  double low;
};

Constant half_pi(Value x) {
  return is_double(x) ? Constant{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54} : Constant{0x1.921fb6p0, -0x1.777a5cp-25};
}

/// asin(s) - s for 0 <= s <= 1/2 and z = s * s.
Value asin_rest(Value s, Value z) { return s * z * polynomial(z, coefficients(z, kAsinSingles, kAsinDoubles)); }

/// Beyond 1/2: asin(x) = pi/2 - 2 asin(s) with s = sqrt((1 - x) / 2).
struct Halved {
  Value inner;  // whether |x| < 1/2
  Value s;
  Value rest;  // asin(s) - s
};

Halved halved(Value size) {
  const Value inner = size < 0.5;
  const Value z = select(inner, square_of(size), fma(size, -0.5, 0.5));
  const Value s = select(inner, size, sqrt(z));
  return {inner, s, asin_rest(s, z)};
}

/// atan(t + rest) - t for 0 <= t <= 1.
Value atan_rest(Value t) {
  const Value z = square_of(t);
  return t * z * polynomial(z, coefficients(z, kAtanSingles, kAtanDoubles));
}

/// The angle of a point whose coordinates are not negative: atan(small / large), or pi/2 less it.
Value angle(Value small, Value large, Value swapped) {
  const Constant right = half_pi(small);
  const Value t = small / large;
  const Value rest = atan_rest(t);
  const Value other = right.high - (t - (right.low - rest));
  return select(swapped, other, t + rest);
}

}  // namespace

Value asin_of(Value x) {
  const Constant right = half_pi(x);
  const Halved h = halved(abs(x));
  // About pi / 4, so that no sum is larger than the result.
  const Value quarter = x.same(right.high / 2);
  const Value outer = quarter - ((h.rest + h.rest - right.low) - (quarter - (h.s + h.s)));
  return with_sign(select(h.inner, h.s + h.rest, outer), sign_of(x));
}

Value acos_of(Value x) {
  const Constant right = half_pi(x);
  const Halved h = halved(abs(x));
  const Value negative = x < 0.0;
  // Within: pi/2 - asin(x). Outside: twice asin(s), or pi less it.
  const Value s = from_bits(bits(h.s) | sign_of(x));
  const Value rest = from_bits(bits(h.rest) ^ sign_of(x));
  const Value within = right.high - (s - (right.low - rest));
  const Value near_one = h.s + h.rest;
  const Value near_minus_one = right.high - (h.s - (right.low - h.rest));
  const Value outside = select(negative, near_minus_one, near_one);
  return select(h.inner, within, outside + outside);
}

Value atan_of(Value x) {
  const Value size = abs(x);
  const Value beyond = size > 1.0;
  const Value one = x.same(1.0);
  const Value small = select(beyond, one, size), large = select(beyond, size, one);
  return with_sign(angle(small, large, beyond), sign_of(x));
}

Value atan2_of(Value y, Value x) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Value up = abs(y), along = abs(x);
  const Value steep = up > along;
  Value small = select(steep, along, up), large = select(steep, up, along);
  // 0 / 0 is 0 here, and infinity / infinity is 1.
  const Value both_infinite = (small == infinity) & (large == infinity);
  small = select(both_infinite, 1.0, small);
  large = select(both_infinite | (large == 0.0), 1.0, large);
  const Value first = angle(small, large, steep);
  const double pi_low = is_double(x) ? 0x1.1a62633145c07p-53 : -0x1.777a5cp-24;
  const Value left = 2 * half_pi(x).high - (first - pi_low);
  const Value to_left = bits(x) < x.notation().whole(bits(x).type(), 0);
  return with_sign(select(to_left, left, first), sign_of(y));
}

}  // namespace qd::mathematics
