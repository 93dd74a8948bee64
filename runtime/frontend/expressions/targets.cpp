// Targets of assignments, as places.
#include "runtime/frontend/expressions/expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::Type;
using syntax::Expr;

Item target_place(Compilation& c, const Expr& target) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    Binding* binding = c.function().find_local(name->id);
    if (!binding) {
      if (auto value = outer_name(c, name->id, target.range)) {
        return c.report.error(ErrorKind::Type, target.range,
                              fmt::format("`{}` is {}: it cannot be changed in a kernel", name->id, describe(*value)));
      }
      return Poison{};
    }
    if (auto* variable = std::get_if<Variable>(&binding->what)) {
      return NumberPlace{variable->place, variable->type, c.function().in_parallel && variable->shared};
    }
    if (std::holds_alternative<CompoundVariable>(binding->what)) return read_binding(c, *binding);
    auto* item = std::get_if<Item>(&binding->what);
    if (item && poisoned(*item)) return Poison{};
    if (item && (std::holds_alternative<NumberPlace>(*item) || std::holds_alternative<TensorPlace>(*item)))
      return *item;
    return c.report.error(binding->immutable ? ErrorKind::Syntax : ErrorKind::Type, target.range,
                          binding->immutable
                              ? fmt::format("Kernel argument \"{}\" is immutable in the kernel", name->id)
                              : fmt::format("`{}` is not a variable that can be changed", name->id));
  }
  auto* subscript = std::get_if<syntax::Subscript>(&target.node);
  auto* attribute = std::get_if<syntax::Attribute>(&target.node);
  if (!subscript && !attribute)
    return c.report.error(ErrorKind::Syntax, target.range,
                          fmt::format("{} cannot be assigned in kernels", node_name(target)));
  if (attribute) attribute_changes(c, *attribute);
  Item item = evaluate_place(c, target);
  if (poisoned(item)) return Poison{};
  auto* record = std::get_if<Record>(&item);
  if (auto* tensor = std::get_if<TensorPlace>(&item); tensor && attribute) {
    for (size_t i = 1; i < tensor->components.size(); ++i) {
      const Component& component = tensor->components[i];
      const bool twice = std::any_of(
          tensor->components.begin(), tensor->components.begin() + static_cast<ptrdiff_t>(i),
          [&](const Component& other) { return other.known == component.known && other.index == component.index; });
      if (twice)
        return c.report.error(ErrorKind::Type, target.range,
                              fmt::format("`{}` names a component twice: it cannot be assigned", attribute->attr));
    }
  }
  if (std::holds_alternative<NumberPlace>(item) || std::holds_alternative<TensorPlace>(item) ||
      (record && !record->is_array))
    return item;
  if (subscript && std::holds_alternative<View>(item)) {
    return c.report.error(ErrorKind::Type, target.range,
                          "a part of an array cannot be assigned at once: assign its elements in a loop");
  }
  const Expr* root = subscript ? subscript->value : attribute->value;
  for (auto* inner = root; inner;) {
    root = inner;
    auto* s = std::get_if<syntax::Subscript>(&inner->node);
    auto* a = std::get_if<syntax::Attribute>(&inner->node);
    inner = s ? s->value : a ? a->value : nullptr;
  }
  auto* name = std::get_if<syntax::Name>(&root->node);
  Binding* binding = name ? c.function().find_local(name->id) : nullptr;
  if (binding && binding->immutable) {
    return c.report.error(ErrorKind::Syntax, target.range,
                          fmt::format("Kernel argument \"{}\" is immutable in the kernel", name->id));
  }
  if (name && !binding && is_compound(evaluate_place(c, *root))) {
    return c.report.error(
        ErrorKind::Type, target.range,
        fmt::format("`{}` is a value from outside of the kernel, a constant: assign it to a variable first", name->id));
  }
  if (subscript) {
    return c.report.error(
        ErrorKind::Type, target.range,
        fmt::format("{} has no elements that can be assigned", describe_item(c, evaluate_place(c, *subscript->value))));
  }
  return c.report.error(ErrorKind::Type, target.range,
                        fmt::format("`{}` cannot be assigned in kernels", attribute->attr));
}

}  // namespace qd::frontend
