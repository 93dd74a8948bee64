// Displays of tuples, lists and dicts, and comprehensions.
#include "runtime/frontend/expressions/displays.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::Type;
using syntax::Expr;

namespace {

constexpr size_t kMostSteps = 1'000'000;

/// Makes a value of a dict of which everything is known, or that is empty.
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

void bind_local(Compilation& c, const Expr& target, const Item& item) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    Binding binding{item};
    binding.block = c.build.block();
    c.function().scopes.back().insert_or_assign(name->id, std::move(binding));
    return;
  }
  auto* several = std::get_if<syntax::Tuple>(&target.node);
  auto parts = several ? iterated_items(c, item, target.range) : std::nullopt;
  if (!parts || parts->size() != several->elts.size()) {
    if (!poisoned(item))
      c.report.error(ErrorKind::Type, target.range,
                     fmt::format("{} cannot be unpacked like this", describe_item(c, item)));
    poison_targets(c, target);
    return;
  }
  for (size_t i = 0; i < parts->size(); ++i) bind_local(c, *several->elts[i], (*parts)[i]);
}

/// Calls `each` for every iteration of a comprehension. False after an error.
template <class Each>
bool iterate(Compilation& c, syntax::List<syntax::Comprehension> generators, Each&& each) {
  if (generators.empty()) {
    each();
    return true;
  }
  const syntax::Comprehension& generator = generators[0];
  const syntax::Call* marked = static_call(c, *generator.iter);
  const Expr& over = marked && marked->args.size() == 1 ? *marked->args[0] : *generator.iter;
  auto items = static_iterable(c, over);
  if (!items) return false;
  bool good = true;
  for (const Item& item : *items) {
    if (++c.n_statements > kMostSteps) {
      c.report.error(ErrorKind::Compilation, generator.iter->range,
                     "the comprehension has more than a million iterations");
      throw TooLarge{};
    }
    c.function().push_scope();
    bind_local(c, *generator.target, item);
    bool wanted = true;
    for (const Expr* filter : generator.ifs) {
      Item test = wanted ? static_value(c, *filter) : Item(Value(true));
      if (poisoned(test)) good = false;
      wanted = wanted && good && truth(std::get<Value>(test));
    }
    if (good && wanted) good = iterate(c, generators.subspan(1), each);
    c.function().scopes.pop_back();
    if (!good) return false;
  }
  return true;
}

}  // namespace

Item lower_comprehension(Compilation& c, syntax::List<syntax::Comprehension> generators, const Expr& element) {
  Items items;
  items.is_list = true;
  bool good = iterate(c, generators, [&] { items.list.push_back(evaluate(c, element)); });
  return good ? Item(std::move(items)) : Item(Poison{});
}

Item dict_comprehension(Compilation& c, const syntax::DictComp& e) {
  Items dict;
  bool good = iterate(c, e.generators, [&] {
    Item key = static_value(c, *e.key);
    Item item = evaluate(c, *e.value);
    if (auto* known = std::get_if<Value>(&key)) put_item(dict, *known, std::move(item));
  });
  return good ? simplest(std::move(dict)) : Item(Poison{});
}

Item dict_display(Compilation& c, const syntax::Dict& e) {
  Items dict;
  bool failed = false;
  for (size_t i = 0; i < e.keys.size(); ++i) {
    Item item = evaluate(c, *e.values[i]);
    if (e.keys[i]) {
      Item key = static_value(c, *e.keys[i]);
      failed |= poisoned(key);
      if (auto* known = std::get_if<Value>(&key)) put_item(dict, *known, std::move(item));
      continue;
    }
    auto* known = known_as<Dict>(item);
    auto* items = std::get_if<Items>(&item);
    for (size_t k = 0; known && k < known->keys.size(); ++k) put_item(dict, known->keys[k], known->values[k]);
    for (size_t k = 0; items && k < items->keys.size(); ++k) put_item(dict, items->keys[k], items->list[k]);
    if (!known && (!items || items->keys.empty()) && !poisoned(item)) {
      c.report.error(ErrorKind::Type, e.values[i]->range, fmt::format("{} is no dict", describe_item(c, item)));
    }
  }
  return failed ? Item(Poison{}) : simplest(std::move(dict));
}

Item evaluate_display(Compilation& c, syntax::List<syntax::ExprPtr> elements) {
  Items items;
  for (const Expr* element : elements) {
    auto* starred = std::get_if<syntax::Starred>(&element->node);
    if (!starred) {
      items.list.push_back(evaluate(c, *element));
      continue;
    }
    Item inner = evaluate(c, *starred->value);
    if (auto parts = iterated_items(c, inner, element->range)) {
      items.list.insert(items.list.end(), parts->begin(), parts->end());
    } else if (!poisoned(inner)) {
      items.list.push_back(c.report.error(ErrorKind::Type, element->range,
                                          fmt::format("{} cannot be unpacked", describe_item(c, inner))));
    }
  }
  return items;
}

}  // namespace qd::frontend
