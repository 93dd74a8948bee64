// sinh, cosh and tanh: exp(|x|) for large arguments, and a polynomial for those whose difference would lose digits.
#include <limits>

#include "runtime/mathematics/coefficients.h"
#include "runtime/mathematics/exponential.h"
#include "runtime/mathematics/functions.h"

namespace qd::mathematics {
namespace {

/// Computes exp(|x|) / 2, which is finite wherever the hyperbolic functions are.
Value half_exp(Value size) { return unscaled(scaled_exp(limited(size, 0, is_double(size) ? 711.5 : 90)), -1); }

}  // namespace

Value sinh_of(Value x) {
  const Value size = abs(x);
  const Value z = square_of(size);
  const Value small = fma(size * z, polynomial(z, coefficients(x, kSinhSingles, kSinhDoubles)), size);
  const Value grown = half_exp(size);
  const Value large = grown - 0.25 / grown;
  return with_sign(select(size < 1.0, small, large), sign_of(x));
}

Value cosh_of(Value x) {
  const Value grown = half_exp(abs(x));
  return grown + 0.25 / grown;
}

Value tanh_of(Value x) {
  const bool wide = is_double(x);
  const Value size = abs(x);
  const Value z = square_of(size);
  const Value small = fma(size * z, polynomial(z, coefficients(x, kTanhSingles, kTanhDoubles)), size);
  // Further out, tanh is 1.
  const Value far = select(size > (wide ? 20.0 : 10.0), wide ? 20.0 : 10.0, size);
  const Value grown = unscaled(scaled_exp(far + far));
  const Value large = 1.0 - 2.0 / (grown + 1.0);
  return with_sign(select(size < 0.625, small, large), sign_of(x));
}

}  // namespace qd::mathematics
