"""qd.simt.subgroup: operations of the threads of a subgroup."""

from __future__ import annotations

from qdcov.simt._lanes import all_equal as all_equal
from qdcov.simt._lanes import all_equal_tiled as all_equal_tiled
from qdcov.simt._lanes import all_true as all_true
from qdcov.simt._lanes import all_true_tiled as all_true_tiled
from qdcov.simt._lanes import any_true as any_true
from qdcov.simt._lanes import any_true_tiled as any_true_tiled
from qdcov.simt._lanes import ballot_first_n as ballot_first_n
from qdcov.simt._lanes import broadcast as broadcast
from qdcov.simt._lanes import broadcast_first as broadcast_first
from qdcov.simt._lanes import elect as elect
from qdcov.simt._lanes import lanemask_eq as lanemask_eq
from qdcov.simt._lanes import lanemask_ge as lanemask_ge
from qdcov.simt._lanes import lanemask_gt as lanemask_gt
from qdcov.simt._lanes import lanemask_le as lanemask_le
from qdcov.simt._lanes import lanemask_lt as lanemask_lt
from qdcov.simt._lanes import shuffle_down as shuffle_down
from qdcov.simt._lanes import shuffle_up as shuffle_up
from qdcov.simt._lanes import shuffle_xor as shuffle_xor
from qdcov.simt._operations import ballot as ballot
from qdcov.simt._operations import group_size as group_size
from qdcov.simt._operations import invocation_id as invocation_id
from qdcov.simt._operations import log2_group_size as log2_group_size
from qdcov.simt._operations import shuffle as shuffle
from qdcov.simt._operations import subgroup_mem_fence as mem_fence
from qdcov.simt._operations import subgroup_sync as sync
from qdcov.simt._reductions import reduce_add as reduce_add
from qdcov.simt._reductions import reduce_add_tiled as reduce_add_tiled
from qdcov.simt._reductions import reduce_all_add as reduce_all_add
from qdcov.simt._reductions import reduce_all_add_tiled as reduce_all_add_tiled
from qdcov.simt._reductions import reduce_all_max as reduce_all_max
from qdcov.simt._reductions import reduce_all_max_tiled as reduce_all_max_tiled
from qdcov.simt._reductions import reduce_all_min as reduce_all_min
from qdcov.simt._reductions import reduce_all_min_tiled as reduce_all_min_tiled
from qdcov.simt._reductions import reduce_max as reduce_max
from qdcov.simt._reductions import reduce_max_tiled as reduce_max_tiled
from qdcov.simt._reductions import reduce_min as reduce_min
from qdcov.simt._reductions import reduce_min_tiled as reduce_min_tiled
from qdcov.simt._reductions import segmented_reduce_add as segmented_reduce_add
from qdcov.simt._reductions import segmented_reduce_add_tiled as segmented_reduce_add_tiled
from qdcov.simt._reductions import segmented_reduce_max as segmented_reduce_max
from qdcov.simt._reductions import segmented_reduce_max_tiled as segmented_reduce_max_tiled
from qdcov.simt._reductions import segmented_reduce_min as segmented_reduce_min
from qdcov.simt._reductions import segmented_reduce_min_tiled as segmented_reduce_min_tiled
from qdcov.simt._scans import exclusive_add as exclusive_add
from qdcov.simt._scans import exclusive_add_tiled as exclusive_add_tiled
from qdcov.simt._scans import exclusive_and as exclusive_and
from qdcov.simt._scans import exclusive_and_tiled as exclusive_and_tiled
from qdcov.simt._scans import exclusive_max as exclusive_max
from qdcov.simt._scans import exclusive_max_tiled as exclusive_max_tiled
from qdcov.simt._scans import exclusive_min as exclusive_min
from qdcov.simt._scans import exclusive_min_tiled as exclusive_min_tiled
from qdcov.simt._scans import exclusive_mul as exclusive_mul
from qdcov.simt._scans import exclusive_mul_tiled as exclusive_mul_tiled
from qdcov.simt._scans import exclusive_or as exclusive_or
from qdcov.simt._scans import exclusive_or_tiled as exclusive_or_tiled
from qdcov.simt._scans import exclusive_xor as exclusive_xor
from qdcov.simt._scans import exclusive_xor_tiled as exclusive_xor_tiled
from qdcov.simt._scans import inclusive_add as inclusive_add
from qdcov.simt._scans import inclusive_add_tiled as inclusive_add_tiled
from qdcov.simt._scans import inclusive_and as inclusive_and
from qdcov.simt._scans import inclusive_and_tiled as inclusive_and_tiled
from qdcov.simt._scans import inclusive_max as inclusive_max
from qdcov.simt._scans import inclusive_max_tiled as inclusive_max_tiled
from qdcov.simt._scans import inclusive_min as inclusive_min
from qdcov.simt._scans import inclusive_min_tiled as inclusive_min_tiled
from qdcov.simt._scans import inclusive_mul as inclusive_mul
from qdcov.simt._scans import inclusive_mul_tiled as inclusive_mul_tiled
from qdcov.simt._scans import inclusive_or as inclusive_or
from qdcov.simt._scans import inclusive_or_tiled as inclusive_or_tiled
from qdcov.simt._scans import inclusive_xor as inclusive_xor
from qdcov.simt._scans import inclusive_xor_tiled as inclusive_xor_tiled
from qdcov.simt._sorting import bitonic_sort_kv as bitonic_sort_kv
from qdcov.simt._sorting import bitonic_sort_kv_tiled as bitonic_sort_kv_tiled

__all__ = [
    "all_equal", "all_equal_tiled", "all_true", "all_true_tiled", "any_true", "any_true_tiled", "ballot", "ballot_first_n", "bitonic_sort_kv",
    "bitonic_sort_kv_tiled", "broadcast", "broadcast_first", "elect", "exclusive_add", "exclusive_add_tiled", "exclusive_and",
    "exclusive_and_tiled", "exclusive_max", "exclusive_max_tiled", "exclusive_min", "exclusive_min_tiled", "exclusive_mul", "exclusive_mul_tiled",
    "exclusive_or", "exclusive_or_tiled", "exclusive_xor", "exclusive_xor_tiled", "group_size", "inclusive_add", "inclusive_add_tiled",
    "inclusive_and", "inclusive_and_tiled", "inclusive_max", "inclusive_max_tiled", "inclusive_min", "inclusive_min_tiled", "inclusive_mul",
    "inclusive_mul_tiled", "inclusive_or", "inclusive_or_tiled", "inclusive_xor", "inclusive_xor_tiled", "invocation_id", "lanemask_eq",
    "lanemask_ge", "lanemask_gt", "lanemask_le", "lanemask_lt", "log2_group_size", "mem_fence", "reduce_add", "reduce_add_tiled",
    "reduce_all_add", "reduce_all_add_tiled", "reduce_all_max", "reduce_all_max_tiled", "reduce_all_min", "reduce_all_min_tiled", "reduce_max",
    "reduce_max_tiled", "reduce_min", "reduce_min_tiled", "segmented_reduce_add", "segmented_reduce_add_tiled", "segmented_reduce_max",
    "segmented_reduce_max_tiled", "segmented_reduce_min", "segmented_reduce_min_tiled", "shuffle", "shuffle_down", "shuffle_up", "shuffle_xor",
    "sync",
]  # fmt: skip
