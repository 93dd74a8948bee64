// A number as the sum of two, which has twice the digits.
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

struct Pair {
  Value high;
  Value low;  // what `high` lacks, below an ulp of it
};

}  // namespace qd::mathematics
