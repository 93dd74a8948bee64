// Sums of neighbours in tiles, where an addition takes a long computation.
#pragma once

#include "runtime/autodiff/neighbour_loop.h"

namespace qd::autodiff {

/// Emits, in front of a loop, another one that adds up what its iterations add to an array:
///
///     for i, j in ndrange(n, m):                      # u: a long computation of y.grad[i, j] and numbers around x[i,
///     j]
///         x.grad[i - 1, j] += u(i, j);  x.grad[i + 1, j] += u(i, j);  ...
///
/// A sum for each element (gather.h) would compute each u several times. In a tile of the elements, an iteration of the
/// new loop, each is computed once:
///
///     for tile in tiles:
///         rows = local array of 3 rows                # as many as an element has neighbours on the first axis
///         for i in tile and the rows around it:
///             for j in tile and the columns around it: rows[i % 3, j] = u(i, j)
///             for j in tile: x.grad[i - 1, j] += rows[i % 3, j] + rows[(i - 2) % 3, j] + ...
///
/// u is 0 outside of the loop's bounds, so that the elements near them are no special case. No two tiles have an
/// element in common: there are no atomics.
///
/// Returns false, and emits nothing, for loops over one axis or more than three, and where it would not pay.
bool gather_in_tiles(ir::Kernel& kernel, ir::Builder& build, const NeighbourLoop& loop, const Sums& sums);

}  // namespace qd::autodiff
