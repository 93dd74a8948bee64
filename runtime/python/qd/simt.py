"""Operations of the threads of a block and of a subgroup, in parallel loops.

`Tile16x16` and `Tile32x32` are tiles of matrices, which the threads of a block hold together.

A loop whose body has one runs in blocks: `qd.loop_config(block_dim=...)` gives the number of threads of a block, and each iteration is a thread."""

from __future__ import annotations

from qd import _simt_block_names as block
from qd import _simt_grid_names as grid
from qd import _simt_subgroup_names as subgroup
from qd import _simt_warp_names as warp
from qd._simt_tile_names import Tile16x16, Tile32x32

__all__ = ["Tile16x16", "Tile32x32", "block", "grid", "subgroup", "warp"]
