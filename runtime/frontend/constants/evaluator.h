// The evaluator of expressions at compile time: one expression, with the names that its comprehensions bind.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/frontend/constants/static_eval.h"

namespace qd::frontend {

/// Evaluator: each function gives the value of a kind of expression; nothing after an error, which the scope has got.
class Evaluator {
 public:
  Evaluator(StaticScope& scope, const Options& options) : scope_(scope), options_(options) {}

  std::optional<Value> value(const syntax::Expr& expr);

 private:
  std::nullopt_t fail(ErrorKind kind, const syntax::Range& range, std::string message);
  std::optional<Value> checked(Outcome outcome, const syntax::Range& range);
  std::optional<Value> attribute(const syntax::Attribute& e, const syntax::Expr& expr);
  /// Values that the host iterates over, as a list; other values unchanged.
  Value listed(Value value);
  /// The index between the brackets, with slices in the form of slice_of.
  std::optional<Value> index(const syntax::Expr& expr);
  std::optional<Value> subscript(const syntax::Subscript& e, const syntax::Expr& expr);
  std::optional<Value> binop(const syntax::BinOp& e, const syntax::Expr& expr);
  std::optional<Value> unaryop(const syntax::UnaryOp& e, const syntax::Expr& expr);
  std::optional<Value> boolop(const syntax::BoolOp& e);
  std::optional<Value> comparison(const syntax::Compare& e, const syntax::Expr& expr);
  std::optional<Value> ternary(const syntax::IfExp& e);

  // static_displays.cpp
  std::optional<Value> sequence(syntax::List<syntax::ExprPtr> elements, bool is_list = false);
  const Value* local_of(const syntax::Expr& expr) const;
  bool bind(const syntax::Expr& target, const Value& item);
  /// Calls `each` for every iteration of a comprehension. False after an error.
  bool iterate(syntax::List<syntax::Comprehension> generators, const std::function<bool()>& each);
  std::optional<Value> comprehension(syntax::List<syntax::Comprehension> generators, const syntax::Expr& element);
  static void put(Dict& dict, Value key, Value item);
  std::optional<Value> dict_comprehension(const syntax::DictComp& e);
  std::optional<Value> dict(const syntax::Dict& e);
  std::optional<Value> joined(const syntax::JoinedStr& e);

  // static_method_calls.cpp
  /// Evaluates getattr(object, name) and getattr(object, name, default).
  std::optional<Value> named_attribute(const std::vector<Value>& arguments, const syntax::Expr& expr);
  /// Evaluates object.method(...) of a string, tuple or dict; nothing when the callee is something else.
  std::optional<std::optional<Value>> method(const syntax::Call& e, const syntax::Expr& expr);
  /// Evaluates vector.sum() and its like; nothing when the object is no vector or matrix.
  std::optional<std::optional<Value>> tensor_call(const syntax::Call& e, const syntax::Attribute& callee,
                                                  const syntax::Expr& expr);
  std::optional<Value> call(const syntax::Call& e, const syntax::Expr& expr);

  StaticScope& scope_;
  const Options& options_;
  size_t iterations_ = 0;
  std::vector<std::pair<std::string_view, Value>> locals_;  // of comprehensions, the innermost last
};

}  // namespace qd::frontend
