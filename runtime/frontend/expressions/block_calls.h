// Calls of qd.simt: operations of the threads of a block.
#pragma once

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item block_operation(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
/// qd.simt.block.SharedArray(shape, dtype).
Item block_array(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
