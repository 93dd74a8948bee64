// The arguments of a call of a func, bound to its parameters, in their types.
#pragma once

#include <string>
#include <vector>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

struct BoundArgument {
  Item item;
  const Expr* expr = nullptr;       // null: a default
  std::optional<Binding> variable;  // set when a template argument is a variable or another place
};

/// The parameters of a func: those that a call may give by position, in their order, `*args`, and those that it gives
/// by name alone.
std::vector<const syntax::Arg*> parameters_of(const syntax::FunctionDef& def);
/// Number of parameters that may be given by position, without `*args`.
inline size_t positional_count(const syntax::FunctionDef& def) {
  return def.args->posonlyargs.size() + def.args->args.size();
}
/// The default of the i-th parameter, as an expression; null when it has none.
const Expr* default_of(const syntax::FunctionDef& def, size_t i);
/// Distributes arguments that are given by position: to parameters, and the others into `*args`.
void spread(const syntax::FunctionDef& def, std::vector<BoundArgument>& bound);
/// Binds an argument to each parameter of a call; false after an error. `self`: a method's object, the first one.
/// `evaluated`: all arguments, or null.
bool bind_arguments(Compilation& c, const Func& func, const syntax::Call& e, const Expr& expr, const Item* self,
                    const EvaluatedArguments* evaluated, std::vector<BoundArgument>& bound);
/// An argument in the type of its parameter.
Item typed_argument(Compilation& c, const syntax::Arg& parameter, Item item, Environment& environment);
/// Makes a parameter a local of the func.
void bind_func_parameter(Compilation& c, const syntax::Arg& parameter, BoundArgument& argument, FunctionState& callee);

// Text for a variant of a func, of its templates and types: reports tell the variants of its code apart by that.

/// The variant's text, "n=3, x=f32": the values of templates, and the types that annotations leave open. Empty if all
/// calls are alike. Values that read alike, such as two objects of one class, give the same text.
std::string func_variant_text(Compilation& c, const Func& func, const std::vector<const syntax::Arg*>& parameters,
                              const std::vector<BoundArgument>& bound);

}  // namespace qd::frontend
