// Python's numbers that are known while a kernel is compiled, integers of any size and doubles: arithmetic, and
// numbers from texts.
#pragma once

#include <compare>
#include <string_view>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

/// The Value of an integer: an int64 if it fits 64 bits; else a BigInteger.
Value whole_number(const BigInteger& number);
/// The value of a bool, int or BigInteger as a BigInteger; nothing for the others.
std::optional<BigInteger> as_big_integer(const Value& value);

/// Result of Python's operator for two numbers.
Outcome number_binary(syntax::Operator op, const Value& a, const Value& b);
/// The order of two numbers, as exact as they are; unordered with NaN.
std::partial_ordering compare_numbers(const Value& a, const Value& b);

// Numbers from texts: float("inf"), int("12").

/// Evaluates float(text) by Python's grammar: blanks around, a sign, underscores in digits, inf and nan in any case.
Outcome float_of_text(std::string_view text);
/// Evaluates int(text), in base 10.
Outcome integer_of_text(std::string_view text);

}  // namespace qd::frontend
