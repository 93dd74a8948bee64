// Python's arithmetic on numbers that are known while a kernel is compiled: integers of any size, doubles.
#pragma once

#include <compare>

#include "runtime/frontend/known/python_values.h"

namespace qd::frontend {

/// Integers that fit 64 bits are those; only others are BigIntegers.
Value whole_number(const BigInteger& number);
/// bool, int and BigInteger as one; nothing for the others.
std::optional<BigInteger> as_big_integer(const Value& value);

/// What Python's operator gives for two numbers.
Outcome number_binary(syntax::Operator op, const Value& a, const Value& b);
/// The order of two numbers, as exact as they are; unordered with NaN.
std::partial_ordering compare_numbers(const Value& a, const Value& b);

}  // namespace qd::frontend
