"""qd.simt.subgroup: reductions over the lanes of a subgroup, or of each of its tiles."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import i32, u64
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._scalars.integers import clz
from qdcov._values.functions import cast, max, select, static
from qdcov.simt._lanes import ALL, check_tile, in_tile, shuffle_down, shuffle_up, shuffle_xor, tile_mask
from qdcov.simt._operations import ballot, invocation_id, log2_group_size
from qdcov.simt._operators import ADD, MAX, MIN, joined


@own
@func
def check_whole(log2_size: template(), op: template()):
    """Refuses tiles with missing lanes: such a lane would count as another one twice. The least and the greatest value do not change by that."""
    if static(op == ADD):
        assert ballot(1) & tile_mask(log2_size) == tile_mask(log2_size), "a sum of lanes that are not all there"


@own
@func
def reduced(value, log2_size: template(), op: template()):
    """Joins all lanes of a tile in its first lane; the other results are undefined."""
    check_whole(log2_size, op)
    result = value
    for k in static(range(log2_size)):
        result = joined(result, shuffle_down(result, static(1 << (log2_size - 1 - k))), op)
    return result


@own
@func
def reduced_in_all(value, log2_size: template(), op: template()):
    """Joins all lanes of a tile in each of them."""
    check_whole(log2_size, op)
    result = value
    for k in static(range(log2_size)):
        result = joined(result, shuffle_xor(result, static(1 << k)), op)
    return result


@own
@func
def reduced_in_segments(value, head_flag, log2_size: template(), op: template()):
    """Joins each lane of a tile with the lanes before it, back to the last one whose `head_flag` is not 0."""
    lane = invocation_id()
    heads = ballot(head_flag != 0) & (cast(ALL, u64) >> cast(63 - lane, u64))
    begin = max(lane - in_tile(log2_size), 63 - cast(clz(heads), i32))
    result = value
    for k in static(range(log2_size)):
        before = shuffle_up(result, static(1 << k))
        result = select(lane - static(1 << k) >= begin, joined(before, result, op), result)
    return result


@own
@func
def reduce_add_tiled(value, log2_size: template()):
    """The sum of `value` of the thread's tile of ``2**log2_size`` lanes, in the first of them; the other results are undefined."""
    check_tile("reduce_add_tiled", log2_size)
    return reduced(value, log2_size, ADD)


@own
@func
def reduce_add(value):
    """The sum of `value` of the subgroup, in lane 0; the other results are undefined."""
    return reduced(value, log2_group_size(), ADD)


@own
@func
def reduce_all_add_tiled(value, log2_size: template()):
    """The sum of `value` of the thread's tile of ``2**log2_size`` lanes, in each of them."""
    check_tile("reduce_all_add_tiled", log2_size)
    return reduced_in_all(value, log2_size, ADD)


@own
@func
def reduce_all_add(value):
    """The sum of `value` of the subgroup, in each lane."""
    return reduced_in_all(value, log2_group_size(), ADD)


@own
@func
def segmented_reduce_add_tiled(value, head_flag, log2_size: template()):
    """The sum of `value` of the lanes up to the thread's own, from the last one on whose `head_flag` is not 0, or the first one of the thread's tile
    of ``2**log2_size`` lanes."""
    check_tile("segmented_reduce_add_tiled", log2_size)
    return reduced_in_segments(value, head_flag, log2_size, ADD)


@own
@func
def segmented_reduce_add(value, head_flag):
    """The sum of `value` of the lanes up to the thread's own, from the last one on whose `head_flag` is not 0, or lane 0."""
    return reduced_in_segments(value, head_flag, log2_group_size(), ADD)


@own
@func
def reduce_min_tiled(value, log2_size: template()):
    """The least `value` of the thread's tile of ``2**log2_size`` lanes, in the first of them; the other results are undefined."""
    check_tile("reduce_min_tiled", log2_size)
    return reduced(value, log2_size, MIN)


@own
@func
def reduce_min(value):
    """The least `value` of the subgroup, in lane 0; the other results are undefined."""
    return reduced(value, log2_group_size(), MIN)


@own
@func
def reduce_all_min_tiled(value, log2_size: template()):
    """The least `value` of the thread's tile of ``2**log2_size`` lanes, in each of them."""
    check_tile("reduce_all_min_tiled", log2_size)
    return reduced_in_all(value, log2_size, MIN)


@own
@func
def reduce_all_min(value):
    """The least `value` of the subgroup, in each lane."""
    return reduced_in_all(value, log2_group_size(), MIN)


@own
@func
def segmented_reduce_min_tiled(value, head_flag, log2_size: template()):
    """The least `value` of the lanes up to the thread's own, from the last one on whose `head_flag` is not 0, or the first one of the thread's tile
    of ``2**log2_size`` lanes."""
    check_tile("segmented_reduce_min_tiled", log2_size)
    return reduced_in_segments(value, head_flag, log2_size, MIN)


@own
@func
def segmented_reduce_min(value, head_flag):
    """The least `value` of the lanes up to the thread's own, from the last one on whose `head_flag` is not 0, or lane 0."""
    return reduced_in_segments(value, head_flag, log2_group_size(), MIN)


@own
@func
def reduce_max_tiled(value, log2_size: template()):
    """The greatest `value` of the thread's tile of ``2**log2_size`` lanes, in the first of them; the other results are undefined."""
    check_tile("reduce_max_tiled", log2_size)
    return reduced(value, log2_size, MAX)


@own
@func
def reduce_max(value):
    """The greatest `value` of the subgroup, in lane 0; the other results are undefined."""
    return reduced(value, log2_group_size(), MAX)


@own
@func
def reduce_all_max_tiled(value, log2_size: template()):
    """The greatest `value` of the thread's tile of ``2**log2_size`` lanes, in each of them."""
    check_tile("reduce_all_max_tiled", log2_size)
    return reduced_in_all(value, log2_size, MAX)


@own
@func
def reduce_all_max(value):
    """The greatest `value` of the subgroup, in each lane."""
    return reduced_in_all(value, log2_group_size(), MAX)


@own
@func
def segmented_reduce_max_tiled(value, head_flag, log2_size: template()):
    """The greatest `value` of the lanes up to the thread's own, from the last one on whose `head_flag` is not 0, or the first one of the thread's
    tile of ``2**log2_size`` lanes."""
    check_tile("segmented_reduce_max_tiled", log2_size)
    return reduced_in_segments(value, head_flag, log2_size, MAX)


@own
@func
def segmented_reduce_max(value, head_flag):
    """The greatest `value` of the lanes up to the thread's own, from the last one on whose `head_flag` is not 0, or lane 0."""
    return reduced_in_segments(value, head_flag, log2_group_size(), MAX)
