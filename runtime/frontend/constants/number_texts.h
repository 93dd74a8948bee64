// Numbers from texts: float("inf"), int("12").
#pragma once

#include <string_view>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

/// Evaluates float(text) by Python's grammar: blanks around, a sign, underscores in digits, inf and nan in any case.
Outcome float_of_text(std::string_view text);
/// Evaluates int(text), in base 10.
Outcome integer_of_text(std::string_view text);

}  // namespace qd::frontend
