// Calls of qd.simt: operations of the threads of a block.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item block_operation(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
/// Number of threads of a block of the parallel loop around this code. Without such a loop: nothing, and an error that
/// names `what`.
std::optional<int32_t> block_dim_of_loop(Compilation& c, std::string_view what, const Range& range);
/// Lowers qd.simt.block.SharedArray(shape, dtype).
Item block_array(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
