"""Operations of the threads of a block and of a subgroup, in parallel loops.

`Tile16x16` and `Tile32x32` are tiles of matrices, which the threads of a block hold together.

A loop whose body has one runs in blocks: `qd.loop_config(block_dim=...)` gives the number of threads of a block, and each iteration is a thread."""

from __future__ import annotations

from qdcov.simt import block, grid, subgroup, warp
from qdcov.simt._tile_names import Tile16x16, Tile32x32

__all__ = ["Tile16x16", "Tile32x32", "block", "grid", "subgroup", "warp"]
