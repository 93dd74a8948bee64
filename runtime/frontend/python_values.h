// Python's operators on values that are known while a kernel is compiled.
#pragma once

#include <optional>
#include <string>

#include "runtime/frontend/value.h"

namespace qd::frontend {

/// What an operation on compile-time values gives: a value, or why there is none.
struct Outcome {
  std::optional<Value> value;
  std::string error;

  Outcome(Value v) : value(std::move(v)) {}
  static Outcome failed(std::string why) { return Outcome(std::move(why), 0); }

 private:
  Outcome(std::string why, int) : error(std::move(why)) {}
};

/// "int", "float", "str", "tuple", "field `x`", "module 'numpy'": how messages name a value.
std::string describe(const Value& value);

bool is_number(const Value& value);
/// bool and int64 as an integer; nothing for the others.
std::optional<int64_t> as_integer(const Value& value);
/// A number as a double. Only for values with is_number.
double as_double(const Value& value);
/// Python's truth of a value.
bool truth(const Value& value);
/// Python's `==`; objects of the host are equal when they are the same.
bool equal(const Value& a, const Value& b);

Outcome binary(syntax::Operator op, const Value& a, const Value& b);
Outcome unary(syntax::UnaryOperator op, const Value& a);
/// All of Python's comparisons, `is` and `in` among them.
Outcome compare(syntax::CmpOperator op, const Value& a, const Value& b);
/// sequence[index] for tuples and strings.
Outcome subscript(const Value& sequence, const Value& index);
/// A number as a value of a dtype, as a cast in a kernel would give it.
Value convert(const Value& number, ir::Type type);

/// Python's str() of a value.
std::string to_text(const Value& value);
/// Python's repr() of a value.
std::string representation(const Value& value);

/// The text of Python's operator: "+", "//".
std::string_view text(syntax::Operator op);
std::string_view text(syntax::CmpOperator op);

}  // namespace qd::frontend
