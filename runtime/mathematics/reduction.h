// Argument reduction: an angle as a multiple of pi / 2 and a rest.
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

/// The angle: quadrant * pi / 2 + rest + low.
struct Reduced {
  Value quadrant;  // an integer whose last two bits count
  Value rest;      // at most a little more than pi / 4
  Value low;       // the remainder beside `rest`, below an ulp of it
};

/// Reduces any finite f32 or f64; the rest of infinity and NaN is NaN.
Reduced reduce(Value x);

}  // namespace qd::mathematics
