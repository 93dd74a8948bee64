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
  // A rest beyond pi / 4, which large angles have more often, has a tangent beyond 1. An ulp of the cotangent is half
  // as large, so errors count twice.
  const Reduced reduced = reduce(x, /*large_single=*/0x1p15);
  // The rest of a larger angle is never so small that its square would be denormal.
  const Value tiny = abs(x) < least_beside_one(x);
  const Value base = unlikely(tiny, 0.0, reduced.rest);
  const Value z = base * base;
  const Value square = z * z;
  const std::span<const double> terms = coefficients(z, kTanSingles, kTanDoubles);
  const Value p = polynomial(z, square, terms.subspan(1));
  // The derivative is 1 + tan(x)**2, about 1 + z + z**2.
  const Value first = fma(reduced.rest * z, terms[0], fma(square + z, reduced.low, reduced.low));
  const Value tangent = reduced.rest + fma(reduced.rest * square, p, first);
  const Value turned = has_bit(reduced.quadrant, 0);
  const Value one = x.same(1.0);
  const Value value = select(turned, -one, tangent) / select(turned, tangent, one);
  return unlikely(tiny, x, value);
}

}  // namespace qd::mathematics
