// Double-double arithmetic: a number as the sum of two, which has twice the digits.
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

struct Pair {
  Value high;
  Value low;  // the remainder beside `high`, below an ulp of it
};

}  // namespace qd::mathematics
