"""qd.simt.warp: operations of subgroups by CUDA's names."""

from __future__ import annotations

from qdcov.simt._warp import active_mask as active_mask
from qdcov.simt._warp import all_nonzero as all_nonzero
from qdcov.simt._warp import any_nonzero as any_nonzero
from qdcov.simt._warp import match_all as match_all
from qdcov.simt._warp import match_any as match_any
from qdcov.simt._warp import shfl_down_f32 as shfl_down_f32
from qdcov.simt._warp import shfl_down_i32 as shfl_down_i32
from qdcov.simt._warp import shfl_sync_f32 as shfl_sync_f32
from qdcov.simt._warp import shfl_sync_i32 as shfl_sync_i32
from qdcov.simt._warp import shfl_up_f32 as shfl_up_f32
from qdcov.simt._warp import shfl_up_i32 as shfl_up_i32
from qdcov.simt._warp import shfl_xor_i32 as shfl_xor_i32
from qdcov.simt._warp import unique as unique
from qdcov.simt._warp import warp_ballot as ballot
from qdcov.simt._warp import warp_sync as sync

__all__ = [
    "active_mask", "all_nonzero", "any_nonzero", "ballot", "match_all", "match_any", "shfl_down_f32", "shfl_down_i32", "shfl_sync_f32",
    "shfl_sync_i32", "shfl_up_f32", "shfl_up_i32", "shfl_xor_i32", "sync", "unique",
]  # fmt: skip
