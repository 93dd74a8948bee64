// Items as numbers: the types of literals, conversions, and the warnings about lost precision.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "runtime/frontend/compound_types.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;

namespace {

bool fits(int64_t value, Type type) {
  Value converted = convert(Value(value), type);
  return *as_integer(converted) == value && (type != Type::U64 || value >= 0);
}

}  // namespace

std::string with_article(Type type) {
  std::string_view name = ir::name(type);
  return fmt::format("{} {}", name[0] == 'u' ? "a" : "an", name);
}

Type Lowering::type_of_value(const Value& number) const {
  if (std::holds_alternative<bool>(number)) return Type::U1;
  if (auto* i = std::get_if<int64_t>(&number)) return fits(*i, options_.default_int) ? options_.default_int : Type::I64;
  return options_.default_float;
}

std::string Lowering::describe_item(const Item& item) const {
  return std::visit(syntax::overloaded{
                        [](const Poison&) -> std::string { return "an error"; },
                        [](const Number& n) { return with_article(n.type); },
                        [&](const ArrayRef& a) { return fmt::format("array `{}`", kernel_.arrays[a.index].name); },
                        [](const Items& i) -> std::string { return i.is_list ? "a list" : i.keys.empty() ? "a tuple" : "a dict"; },
                        [](const Tensor& t) { return "a " + describe(CompoundType{t.type, t.shape, nullptr}); },
                        [](const TensorPlace& t) { return "a " + describe(CompoundType{t.type, t.shape, nullptr}); },
                        [](const NumberPlace& n) { return with_article(n.type); },
                        [](const Record& r) { return fmt::format("{}struct `{}`", r.is_array ? "an array of " : "a ", r.type->name); },
                        [](const View&) -> std::string { return "a BufferView"; },
                        [](const BoundMethod& m) { return fmt::format("method `{}`", m.func.source->function().name); },
                        [](const Value& v) { return describe(v); },
                    },
                    static_cast<const Item::variant&>(item));
}

std::optional<Type> Lowering::number_type(const Item& item, const Range& range) {
  if (poisoned(item)) return std::nullopt;
  if (auto* n = std::get_if<Number>(&item)) return n->type;
  if (auto* v = std::get_if<Value>(&item); v && is_number(*v)) return type_of_value(*v);
  bool array = is_array(item);
  error(ErrorKind::Type, range,
        fmt::format("{} is not a number{}", describe_item(item),
                    array ? " here: give it an index" : is_tensor(item) ? ": take a component of it, or what any(), all(), norm() and their like make of it" : ""));
  return std::nullopt;
}

std::optional<InstId> Lowering::coerce(const Item& item, Type type, const Range& range) {
  auto own = number_type(item, range);
  if (!own) return std::nullopt;
  if (auto* n = std::get_if<Number>(&item)) return cast(*n, type);
  return constant(type, std::get<Value>(item));
}

std::optional<Number> Lowering::number(const Item& item, const Range& range) {
  auto type = number_type(item, range);
  if (!type) return std::nullopt;
  return Number{*coerce(item, *type, range), *type};
}

std::optional<InstId> Lowering::coerce_stored(const Item& item, Type type, const Range& range) {
  auto own = number_type(item, range);
  if (!own) return std::nullopt;
  bool loses = false;
  if (std::holds_alternative<Number>(item)) {
    loses = ir::promote(*own, type) != type;
  } else if (const Value& v = std::get<Value>(item); type != Type::U1 && !ir::is_float(type)) {
    auto i = as_integer(v);
    loses = i ? !fits(*i, type) : as_double(v) != std::trunc(as_double(v));
  }
  if (loses) warn(range, fmt::format("{} is stored as {}: precision may be lost", with_article(*own), ir::name(type)));
  return coerce(item, type, range);
}

std::optional<Type> Lowering::dtype_argument(const Item& item, const Range& range) {
  if (poisoned(item)) return std::nullopt;
  if (auto* v = std::get_if<Value>(&item)) {
    if (auto type = dtype_of(*v, options_)) return type;
  }
  error(ErrorKind::Type, range, fmt::format("a dtype is expected, not {}", describe_item(item)));
  return std::nullopt;
}

}  // namespace qd::frontend
