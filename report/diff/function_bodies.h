// Functions in a source of a language with braces: C, C++ and similar ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qd::report {

/// Lines of a function, from 1: the first line of its head, that of its '{' and that of its '}'.
struct FunctionBody {
  int32_t head = 0, first = 0, last = 0;
};

/// Finds functions by their braces, without a parser. Functions that macros make are not seen; unbalanced braces end
/// the list. A function in a function belongs to the outer one.
std::vector<FunctionBody> function_bodies(const std::string& text);

}  // namespace qd::report
