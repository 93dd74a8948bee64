// Numbers that are written as text: float("inf"), int("12").
#pragma once

#include <string_view>

#include "runtime/frontend/known/python_values.h"

namespace qd::frontend {

/// float(text), with Python's grammar: blanks around it, a sign, underscores between digits, inf and nan in any case.
Outcome float_of_text(std::string_view text);
/// int(text), in base 10.
Outcome integer_of_text(std::string_view text);

}  // namespace qd::frontend
