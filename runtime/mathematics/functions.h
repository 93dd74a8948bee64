// The functions in the notation of formulas, each in the file of its group (trigonometric.cpp, power.cpp, ...).
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

#define QD_FUNCTION(name, function, derivative) Value function##_of(Value x);
#include "runtime/ir/operators.def"
Value exp2_of(Value x);
Value atan2_of(Value y, Value x);
Value pow_of(Value x, Value y);

}  // namespace qd::mathematics
