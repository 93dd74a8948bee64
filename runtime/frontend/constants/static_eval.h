// Evaluation of expressions at compile time, with Python's semantics: arguments of qd.static(...), annotations,
// module-level constants.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/errors.h"
#include "runtime/frontend/constants/options.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// Scope of a compile-time expression: the meaning of its names, and the receiver of errors.
class StaticScope {
 public:
  virtual ~StaticScope() = default;
  /// The value of a name; nothing after reporting an error.
  virtual std::optional<Value> name(const syntax::Expr& expr) = 0;
  /// The value of an expression that is known by other means than its parts (an array's rank). Nothing: evaluate it as
  /// usual.
  virtual std::optional<Value> known(const syntax::Expr&) { return std::nullopt; }
  virtual Environment& environment() = 0;
  /// The result of a call of a func whose statements become part of the kernel here. Nothing: the host calls it. The
  /// result is nothing after an error.
  virtual std::optional<std::optional<Value>> inlined(const Func&, const syntax::Call&, const syntax::Expr&) {
    return std::nullopt;
  }
  /// An attribute of an object of the host. Nothing when there is none.
  virtual std::optional<Value> attribute(const HostObject& object, std::string_view name) {
    return environment().attribute(object, name);
  }
  /// Notes the value of an attribute of an object of the host.
  virtual void has_read(const HostObject&, std::string_view, const Value&, const syntax::Range&) {}
  /// Notes that the result depends on the identity of this object.
  virtual void identify(const HostObject&) {}
  virtual void error(ErrorKind kind, const syntax::Range& range, std::string message) = 0;
};

/// Evaluates an expression. Nothing after an error, which the scope has got.
std::optional<Value> evaluate(const syntax::Expr& expr, StaticScope& scope, const Options& options);

/// Evaluates object.name, of any value with attributes at compile time. Nothing after an error.
std::optional<Value> evaluate_attribute(const Value& object, std::string_view name, const syntax::Range& range,
                                        StaticScope& scope);
/// The value of a literal. Nothing after an error.
std::optional<Value> evaluate_constant(const syntax::Constant& constant, const syntax::Range& range,
                                       StaticScope& scope);
/// Keyword arguments.
using NamedValues = std::vector<std::pair<std::string, Value>>;
/// Evaluates callee(arguments) with keywords already put in place, but for ndrange's `axes` and those of `named`, which
/// only calls of the host have. Nothing after an error.
std::optional<Value> evaluate_call(const Value& callee, const std::vector<Value>& arguments, const syntax::Range& range,
                                   StaticScope& scope, const Options& options, const Value* axes = nullptr,
                                   NamedValues named = {});
/// Whether a function of the language takes something to iterate over.
bool takes_iterables(const BuiltinInfo& info);
/// The items of iterating over an object of the host, as a list: over an array of numpy, an enumeration, a set. Nothing
/// for other objects.
std::optional<Value> listed_by_host(const HostObject& object, Environment& environment);
/// The slice lower:upper:step, as an index of Environment::subscript.
Value slice_of(Value lower, Value upper, Value step);
/// Whether a call of it is one of the host: a function or a class of Python that is no name of the language.
bool is_of_the_host(const Value& callee);
/// A function of Python's math module, which the language has, too.
bool is_python_math(const Value& callee);
/// round(x, digits) and pow(x, y, modulus) of numbers, which only Python has, as calls on the host; nothing for others.
std::optional<HostCall> exact_call(const BuiltinInfo& info, const std::vector<Value>& arguments);
/// Calls a function of the host. An exception in it is an `impossible` outcome.
Outcome call_host(const HostCall& call, StaticScope& scope);
/// The function of Python's module `operator` for a binary operator: `add`, `and_`.
std::string_view operator_function(syntax::Operator op);
/// Applies a function of Python's module `operator`, where an operand is an object of the host or has one in it: only
/// its class knows `==` and the other operators. Nothing for other operands, and where the host cannot be asked.
std::optional<Outcome> operator_of_host(std::string_view name, const std::vector<Value>& operands, StaticScope& scope);
std::optional<Outcome> compare_on_host(syntax::CmpOperator op, const Value& a, const Value& b, StaticScope& scope);
/// Python's truth of a value: of an object by its `__bool__` or its `__len__`. Nothing after an error, which the scope
/// has got.
std::optional<bool> known_truth(const Value& value, const syntax::Range& range, StaticScope& scope);

/// The value of `qd.types.ndarray(dtype, ndim)`: a tuple of the builtin, the dtype or None, the rank or None, and
/// perhaps needs_grad and boundary. A host that keeps such annotations as objects of its own hands them over in the
/// same form.
Value array_annotation(std::optional<ir::Type> type, std::optional<int32_t> rank);
/// Reads array_annotation's form. Nothing for other values.
struct ArrayAnnotation {
  std::optional<ir::Type> type;
  std::optional<CompoundType> element;  // of arrays of vectors, matrices or structs
  std::optional<int32_t> rank;
  std::optional<bool> needs_grad = {};
  bool clamp = false;  // boundary="clamp"
};
std::optional<ArrayAnnotation> read_array_annotation(const Value& value);

/// The value of `BufferView`, `BufferView[dtype]`.
struct ViewAnnotation {
  std::optional<ir::Type> type;
  std::optional<std::vector<int32_t>> element_shape;
};
std::optional<ViewAnnotation> read_view_annotation(const Value& value);

/// The dtype that a value names: a dtype, or Python's int, float, bool.
std::optional<ir::Type> dtype_of(const Value& value, const Options& options);

/// The kind of node, by its name in Python's `ast` in lower case: "try", "lambda", "list comprehension".
std::string_view node_name(const syntax::Expr& expr);
std::string_view node_name(const syntax::Stmt& stmt);
/// Message on a node that kernels refuse, by its class in Python's `ast`: "Unsupported node "Raise": `raise` is not
/// ...".
std::string refusal(const syntax::Expr& expr);
std::string refusal(const syntax::Stmt& stmt);

}  // namespace qd::frontend
