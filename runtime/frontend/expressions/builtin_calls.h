// Calls of the names of the language, by their kind (constants/builtins.def).
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers a call of a name of the language.
Item call_builtin(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

// Calls of compound types: Vector(...), Matrix(...), structs.

/// Lowers qd.Struct(a=..., b=...).
Item struct_of_members(Compilation& c, const syntax::Call& e, const Expr& expr);
/// Lowers a call of a vector, matrix or struct type.
Item call_compound_type(Compilation& c, const CompoundType& type, const syntax::Call& e, const Expr& expr);
/// Lowers qd.Vector([...]), qd.Matrix([[...]]), Matrix.identity(...) and their like.
Item make_tensor(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

// Calls that make a view: BufferView(...), view.subview(...).

/// Lowers view.subview(offset, size).
Item subview(Compilation& c, const View& view, const syntax::Call& e, const Range& range);
/// Lowers qd.BufferView(ndarray, offset, size).
Item make_view(Compilation& c, const syntax::Call& e, const Range& range);

// `x.fill(value)` of a field or an ndarray in a kernel: a loop over its elements.

/// Stores a value into all elements of an array, in a parallel loop wherever a `for` in its place would be one.
void fill_array(Compilation& c, const Item& array, const Expr& value, const Range& range);

// Calls of qd.simt: operations of the threads of a block.

Item block_operation(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
/// Lowers qd.block_idx(), the number of the block of the iteration: 0 outside of parallel loops.
Item block_index(Compilation& c, const Range& range);
/// Number of threads of a block of the parallel loop around this code. Without such a loop: nothing, and an error that
/// names `what`.
std::optional<int32_t> block_dim_of_loop(Compilation& c, std::string_view what, const Range& range);
/// Lowers qd.simt.block.SharedArray(shape, dtype).
Item block_array(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
