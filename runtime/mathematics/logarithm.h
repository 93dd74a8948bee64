// Decomposition of a number into mantissa and exponent, for log and pow.
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

/// mantissa * 2**exponent, the mantissa between sqrt(1/2) and sqrt(2).
struct Parts {
  Value mantissa;
  Value exponent;  // a whole number, as a float of the mantissa's type
  Value fraction;  // the distance of the mantissa from sqrt(1/2) in its bits: 0 to 2**52 or 2**23
};

/// Whether a number is not above 0, denormal, infinite or NaN.
Value is_odd(Value x);
/// The parts of |x|, as floats of the type, which is that of x or wider. `odd`: is_odd(x). Undefined for 0, infinity
/// and NaN.
Parts parts_of(Value x, Value odd, ir::Type type);

Value log_of(Value x);

}  // namespace qd::mathematics
