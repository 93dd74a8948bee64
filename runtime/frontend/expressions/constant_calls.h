// Constant folding of calls of host functions and classes: with known arguments, they run while the kernel is compiled.
#pragma once

#include <optional>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Whether a callee is a function or a class of this package that kernels cannot call, such as qd.field.
bool is_of_the_package(Compilation& c, const Item& callee);
/// Folds callee(...), of a function or a class of the host, when all of its arguments are known: the result, or Poison
/// after an error. Nothing when one is known at run time only; nor when the function uses what kernels alone have, such
/// as elements of arrays: the reason is then in `needs_kernel`.
std::optional<Item> constant_call(Compilation& c, const Item& callee, const EvaluatedArguments& given,
                                  const syntax::Call& e, const Expr& expr, std::string& needs_kernel);

/// int, float and bool.
bool is_conversion(const BuiltinInfo& info);
/// Whether a call of a name of the language may be such a call: of float, int, bool, or a function of Python's math
/// module.
bool may_be_constant(Compilation& c, const BuiltinInfo& info, const syntax::Call& e);
/// Folds float(text), int(text), bool(text), or a function of Python's math module of known numbers. Nothing for other
/// arguments; nor for those that only Python refuses (math.log(0)): these are computed when the kernel runs.
std::optional<Item> constant_builtin_call(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& arguments,
                                          const syntax::Call& e, const Range& range);

}  // namespace qd::frontend
