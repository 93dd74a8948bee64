// Python's operators on values that are known while a kernel is compiled.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// Outcome of an operation on compile-time values: a value, or the reason why there is none.
struct Outcome {
  std::optional<Value> value;
  std::string error;

  Outcome(Value v) : value(std::move(v)) {}
  static Outcome failed(std::string why) { return Outcome(std::move(why), false); }
  /// Failure at run time as well as at compile time.
  static Outcome impossible(std::string why) { return Outcome(std::move(why), true); }

  bool is_impossible = false;
  bool is_code = false;  // impossible: HostResult::is_code

 private:
  Outcome(std::string why, bool impossible) : error(std::move(why)), is_impossible(impossible) {}
};

/// Whether a module is of the package qdcov, by either of its names: "qd", "qdcov._values.matrix".
bool is_module_of_the_package(std::string_view module);
/// The object of a module; a module without computed values is of the kind Constants.
HostObject module_object(uint64_t id, std::string_view name);
/// Name of a value in messages: "int", "float", "str", "tuple", "field `x`", "module 'numpy'".
std::string describe(const Value& value);

/// The object of the host that a value is, or the member of an enumeration; null for others.
const HostObject* host_object_of(const Value& value);

bool is_number(const Value& value);
/// The integer of a bool or int64; nothing for the others, and for integers that do not fit 64 bits.
std::optional<int64_t> as_integer(const Value& value);
/// A number as a double. Only for values with is_number.
double as_double(const Value& value);
/// Python's truth of a value.
bool truth(const Value& value);
/// Whether a value has a truth: vectors and structs have none.
bool has_truth(const Value& value);
/// The error of a value without a truth.
std::string no_truth(const Value& value);
/// Python's `==`; objects of the host are equal when they are the same.
bool equal(const Value& a, const Value& b);

Outcome binary(syntax::Operator op, const Value& a, const Value& b);
Outcome unary(syntax::UnaryOperator op, const Value& a);
/// Evaluates Python's comparisons, `is` and `in` among them.
Outcome compare(syntax::CmpOperator op, const Value& a, const Value& b);
/// Evaluates sequence[index] for tuples and strings.
Outcome subscript(const Value& sequence, const Value& index);
/// Evaluates sequence[lower:upper:step] of tuples and strings; None for a bound that is left out.
Outcome slice(const Value& sequence, const Value& lower, const Value& upper, const Value& step);
/// The positions that a slice of a sequence of some size has; nothing when a bound is no integer, or the step 0.
std::optional<std::vector<size_t>> slice_positions(size_t size, const Value& lower, const Value& upper,
                                                   const Value& step);
/// The items of iterating over a value: those of a tuple, the keys of a dict, the characters of a string. Nothing for
/// others.
std::optional<std::vector<Value>> iterated(const Value& value);
/// Python's len(): characters of a text, not bytes. Nothing for values that are no text, tuple, list or dict.
std::optional<int64_t> length(const Value& value);
/// The number of times that `*` repeats a text or list of `size` bytes or items, from 0; nothing when the result would
/// be too long for a constant (kTooManyItems).
std::optional<size_t> repetitions(size_t size, int64_t times);
constexpr std::string_view kTooManyItems = "more than 1000000 items are too many for a constant: keep them in an array";
/// Whether a value is a text, a tuple, a list or a dict.
bool is_known_container(const Value& value);
/// Whether texts, tuples, lists or dicts have such a method. (Those that change a list or a dict are none.)
bool is_method_of_known(std::string_view name);
/// Evaluates object.name(arguments) of strings and dicts.
Outcome call_method(const Value& object, std::string_view name, const std::vector<Value>& arguments);
/// Evaluates Python's sum, any, all, sorted, reversed, tuple and list, by name.
Outcome call_container_function(std::string_view name, const std::vector<Value>& arguments, bool reverse);
/// Python's format() of a number or string.
Outcome formatted(const Value& value, std::string_view spec);

/// Converts a number to a dtype, as a cast in a kernel does.
Value convert(const Value& number, ir::Type type);

/// Python's str() of a value.
std::string to_text(const Value& value);
/// Python's repr() of a value.
std::string representation(const Value& value);

/// The text of Python's operator: "+", "//".
std::string_view text(syntax::Operator op);
std::string_view text(syntax::CmpOperator op);

}  // namespace qd::frontend
