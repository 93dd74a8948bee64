// Items as numbers: the types of literals, conversions, and the warnings about lost precision.
#include <fmt/format.h>

#include <cmath>

#include "runtime/frontend/compound_types.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;

namespace {

/// The types of numbers that are known: integers and bools.
bool is_whole(const Value& number) { return !std::holds_alternative<double>(number); }

}  // namespace

bool fits(const Value& number, Type type) { return equal(convert(number, type), number); }

std::string with_article(Type type) {
  std::string_view name = ir::name(type);
  return fmt::format("{} {}", name[0] == 'u' ? "a" : "an", name);
}

Type Lowering::type_of_value(const Value& number) const {
  if (std::holds_alternative<bool>(number)) return Type::U1;
  if (std::holds_alternative<double>(number)) return options_.default_fp;
  for (Type type : {options_.default_ip, Type::I64, Type::U64}) {
    if (fits(number, type)) return type;
  }
  return Type::Void;
}

std::string Lowering::describe_item(const Item& item) const {
  return std::visit(syntax::overloaded{
                        [](const Poison&) -> std::string { return "an error"; },
                        [](const Number& n) { return with_article(n.type); },
                        [&](const ArrayRef& a) { return fmt::format("array `{}`", kernel_.arrays[a.index].name); },
                        [](const Items& i) -> std::string {
                          return i.is_list ? "a list" : i.keys.empty() ? "a tuple" : "a dict";
                        },
                        [](const Tensor& t) { return "a " + describe(CompoundType{t.type, t.shape, nullptr}); },
                        [](const TensorPlace& t) { return "a " + describe(CompoundType{t.type, t.shape, nullptr}); },
                        [](const NumberPlace& n) { return with_article(n.type); },
                        [](const Record& r) {
                          return fmt::format("{}struct `{}`", r.is_array ? "an array of " : "a ", r.type->name);
                        },
                        [](const View&) -> std::string { return "a BufferView"; },
                        [](const BoundMethod& m) { return fmt::format("method `{}`", m.func.source->function().name); },
                        [](const Value& v) { return describe(v); },
                    },
                    static_cast<const Item::variant&>(item));
}

std::optional<Type> Lowering::number_type(const Item& item, const Range& range) {
  if (poisoned(item)) return std::nullopt;
  if (auto* n = std::get_if<Number>(&item)) return n->type;
  if (auto* v = std::get_if<Value>(&item); v && is_number(*v)) {
    const Type type = type_of_value(*v);
    if (type != Type::Void) return type;
    error(ErrorKind::Type, range,
          fmt::format("the integer {} does not fit any type: the largest are i64 and u64", to_text(*v)));
    return std::nullopt;
  }
  bool array = is_array(item);
  error(
      ErrorKind::Type, range,
      fmt::format("{} is not a number{}", describe_item(item),
                  array             ? " here: give it an index"
                  : is_tensor(item) ? ": take a component of it, or what any(), all(), norm() and their like make of it"
                                    : ""));
  return std::nullopt;
}

std::optional<std::pair<Type, Type>> Lowering::operand_types(const Item& a, const Item& b, const Range& range) {
  // An integer that fits no integer type is a number beside a float.
  auto float_of = [](const Item& item) {
    auto* number = std::get_if<Number>(&item);
    return number && ir::is_float(number->type) ? std::optional(number->type) : std::nullopt;
  };
  auto beside = [&](const Item& item, const Item& other) {
    auto* known = std::get_if<Value>(&item);
    const bool large = known && is_number(*known) && type_of_value(*known) == Type::Void;
    auto type = large ? float_of(other) : std::nullopt;
    return type ? type : number_type(item, range);
  };
  auto left = beside(a, b), right = beside(b, a);
  return left && right ? std::optional(std::pair(*left, *right)) : std::nullopt;
}

std::optional<InstId> Lowering::coerce(const Item& item, Type type, const Range& range) {
  if (auto* known = std::get_if<Value>(&item); known && is_number(*known) && ir::is_float(type))
    return constant(type, *known);
  auto own = number_type(item, range);
  if (!own) return std::nullopt;
  if (auto* n = std::get_if<Number>(&item)) return build_.cast(type, n->id);
  return constant(type, std::get<Value>(item));
}

std::optional<Number> Lowering::number(const Item& item, const Range& range) {
  auto type = number_type(item, range);
  if (!type) return std::nullopt;
  return Number{*coerce(item, *type, range), *type};
}

std::optional<InstId> Lowering::coerce_stored(const Item& item, Type type, const Range& range) {
  if (auto* known = std::get_if<Value>(&item); known && is_number(*known) && ir::is_float(type))
    return constant(type, *known);
  auto own = number_type(item, range);
  if (!own) return std::nullopt;
  bool loses = false;
  if (std::holds_alternative<Number>(item)) {
    loses = ir::promote(*own, type) != type;
  } else if (const Value& v = std::get<Value>(item); type != Type::U1) {
    loses = is_whole(v) ? !fits(v, type) : as_double(v) != std::trunc(as_double(v));
  }
  if (loses) warn(range, fmt::format("{} is stored as {}: precision may be lost", with_article(*own), ir::name(type)));
  return coerce(item, type, range);
}

std::optional<InstId> Lowering::converted(const Item& item, Type type, const Range& range) {
  auto* known = std::get_if<Value>(&item);
  if (known && is_number(*known) && is_whole(*known) && ir::is_integer(type) && type != Type::U1 &&
      !fits(*known, type)) {
    error(ErrorKind::Type, range,
          fmt::format("the constant {} does not fit {}: another type has room for it, and qd.cast(..., {}) keeps its "
                      "lowest {} bits",
                      to_text(*known), ir::name(type), "qd." + std::string(ir::name(type)), ir::bit_width(type)));
    return std::nullopt;
  }
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
