// Calls of compound types: Vector(...), Matrix(...), structs.
#include "runtime/frontend/expressions/builtin_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/functions.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::Type;
using syntax::Expr;
using syntax::Range;

namespace {

/// A member of a struct from its value. Of a number, a vector has it in each component, and a struct in its first
/// member.
Item member_of(Compilation& c, const Item& value, const Value& type, const Range& range) {
  auto* compound = std::get_if<CompoundType>(&type);
  const bool spread = is_a_number(value) && compound;
  if (spread && !compound->structure) {
    const std::vector<Item> numbers(static_cast<size_t>(count_of(compound->shape)), value);
    auto tensor = tensor_of(c, numbers, compound->shape, number_type_of(*compound, c.options), range);
    return tensor ? Item(*tensor) : Item(Poison{});
  }
  if (!spread || compound->structure->types.empty()) return convert_item(c, value, type, range);
  Record record{compound->structure, {}, false};
  for (const Value& inner : compound->structure->types)
    record.members.push_back(record.members.empty() ? member_of(c, value, inner, range) : zero_of(c, inner, range));
  return poisoned(record.members[0]) ? Item(Poison{}) : Item(std::move(record));
}

Item make_struct(Compilation& c, const StructType& type, const syntax::Call& e, const Expr& expr,
                 std::shared_ptr<const StructType> shared) {
  std::vector<std::optional<Item>> members(type.names.size());
  Item list = evaluate_display(c, e.args);
  std::vector<Item>& given = std::get<Items>(list).list;
  if (given.size() > members.size()) {
    return c.report.error(ErrorKind::Type, expr.range,
                          fmt::format("`{}` has {}, {} given", type.name, counted(members.size(), "member"),
                                      counted_are(given.size(), "value")));
  }
  bool failed = false;
  for (size_t i = 0; i < given.size(); ++i)
    members[i] = member_of(c, given[i], type.types[i], i < e.args.size() ? e.args[i]->range : expr.range);
  for (const syntax::Keyword& keyword : e.keywords) {
    auto index = type.index(keyword.arg);
    Item value = evaluate(c, *keyword.value);
    if (!index || members[*index]) {
      c.report.error(ErrorKind::Type, keyword.range,
                     index ? fmt::format("`{}` is given twice", keyword.arg)
                           : fmt::format("`{}` has no member `{}`", type.name, keyword.arg));
      failed = true;
      continue;
    }
    members[*index] = member_of(c, value, type.types[*index], keyword.range);
  }
  Record record{std::move(shared), {}, false};
  for (size_t i = 0; i < members.size(); ++i) {
    if (!members[i] && i < type.defaults.size() && type.defaults[i])
      members[i] = convert_item(c, Item(*type.defaults[i]), type.types[i], expr.range);
    record.members.push_back(members[i] ? std::move(*members[i]) : zero_of(c, type.types[i], expr.range));
    failed |= poisoned(record.members.back());
  }
  return failed ? Item(Poison{}) : Item(std::move(record));
}

}  // namespace

// Lowers qd.Struct(a=..., b=...) and qd.Struct({"a": ..., "b": ...}): the members have the types of their values.
Item struct_of_members(Compilation& c, const syntax::Call& e, const Expr& expr) {
  std::vector<std::pair<std::string, Item>> members;
  Item list = evaluate_display(c, e.args);
  for (const Item& item : std::get<Items>(list).list) {
    if (poisoned(item)) return Poison{};
    auto* items = std::get_if<Items>(&item);
    auto* dict = known_as<Dict>(item);
    for (size_t i = 0; i < (items ? items->keys.size() : dict ? dict->keys.size() : 0); ++i) {
      auto* name = std::get_if<std::string>(&(items ? items->keys : dict->keys)[i]);
      if (name) members.emplace_back(*name, items ? items->list[i] : Item(dict->values[i]));
    }
  }
  const size_t named = members.size();
  for (const syntax::Keyword& keyword : e.keywords) members.emplace_back(keyword.arg, evaluate(c, *keyword.value));
  if (members.empty() || e.args.size() > 1 || (e.args.size() == 1 && named == 0))
    return c.report.error(
        ErrorKind::Type, expr.range,
        "`Struct` takes its members by name: qd.Struct(a=1, b=2.0), qd.Struct({\"a\": 1, \"b\": 2.0})");
  auto type = std::make_shared<StructType>();
  type->name = "Struct";
  Record record;
  for (auto& [name, value] : members) {
    if (poisoned(value)) return Poison{};
    Value member;
    if (auto* inner = std::get_if<Record>(&value); inner && !inner->is_array) {
      member = CompoundType{std::nullopt, {}, inner->type};
    } else if (auto tensor = is_compound(value) || std::holds_alternative<Items>(value)
                                 ? as_tensor(c, value, expr.range)
                                 : std::nullopt) {
      value = *tensor;
      member = CompoundType{tensor->type, tensor->shape};
    } else if (auto number = to_number(c, value, expr.range)) {
      value = *number;
      member = number->type;
    } else {
      return Poison{};
    }
    if (type->index(name)) return c.report.error(ErrorKind::Type, expr.range, fmt::format("`{}` is given twice", name));
    type->names.emplace_back(name);
    type->types.push_back(std::move(member));
    record.members.push_back(std::move(value));
  }
  record.type = std::move(type);
  return record;
}

Item call_compound_type(Compilation& c, const CompoundType& type, const syntax::Call& e, const Expr& expr) {
  if (type.structure && type.structure->dataclass) {
    return c.report.error(
        ErrorKind::Type, expr.range,
        fmt::format("`{}` is a Python dataclass: it is made outside of kernels; @qd.dataclass makes types for kernels",
                    type.structure->name));
  }
  if (type.structure) return make_struct(c, *type.structure, e, expr, type.structure);
  for (const syntax::Keyword& keyword : e.keywords)
    c.report.error(ErrorKind::Syntax, keyword.range,
                   fmt::format("{} takes no keyword argument `{}`", describe(Value(type)), keyword.arg));
  Item list = evaluate_display(c, e.args);
  std::vector<Item> numbers;
  auto gather = [&](auto&& self, const Item& item) -> bool {
    if (poisoned(item)) return false;
    if (is_a_number(item)) {
      numbers.push_back(item);
      return true;
    }
    if (auto* items = std::get_if<Items>(&item); items && items->keys.empty())
      return std::ranges::all_of(items->list, [&](const Item& part) { return self(self, part); });
    auto tensor = as_tensor(c, item, expr.range);
    for (size_t i = 0; tensor && i < tensor->numbers.size(); ++i) numbers.push_back(component_item(*tensor, i));
    if (!tensor)
      c.report.error(ErrorKind::Type, expr.range,
                     fmt::format("{} cannot be made of {}", describe(Value(type)), describe_item(c, item)));
    return tensor.has_value();
  };
  const std::vector<Item>& given = std::get<Items>(list).list;
  for (const Item& item : given) {
    if (!gather(gather, item)) return Poison{};
  }
  const auto count = static_cast<size_t>(count_of(type.shape));
  if (given.size() == 1 && is_a_number(given[0])) numbers.assign(count, numbers[0]);
  if (numbers.size() != count) {
    return c.report.error(ErrorKind::Type, expr.range,
                          fmt::format("{} has {}, {} given", describe(Value(type)), counted(count, "component"),
                                      counted_are(numbers.size(), "value")));
  }
  auto tensor = tensor_of(c, numbers, type.shape, number_type_of(type, c.options), expr.range);
  return tensor ? Item(*tensor) : Item(Poison{});
}

namespace {

/// The names of the arguments of qd.Vector(...), qd.Matrix(...) and of special matrices' makers, in their order.
std::vector<std::string_view> argument_names(std::string_view callee) {
  const std::string_view maker = callee.substr(callee.find('.') + 1);
  const bool vector = callee.starts_with("Vector");
  if (maker == "Vector" || maker == "Matrix") return {"arr", "dt"};
  if (maker == "diag") return {"dim", "val"};
  if (maker == "unit") return {"n", "i", "dt"};
  if (maker == "eye") return {"n", "dt"};
  if (maker == "rows" || maker == "cols") return {maker};
  if (maker == "identity" || vector) return {"dt", "n"};
  return {"dt", "n", "m"};
}

/// Arguments in the order of their names, and the dtype apart if it is given by name. Nothing after an error.
struct MakerArguments {
  std::vector<Item> args;
  std::optional<Type> type;
};
std::optional<MakerArguments> maker_arguments(Compilation& c, const BuiltinInfo& info, const syntax::Call& e) {
  MakerArguments result;
  result.args = std::get<Items>(evaluate_display(c, e.args)).list;
  const std::vector<std::string_view> names = argument_names(info.name);
  std::vector<std::optional<Item>> named(names.size());
  bool failed = false;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item value = evaluate(c, *keyword.value);
    const auto at = static_cast<size_t>(std::ranges::find(names, keyword.arg) - names.begin());
    if (keyword.arg == "dt" || keyword.arg == "dtype") {
      if (auto* none = std::get_if<Value>(&value); none && std::holds_alternative<None>(*none)) continue;
      result.type = dtype_argument(c, value, keyword.range);
      failed |= !result.type;
    } else if (at < names.size() && at >= result.args.size() && !named[at]) {
      named[at] = std::move(value);
    } else {
      c.report.error(ErrorKind::Syntax, keyword.range,
                     at < names.size()
                         ? fmt::format("`{}` is given twice", keyword.arg)
                         : fmt::format("`{}` takes no keyword argument `{}` in kernels", info.name, keyword.arg));
      failed = true;
    }
  }
  for (std::optional<Item>& item : named) {
    if (item) result.args.push_back(std::move(*item));
  }
  for (const Item& arg : result.args) failed |= has_failed(arg);
  return failed ? std::nullopt : std::optional(std::move(result));
}

}  // namespace

// Lowers qd.Vector(...), qd.Matrix(...), and makers of special ones: Matrix.identity(dt, n), Vector.zero(dt, n)...
Item make_tensor(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  constexpr auto kMost = static_cast<int64_t>(ir::kMaxLocalArray);
  auto fits = [](int64_t rows, int64_t columns) {
    return rows >= 1 && columns >= 1 && rows <= kMost && columns <= kMost / rows;
  };
  auto given = maker_arguments(c, info, e);
  if (!given) return Poison{};
  auto& [args, type] = *given;
  auto known = [&](size_t i) -> std::optional<int64_t> {
    auto* value = i < args.size() ? std::get_if<Value>(&args[i]) : nullptr;
    return value ? as_integer(*value) : std::nullopt;
  };
  auto bad = [&] {
    return c.report.error(ErrorKind::Type, expr.range,
                          fmt::format("`{}` cannot be called like this in a kernel", info.name));
  };
  if (info.kind == BuiltinKind::TensorValue) {
    if (args.size() == 2 && !type) {
      type = dtype_argument(c, args[1], expr.range);
      if (!type) return Poison{};
    } else if (args.size() != 1) {
      return bad();
    }
    auto tensor = as_tensor(c, args[0], expr.range, type);
    const size_t axes = info.name == "Vector" ? 1 : 2;
    if (!tensor)
      return c.report.error(ErrorKind::Type, expr.range,
                            fmt::format("`{}` is made of a list of {}, not of {}", info.name,
                                        axes == 1 ? "numbers" : "rows of numbers", describe_item(c, args[0])));
    if (axes == 1 && tensor->shape.size() == 2)
      return c.report.error(ErrorKind::Type, expr.range,
                            "a `Vector` is made of a list of numbers; rows make a `Matrix`");
    return type ? convert_tensor(c, *tensor, *type) : Item(*tensor);
  }
  std::string_view maker = info.name.substr(info.name.find('.') + 1);
  if (maker == "rows" || maker == "cols") {
    auto tensor = args.size() == 1 ? as_tensor(c, args[0], expr.range) : std::nullopt;
    if (!tensor || tensor->shape.size() != 2) return bad();
    return maker == "rows" ? Item(*tensor) : tensor_function(c, "transpose", {*tensor}, expr.range);
  }
  if (maker == "diag") {
    auto n = known(0);
    if (args.size() != 2 || !n || !fits(*n, *n)) return bad();
    auto number = to_number(c, args[1], expr.range);
    if (!number) return Poison{};
    Tensor tensor{number->type, {static_cast<int32_t>(*n), static_cast<int32_t>(*n)}, {}};
    for (int64_t i = 0; i < *n * *n; ++i)
      tensor.numbers.push_back(i % (*n + 1) ? c.build.constant(number->type, Value(int64_t{0})) : number->id);
    return tensor;
  }
  // unit(n, i, dt) and eye(n) have a type of their own unless one is given; all others begin with it.
  const bool own_type = maker == "unit" || maker == "eye";
  const size_t at = own_type ? (maker == "unit" ? 2 : 1) : 0;
  if (args.size() > at && !type) {
    type = dtype_argument(c, args[at], expr.range);
    if (!type) return Poison{};
    args.erase(args.begin() + static_cast<ptrdiff_t>(at));
  } else if (own_type && !type) {
    type = maker == "unit" ? c.options.default_ip : c.options.default_fp;
  }
  if (maker == "eye") maker = "identity";
  const bool vector = info.name.starts_with("Vector");
  auto n = known(0), second = known(1);
  const size_t wanted = maker == "unit" ? 2 : vector || maker == "identity" ? 1 : args.size() == 2 ? 2 : 1;
  if (!type || !n || args.size() != wanted || (wanted == 2 && !second)) return bad();
  const bool matrix = !vector && maker != "unit" && (maker == "identity" || second);
  const int64_t columns = !matrix ? 1 : maker == "identity" ? *n : *second;
  if (!fits(*n, columns) || (maker == "unit" && (*second < 0 || *second >= *n))) return bad();
  std::vector<int32_t> shape{static_cast<int32_t>(*n)};
  if (matrix) shape.push_back(static_cast<int32_t>(columns));
  Tensor tensor{*type, shape, {}};
  for (int32_t i = 0; i < count_of(shape); ++i) {
    const bool set = maker == "one" || (maker == "unit" && i == *second) || (maker == "identity" && i % (*n + 1) == 0);
    tensor.numbers.push_back(c.build.constant(*type, Value(int64_t{set})));
  }
  return tensor;
}

}  // namespace qd::frontend
