// Names: their meaning, and assignments to them.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Evaluates a name: a local, or something outside of the function.
Item evaluate_name(Compilation& c, const Expr& expr);
/// The value of a local, or its place if it is a compound.
Item read_binding(Compilation& c, Binding& binding);
/// A name that is no local: of the closure, the module, or Python's builtins.
std::optional<Value> outer_name(Compilation& c, std::string_view name, const Range& range);
/// Ends the innermost scope. Messages say later that its names lived in this block alone.
void pop_scope(Compilation& c, const Range& block);
/// Makes a name a local of the innermost scope.
void bind(Compilation& c, std::string_view name, Binding binding);
/// Binds the target of a loop: the name must be new.
void declare_loop_variable(Compilation& c, std::string_view name, Binding binding, const Range& range);
/// Binds the targets of a loop with errors to Poison.
void poison_targets(Compilation& c, const Expr& target);
/// Lowers `name = item`: a new variable, a store into an existing one, or a name for a known value. `target`, `range`:
/// of the name and of the value; `compile_time`: a known number stays one.
void assign_name(Compilation& c, std::string_view name, const Item& item, const Range& target, const Range& range,
                 bool compile_time);

}  // namespace qd::frontend
