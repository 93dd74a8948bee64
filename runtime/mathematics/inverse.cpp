// asin, acos, atan and atan2.
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

/// Computes asin(s) - s for 0 <= s <= 1/2 and z = s * s.
Value asin_rest(Value s, Value z) { return s * z * polynomial(z, coefficients(z, kAsinSingles, kAsinDoubles)); }

/// Reduction beyond 1/2: asin(x) = pi/2 - 2 asin(s) with s = sqrt((1 - x) / 2).
struct Halved {
  Value s;
  Value rest;  // asin(s) - s
};

/// Computes `within` of |x| < 1/2 and asin(|x|) - |x|, or `outside` of s and asin(s) - s.
template <class Within, class Outside>
Value by_half(Value size, Within&& within, Outside&& outside) {
  const Value inner = size < 0.5;
  auto halved = [&] { return fma(size, -0.5, 0.5); };
  if (size.notation().alone()) {
    auto near = [&] { return within(Halved{size, asin_rest(size, square_of(size))}); };
    auto far = [&] {
      const Value z = halved();
      const Value s = sqrt(z);
      return outside(Halved{s, asin_rest(s, z)});
    };
    return size.notation().branch(size.type(), inner, near, far);
  }
  const Value z = select(inner, square_of(size), halved());
  const Value s = select(inner, size, sqrt(z));
  const Halved h{s, asin_rest(s, z)};
  return select(inner, within(h), outside(h));
}

/// Computes atan(t + rest) - t for 0 <= t <= 1.
Value atan_rest(Value t) {
  const Value z = square_of(t);
  const std::span<const double> terms = coefficients(z, kAtanSingles, kAtanDoubles);
  // The first term comes last, because the sum of the others is smaller and loses less by rounding.
  return t * z * fma(z, polynomial(z, terms.subspan(1)), terms[0]);
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
  auto within = [](const Halved& h) { return h.s + h.rest; };
  // About pi / 4, so that no sum is larger than the result.
  const Value quarter = x.same(right.high / 2);
  auto outside = [&](const Halved& h) { return quarter - ((h.rest + h.rest - right.low) - (quarter - (h.s + h.s))); };
  return with_sign(by_half(abs(x), within, outside), sign_of(x));
}

Value acos_of(Value x) {
  const Constant right = half_pi(x);
  // Within: pi/2 - asin(x). Outside: twice asin(s), or pi less it.
  auto within = [&](const Halved& h) {
    const Value s = from_bits(bits(h.s) | sign_of(x));
    const Value rest = from_bits(bits(h.rest) ^ sign_of(x));
    return right.high - (s - (right.low - rest));
  };
  auto outside = [&](const Halved& h) {
    const Value near_one = h.s + h.rest;
    const Value near_minus_one = right.high - (h.s - (right.low - h.rest));
    const Value half = select(x < 0.0, near_minus_one, near_one);
    return half + half;
  };
  return by_half(abs(x), within, outside);
}

Value atan_of(Value x) {
  const Value size = abs(x);
  const Value beyond = size > 1.0;
  const Value one = x.same(1.0);
  const Value small = select(beyond, one, size), large = select(beyond, size, one);
  return with_sign(angle(small, large, beyond), sign_of(x));
}

Value atan2_of(Value y, Value x) {
  const Value up = abs(y), along = abs(x);
  const Value steep = up > along;
  Value small = select(steep, along, up), large = select(steep, up, along);
  // 0 / 0 is 0 here, and infinity / infinity is 1.
  const Value both_infinite = (small == kInfinity) & (large == kInfinity);
  small = select(both_infinite, 1.0, small);
  large = select(both_infinite | (large == 0.0), 1.0, large);
  const Value first = angle(small, large, steep);
  const double pi_low = is_double(x) ? 0x1.1a62633145c07p-53 : -0x1.777a5cp-24;
  const Value left = 2 * half_pi(x).high - (first - pi_low);
  const Value to_left = bits(x) < x.notation().whole(bits(x).type(), 0);
  return with_sign(select(to_left, left, first), sign_of(y));
}

}  // namespace qd::mathematics
