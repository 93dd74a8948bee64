// Calls of compound types: Vector(...), Matrix(...), structs.
#pragma once

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers qd.Struct(a=..., b=...).
Item struct_of_members(Compilation& c, const syntax::Call& e, const Expr& expr);
/// Lowers a call of a vector, matrix or struct type.
Item call_compound_type(Compilation& c, const CompoundType& type, const syntax::Call& e, const Expr& expr);
/// Lowers qd.Vector([...]), qd.Matrix([[...]]), Matrix.identity(...) and their like.
Item make_tensor(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
