// Calls of a qd.func: its body is lowered where it is called.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

namespace {

constexpr size_t kDeepestCall = 64;

std::vector<const syntax::Arg*> parameters_of(const syntax::FunctionDef& def) {
  std::vector<const syntax::Arg*> list;
  for (const syntax::Arg& arg : def.args->posonlyargs) list.push_back(&arg);
  for (const syntax::Arg& arg : def.args->args) list.push_back(&arg);
  return list;
}

}  // namespace

bool Lowering::bind_arguments(const Func& func, const syntax::Call& e, const Expr& expr, const Item* self,
                              std::vector<BoundArgument>& bound) {
  const syntax::FunctionDef& def = func.source->function();
  auto parameters = parameters_of(def);
  bound.assign(parameters.size(), {});
  std::vector<bool> given(parameters.size());
  bool failed = false;
  auto fail = [&](const Range& range, std::string message) {
    error(ErrorKind::Type, range, std::move(message));
    failed = true;
  };
  if (def.args->vararg || def.args->kwarg || !def.args->kwonlyargs.empty()) {
    fail(expr.range,
         fmt::format("`{}` has *, ** or keyword-only parameters, which are not supported in kernels", def.name));
  }
  auto put = [&](size_t i, const Expr& argument) {
    given[i] = true;
    bound[i].expr = &argument;
    auto* name = std::get_if<syntax::Name>(&argument.node);
    Binding* binding = name ? find_local(name->id) : nullptr;
    if (!is_template(*parameters[i], *func.environment)) {
      bound[i].item = eval(argument);
    } else if (binding && (std::holds_alternative<Variable>(binding->what) ||
                           std::holds_alternative<CompoundVariable>(binding->what))) {
      bound[i].variable = *binding;
    } else {
      bound[i].item = eval_place(argument);
    }
  };
  const size_t hidden = func.self || self ? 1 : 0;  // a method's object
  if (hidden && !parameters.empty()) {
    given[0] = true;
    bound[0].expr = e.func;
    if (self) {
      bound[0].variable = Binding{Item(*self), ir::BlockId::None, false};
    } else {
      bound[0].item = template_item(Item(*func.self), e.func->range);
    }
  }
  size_t position = hidden;
  for (const Expr* argument : e.args) {
    if (auto* starred = std::get_if<syntax::Starred>(&argument->node)) {
      Item list = display(syntax::List<syntax::ExprPtr>(&argument, 1));
      for (Item& item : std::get<Items>(list).list) {
        if (position < parameters.size()) {
          given[position] = true;
          bound[position].expr = starred->value;
          bound[position].item = std::move(item);
        }
        ++position;
      }
      continue;
    }
    if (position < parameters.size()) {
      put(position, *argument);
    } else {
      eval(*argument);
    }
    ++position;
  }
  if (position > parameters.size()) {
    fail(expr.range, fmt::format("`{}` takes {} arguments, {} given", def.name,
                                 parameters.size() - std::min(hidden, parameters.size()), position - hidden));
  }
  for (const syntax::Keyword& keyword : e.keywords) {
    auto it = std::ranges::find_if(parameters, [&](const syntax::Arg* p) { return p->arg == keyword.arg; });
    size_t i = static_cast<size_t>(it - parameters.begin());
    if (it == parameters.end()) {
      fail(keyword.range, fmt::format("`{}` has no parameter `{}`", def.name, keyword.arg));
    } else if (given[i]) {
      fail(keyword.range, fmt::format("`{}` is given twice", keyword.arg));
    } else {
      put(i, *keyword.value);
    }
  }
  size_t first_default = parameters.size() - std::min(parameters.size(), def.args->defaults.size());
  for (size_t i = 0; i < parameters.size() && !failed; ++i) {
    if (!given[i] && i < first_default) {
      fail(expr.range, fmt::format("`{}` needs an argument for `{}`", def.name, parameters[i]->arg));
    }
  }
  return !failed;
}

Item Lowering::typed_argument(const syntax::Arg& parameter, Item item, Environment& environment) {
  std::optional<ir::Type> type;
  if (parameter.annotation && !is_template(parameter, environment)) {
    KernelScope scope(*this);
    auto annotation = parameter_annotation(parameter, scope, environment, options_);
    if (annotation) type = dtype_of(*annotation, options_);
    if (annotation && std::holds_alternative<CompoundType>(*annotation))
      item = convert_item(item, *annotation, parameter.range);
    auto view = annotation ? read_view_annotation(*annotation) : std::nullopt;
    if (view && !poisoned(item)) {
      auto* given = std::get_if<View>(&item);
      const bool fits = given && (!view->type || kernel_.arrays[given->array.index].type == *view->type) &&
                        (!view->element_shape || given->array.element_shape == *view->element_shape);
      if (!fits) {
        error(ErrorKind::Type, parameter.range,
              fmt::format("`{}` must be a BufferView{}, not {}", parameter.arg, given ? " of the annotated type" : "",
                          given ? "one of another type" : describe_item(item)));
        item = Poison{};
      }
    }
    auto array = annotation ? read_array_annotation(*annotation) : std::nullopt;
    if (array && !poisoned(item)) {
      auto index = array_index(item);
      if (!index) {
        error(ErrorKind::Type, parameter.range,
              fmt::format("`{}` must be an array, not {}", parameter.arg, describe_item(item)));
        item = Poison{};
      }
    }
  }
  if (type) {
    auto value = std::holds_alternative<Value>(item) ? coerce_stored(item, *type, parameter.range)
                                                     : coerce(item, *type, parameter.range);
    item = value ? Item(Number{*value, *type}) : Item(Poison{});
  }
  return item;
}

void Lowering::bind_func_parameter(const syntax::Arg& parameter, BoundArgument& argument, Frame& callee) {
  if (argument.variable) {
    bind(parameter.arg, {argument.variable->what, ir::BlockId::None, argument.variable->immutable});
    return;
  }
  const bool by_value = !is_template(parameter, *callee.environment);
  Item item = typed_argument(parameter, std::move(argument.item), *callee.environment);
  if (by_value && is_compound(item)) {
    // The func's own copy, which it may change.
    if (is_tensor(item)) item = *as_tensor(item, parameter.range);
    bind(parameter.arg, {new_variable(loaded(item))});
    return;
  }
  auto* known = std::get_if<Value>(&item);
  bool is_a_number = std::holds_alternative<Number>(item) || (known && is_number(*known));
  if (is_a_number && callee.assigned.contains(parameter.arg)) {
    auto value = number(item, parameter.range);
    ir::InstId place = build_.variable(value->type);
    build_.store(place, value->id);
    bind(parameter.arg, {Variable{place, value->type, !in_parallel_}});
    return;
  }
  bind(parameter.arg, {std::move(item)});
}

Item Lowering::inlined_body(const Func& func, std::span<const syntax::Arg* const> parameters,
                            std::vector<BoundArgument>& bound, const Range& call) {
  const syntax::FunctionDef& def = func.source->function();
  Frame& callee = frame();
  // From the routine on that this stands in: what called that is not part of it.
  for (size_t i = frames_.size() - 1; i-- > 0;) {
    if (frames_[i].source->def == func.source->def) {
      const char* why =
          func.source->real
              ? "calls itself with a variable or an element as a qd.template(): that is possible by value only"
              : "calls itself: recursion is not supported in a @qd.func; a @qd.real_func may call itself";
      return caller_error(ErrorKind::Compilation, call, fmt::format("`{}` {}", def.name, why));
    }
    if (frames_[i].routine) break;
  }
  for (size_t i = 0; i < parameters.size(); ++i) bind_func_parameter(*parameters[i], bound[i], callee);
  probed_ = {ir::BlockId::None, 0};
  if (func.source->real) {
    auto early = early_returns(*func.source, call);
    return early ? early_returning_body(*func.source, *std::move(early)) : Item(Poison{});
  }
  suite(without_docstring(def.body), *func.source->def, -callee.first_line);
  return callee.returned ? typed_result(*func.source, std::move(callee.result)) : Item(Value(None{}));
}

bool Lowering::unconditional() const {
  return std::ranges::all_of(frames_, [](const Frame& f) { return f.runtime_depth == 0 && !f.routine && !f.early; });
}

Item Lowering::call_func(const Func& func, const syntax::Call& e, const Expr& expr, const Item* self) {
  const syntax::FunctionDef& def = func.source->function();
  ++inlined_;
  if (func.source->top_level && !unconditional()) {
    return error(ErrorKind::Syntax, expr.range,
                 fmt::format("`{}` has requires_top_level=True: it is called at the top level of a kernel, not under a "
                             "`for`, `if` or `while` that runs, nor in a "
                             "@qd.real_func, where its loops would no longer be parallel loops one after the other",
                             def.name));
  }
  std::vector<BoundArgument> bound;
  if (!bind_arguments(func, e, expr, self, bound)) return Poison{};
  if (frames_.size() >= kDeepestCall) {
    const bool itself = std::ranges::any_of(frames_, [&](const Frame& f) { return f.source->def == func.source->def; });
    return error(ErrorKind::Compilation, expr.range,
                 fmt::format("`{}` {}", def.name,
                             itself ? "calls itself with other values or types of its arguments each time: every one "
                                      "is a copy of it, and there is no end to them"
                                    : "is called too deep in other funcs"));
  }
  uint32_t call_location = location(expr.range);
  Frame& callee = frames_.emplace_back();
  callee.caller = call_location;
  callee.call = expr.range;
  enter_function(*func.source, *func.environment, callee);
  const ir::Builder::Scope there(build_, location(func.source->def->range));
  int32_t outer_suite = suite_line_;
  ir::BlockId outer_statement_block = statement_block_;
  auto parameters = parameters_of(def);
  size_t first_default = parameters.size() - std::min(parameters.size(), def.args->defaults.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (bound[i].expr || i < first_default) continue;
    auto value = defined_default(parameters[i]->arg, *func.environment);
    bound[i].item = value ? Item(*std::move(value)) : static_value(*def.args->defaults[i - first_default]);
  }
  std::optional<Item> called;
  if (func.source->real) called = call_routine(func, parameters, bound, expr.range, call_location);
  Item result = called ? *std::move(called) : inlined_body(func, parameters, bound, expr.range);
  frames_.pop_back();
  probed_ = {ir::BlockId::None, 0};
  suite_line_ = outer_suite;
  statement_block_ = outer_statement_block;
  return result;
}

}  // namespace qd::frontend
