// What a name means, and what an assignment to a name does.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item evaluate_name(Compilation& c, const Expr& expr);
Item read_binding(Compilation& c, Binding& binding);
std::optional<Value> outer_name(Compilation& c, std::string_view name, const Range& range);
void pop_scope(Compilation& c, const Range& block);
void bind(Compilation& c, std::string_view name, Binding binding);
void declare_loop_variable(Compilation& c, std::string_view name, Binding binding, const Range& range);
void poison_targets(Compilation& c, const Expr& target);
void assign_name(Compilation& c, std::string_view name, const Item& item, const Range& target, const Range& range,
                 bool compile_time);

}  // namespace qd::frontend
