// Names: their meaning, and assignments to them.
#include "runtime/frontend/memory/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/memory/axes.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"
#include "runtime/syntax/tree_walk.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::overloaded;
using syntax::Range;

void assign_name(Compilation& c, std::string_view name, const Item& item, const Range& target, const Range& range,
                 bool compile_time) {
  Binding* binding = c.function().find_local(name);
  if (binding && binding->immutable) {
    c.report.error(ErrorKind::Syntax, target, fmt::format("Kernel argument \"{}\" is immutable in the kernel", name));
    return;
  }
  // `v, _, _ = f()`: `_` may be a number and then a vector. Nobody reads it, so it is another variable each time.
  const bool renewed = binding && name == "_" && binding->block == c.build.block();
  if (auto* variable = binding && !renewed ? std::get_if<Variable>(&binding->what) : nullptr) {
    Variable to = *variable;
    if (is_a_number(item)) {
      c.build.store(to.place, *coerce_stored(c, item, to.type, range));
    } else if (!poisoned(item)) {
      c.report.error(ErrorKind::Type, range,
                     fmt::format("`{}` is {} variable: {} cannot be assigned to it", name, with_article(to.type),
                                 describe_item(c, item)));
      binding->what = Item(Poison{});
    }
    return;
  }
  if (binding && !renewed) {
    auto* known = std::get_if<Item>(&binding->what);
    if (known && (poisoned(*known) || same_object(*known, item))) return;
    if (std::holds_alternative<CompoundVariable>(binding->what) ||
        (known && (std::holds_alternative<NumberPlace>(*known) || std::holds_alternative<TensorPlace>(*known)))) {
      const size_t errors = c.report.errors();
      store_item(c, read_binding(c, *binding), item, range, false);
      if (c.report.errors() > errors) binding->what = Item(Poison{});
      return;
    }
    if (known && stands_for_memory(*known) && !stands_for_memory(item)) {
      if (!poisoned(item)) {
        c.report.error(ErrorKind::Type, target,
                       fmt::format("`{}` stands for {}: {} needs another name", name, describe_item(c, *known),
                                   describe_item(c, item)));
      }
      return;
    }
    if (binding->block != c.build.block()) {
      c.report.error(ErrorKind::Type, target,
                     fmt::format("`{}` is known at compile time: it cannot change in a block that may not run", name));
      return;
    }
  }
  Binding fresh;
  fresh.block = c.build.block();
  if (std::holds_alternative<Number>(item) || (known_number(item) && !compile_time)) {
    auto own = to_number(c, item, range);
    InstId place = c.build.variable(own->type);
    c.build.store(place, own->id);
    fresh.what = Variable{place, own->type, !c.function().in_parallel};
  } else if (is_compound(item)) {
    fresh.what = new_variable(c, is_tensor(item) ? Item(*as_tensor(c, item, range)) : item);
  } else {
    fresh.what = item;
  }
  if (binding) {
    *binding = std::move(fresh);
  } else {
    bind(c, name, std::move(fresh));
  }
}

void poison_targets(Compilation& c, const Expr& target) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) bind(c, name->id, {Item(Poison{})});
  if (auto* several = std::get_if<syntax::Tuple>(&target.node)) {
    for (const Expr* element : several->elts) poison_targets(c, *element);
  }
}

Item evaluate_name(Compilation& c, const Expr& expr) {
  std::string_view id = std::get<syntax::Name>(expr.node).id;
  if (Binding* binding = c.function().find_local(id)) return read_binding(c, *binding);
  auto value = outer_name(c, id, expr.range);
  if (!value) return Poison{};
  c.captures.check_pure(id, *value, expr.range, false);
  return std::move(*value);
}

Item read_binding(Compilation& c, Binding& binding) {
  return std::visit(overloaded{
                        [&](const Variable& v) -> Item { return Number{c.build.load(v.place), v.type}; },
                        [&](const ParamRef& p) -> Item {
                          ir::Type type = c.kernel.params[p.index].type;
                          return Number{c.build.inst(ir::Op::Arg, type, {}, p.index), type};
                        },
                        [&](const LoopIndexRef& l) -> Item {
                          if (!l.grouped) return loop_index(c, l.loop, l.axis);
                          if (l.vector) {
                            const ir::Type type = vector_type_of(c.kernel, l.loop, l.axis, l.axes);
                            Tensor tensor{type, {static_cast<int32_t>(l.axes)}, {}};
                            for (uint32_t axis = 0; axis < l.axes; ++axis)
                              tensor.numbers.push_back(c.build.cast(type, loop_index(c, l.loop, l.axis + axis).id));
                            return tensor;
                          }
                          Items items;
                          for (uint32_t axis = 0; axis < l.axes; ++axis)
                            items.list.push_back(loop_index(c, l.loop, l.axis + axis));
                          return items;
                        },
                        [&](const Item& item) -> Item { return item; },
                        [&](const CompoundVariable& v) -> Item {
                          return as_shared(c, *v.place, c.function().in_parallel && v.shared);
                        },
                    },
                    binding.what);
}

std::optional<Value> outer_name(Compilation& c, std::string_view name, const Range& range) {
  if (auto gone = c.function().gone.find(name); gone != c.function().gone.end()) {
    c.report.error(
        ErrorKind::Name, range,
        fmt::format(
            "`{}` is gone: it was first assigned inside the block of line {}, and lives only there; assign it before "
            "that block",
            name, gone->second));
    return std::nullopt;
  }
  if (c.function().assigns(name)) {
    c.report.error(ErrorKind::Name, range, fmt::format("`{}` is used before it is assigned", name));
    return std::nullopt;
  }
  if (auto value = c.function().environment->lookup(name)) return value;
  if (auto value = python_builtin(name)) return value;
  std::vector<std::string> own;
  for (const Scope& scope : c.function().scopes)
    for (const auto& [local, binding] : scope) own.emplace_back(local);
  std::ranges::sort(own);  // a message does not depend on a table's order
  c.report.error(
      ErrorKind::Name, range,
      fmt::format("Name \"{}\" is not defined{}", name, meant(c.function().environment->near_name(name, own))));
  return std::nullopt;
}

void pop_scope(Compilation& c, const Range& block) {
  for (const auto& [name, binding] : c.function().scopes.back()) c.function().gone[name] = c.function().line_of(block);
  c.function().scopes.pop_back();
}

void bind(Compilation& c, std::string_view name, Binding binding) {
  binding.block = c.build.block();
  c.function().gone.erase(name);
  c.function().scopes.back().insert_or_assign(name, std::move(binding));
}

void declare_loop_variable(Compilation& c, std::string_view name, Binding binding, const Range& range) {
  if (name == "_") {
    c.function().scopes.back().insert_or_assign(name, std::move(binding));
    return;
  }
  if (c.function().find_local(name)) {
    c.report.error(ErrorKind::Syntax, range,
                   fmt::format("`{}` is already a variable here; a loop needs a name of its own", name));
  }
  bind(c, name, std::move(binding));
}

}  // namespace qd::frontend
