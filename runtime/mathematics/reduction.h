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

/// Reduces any finite f32 or f64; the rest of infinity and NaN is NaN. An f32 beyond `large_single`, at most 2**17,
/// takes longer: more digits of 2 / pi leave a rest of at most pi / 4.
Reduced reduce(Value x, double large_single = 0x1p17);

}  // namespace qd::mathematics
