// Tuples, lists and dicts at compile time: iteration and operators.
#include "runtime/frontend/memory/tuples.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/memory/templates.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using syntax::Range;

Item listed(Compilation& c, Item item) {
  auto* host = known_as<HostObject>(item);
  if (!host) return item;
  c.captures.reads.identify(*host, *c.function().environment);
  auto items = listed_by_host(*host, *c.function().environment);
  return items ? Item(*std::move(items)) : item;
}

std::optional<std::vector<Item>> iterated_items(Compilation& c, const Item& item, const Range& range) {
  if (auto* items = std::get_if<Items>(&item)) {
    if (items->keys.empty()) return items->list;
    return std::vector<Item>(items->keys.begin(), items->keys.end());
  }
  if (is_tensor(item)) {
    Tensor tensor = *as_tensor(c, item, range);
    std::vector<Item> rows;
    const int32_t width = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
    for (int32_t i = 0; i < tensor.shape[0]; ++i) {
      std::vector<Component> row;
      for (int32_t k = 0; k < width; ++k) row.push_back({i * width + k, ir::InstId::None});
      rows.push_back(select_components(
          c, tensor, tensor.shape.size() == 2 ? std::vector{width} : std::vector<int32_t>{}, std::move(row)));
    }
    return rows;
  }
  const Item list = listed(c, item);
  auto* value = std::get_if<Value>(&list);
  auto values = value ? iterated(*value) : std::nullopt;
  if (!values) return std::nullopt;
  std::vector<Item> items;
  for (const Value& part : *values) items.push_back(template_item(c, part, range));
  return items;
}

void put_item(Items& dict, Value key, Item item) {
  for (size_t i = 0; i < dict.keys.size(); ++i) {
    if (!equal(dict.keys[i], key)) continue;
    dict.list[i] = std::move(item);
    return;
  }
  dict.keys.push_back(std::move(key));
  dict.list.push_back(std::move(item));
}

std::optional<Item> container_operator(Compilation& c, syntax::Operator op, const Item& a, const Item& b,
                                       const Range& range) {
  auto* x = std::get_if<Value>(&a);
  auto* y = std::get_if<Value>(&b);
  auto is_container = [](const Value* v) {
    return v && (std::holds_alternative<Tuple>(*v) || std::holds_alternative<std::string>(*v));
  };
  if (x && y && (is_container(x) || is_container(y))) {
    Outcome result = frontend::binary(op, *x, *y);
    if (result.is_impossible) return c.report.error(ErrorKind::Type, range, std::move(result.error));
    return result.value ? std::optional<Item>(std::move(*result.value)) : std::nullopt;
  }
  auto list = [](const Item& item) -> std::optional<std::vector<Item>> {
    auto* items = std::get_if<Items>(&item);
    if (items && items->keys.empty()) return items->list;
    auto* tuple = known_as<Tuple>(item);
    if (!tuple) return std::nullopt;
    return std::vector<Item>(tuple->items.begin(), tuple->items.end());
  };
  auto is_list = [](const Item& item) {
    auto* items = std::get_if<Items>(&item);
    auto* tuple = known_as<Tuple>(item);
    return items ? items->is_list : tuple && tuple->is_list;
  };
  auto left = list(a), right = list(b);
  if (op == syntax::Operator::Add && left && right && is_list(a) == is_list(b)) {
    left->insert(left->end(), right->begin(), right->end());
    return Items{std::move(*left), {}, is_list(a)};
  }
  auto times = y ? as_integer(*y) : std::nullopt;
  if (op == syntax::Operator::Mult && left && times) {
    Items repeated;
    repeated.is_list = is_list(a);
    const std::optional<size_t> count = repetitions(left->size(), *times);
    if (!count) return c.report.error(ErrorKind::Type, range, std::string(kTooManyItems));
    for (size_t i = 0; i < *count; ++i) repeated.list.insert(repeated.list.end(), left->begin(), left->end());
    return repeated;
  }
  return std::nullopt;
}

}  // namespace qd::frontend
