"""qd.simt.warp: operations of subgroups by CUDA's names."""

from __future__ import annotations

from qd.simt._warp import active_mask as active_mask
from qd.simt._warp import all_nonzero as all_nonzero
from qd.simt._warp import any_nonzero as any_nonzero
from qd.simt._warp import match_all as match_all
from qd.simt._warp import match_any as match_any
from qd.simt._warp import shfl_down_f32 as shfl_down_f32
from qd.simt._warp import shfl_down_i32 as shfl_down_i32
from qd.simt._warp import shfl_sync_f32 as shfl_sync_f32
from qd.simt._warp import shfl_sync_i32 as shfl_sync_i32
from qd.simt._warp import shfl_up_f32 as shfl_up_f32
from qd.simt._warp import shfl_up_i32 as shfl_up_i32
from qd.simt._warp import shfl_xor_i32 as shfl_xor_i32
from qd.simt._warp import unique as unique
from qd.simt._warp import warp_ballot as ballot
from qd.simt._warp import warp_sync as sync

__all__ = [
    "active_mask", "all_nonzero", "any_nonzero", "ballot", "match_all", "match_any", "shfl_down_f32", "shfl_down_i32", "shfl_sync_f32",
    "shfl_sync_i32", "shfl_up_f32", "shfl_up_i32", "shfl_xor_i32", "sync", "unique",
]  # fmt: skip
