"""qd.simt.block: the ranks of a pass of a radix sort (Merrill and Grimshaw, High Performance and Scalable Radix Sorting, 2011)."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import i32, u32, u64
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._scalars.integers import popcnt
from qdcov._values.functions import cast, static, static_assert
from qdcov.simt._block import exclusive_add
from qdcov.simt._lanes import ALL
from qdcov.simt._operations import SharedArray, ballot, block_sync, group_size, invocation_id, thread_idx


@own
@func
def lanes_alike(digit, bits: template()):
    """The lanes of the subgroup that have the same digit, u64."""
    lanes = ballot(1)
    for k in static(range(bits)):
        bit = (digit >> k) & 1
        those = ballot(bit)
        lanes &= those if bit == 1 else ~those
    return lanes


@own
@func
def radix_rank_match_atomic_or(
    key, block_dim: template(), radix_bits: template(), bit_start: template(), num_bits: template(), bins: template(), excl_prefix: template()
):
    """The rank of the thread's key among those of its block by one digit, i32: its place in a stable sort by that digit.

    `key` is a u32, the digit its `num_bits` bits from bit `bit_start` on. `block_dim` is that of the loop and ``2**radix_bits``; `num_bits` is
    `radix_bits` at most. `bins` and `excl_prefix` are shared arrays of ``2**radix_bits`` i32: they get the number of keys with each digit, and with
    a lower one. All threads of the block call it; a misfit is an error of compilation."""
    static_assert(block_dim == 1 << radix_bits, f"radix_rank_match_atomic_or: block_dim is 2**radix_bits, {1 << radix_bits}, not {block_dim}")
    static_assert(1 <= num_bits <= radix_bits, f"radix_rank_match_atomic_or: num_bits is from 1 to radix_bits, {radix_bits}, not {num_bits}")
    static_assert(0 <= bit_start <= 31, f"radix_rank_match_atomic_or: bit_start is from 0 to 31, not {bit_start}")
    counts = SharedArray(static(((block_dim - 1) // group_size() + 1, block_dim)), i32)  # of each subgroup and digit
    thread = thread_idx()
    group = thread // group_size()
    for k in range(counts.shape[0]):
        counts[k, thread] = 0
    block_sync()
    digit = cast((cast(key, u32) >> bit_start) & static((1 << num_bits) - 1), i32)
    alike = lanes_alike(digit, num_bits)
    lane = invocation_id()
    before = cast(popcnt(alike & ~(cast(ALL, u64) << cast(lane, u64))), i32)
    if before == 0:
        counts[group, digit] = cast(popcnt(alike), i32)
    block_sync()
    count = 0  # of the digit that is the thread's number
    for k in range(counts.shape[0]):
        of_group = counts[k, thread]
        counts[k, thread] = count
        count += of_group
    lower = exclusive_add(count, block_dim, i32)
    bins[thread] = count
    excl_prefix[thread] = lower
    block_sync()
    rank = excl_prefix[digit] + counts[group, digit] + before
    block_sync()  # before the next call counts anew
    return rank
