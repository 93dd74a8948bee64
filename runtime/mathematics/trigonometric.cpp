// sin, cos and tan: polynomials on [-pi/4, pi/4], chosen by the quadrant.
#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/functions.h"
#include "runtime/mathematics/reduction.h"

namespace qd::mathematics {
namespace {

Value sine(const Reduced& x, Value z) {
  const Value p = polynomial(z, coefficients(z, kSinSingles, kSinDoubles));
  return x.rest + fma(x.rest * z, p, x.low);
}

Value cosine(const Reduced& x, Value z) {
  const Value rough = fma(z, -0.5, 1.0);
  const Value lost = fma(z, -0.5, 1.0 - rough);
  const Value p = polynomial(z, coefficients(z, kCosSingles, kCosDoubles));
  return rough + (lost + fma(z * z, p, -(x.rest * x.low)));
}

/// Whether a bit of an integer is 1.
Value has_bit(Value word, int bit) { return (word & word.whole(int64_t{1} << bit)) != word.whole(0); }

/// Computes sin(x + turned * pi / 2).
Value turned_sine(Value x, int turned) {
  const Reduced reduced = reduce(x);
  const Value z = square_of(reduced.rest);
  const Value quadrant = turned ? reduced.quadrant + reduced.quadrant.whole(turned) : reduced.quadrant;
  const Value value = select(has_bit(quadrant, 0), cosine(reduced, z), sine(reduced, z));
  const Value minus = (quadrant << (is_double(x) ? 62 : 30)) & quadrant.whole(is_double(x) ? INT64_MIN : INT32_MIN);
  return from_bits(bits(value) ^ minus);
}

}  // namespace

Value sin_of(Value x) { return unlikely(x == 0.0, x, turned_sine(x, 0)); }

Value cos_of(Value x) { return turned_sine(x, 1); }

Value tan_of(Value x) {
  const Reduced reduced = reduce(x);
  const Value z = square_of(reduced.rest);
  const Value p = polynomial(z, coefficients(z, kTanSingles, kTanDoubles));
  // The derivative is 1 + tan(x)**2, about 1 + z.
  const Value tangent = reduced.rest + fma(reduced.rest * z, p, fma(z, reduced.low, reduced.low));
  const Value turned = has_bit(reduced.quadrant, 0);
  const Value one = x.same(1.0);
  const Value value = select(turned, -one, tangent) / select(turned, tangent, one);
  return unlikely(x == 0.0, x, value);
}

}  // namespace qd::mathematics
