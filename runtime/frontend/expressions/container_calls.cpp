// Methods of containers, and Python's functions of them: sum, sorted, zip.
#include "runtime/frontend/expressions/containers.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/functions.h"
#include "runtime/frontend/values/operators.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

std::optional<Item> container_method(Compilation& c, const syntax::Call& e, const Expr& expr) {
  auto* attribute = std::get_if<syntax::Attribute>(&e.func->node);
  auto* name = attribute ? std::get_if<syntax::Name>(&attribute->value->node) : nullptr;
  Binding* binding = name ? c.function().find_local(name->id) : nullptr;
  auto* item = binding ? std::get_if<Item>(&binding->what) : nullptr;
  if (auto* items = item ? std::get_if<Items>(item) : nullptr; items && !items->keys.empty() && e.args.empty()) {
    if (attribute->attr == "values") return Items{items->list};
    if (attribute->attr == "keys") return Items{{items->keys.begin(), items->keys.end()}};
    if (attribute->attr == "items") {
      Items pairs;
      for (size_t i = 0; i < items->list.size(); ++i) pairs.list.push_back(Items{{items->keys[i], items->list[i]}});
      return pairs;
    }
  }
  if (!attribute) return std::nullopt;
  if (std::holds_alternative<syntax::Constant>(attribute->value->node)) return static_value(c, expr);
  auto* known = item ? std::get_if<Value>(item) : nullptr;
  std::optional<Value> object = known ? std::optional(*known) : std::nullopt;
  if (!binding && is_method_of_known(attribute->attr)) object = KernelScope(c).quiet(*attribute->value);
  return object && is_known_container(*object) ? std::optional(static_value(c, expr)) : std::nullopt;
}

Item container_call(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  Items arguments;
  auto* inner = e.args.size() > 0 ? std::get_if<syntax::Call>(&e.args[0]->node) : nullptr;
  const BuiltinInfo* inner_info = inner ? builtin_of(c, *inner->func) : nullptr;
  const bool ranges =
      inner_info && (inner_info->kind == BuiltinKind::Range || inner_info->kind == BuiltinKind::NdRange ||
                     inner_info->kind == BuiltinKind::Zip || inner_info->kind == BuiltinKind::Enumerate);
  if (ranges) {
    auto items = static_iterable(c, *e.args[0]);
    if (!items) return Poison{};
    arguments.list.push_back(Items{std::move(*items)});
  }
  Items others = std::get<Items>(evaluate_display(c, e.args.subspan(ranges ? 1 : 0)));
  arguments.list.insert(arguments.list.end(), others.list.begin(), others.list.end());
  bool known = true;
  for (Item& item : arguments.list) {
    if (poisoned(item)) return Poison{};
    item = listed(c, std::move(item));
    known &= std::holds_alternative<Value>(item);
  }
  if (!known && !arguments.list.empty()) {
    // Items that are all known are a value, too.
    KernelScope scope(c);
    known = arguments.list.size() == 1 && scope.as_value(arguments.list[0]).has_value();
    if (known) arguments.list[0] = *scope.as_value(arguments.list[0]);
  }
  Value start = int64_t{0};
  bool reverse = false;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item item = static_value(c, *keyword.value);
    if (poisoned(item)) return Poison{};
    if (info.name == "sorted" && keyword.arg == "reverse") {
      reverse = truth(std::get<Value>(item));
    } else if (info.name == "sum" && keyword.arg == "start") {
      arguments.list.push_back(item);
    } else {
      return c.report.error(ErrorKind::Syntax, keyword.range,
                            fmt::format("`{}` takes no keyword argument `{}` in kernels", info.name, keyword.arg));
    }
  }
  if (known) {
    std::vector<Value> values;
    for (const Item& item : arguments.list) values.push_back(std::get<Value>(item));
    Outcome result = call_container_function(info.name, values, reverse);
    if (!result.value) return c.report.error(ErrorKind::Type, expr.range, std::move(result.error));
    return Item(std::move(*result.value));
  }
  if ((info.name == "any" || info.name == "all") && arguments.list.size() == 1 && is_tensor(arguments.list[0]))
    return tensor_function(c, info.name, {loaded(c, arguments.list[0])}, expr.range);
  auto items = iterated_items(c, arguments.list[0], expr.range);
  if (!items || arguments.list.size() > (info.name == "sum" ? 2 : 1)) {
    return c.report.error(
        ErrorKind::Type, expr.range,
        fmt::format("`{}` takes something to iterate over whose length is known at compile time, not {}", info.name,
                    describe_item(c, arguments.list[0])));
  }
  if (info.name == "tuple" || info.name == "list") return Items{std::move(*items), {}, info.name == "list"};
  if (info.name == "reversed") {
    std::ranges::reverse(*items);
    return Items{std::move(*items), {}, true};
  }
  if (info.name == "sorted")
    return c.report.error(ErrorKind::Type, expr.range, "`sorted` needs values that are known at compile time");
  if (info.name == "sum") {
    std::optional<Item> sum;
    if (arguments.list.size() == 2) sum = arguments.list[1];
    for (const Item& item : *items)
      sum = sum ? apply_operator(c, syntax::Operator::Add, *sum, item, expr.range)
                : signed_value(c, syntax::UnaryOperator::UAdd, item, expr.range);
    return sum ? *sum : Item(start);
  }
  std::optional<ir::InstId> all;
  for (const Item& item : *items) {
    auto test = to_condition(c, object_truth(c, item, expr.range), expr.range);
    if (!test) return Poison{};
    all = all ? c.build.binary(info.name == "any" ? ir::BinaryOp::BitOr : ir::BinaryOp::BitAnd, *all, *test) : *test;
  }
  return Number{*all, ir::Type::U1};
}

}  // namespace qd::frontend
