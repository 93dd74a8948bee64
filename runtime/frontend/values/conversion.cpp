// Items as numbers: the types of literals, conversions, and descriptions of items for messages.
#include "runtime/frontend/values/conversion.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;

namespace {

/// Whether a known number is an integer or a bool.
bool is_whole(const Value& number) { return !std::holds_alternative<double>(number); }

}  // namespace

bool fits(const Value& number, Type type) { return equal(convert(number, type), number); }

std::string with_article(Type type) {
  std::string_view name = ir::name(type);
  return fmt::format("{} {}", name[0] == 'u' ? "a" : "an", name);
}

Type type_of_value(Compilation& c, const Value& number) {
  if (std::holds_alternative<bool>(number)) return Type::U1;
  if (std::holds_alternative<double>(number)) return c.options.default_fp;
  for (Type type : {c.options.default_ip, Type::I64, Type::U64}) {
    if (fits(number, type)) return type;
  }
  return Type::Void;
}

std::string describe_item(Compilation& c, const Item& item) {
  return std::visit(
      syntax::overloaded{
          [](const Poison&) -> std::string { return "an error"; },
          [](const Number& n) { return with_article(n.type); },
          [&](const ArrayRef& a) { return fmt::format("array `{}`", c.kernel.arrays[a.index].name); },
          [](const Items& i) -> std::string { return i.is_list        ? "a list"
                                                     : i.keys.empty() ? "a tuple"
                                                                      : "a dict"; },
          [](const Tensor& t) { return "a " + describe(CompoundType{t.type, t.shape, nullptr}); },
          [](const TensorPlace& t) { return "a " + describe(CompoundType{t.type, t.shape, nullptr}); },
          [](const NumberPlace& n) { return with_article(n.type); },
          [](const Record& r) {
            return fmt::format("{}struct `{}`", r.is_array ? "an array of " : "a ", r.type->name);
          },
          [](const View&) -> std::string { return "a BufferView"; },
          [](const BoundMethod& m) { return fmt::format("method `{}`", m.func.source->function().name); },
          [](const SharedArray&) { return std::string("an array of the block"); },
          [&](const MadeObject& o) { return fmt::format("an object of {}", c.objects[o.index].cls.description); },
          [](const Super&) { return std::string("super()"); },
          [](const Value& v) { return describe(v); },
      },
      static_cast<const Item::variant&>(item));
}

std::optional<Type> number_type(Compilation& c, const Item& item, const Range& range) {
  if (poisoned(item)) return std::nullopt;
  if (auto* n = std::get_if<Number>(&item)) return n->type;
  if (auto* v = known_number(item)) {
    const Type type = type_of_value(c, *v);
    if (type != Type::Void) return type;
    c.report.error(ErrorKind::Type, range,
                   fmt::format("the integer {} does not fit any type: the largest are i64 and u64", to_text(*v)));
    return std::nullopt;
  }
  bool array = is_array(item);
  c.report.error(
      ErrorKind::Type, range,
      fmt::format("{} is not a number{}", describe_item(c, item),
                  array             ? " here (unsupported operand type): give it an index"
                  : is_tensor(item) ? ": take a component of it, or what any(), all(), norm() and their like make of it"
                                    : ""));
  return std::nullopt;
}

std::optional<std::pair<Type, Type>> operand_types(Compilation& c, const Item& a, const Item& b, const Range& range) {
  // An integer that fits no integer type is a number beside a float.
  auto float_of = [](const Item& item) {
    auto* number = std::get_if<Number>(&item);
    return number && ir::is_float(number->type) ? std::optional(number->type) : std::nullopt;
  };
  auto beside = [&](const Item& item, const Item& other) {
    auto* known = known_number(item);
    const bool large = known && type_of_value(c, *known) == Type::Void;
    auto type = large ? float_of(other) : std::nullopt;
    return type ? type : number_type(c, item, range);
  };
  auto left = beside(a, b), right = beside(b, a);
  return left && right ? std::optional(std::pair(*left, *right)) : std::nullopt;
}

std::optional<InstId> coerce(Compilation& c, const Item& item, Type type, const Range& range) {
  if (auto* known = known_number(item); known && ir::is_float(type)) return c.build.constant(type, *known);
  auto own = number_type(c, item, range);
  if (!own) return std::nullopt;
  if (auto* n = std::get_if<Number>(&item)) return c.build.cast(type, n->id);
  return c.build.constant(type, std::get<Value>(item));
}

std::optional<InstId> uncut_index(Compilation& c, const Item& item, const Range& range) {
  auto type = number_type(c, item, range);
  return type ? coerce(c, item, is_wide(*type) ? *type : Type::I32, range) : std::nullopt;
}

InstId is_below(Compilation& c, InstId number, int64_t size) {
  const Type type = c.kernel[number].type == Type::I32 ? Type::U32 : Type::U64;
  return c.build.compare(ir::CompareOp::Lt, c.build.cast(type, number), c.build.constant(type, Value(size)));
}

std::optional<Number> to_number(Compilation& c, const Item& item, const Range& range) {
  auto type = number_type(c, item, range);
  if (!type) return std::nullopt;
  return Number{*coerce(c, item, *type, range), *type};
}

std::optional<InstId> coerce_stored(Compilation& c, const Item& item, Type type, const Range& range) {
  if (auto* known = known_number(item); known && ir::is_float(type)) return c.build.constant(type, *known);
  auto own = number_type(c, item, range);
  if (!own) return std::nullopt;
  bool loses = false;
  if (std::holds_alternative<Number>(item)) {
    loses = ir::promote(*own, type) != type;
  } else if (const Value& v = std::get<Value>(item); type != Type::U1) {
    loses = is_whole(v) ? !fits(v, type) : as_double(v) != std::trunc(as_double(v));
  }
  if (loses)
    c.report.warn(range, fmt::format("{} is stored as {}: precision may be lost", with_article(*own), ir::name(type)));
  return coerce(c, item, type, range);
}

std::optional<InstId> convert_checked(Compilation& c, const Item& item, Type type, const Range& range) {
  auto* known = known_number(item);
  if (known && is_whole(*known) && ir::is_integer(type) && type != Type::U1 && !fits(*known, type)) {
    c.report.error(
        ErrorKind::Type, range,
        fmt::format("the constant {} exceeded the range of specified dtype {}: another type has room for it, and "
                    "qd.cast(..., {}) keeps its "
                    "lowest {} bits",
                    to_text(*known), ir::name(type), "qd." + std::string(ir::name(type)), ir::bit_width(type)));
    return std::nullopt;
  }
  return coerce(c, item, type, range);
}

std::optional<Type> dtype_argument(Compilation& c, const Item& item, const Range& range) {
  if (poisoned(item)) return std::nullopt;
  if (auto* v = std::get_if<Value>(&item)) {
    if (auto type = dtype_of(*v, c.options)) return type;
  }
  c.report.error(ErrorKind::Type, range, fmt::format("a dtype is expected, not {}", describe_item(c, item)));
  return std::nullopt;
}

}  // namespace qd::frontend
