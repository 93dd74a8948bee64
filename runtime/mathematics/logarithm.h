// What log and pow share: a positive number as mantissa and exponent.
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

/// mantissa * 2**exponent, the mantissa between sqrt(1/2) and sqrt(2).
struct Parts {
  Value mantissa;
  Value exponent;  // a whole number, as a float of the mantissa's type
};

/// Of a positive finite number. Anything else gives anything.
Parts parts_of(Value x);

Value log_of(Value x);

}  // namespace qd::mathematics
