// Methods of containers, and Python's functions of them: sum, sorted, zip.
#pragma once

#include <optional>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers a method of a string, tuple or dict. Nothing when the callee is something else.
std::optional<Item> container_method(Compilation& c, const syntax::Call& e, const Expr& expr);
/// Lowers sum, any, all, sorted, reversed, tuple, list.
Item container_call(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
