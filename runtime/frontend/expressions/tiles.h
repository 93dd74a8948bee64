// The syntax of tiles (qd.simt.Tile16x16): parts of arrays, and qd.outer. The rest is a struct of the library
// (qd/simt/_tiles.py), whose methods these rules call.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Whether an index is `[a:b, c:d]` or `[a:b, c]`, perhaps with more indices.
bool has_slices(const Expr& slice);
/// Lowers `target = value`, if the target is `tile[:]` or a part of an array. False, and nothing is done, when it is
/// something else.
bool assign_tile(Compilation& c, const Expr& target, const Expr& value);
/// Lowers the same for a value that is evaluated already, and a part of an array.
bool store_in_part(Compilation& c, const Expr& target, const Item& value, const Range& range);
/// Lowers `tile += qd.outer(a, b)`, `tile -= qd.outer(a, b)`; false as above.
bool update_tile(Compilation& c, const syntax::AugAssign& s);
/// Lowers `array[r0:r1, column]`: a number for each thread.
Item column_of_array(Compilation& c, const Item& array, const syntax::Subscript& e, const Expr& expr);
/// The number of the thread, which has that row of a tile: the first operand of each operation of tiles.
Item tile_row(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
