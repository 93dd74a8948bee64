// Calls of a qd.func: its body is lowered at the call (inlining).
#include "runtime/frontend/functions/function_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/functions/func_arguments.h"
#include "runtime/frontend/functions/library_calls.h"
#include "runtime/frontend/functions/results.h"
#include "runtime/frontend/functions/routines.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/statements/statements.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

namespace {

constexpr size_t kDeepestCall = 64;

/// Lowers the body of the func of the present frame, inline.
Item inlined_body(Compilation& c, const Func& func, std::span<const syntax::Arg* const> parameters,
                  std::vector<BoundArgument>& bound, const Range& call) {
  const syntax::FunctionDef& def = func.source->function();
  FunctionState& callee = c.function();
  // From the routine on around this code: callers of the routine are not part of it. A function that is not decorated,
  // or that has a template, may end its recursion by what is known.
  const bool may_end = func.source->plain || (!func.source->real && std::ranges::any_of(parameters, [&](auto* p) {
                         return is_template(*p, *func.environment);
                       }));
  for (size_t i = c.functions.size() - 1; i-- > 0 && !may_end;) {
    if (c.functions[i].source->def == func.source->def) {
      const char* why =
          func.source->real
              ? "calls itself with a variable or an element as a qd.template(): that is possible by value only"
              : "calls itself: recursion is not supported in a @qd.func, but by a qd.template() that ends it while the "
                "kernel is compiled; a @qd.real_func may call itself";
      return c.report.caller_error(ErrorKind::Compilation, call, fmt::format("`{}` {}", def.name, why));
    }
    if (c.functions[i].routine) break;
  }
  for (size_t i = 0; i < parameters.size(); ++i) bind_func_parameter(c, *parameters[i], bound[i], callee);
  if (func.source->real) {
    auto early = early_return_places(c, *func.source, call);
    return early ? early_returning_body(c, *func.source, *std::move(early)) : Item(Poison{});
  }
  lower_suite(c, without_docstring(def.body), *func.source->def, -callee.first_line);
  return typed_result(c, *func.source, callee.returned ? std::optional(std::move(callee.result)) : std::nullopt);
}

/// A call with its arguments.
Item call_bound(Compilation& c, const Func& func, std::vector<BoundArgument>& bound, const Range& range);

}  // namespace

Item call_func(Compilation& c, const Func& func, const syntax::Call& e, const Expr& expr, const Item* self,
               const EvaluatedArguments* given) {
  const syntax::FunctionDef& def = func.source->function();
  c.inlined += !func.source->library;
  if (func.source->top_level && !c.functions.unconditional()) {
    return c.report.error(
        ErrorKind::Syntax, expr.range,
        fmt::format("`{}` has requires_top_level=True: it is called at the top level of a kernel, not under a "
                    "`for`, `if` or `while` that runs, nor in a "
                    "@qd.real_func, where its loops would no longer be parallel loops one after the other",
                    def.name));
  }
  std::vector<BoundArgument> bound;
  if (!bind_arguments(c, func, e, expr, self, given, bound)) return Poison{};
  return call_bound(c, func, bound, expr.range);
}

Item call_method(Compilation& c, const Func& func, const Item& self, std::vector<Item> arguments, const Range& range) {
  c.inlined += !func.source->library;
  std::vector<BoundArgument> bound(1);
  bound[0].variable = Binding{self, ir::BlockId::None, false};
  for (Item& argument : arguments) bound.push_back({std::move(argument), nullptr, {}});
  const syntax::FunctionDef& def = func.source->function();
  const size_t count = positional_count(def), given = bound.size();
  spread(def, bound);
  bool fits = given <= count || def.args->vararg;
  for (size_t i = given; i < bound.size(); ++i) fits &= default_of(def, i) || !poisoned(bound[i].item);
  if (!fits) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`{}` takes {}, {} given", def.name, counted(count, "argument"), given));
  }
  return call_bound(c, func, bound, range);
}

namespace {

Item call_bound(Compilation& c, const Func& func, std::vector<BoundArgument>& bound, const Range& range) {
  const syntax::FunctionDef& def = func.source->function();
  if (func.source->library && !prepare_library_arguments(c, func, bound, range)) return Poison{};
  if (std::ranges::find(c.endless, func.source->def) != c.endless.end()) return Poison{};
  if (c.functions.size() >= kDeepestCall) {
    const bool itself = c.functions.inside(func.source->def);
    if (itself) c.endless.push_back(func.source->def);
    return c.report.error(
        ErrorKind::Compilation, range,
        fmt::format("`{}` {}", def.name,
                    itself && !func.source->real
                        ? "calls itself, and no end is known while the kernel is compiled: every call is a copy of it"
                    : itself ? "calls itself with other values or types of its arguments each time: every one "
                               "is a copy of it, and there is no end to them"
                             : "is called too deep in other funcs"));
  }
  uint32_t call_location = c.build.location_of(range);
  FunctionState& callee = c.functions.enter(call_location, range);
  if (func.source->library) callee.library_call = call_location;
  begin_function(c, *func.source, *func.environment, callee);
  const ir::Builder::Scope there(c.build, c.build.location_of(func.source->def->range));
  auto parameters = parameters_of(def);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Expr* usual = default_of(def, i);
    if (bound[i].expr || !usual || !poisoned(bound[i].item)) continue;
    auto value = defined_default(parameters[i]->arg, *func.environment);
    bound[i].item = value ? Item(*std::move(value)) : static_value(c, *usual);
  }
  if (!callee.library_call && c.notes.wants_probes()) c.notes.variant(func_variant_text(c, func, parameters, bound));
  std::optional<Item> called;
  if (func.source->real) called = call_routine(c, func, parameters, bound, range, call_location);
  Item result = called ? *std::move(called) : inlined_body(c, func, parameters, bound, range);
  c.functions.leave();
  return result;
}

}  // namespace

void begin_function(Compilation& c, const FunctionSource& source, Environment& environment, FunctionState& state) {
  state.source = &source;
  state.environment = &environment;
  state.first_line = source.first_line();
  state.push_scope();
  if (state.library_call) {
    state.row = c.kernel.locations[*state.library_call].function;
    return;
  }
  state.decided = c.notes.decided_in(source, [&](const Expr& expr) { return is_compile_time_call(c, expr); });
  std::string_view name = source.function().name;
  auto& functions = c.kernel.functions;
  const auto known = std::ranges::find_if(functions, [&](const ir::Function& f) {
    return f.file == source.file && f.first_line == state.first_line && f.name == name;
  });
  state.row = static_cast<uint32_t>(known - functions.begin());
  if (known == functions.end()) functions.push_back({source.file, std::string(name), state.first_line});
}

}  // namespace qd::frontend
