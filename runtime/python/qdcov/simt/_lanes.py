"""qd.simt.subgroup: moving values between lanes, votes, masks. Written in the kernel language over the operations of `_operations`."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import i32, u32, u64
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import cast, static, static_assert
from qdcov.simt._operations import ballot, invocation_id, log2_group_size, shuffle

ALL = 2**64 - 1
"""A mask of 64 lanes."""


@own
@func
def shuffle_down(value, offset):
    """The `value` of the lane `offset` lanes up, and the thread's own where there is none."""
    return shuffle(value, invocation_id() + cast(offset, i32))


@own
@func
def shuffle_up(value, offset):
    """The `value` of the lane `offset` lanes down, and the thread's own where there is none."""
    return shuffle(value, invocation_id() - cast(offset, i32))


@own
@func
def shuffle_xor(value, mask):
    """The `value` of the lane whose number differs in the bits of `mask`, and the thread's own where there is none."""
    return shuffle(value, invocation_id() ^ cast(mask, i32))


@own
@func
def broadcast(value, index):
    """The `value` of the lane `index`, which is the same in all lanes."""
    return shuffle(value, index)


@own
@func
def broadcast_first(value):
    """The `value` of lane 0."""
    return shuffle(value, 0)


@own
@func
def elect():
    """1 in lane 0, 0 in the others, i32."""
    return cast(invocation_id() == 0, i32)


@own
@func
def check_tile(name: template(), log2_size: template()):
    """Checks the requirements of an operation of tiles on their size, at compile time."""
    static_assert(0 <= log2_size <= log2_group_size(), f"{name}: log2_size is from 0 to {log2_group_size()} here, not {log2_size}")


@own
@func
def in_tile(log2_size: template()):
    """The number of the thread in its tile of ``2**log2_size`` lanes."""
    return invocation_id() & static((1 << log2_size) - 1)


@own
@func
def tile_mask(log2_size: template()):
    """The lanes of the thread's tile, u64."""
    return cast(static(ALL >> (64 - (1 << log2_size))), u64) << cast(invocation_id() - in_tile(log2_size), u64)


@own
@func
def ballot_first_n(predicate, n: template()):
    """A u32 with a bit for each of the lanes below `n`, which is from 1 to 32: 1 where `predicate` is not 0."""
    static_assert(1 <= n <= 32, f"ballot_first_n: n is from 1 to 32, not {n}")
    return cast(ballot(predicate) & static((1 << n) - 1), u32)


@own
@func
def all_true_tiled(predicate, log2_size: template()):
    """Whether `predicate` is not 0 in all lanes of the thread's tile of ``2**log2_size`` lanes: 0 or 1, i32, in each of them."""
    check_tile("all_true_tiled", log2_size)
    return cast((ballot(predicate == 0) & tile_mask(log2_size)) == 0, i32)


@own
@func
def all_true(predicate):
    """Whether `predicate` is not 0 in all lanes of the subgroup: 0 or 1, i32, in each of them."""
    return all_true_tiled(predicate, log2_group_size())


@own
@func
def any_true_tiled(predicate, log2_size: template()):
    """Whether `predicate` is not 0 in any lane of the thread's tile of ``2**log2_size`` lanes: 0 or 1, i32, in each of them."""
    check_tile("any_true_tiled", log2_size)
    return cast((ballot(predicate != 0) & tile_mask(log2_size)) != 0, i32)


@own
@func
def any_true(predicate):
    """Whether `predicate` is not 0 in any lane of the subgroup: 0 or 1, i32, in each of them."""
    return any_true_tiled(predicate, log2_group_size())


@own
@func
def all_equal_tiled(value, log2_size: template()):
    """Whether `value` is the same in all lanes of the thread's tile of ``2**log2_size`` lanes: 0 or 1, i32, in each of them. NaN is unlike itself."""
    check_tile("all_equal_tiled", log2_size)
    return all_true_tiled(shuffle(value, invocation_id() - in_tile(log2_size)) == value, log2_size)


@own
@func
def all_equal(value):
    """Whether `value` is the same in all lanes of the subgroup: 0 or 1, i32, in each of them. NaN is unlike itself."""
    return all_equal_tiled(value, log2_group_size())


@own
@func
def lanemask_lt(lane_id):
    """A u32 with the bits of the lanes below `lane_id`, which is from 0 to 31."""
    return (cast(1, u32) << cast(lane_id, u32)) - 1


@own
@func
def lanemask_le(lane_id):
    """A u32 with the bits of the lanes up to `lane_id`, and with it, which is from 0 to 31."""
    return lanemask_lt(lane_id) | lanemask_eq(lane_id)


@own
@func
def lanemask_eq(lane_id):
    """A u32 with the bit of the lane `lane_id`, which is from 0 to 31."""
    return cast(1, u32) << cast(lane_id, u32)


@own
@func
def lanemask_gt(lane_id):
    """A u32 with the bits of the lanes above `lane_id`, which is from 0 to 31."""
    return ~lanemask_le(lane_id)


@own
@func
def lanemask_ge(lane_id):
    """A u32 with the bits of the lanes from `lane_id` on, which is from 0 to 31."""
    return ~lanemask_lt(lane_id)
