// Where functions are in a source of a language with braces: C, C++ and those like them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qd::report {

/// Lines from 1: the first of its head, that of its '{' and that of its '}'.
struct FunctionBody {
  int32_t head = 0, first = 0, last = 0;
};

/// Found by braces, without a parser: what macros make is not seen, and text that does not balance ends the list.
/// Functions in functions belong to the outer one.
std::vector<FunctionBody> function_bodies(const std::string& text);

}  // namespace qd::report
