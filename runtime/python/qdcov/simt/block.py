"""qd.simt.block: operations of the threads of a block."""

from __future__ import annotations

from qdcov.simt._block import exclusive_add as exclusive_add
from qdcov.simt._block import exclusive_max as exclusive_max
from qdcov.simt._block import exclusive_min as exclusive_min
from qdcov.simt._block import inclusive_add as inclusive_add
from qdcov.simt._block import inclusive_max as inclusive_max
from qdcov.simt._block import inclusive_min as inclusive_min
from qdcov.simt._block import reduce_add as reduce_add
from qdcov.simt._block import reduce_all_add as reduce_all_add
from qdcov.simt._block import reduce_all_max as reduce_all_max
from qdcov.simt._block import reduce_all_min as reduce_all_min
from qdcov.simt._block import reduce_max as reduce_max
from qdcov.simt._block import reduce_min as reduce_min
from qdcov.simt._block import sync_all_nonzero as sync_all_nonzero
from qdcov.simt._block import sync_any_nonzero as sync_any_nonzero
from qdcov.simt._block import sync_count_nonzero as sync_count_nonzero
from qdcov.simt._operations import SharedArray as SharedArray
from qdcov.simt._operations import block_global_thread_idx as global_thread_idx
from qdcov.simt._operations import block_mem_fence as mem_fence
from qdcov.simt._operations import block_sync as sync
from qdcov.simt._operations import thread_idx as thread_idx
from qdcov.simt._radix import radix_rank_match_atomic_or as radix_rank_match_atomic_or

__all__ = [
    "SharedArray", "exclusive_add", "exclusive_max", "exclusive_min", "global_thread_idx", "inclusive_add", "inclusive_max", "inclusive_min",
    "mem_fence", "radix_rank_match_atomic_or", "reduce_add", "reduce_all_add", "reduce_all_max", "reduce_all_min", "reduce_max", "reduce_min",
    "sync", "sync_all_nonzero", "sync_any_nonzero", "sync_count_nonzero", "thread_idx",
]  # fmt: skip
