// exp, for the functions that are based on it.
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

/// (base + more) * 2**exponent: an exponential whose result may be out of range.
struct Scaled {
  Value base;
  Value more;
  Value power;  // a float that ends in the exponent: 1.5 * 2**23 + exponent, or 1.5 * 2**52 + exponent
};

/// Computes exp(x): |x| < 1000 in f64, < 150 in f32.
Scaled scaled_exp(Value x);
/// Computes exp(x + rest) with a tiny rest, as exactly as the type allows: a result that is a whole number comes out as
/// one.
Scaled scaled_exp(Value x, Value rest);
/// The number, times 2**more: rounded once, infinite or denormal as it has to be.
Value unscaled(const Scaled& number, int more = 0);

/// Limits x to low..high; NaN stays NaN.
Value limited(Value x, double low, double high);

Value exp_of(Value x);
Value exp2_of(Value x);

}  // namespace qd::mathematics
