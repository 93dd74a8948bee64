"""qd.simt.warp: the operations of subgroups by CUDA's names. Their masks have a bit for each of 32 lanes; lanes whose bit is 0 do not count."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._dtypes import f32, i32, u32
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import cast, static, static_assert
from qdcov.simt._lanes import shuffle_down, shuffle_up, shuffle_xor
from qdcov.simt._operations import ballot, group_size, invocation_id, shuffle, subgroup_sync


@own
@func
def counts(mask):
    """Whether the thread's lane is in a mask."""
    static_assert(group_size() <= 32, f"qd.simt.warp is for subgroups of 32 lanes at most, not of {group_size()}")
    return ((cast(mask, u32) >> cast(invocation_id(), u32)) & 1) == 1


@own
@func
def warp_ballot(predicate):
    """A u32 with a bit for each lane: 1 where `predicate` is not 0."""
    static_assert(group_size() <= 32, f"qd.simt.warp is for subgroups of 32 lanes at most, not of {group_size()}")
    return cast(ballot(predicate), u32)


@own
@func
def active_mask():
    """A u32 with a bit for each lane: 1 where the lane is here."""
    return warp_ballot(1)


@own
@func
def all_nonzero(mask, predicate):
    """Whether `predicate` is not 0 in all lanes of the mask: 0 or 1, i32."""
    return cast(warp_ballot(counts(mask) & (predicate == 0)) == 0, i32)


@own
@func
def any_nonzero(mask, predicate):
    """Whether `predicate` is not 0 in any lane of the mask: 0 or 1, i32."""
    return cast(warp_ballot(counts(mask) & (predicate != 0)) != 0, i32)


@own
@func
def unique(mask, predicate):
    """Whether `predicate` is 0 in all lanes of the mask, or in none: 0 or 1, i32."""
    return cast((warp_ballot(counts(mask) & (predicate == 0)) == 0) | (warp_ballot(counts(mask) & (predicate != 0)) == 0), i32)


@own
@func
def match_any(mask, value):
    """A u32 with the bits of the lanes of the mask that have the thread's `value`."""
    here = active_mask() & cast(mask, u32)
    found = cast(0, u32)
    for k in static(range(group_size())):
        if shuffle(value, k) == value:
            found |= cast(static(1 << k), u32)
    return found & here


@own
@func
def match_all(mask, value):
    """The lanes of the mask where all of them have the same `value`, else 0, u32."""
    here = active_mask() & cast(mask, u32)
    return here if match_any(mask, value) == here else cast(0, u32)


@own
@func
def shfl_sync_i32(mask, val, offset):
    """`val`, i32, of the lane `offset`, whatever the `mask`."""
    return shuffle(cast(val, i32), offset)


@own
@func
def shfl_sync_f32(mask, val, offset):
    """`val`, f32, of the lane `offset`, whatever the `mask`."""
    return shuffle(cast(val, f32), offset)


@own
@func
def shfl_up_i32(mask, val, offset):
    """`val`, i32, of the lane `offset` lanes down, whatever the `mask`, and the own one where there is none."""
    return shuffle_up(cast(val, i32), offset)


@own
@func
def shfl_up_f32(mask, val, offset):
    """`val`, f32, of the lane `offset` lanes down, whatever the `mask`, and the own one where there is none."""
    return shuffle_up(cast(val, f32), offset)


@own
@func
def shfl_down_i32(mask, val, offset):
    """`val`, i32, of the lane `offset` lanes up, whatever the `mask`, and the own one where there is none."""
    return shuffle_down(cast(val, i32), offset)


@own
@func
def shfl_down_f32(mask, val, offset):
    """`val`, f32, of the lane `offset` lanes up, whatever the `mask`, and the own one where there is none."""
    return shuffle_down(cast(val, f32), offset)


@own
@func
def shfl_xor_i32(mask, val, offset):
    """`val`, i32, of the lane whose number differs in the bits of `offset`, whatever the `mask`."""
    return shuffle_xor(cast(val, i32), offset)


@own
@func
def warp_sync(mask):
    """Waits for the other lanes of the subgroup, whatever the `mask`."""
    subgroup_sync()
