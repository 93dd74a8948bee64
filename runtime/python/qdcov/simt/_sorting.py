"""qd.simt.subgroup: sorting the lanes of a subgroup, or of each of its tiles.

Batcher's bitonic sorter (Knuth, The Art of Computer Programming, volume 3, section 5.3.4)."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import select, static
from qdcov.simt._lanes import check_tile, in_tile
from qdcov.simt._operations import invocation_id, log2_group_size, shuffle


@own
@func
def bitonic_sort_kv_tiled(key, value, log2_size: template()):
    """Sorts the pairs of `key` and `value` of the thread's tile of ``2**log2_size`` lanes by key, and pairs of one key by value: lane i of the tile
    gets the pair that is the i-th, as two results. Neither is NaN."""
    check_tile("bitonic_sort_kv_tiled", log2_size)
    lane = in_tile(log2_size)
    keys = key
    values = value
    for k in static(range(log2_size)):
        for j in static(range(k + 1)):
            step = static(1 << (k - j))
            other = invocation_id() ^ step
            other_key = shuffle(keys, other)
            other_value = shuffle(values, other)
            other_is_less = (other_key < keys) | ((other_key == keys) & (other_value < values))
            other_is_more = (other_key > keys) | ((other_key == keys) & (other_value > values))
            wants_less = ((lane & static(2 << k)) == 0) == ((lane & step) == 0)
            swap = select(wants_less, other_is_less, other_is_more)
            keys = select(swap, other_key, keys)
            values = select(swap, other_value, values)
    return keys, values


@own
@func
def bitonic_sort_kv(key, value):
    """Sorts the pairs of `key` and `value` of the subgroup by key, and pairs of one key by value: lane i gets the pair that is the i-th, as two
    results. Neither is NaN."""
    return bitonic_sort_kv_tiled(key, value, log2_group_size())
