// The functions in the notation of formulas, each in the file of its group (trigonometric.cpp, power.cpp, ...).
#pragma once

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {

Value sin_of(Value x);
Value cos_of(Value x);
Value tan_of(Value x);
Value asin_of(Value x);
Value acos_of(Value x);
Value atan_of(Value x);
Value atan2_of(Value y, Value x);
Value sinh_of(Value x);
Value cosh_of(Value x);
Value tanh_of(Value x);
Value exp_of(Value x);
Value exp2_of(Value x);
Value log_of(Value x);
Value pow_of(Value x, Value y);

}  // namespace qd::mathematics
