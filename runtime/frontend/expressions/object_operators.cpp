// Operators and functions of the language on objects: the methods that their class has for them.
#include "runtime/frontend/expressions/object_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::CmpOperator;
using syntax::Operator;
using syntax::Range;

namespace {

bool is_made(const Item& item) { return std::holds_alternative<MadeObject>(item); }

/// Whether an item is an object, of the kernel or of the host; most operands are numbers, and are not asked further.
bool is_object(const Item& item) { return is_made(item) || known_as<HostObject>(item); }

bool is_not_implemented(Compilation& c, const Item& item) {
  auto* object = known_as<HostObject>(item);
  auto name = object ? c.function().environment->lookup("NotImplemented") : std::nullopt;
  auto* constant = name ? std::get_if<HostObject>(&*name) : nullptr;
  return constant && constant->id == object->id;
}

/// Calls the method that a class has for an operator; nothing when it has none, or gives NotImplemented.
std::optional<Item> call_operator(Compilation& c, std::string_view name, const Item& self, std::vector<Item> arguments,
                                  const Range& range) {
  auto found = special_method(c, self, name);
  if (!found) return std::nullopt;
  Item result = call_method(c, *found, self, std::move(arguments), range);
  return is_not_implemented(c, result) ? std::nullopt : std::optional(std::move(result));
}

/// The name of an operator's method without its underscores: `add`, `and`.
std::string_view method_for(Operator op) {
  std::string_view name = operator_function(op);
  if (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

Item no_operator(Compilation& c, std::string_view op, const Item& a, const Item& b, const Range& range) {
  return c.report.error(ErrorKind::Type, range,
                        fmt::format("`{}` does not work on {} and {}", op, describe_item(c, a), describe_item(c, b)));
}

/// Whether the class of `b` is derived from that of `a`: then Python asks its methods first.
bool is_derived(Compilation& c, const Item& a, const Item& b) {
  auto *base = std::get_if<MadeObject>(&a), *derived = std::get_if<MadeObject>(&b);
  if (!base || !derived) return false;
  const HostObject cls = c.objects[base->index].cls, other = c.objects[derived->index].cls;
  if (cls.id == other.id) return false;
  auto order = c.function().environment->attribute(other, "__mro__");
  auto* classes = order ? std::get_if<Tuple>(&*order) : nullptr;
  return classes && std::ranges::any_of(classes->items, [&](const Value& item) {
           auto* object = std::get_if<HostObject>(&item);
           return object && object->id == cls.id;
         });
}

/// Whether two objects find the same function under a name.
bool share(Compilation& c, const Item& a, const Item& b, std::string_view name) {
  auto x = special_method(c, a, name), y = special_method(c, b, name);
  return x && y && equal(Value(*x), Value(*y));
}

struct Methods {
  std::string forward, reflected;
};

/// `a op b` by the method of `a`, or by the reflected one of `b`.
std::optional<Item> by_either(Compilation& c, const Methods& methods, const Item& a, const Item& b, bool b_first,
                              const Range& range) {
  if (b_first) {
    if (auto result = call_operator(c, methods.reflected, b, {a}, range)) return result;
  }
  if (auto result = call_operator(c, methods.forward, a, {b}, range)) return result;
  return b_first ? std::nullopt : call_operator(c, methods.reflected, b, {a}, range);
}

/// Python's `!=` is the opposite of the class's `==`, where it says nothing else.
std::optional<Item> equality(Compilation& c, bool equal, const Item& a, const Item& b, const Range& range) {
  if (!equal) {
    if (auto result = call_operator(c, "__ne__", a, {b}, range)) return result;
  }
  auto same = call_operator(c, "__eq__", a, {b}, range);
  if (!same || equal) return same;
  auto truth = to_condition(c, object_truth(c, *same, range), range);
  return truth ? Item(Number{c.build.unary(ir::UnaryOp::LogicalNot, *truth), ir::Type::U1}) : Item(Poison{});
}

/// `==` and `!=`, which all objects have: without a method they ask whether both are the same object. Nothing where
/// neither is an object that the kernel has made.
std::optional<Item> compared_for_equality(Compilation& c, bool equal, const Item& a, const Item& b,
                                          const Range& range) {
  const bool b_first = is_derived(c, a, b);
  const Item &first = b_first ? b : a, &second = b_first ? a : b;
  if (auto result = equality(c, equal, first, second, range)) return *result;
  if (auto result = equality(c, equal, second, first, range)) return *result;
  if (!is_made(a) && !is_made(b)) return std::nullopt;
  auto *x = std::get_if<MadeObject>(&a), *y = std::get_if<MadeObject>(&b);
  const bool chosen = (x && c.objects[x->index].chosen) || (y && c.objects[y->index].chosen);
  if (chosen) return no_operator(c, equal ? "==" : "!=", a, b, range);
  return Item(Value(same_object(a, b) == equal));
}

}  // namespace

std::optional<Item> object_operator(Compilation& c, Operator op, const Item& a, const Item& b, const Range& range) {
  if (!is_object(a) && !is_object(b)) return std::nullopt;
  const Methods methods{fmt::format("__{}__", method_for(op)), fmt::format("__r{}__", method_for(op))};
  const bool b_first = is_derived(c, a, b) && !share(c, a, b, methods.reflected);
  if (auto result = by_either(c, methods, a, b, b_first, range)) return result;
  if (!is_made(a) && !is_made(b)) return std::nullopt;
  return no_operator(c, text(op), a, b, range);
}

std::optional<Item> object_update(Compilation& c, Operator op, const Item& a, const Item& b, const Range& range) {
  if (!is_object(a) && !is_object(b)) return std::nullopt;
  if (auto result = call_operator(c, fmt::format("__i{}__", method_for(op)), a, {b}, range)) return result;
  return object_operator(c, op, a, b, range);
}

std::optional<Item> object_operator(Compilation& c, syntax::UnaryOperator op, const Item& operand, const Range& range) {
  using syntax::UnaryOperator;
  if (op == UnaryOperator::Not) return std::nullopt;
  const std::string_view name = op == UnaryOperator::USub   ? "__neg__"
                                : op == UnaryOperator::UAdd ? "__pos__"
                                                            : "__invert__";
  return call_operator(c, name, operand, {}, range);
}

std::optional<Item> object_comparison(Compilation& c, CmpOperator op, const Item& a, const Item& b,
                                      const Range& range) {
  if (!is_object(a) && !is_object(b)) return std::nullopt;
  if (op == CmpOperator::Eq || op == CmpOperator::NotEq)
    return compared_for_equality(c, op == CmpOperator::Eq, a, b, range);
  struct Row {
    CmpOperator op;
    std::string_view name, mirrored;
  };
  static constexpr Row kRows[] = {{CmpOperator::Lt, "__lt__", "__gt__"},
                                  {CmpOperator::LtE, "__le__", "__ge__"},
                                  {CmpOperator::Gt, "__gt__", "__lt__"},
                                  {CmpOperator::GtE, "__ge__", "__le__"}};
  const auto* row = std::ranges::find(kRows, op, &Row::op);
  if (row == std::end(kRows)) return std::nullopt;
  const Methods methods{std::string(row->name), std::string(row->mirrored)};
  if (auto result = by_either(c, methods, a, b, is_derived(c, a, b), range)) return result;
  if (!is_made(a) && !is_made(b)) return std::nullopt;
  return no_operator(c, text(op), a, b, range);
}

std::optional<Item> found_in_object(Compilation& c, bool in, const Item& item, const Item& object, const Range& range) {
  const auto found = call_operator(c, "__contains__", object, {item}, range);
  if (!found) return std::nullopt;
  const auto truth = to_condition(c, object_truth(c, *found, range), range);
  if (!truth) return Poison{};
  return Number{in ? *truth : c.build.unary(ir::UnaryOp::LogicalNot, *truth), ir::Type::U1};
}

std::optional<Item> object_subscript(Compilation& c, const Item& object, const Item& index, const Range& range) {
  return call_operator(c, "__getitem__", object, {index}, range);
}

bool store_in_item(Compilation& c, const Item& object, const Item& index, const Item& item, const Range& range) {
  return call_operator(c, "__setitem__", object, {index, item}, range).has_value();
}

Item object_truth(Compilation& c, Item item, const Range& range) {
  for (std::string_view name : {"__bool__", "__len__"}) {
    if (auto result = call_operator(c, name, item, {}, range)) return *result;
  }
  return is_made(item) ? Item(Value(true)) : item;
}

std::optional<Item> object_function(Compilation& c, const BuiltinInfo& info, const Item& object, const Range& range) {
  using Names = std::array<std::string_view, 2>;
  if (info.kind == BuiltinKind::BoolType && is_made(object)) return object_truth(c, object, range);
  const Names names = info.kind == BuiltinKind::Len         ? Names{"__len__"}
                      : info.kind == BuiltinKind::IntType   ? Names{"__int__", "__index__"}
                      : info.kind == BuiltinKind::FloatType ? Names{"__float__", "__index__"}
                      : info.name == "abs"                  ? Names{"__abs__"}
                      : info.name == "round"                ? Names{"__round__"}
                                                            : Names{};
  for (std::string_view name : names) {
    auto result = name.empty() ? std::nullopt : call_operator(c, name, object, {}, range);
    if (result) return result;
  }
  return std::nullopt;
}

}  // namespace qd::frontend
