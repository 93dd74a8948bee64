// Calls, dispatched by the callee: names of the language, methods, funcs, types.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The value of a callee that is known at compile time; nothing for others. Reports nothing.
std::optional<Value> callee_value(Compilation& c, const Expr& callee);
/// The name of the language that a callee means; null when it is something else. Reports nothing.
const BuiltinInfo* builtin_of(Compilation& c, const Expr& callee);
/// The argument of qd.static(...) when an expression is such a call.
const syntax::Call* static_call(Compilation& c, const Expr& expr);
/// Lowers any call: of the language, a method, a func, a type.
Item lower_call(Compilation& c, const syntax::Call& e, const Expr& expr);
/// The error of a range, zip or ndrange outside of a loop's header.
Item call_range_like(Compilation& c, const BuiltinInfo& info, const Expr& expr);
/// Evaluated positional arguments; nothing after an error or when their number is not from `least` to `most`.
std::optional<std::vector<Item>> evaluate_arguments(Compilation& c, const syntax::Call& e, const Expr& expr,
                                                    std::string_view name, size_t least, size_t most);
/// The same of arguments that are evaluated already, and none of which is Poison.
std::optional<std::vector<Item>> counted_arguments(Compilation& c, std::vector<Item> args, const Expr& expr,
                                                   std::string_view name, size_t least, size_t most);
/// Lowers qd.loop_config(...): options for the next loop.
void loop_config(Compilation& c, const syntax::Call& e, const Expr& expr);
/// Evaluates qd.static_assert(test, message).
void static_assert_call(Compilation& c, const syntax::Call& e, const Expr& expr);
/// Evaluates qd.static_print(...): prints while the kernel is compiled.
void static_print(Compilation& c, const syntax::Call& e);

/// Whether an expression is a call of qd.static, static_assert or static_print, which leave no code.
bool is_compile_time_call(Compilation& c, const Expr& expr);

/// An argument that is evaluated before the callee's parameters are known: its value, and the place for a template.
struct EvaluatedArgument {
  Item place;
  Item value;
};
/// The arguments of a call by their expressions. The value of `*args` is Items.
using EvaluatedArguments = std::unordered_map<const Expr*, EvaluatedArgument>;

/// Lowers a call of a func. This is the front end's one circle: functions/, which stands above, lowers the func's body.
/// `self`: the object of a method, the first argument. `given`: all arguments, if they are evaluated already.
Item call_func(Compilation& c, const Func& func, const syntax::Call& e, const Expr& expr, const Item* self = nullptr,
               const EvaluatedArguments* given = nullptr);
/// Lowers a call with arguments that are evaluated already.
Item call_method(Compilation& c, const Func& func, const Item& self, std::vector<Item> arguments, const Range& range);
/// Lowers a call of a func of the language itself; declared here for the same reason.
Item call_library(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr,
                  const Item* self = nullptr);

}  // namespace qd::frontend
