"""qd.simt.block: votes, reductions and scans over the threads of a block.

Each subgroup joins its lanes; the results of the subgroups go through a shared array."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import i32
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import atomic_add, cast, select, static
from qdcov.simt._lanes import shuffle_up
from qdcov.simt._operations import SharedArray, block_sync, group_size, invocation_id, log2_group_size, thread_idx
from qdcov.simt._operators import ADD, MAX, MIN, joined, neutral
from qdcov.simt._reductions import reduced
from qdcov.simt._scans import scanned


@own
@func
def sync_count_nonzero(predicate):
    """Waits as `sync`, and counts the threads of the block whose `predicate` is not 0, i32."""
    count = SharedArray(1, i32)
    if thread_idx() == 0:
        count[0] = 0
    block_sync()
    if predicate != 0:
        atomic_add(count[0], 1)
    block_sync()
    result = count[0]
    block_sync()  # before the next call sets the count to 0
    return result


@own
@func
def sync_any_nonzero(predicate):
    """Waits as `sync`, and tells whether `predicate` is not 0 in any thread of the block: 0 or 1, i32."""
    return cast(sync_count_nonzero(predicate) != 0, i32)


@own
@func
def sync_all_nonzero(predicate):
    """Waits as `sync`, and tells whether `predicate` is not 0 in all threads of the block: 0 or 1, i32."""
    return cast(sync_count_nonzero(predicate == 0) == 0, i32)


@own
@func
def block_reduced(value, block_dim: template(), op: template(), dtype: template()):
    """Joins all threads of a block in thread 0."""
    part = cast(value, dtype)
    parts = SharedArray(static(block_dim // group_size() if block_dim % group_size() == 0 else block_dim), dtype)
    if static(block_dim % group_size() == 0):
        part = reduced(part, log2_group_size(), op)
        if invocation_id() == 0:
            parts[thread_idx() // group_size()] = part
    else:  # a subgroup is not whole
        parts[thread_idx()] = part
    block_sync()
    if thread_idx() == 0:
        for k in range(1, parts.shape[0]):
            part = joined(part, parts[k], op)
    block_sync()  # before the next call stores other parts
    return part


@own
@func
def block_reduced_in_all(value, block_dim: template(), op: template(), dtype: template()):
    """Joins all threads of a block in each of them."""
    result = SharedArray(1, dtype)
    joint = block_reduced(value, block_dim, op, dtype)
    if thread_idx() == 0:
        result[0] = joint
    block_sync()
    joint = result[0]
    block_sync()
    return joint


@own
@func
def block_scanned(value, block_dim: template(), op: template(), dtype: template(), inclusive: template()):
    """Joins the threads of a block before each one, and this one too where `inclusive`."""
    own_value = cast(value, dtype)
    before = neutral(own_value, op)
    parts = SharedArray(static(block_dim // group_size() if block_dim % group_size() == 0 else block_dim), dtype)
    if static(block_dim % group_size() == 0):
        through = scanned(own_value, log2_group_size(), op)
        if invocation_id() == static(group_size() - 1):
            parts[thread_idx() // group_size()] = through
        block_sync()
        for k in range(thread_idx() // group_size()):
            before = joined(before, parts[k], op)
        if static(inclusive):
            before = joined(before, through, op)
        else:
            last = shuffle_up(through, 1)
            before = select(invocation_id() == 0, before, joined(before, last, op))
    else:
        parts[thread_idx()] = own_value
        block_sync()
        for k in range(thread_idx()):
            before = joined(before, parts[k], op)
        if static(inclusive):
            before = joined(before, own_value, op)
    block_sync()
    return before


@own
@func
def reduce_add(value, block_dim: template(), dtype: template()):
    """The sum of `value` of the block, in thread 0; the other results are undefined.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_reduced(value, block_dim, ADD, dtype)


@own
@func
def reduce_all_add(value, block_dim: template(), dtype: template()):
    """The sum of `value` of the block, in each thread.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_reduced_in_all(value, block_dim, ADD, dtype)


@own
@func
def reduce_min(value, block_dim: template(), dtype: template()):
    """The least `value` of the block, in thread 0; the other results are undefined.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_reduced(value, block_dim, MIN, dtype)


@own
@func
def reduce_all_min(value, block_dim: template(), dtype: template()):
    """The least `value` of the block, in each thread.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_reduced_in_all(value, block_dim, MIN, dtype)


@own
@func
def reduce_max(value, block_dim: template(), dtype: template()):
    """The greatest `value` of the block, in thread 0; the other results are undefined.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_reduced(value, block_dim, MAX, dtype)


@own
@func
def reduce_all_max(value, block_dim: template(), dtype: template()):
    """The greatest `value` of the block, in each thread.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_reduced_in_all(value, block_dim, MAX, dtype)


@own
@func
def inclusive_add(value, block_dim: template(), dtype: template()):
    """The sum of `value` of the block's threads up to this one, and with it.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_scanned(value, block_dim, ADD, dtype, True)


@own
@func
def exclusive_add(value, block_dim: template(), dtype: template()):
    """The sum of `value` of the block's threads before this one: 0 in thread 0.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_scanned(value, block_dim, ADD, dtype, False)


@own
@func
def inclusive_min(value, block_dim: template(), dtype: template()):
    """The least `value` of the block's threads up to this one, and with it.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_scanned(value, block_dim, MIN, dtype, True)


@own
@func
def exclusive_min(value, block_dim: template(), dtype: template()):
    """The least `value` of the block's threads before this one: the greatest number of the type, of floats infinity in thread 0.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_scanned(value, block_dim, MIN, dtype, False)


@own
@func
def inclusive_max(value, block_dim: template(), dtype: template()):
    """The greatest `value` of the block's threads up to this one, and with it.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_scanned(value, block_dim, MAX, dtype, True)


@own
@func
def exclusive_max(value, block_dim: template(), dtype: template()):
    """The greatest `value` of the block's threads before this one: the least number of the type, of floats -infinity in thread 0.
    `block_dim` is that of the loop, `dtype` the type of the result: both are known at compile time. All threads of the block call it."""
    return block_scanned(value, block_dim, MAX, dtype, False)
