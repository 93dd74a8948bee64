// Python's arithmetic on numbers that are known while a kernel is compiled: integers of any size, doubles.
#pragma once

#include <compare>

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

}  // namespace qd::frontend
