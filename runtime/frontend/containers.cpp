// Tuples, lists and dicts in kernels: they exist at compile time alone, what is in them may be computed at run time.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

namespace {

constexpr size_t kMostIterations = 1'000'000;

}  // namespace

std::optional<std::vector<Item>> Lowering::iterated_items(const Item& item, const Range& range) {
  if (auto* items = std::get_if<Items>(&item)) {
    if (items->keys.empty()) return items->list;
    return std::vector<Item>(items->keys.begin(), items->keys.end());
  }
  if (is_tensor(item)) {
    Tensor tensor = *as_tensor(item, range);
    std::vector<Item> rows;
    const int32_t width = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
    for (int32_t i = 0; i < tensor.shape[0]; ++i) {
      std::vector<Component> row;
      for (int32_t k = 0; k < width; ++k) row.push_back({i * width + k, ir::InstId::None});
      rows.push_back(select_components(tensor, tensor.shape.size() == 2 ? std::vector{width} : std::vector<int32_t>{},
                                       std::move(row)));
    }
    return rows;
  }
  auto* value = std::get_if<Value>(&item);
  auto values = value ? iterated(*value) : std::nullopt;
  if (!values) return std::nullopt;
  std::vector<Item> items;
  for (const Value& part : *values) items.push_back(template_item(part, range));
  return items;
}

void Lowering::bind_local(const Expr& target, const Item& item) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    Binding binding{item};
    binding.block = build_.block();
    frame().scopes.back().insert_or_assign(name->id, std::move(binding));
    return;
  }
  auto* several = std::get_if<syntax::Tuple>(&target.node);
  auto parts = several ? iterated_items(item, target.range) : std::nullopt;
  if (!parts || parts->size() != several->elts.size()) {
    if (!poisoned(item))
      error(ErrorKind::Type, target.range, fmt::format("{} cannot be unpacked like this", describe_item(item)));
    poison_targets(target);
    return;
  }
  for (size_t i = 0; i < parts->size(); ++i) bind_local(*several->elts[i], (*parts)[i]);
}

/// Calls `each` for every iteration of a comprehension. False after an error.
template <class Each>
bool Lowering::iterate(syntax::List<syntax::Comprehension> generators, Each&& each) {
  if (generators.empty()) {
    each();
    return true;
  }
  const syntax::Comprehension& generator = generators[0];
  const syntax::Call* marked = static_call(*generator.iter);
  const Expr& over = marked && marked->args.size() == 1 ? *marked->args[0] : *generator.iter;
  auto items = static_iterable(over);
  if (!items) return false;
  bool good = true;
  for (const Item& item : *items) {
    if (++n_statements_ > kMostIterations) {
      error(ErrorKind::Compilation, generator.iter->range, "the comprehension has more than a million iterations");
      throw TooLarge{};
    }
    push_scope();
    bind_local(*generator.target, item);
    bool wanted = true;
    for (const Expr* filter : generator.ifs) {
      Item test = wanted ? static_value(*filter) : Item(Value(true));
      if (poisoned(test)) good = false;
      wanted = wanted && good && truth(std::get<Value>(test));
    }
    if (good && wanted) good = iterate(generators.subspan(1), each);
    frame().scopes.pop_back();
    if (!good) return false;
  }
  return true;
}

Item Lowering::comprehension(syntax::List<syntax::Comprehension> generators, const Expr& element) {
  Items items;
  items.is_list = true;
  ++comprehensions_;
  bool good = iterate(generators, [&] { items.list.push_back(eval(element)); });
  --comprehensions_;
  return good ? Item(std::move(items)) : Item(Poison{});
}

void Lowering::put(Items& dict, Value key, Item item) {
  for (size_t i = 0; i < dict.keys.size(); ++i) {
    if (!equal(dict.keys[i], key)) continue;
    dict.list[i] = std::move(item);
    return;
  }
  dict.keys.push_back(std::move(key));
  dict.list.push_back(std::move(item));
}

namespace {

/// A dict of which everything is known, or that is empty, is a value.
Item simplest(Items dict) {
  Dict known;
  known.keys = dict.keys;
  for (const Item& item : dict.list) {
    auto* value = std::get_if<Value>(&item);
    if (!value) return dict;
    known.values.push_back(*value);
  }
  return Value(std::move(known));
}

}  // namespace

Item Lowering::dict_comprehension(const syntax::DictComp& e) {
  Items dict;
  bool good = iterate(e.generators, [&] {
    Item key = static_value(*e.key);
    Item item = eval(*e.value);
    if (auto* known = std::get_if<Value>(&key)) put(dict, *known, std::move(item));
  });
  return good ? simplest(std::move(dict)) : Item(Poison{});
}

Item Lowering::dict_display(const syntax::Dict& e) {
  Items dict;
  bool failed = false;
  for (size_t i = 0; i < e.keys.size(); ++i) {
    Item item = eval(*e.values[i]);
    if (e.keys[i]) {
      Item key = static_value(*e.keys[i]);
      failed |= poisoned(key);
      if (auto* known = std::get_if<Value>(&key)) put(dict, *known, std::move(item));
      continue;
    }
    auto* value = std::get_if<Value>(&item);
    auto* known = value ? std::get_if<Dict>(value) : nullptr;
    auto* items = std::get_if<Items>(&item);
    for (size_t k = 0; known && k < known->keys.size(); ++k) put(dict, known->keys[k], known->values[k]);
    for (size_t k = 0; items && k < items->keys.size(); ++k) put(dict, items->keys[k], items->list[k]);
    if (!known && (!items || items->keys.empty()) && !poisoned(item)) {
      error(ErrorKind::Type, e.values[i]->range, fmt::format("{} is no dict", describe_item(item)));
    }
  }
  return failed ? Item(Poison{}) : simplest(std::move(dict));
}

Item Lowering::item_slice(const Item& item, const syntax::Slice& slice, const Range& range) {
  auto bound = [&](syntax::ExprPtr at) { return at ? static_value(*at) : Item(Value(None{})); };
  Item lower = bound(slice.lower), upper = bound(slice.upper), step = bound(slice.step);
  if (poisoned(lower) || poisoned(upper) || poisoned(step)) return Poison{};
  const Value &from = std::get<Value>(lower), &to = std::get<Value>(upper), &by = std::get<Value>(step);
  if (auto* items = std::get_if<Items>(&item); items && items->keys.empty()) {
    auto positions = slice_positions(items->list.size(), from, to, by);
    if (!positions) return error(ErrorKind::Type, range, "the bounds of a slice are integers, and its step is not 0");
    Items part;
    part.is_list = items->is_list;
    for (size_t i : *positions) part.list.push_back(items->list[i]);
    return part;
  }
  auto* value = std::get_if<Value>(&item);
  Outcome part = value ? frontend::slice(*value, from, to, by)
                       : Outcome::failed(fmt::format("{} has no slices", describe_item(item)));
  if (!part.value) return error(ErrorKind::Type, range, std::move(part.error));
  return Item(std::move(*part.value));
}

std::optional<Item> Lowering::container_operator(syntax::Operator op, const Item& a, const Item& b) {
  auto* x = std::get_if<Value>(&a);
  auto* y = std::get_if<Value>(&b);
  auto is_container = [](const Value* v) {
    return v && (std::holds_alternative<Tuple>(*v) || std::holds_alternative<std::string>(*v));
  };
  if (x && y && (is_container(x) || is_container(y))) {
    Outcome result = frontend::binary(op, *x, *y);
    return result.value ? std::optional<Item>(std::move(*result.value)) : std::nullopt;
  }
  auto list = [](const Item& item) -> std::optional<std::vector<Item>> {
    auto* items = std::get_if<Items>(&item);
    if (items && items->keys.empty()) return items->list;
    auto* value = std::get_if<Value>(&item);
    auto* tuple = value ? std::get_if<Tuple>(value) : nullptr;
    if (!tuple) return std::nullopt;
    return std::vector<Item>(tuple->items.begin(), tuple->items.end());
  };
  auto is_list = [](const Item& item) {
    auto* items = std::get_if<Items>(&item);
    auto* value = std::get_if<Value>(&item);
    auto* tuple = value ? std::get_if<Tuple>(value) : nullptr;
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
    for (int64_t i = 0; i < std::min<int64_t>(*times, 4096); ++i)
      repeated.list.insert(repeated.list.end(), left->begin(), left->end());
    return repeated;
  }
  return std::nullopt;
}

std::optional<Item> Lowering::container_method(const syntax::Call& e, const Expr& expr) {
  auto* attribute = std::get_if<syntax::Attribute>(&e.func->node);
  auto* name = attribute ? std::get_if<syntax::Name>(&attribute->value->node) : nullptr;
  Binding* binding = name ? find_local(name->id) : nullptr;
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
  auto* value = item ? std::get_if<Value>(item) : nullptr;
  const bool constant = attribute && std::holds_alternative<syntax::Constant>(attribute->value->node);
  const bool container = value && (std::holds_alternative<Dict>(*value) || std::holds_alternative<Tuple>(*value) ||
                                   std::holds_alternative<std::string>(*value));
  if (!constant && !container) return std::nullopt;
  return static_value(expr);
}

Item Lowering::container_call(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  Items arguments;
  auto* inner = e.args.size() > 0 ? std::get_if<syntax::Call>(&e.args[0]->node) : nullptr;
  const BuiltinInfo* inner_info = inner ? builtin_of(*inner->func) : nullptr;
  const bool ranges =
      inner_info && (inner_info->kind == BuiltinKind::Range || inner_info->kind == BuiltinKind::NdRange ||
                     inner_info->kind == BuiltinKind::Zip || inner_info->kind == BuiltinKind::Enumerate);
  if (ranges) {
    auto items = static_iterable(*e.args[0]);
    if (!items) return Poison{};
    arguments.list.push_back(Items{std::move(*items)});
  }
  Items others = std::get<Items>(display(e.args.subspan(ranges ? 1 : 0)));
  arguments.list.insert(arguments.list.end(), others.list.begin(), others.list.end());
  bool known = true;
  for (const Item& item : arguments.list) {
    if (poisoned(item)) return Poison{};
    known &= std::holds_alternative<Value>(item);
  }
  if (!known && !arguments.list.empty()) {
    // Items that are all known are a value, too.
    KernelScope scope(*this);
    known = arguments.list.size() == 1 && scope.as_value(arguments.list[0]).has_value();
    if (known) arguments.list[0] = *scope.as_value(arguments.list[0]);
  }
  Value start = int64_t{0};
  bool reverse = false;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item item = static_value(*keyword.value);
    if (poisoned(item)) return Poison{};
    if (info.name == "sorted" && keyword.arg == "reverse") {
      reverse = truth(std::get<Value>(item));
    } else if (info.name == "sum" && keyword.arg == "start") {
      arguments.list.push_back(item);
    } else {
      return error(ErrorKind::Syntax, keyword.range,
                   fmt::format("`{}` takes no keyword argument `{}` in kernels", info.name, keyword.arg));
    }
  }
  if (known) {
    std::vector<Value> values;
    for (const Item& item : arguments.list) values.push_back(std::get<Value>(item));
    Outcome result = call_container_function(info.name, values, reverse);
    if (!result.value) return error(ErrorKind::Type, expr.range, std::move(result.error));
    return Item(std::move(*result.value));
  }
  auto items = iterated_items(arguments.list[0], expr.range);
  if (!items || arguments.list.size() > (info.name == "sum" ? 2 : 1)) {
    return error(ErrorKind::Type, expr.range,
                 fmt::format("`{}` takes something to iterate over whose length is known at compile time, not {}",
                             info.name, describe_item(arguments.list[0])));
  }
  if (info.name == "tuple" || info.name == "list") return Items{std::move(*items), {}, info.name == "list"};
  if (info.name == "reversed") {
    std::ranges::reverse(*items);
    return Items{std::move(*items), {}, true};
  }
  if (info.name == "sorted")
    return error(ErrorKind::Type, expr.range, "`sorted` needs values that are known at compile time");
  if (info.name == "sum") {
    std::optional<Item> sum;
    if (arguments.list.size() == 2) sum = arguments.list[1];
    for (const Item& item : *items)
      sum = sum ? apply(syntax::Operator::Add, *sum, item, expr.range)
                : signed_value(syntax::UnaryOperator::UAdd, item, expr.range);
    return sum ? *sum : Item(start);
  }
  std::optional<ir::InstId> all;
  for (const Item& item : *items) {
    auto test = condition(item, expr.range);
    if (!test) return Poison{};
    all = all ? build_.binary(info.name == "any" ? ir::BinaryOp::BitOr : ir::BinaryOp::BitAnd, *all, *test) : *test;
  }
  return Number{*all, ir::Type::U1};
}

}  // namespace qd::frontend
