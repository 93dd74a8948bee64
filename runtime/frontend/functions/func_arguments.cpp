// The arguments of a call of a func, bound to its parameters, in their types.
#include "runtime/frontend/functions/func_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/memory/templates.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

std::vector<const syntax::Arg*> parameters_of(const syntax::FunctionDef& def) {
  std::vector<const syntax::Arg*> list;
  for (const syntax::Arg& arg : def.args->posonlyargs) list.push_back(&arg);
  for (const syntax::Arg& arg : def.args->args) list.push_back(&arg);
  if (def.args->vararg) list.push_back(def.args->vararg);
  for (const syntax::Arg& arg : def.args->kwonlyargs) list.push_back(&arg);
  return list;
}

const Expr* default_of(const syntax::FunctionDef& def, size_t i) {
  const size_t count = positional_count(def), first = count - std::min(count, def.args->defaults.size());
  if (i < count) return i < first ? nullptr : def.args->defaults[i - first];
  const size_t named = count + (def.args->vararg ? 1 : 0);
  return i < named ? nullptr : def.args->kw_defaults[i - named];
}

void spread(const syntax::FunctionDef& def, std::vector<BoundArgument>& bound) {
  const size_t count = positional_count(def), all = parameters_of(def).size();
  if (!def.args->vararg) return bound.resize(all);
  Items rest;
  for (size_t i = count; i < bound.size(); ++i) rest.list.push_back(std::move(bound[i].item));
  bound.resize(count);
  bound.push_back({std::move(rest), nullptr, {}});
  bound.resize(all);
}

bool bind_arguments(Compilation& c, const Func& func, const syntax::Call& e, const Expr& expr, const Item* self,
                    const EvaluatedArguments* evaluated, std::vector<BoundArgument>& bound) {
  const syntax::FunctionDef& def = func.source->function();
  auto parameters = parameters_of(def);
  const size_t positional = positional_count(def);
  bound.assign(parameters.size(), {});
  std::vector<bool> given(parameters.size());
  Items rest;  // the value of *args
  bool failed = false;
  auto fail = [&](const Range& range, std::string message) {
    c.report.error(ErrorKind::Syntax, range, std::move(message));
    failed = true;
  };
  if (def.args->kwarg)
    fail(expr.range,
         fmt::format("`{}` has a parameter `**{}`, which is not supported in kernels", def.name, def.args->kwarg->arg));
  auto by_value = [&](const Expr& argument) {
    return evaluated ? evaluated->at(&argument).value : evaluate(c, argument);
  };
  auto put = [&](size_t i, const Expr& argument) {
    given[i] = true;
    bound[i].expr = &argument;
    auto* name = std::get_if<syntax::Name>(&argument.node);
    Binding* binding = name ? c.function().find_local(name->id) : nullptr;
    if (!is_template(*parameters[i], *func.environment)) {
      bound[i].item = by_value(argument);
    } else if (binding && (std::holds_alternative<Variable>(binding->what) ||
                           std::holds_alternative<CompoundVariable>(binding->what))) {
      bound[i].variable = *binding;
    } else {
      if (auto* attribute = std::get_if<syntax::Attribute>(&argument.node)) attribute_changes(c, *attribute);
      bound[i].item = evaluated ? evaluated->at(&argument).place : evaluate_place(c, argument);
    }
  };
  const size_t hidden = func.self || self ? 1 : 0;  // a method's object
  if (hidden && !parameters.empty()) {
    given[0] = true;
    bound[0].expr = e.func;
    if (self) {
      bound[0].variable = Binding{Item(*self), ir::BlockId::None, false};
    } else {
      bound[0].item = template_item(c, Item(*func.self), e.func->range);
    }
  }
  size_t position = hidden;
  for (const Expr* argument : e.args) {
    if (auto* starred = std::get_if<syntax::Starred>(&argument->node)) {
      const size_t errors = c.report.errors();
      const syntax::List<syntax::ExprPtr> alone(&argument, 1);
      const Item list = evaluated ? evaluated->at(argument).value : evaluate_display(c, alone);
      failed |= c.report.errors() > errors;
      for (const Item& item : std::get<Items>(list).list) {
        if (position < positional) {
          given[position] = true;
          bound[position].expr = starred->value;
          bound[position].item = item;
        } else {
          rest.list.push_back(item);
        }
        ++position;
      }
      continue;
    }
    if (position < positional) {
      put(position, *argument);
    } else {
      rest.list.push_back(by_value(*argument));
    }
    ++position;
  }
  if (def.args->vararg) {
    given[positional] = true;
    bound[positional].item = std::move(rest);
  } else if (position > positional && !failed) {
    fail(expr.range, fmt::format("Too many arguments: `{}` takes {}, {} given", def.name,
                                 counted(positional - std::min(hidden, positional), "argument"), position - hidden));
  }
  for (const syntax::Keyword& keyword : e.keywords) {
    auto it = std::ranges::find_if(
        parameters, [&](const syntax::Arg* p) { return p->arg == keyword.arg && p != def.args->vararg; });
    size_t i = static_cast<size_t>(it - parameters.begin());
    if (it == parameters.end()) {
      fail(keyword.range, fmt::format("Unexpected argument '{}': `{}` has no such parameter", keyword.arg, def.name));
    } else if (given[i]) {
      fail(keyword.range, fmt::format("Multiple values for argument '{}'", keyword.arg));
    } else {
      put(i, *keyword.value);
    }
  }
  for (size_t i = 0; i < parameters.size() && !failed; ++i) {
    if (!given[i] && !default_of(def, i)) {
      fail(expr.range, fmt::format("Missing argument '{}' of `{}`", parameters[i]->arg, def.name));
    }
  }
  return !failed;
}

Item typed_argument(Compilation& c, const syntax::Arg& parameter, Item item, Environment& environment) {
  std::optional<ir::Type> type;
  if (parameter.annotation && !is_template(parameter, environment)) {
    KernelScope scope(c);
    auto annotation = parameter_annotation(parameter, scope, environment, c.options);
    if (annotation) type = dtype_of(*annotation, c.options);
    if (annotation && std::holds_alternative<CompoundType>(*annotation))
      item = convert_item(c, item, *annotation, parameter.range);
    auto view = annotation ? read_view_annotation(*annotation) : std::nullopt;
    if (view && !poisoned(item)) {
      auto* given = std::get_if<View>(&item);
      const bool fits = given && (!view->type || c.kernel.arrays[given->array.index].type == *view->type) &&
                        (!view->element_shape || given->array.element_shape == *view->element_shape);
      if (!fits) {
        c.report.error(
            ErrorKind::Type, parameter.range,
            fmt::format("`{}` must be a BufferView{}, not {}", parameter.arg, given ? " of the annotated type" : "",
                        given ? "one of another type" : describe_item(c, item)));
        item = Poison{};
      }
    }
    auto array = annotation ? read_array_annotation(*annotation) : std::nullopt;
    if (array && !poisoned(item)) {
      auto index = array_index(c, item);
      if (!index) {
        c.report.error(ErrorKind::Type, parameter.range,
                       fmt::format("`{}` must be an array, not {}", parameter.arg, describe_item(c, item)));
        item = Poison{};
      }
    }
  }
  if (type && is_tensor(item)) return convert_tensor(c, *as_tensor(c, item, parameter.range), *type);
  if (type) {
    auto value = std::holds_alternative<Value>(item) ? coerce_stored(c, item, *type, parameter.range)
                                                     : coerce(c, item, *type, parameter.range);
    item = value ? Item(Number{*value, *type}) : Item(Poison{});
  }
  return item;
}

void bind_func_parameter(Compilation& c, const syntax::Arg& parameter, BoundArgument& argument, FunctionState& callee) {
  if (argument.variable) {
    bind(c, parameter.arg, {argument.variable->what, ir::BlockId::None, argument.variable->immutable});
    return;
  }
  const bool by_value = !is_template(parameter, *callee.environment);
  Item item = typed_argument(c, parameter, std::move(argument.item), *callee.environment);
  if (by_value && is_compound(item)) {
    // The func gets a copy of its own, which it may change.
    if (is_tensor(item)) item = *as_tensor(c, item, parameter.range);
    bind(c, parameter.arg, {new_variable(c, loaded(c, item))});
    return;
  }
  if (is_a_number(item) && callee.assigns(parameter.arg)) {
    auto value = to_number(c, item, parameter.range);
    ir::InstId place = c.build.variable(value->type);
    c.build.store(place, value->id);
    bind(c, parameter.arg, {Variable{place, value->type, !c.function().in_parallel}});
    return;
  }
  bind(c, parameter.arg, {std::move(item)});
}

}  // namespace qd::frontend
