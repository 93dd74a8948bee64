// Named tuples: tuples whose items have names, which are known at compile time.
#include "runtime/frontend/expressions/containers.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

namespace {

/// The class of a named tuple; null for other items.
std::shared_ptr<const TupleClass> class_of(const Item& item) {
  if (auto* items = std::get_if<Items>(&item)) return items->named;
  auto* tuple = known_as<Tuple>(item);
  return tuple ? tuple->named : nullptr;
}

std::shared_ptr<const TupleClass> called_class(Compilation& c, const Item& callee) {
  auto* cls = known_as<HostObject>(callee);
  if (!cls || cls->kind != HostObject::Kind::Class) return nullptr;
  auto found = class_member(c, *cls, "fields of a named tuple");
  auto* names = found ? std::get_if<Tuple>(&found->value) : nullptr;
  if (!names) return nullptr;
  TupleClass named{*cls, {}};
  for (const Value& name : names->items) named.fields.push_back(std::get<std::string>(name));
  return std::make_shared<const TupleClass>(std::move(named));
}

/// Evaluates keyword arguments into the fields that they name; false after an error.
bool put_by_name(Compilation& c, const TupleClass& named, const syntax::Call& e, std::vector<std::optional<Item>>& list,
                 size_t by_position) {
  bool good = true;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item item = evaluate(c, *keyword.value);
    auto index = named.index(keyword.arg);
    good &= !poisoned(item);
    if (!index || *index < by_position) {
      c.report.error(ErrorKind::Type, keyword.range,
                     index ? fmt::format("`{}` is given twice", keyword.arg)
                           : fmt::format("`{}` has no field `{}`", named.name(), keyword.arg));
      good = false;
    } else {
      list[*index] = std::move(item);
    }
  }
  return good;
}

/// The value of a field that a call does not give; nothing when it has no default.
std::optional<Item> default_of_field(Compilation& c, const TupleClass& named, const std::string& field) {
  auto found = class_member(c, named.cls, "_field_defaults");
  auto* defaults = found ? std::get_if<Dict>(&found->value) : nullptr;
  for (size_t i = 0; defaults && i < defaults->keys.size(); ++i) {
    if (equal(defaults->keys[i], Value(field))) return Item(defaults->values[i]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Item> named_tuple_attribute(Compilation& c, const Item& item, std::string_view name, const Range& range) {
  const auto named = class_of(item);
  if (!named) return std::nullopt;
  if (auto index = named->index(name)) return iterated_items(c, item, range)->at(*index);
  auto found = class_member(c, named->cls, name);
  return found ? std::optional(bound_member(c, *std::move(found), item, named->cls, range)) : std::nullopt;
}

std::optional<Item> named_tuple_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr) {
  const auto named = called_class(c, callee);
  if (!named) return std::nullopt;
  std::vector<Item> given = std::get<Items>(evaluate_display(c, e.args)).list;
  const size_t count = named->fields.size();
  if (given.size() > count)
    return c.report.error(
        ErrorKind::Type, expr.range,
        fmt::format("`{}` takes {}, {} given", named->name(), counted(count, "argument"), given.size()));
  std::vector<std::optional<Item>> list(given.begin(), given.end());
  list.resize(count);
  if (!put_by_name(c, *named, e, list, given.size()) || std::ranges::any_of(given, poisoned)) return Item(Poison{});
  Items made{{}, {}, false, named};
  for (size_t i = 0; i < count; ++i) {
    auto item = list[i] ? std::move(list[i]) : default_of_field(c, *named, named->fields[i]);
    if (!item)
      return c.report.error(ErrorKind::Type, expr.range,
                            fmt::format("`{}` needs an argument for `{}`", named->name(), named->fields[i]));
    made.list.push_back(*std::move(item));
  }
  return made;
}

std::optional<Item> named_tuple_method(Compilation& c, const syntax::Call& e, const Expr& expr) {
  auto* callee = std::get_if<syntax::Attribute>(&e.func->node);
  if (!callee || (callee->attr != "_replace" && callee->attr != "_asdict")) return std::nullopt;
  const Item item = evaluate(c, *callee->value);
  const auto named = class_of(item);
  if (!named || !e.args.empty()) return std::nullopt;
  const std::vector<Item> items = *iterated_items(c, item, expr.range);
  if (callee->attr == "_asdict") return Items{items, {named->fields.begin(), named->fields.end()}};
  std::vector<std::optional<Item>> list(items.begin(), items.end());
  if (!put_by_name(c, *named, e, list, 0)) return Item(Poison{});
  Items made{{}, {}, false, named};
  for (auto& field : list) made.list.push_back(*std::move(field));
  return made;
}

}  // namespace qd::frontend
