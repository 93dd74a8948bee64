"""Kernels that use qd.simt wrongly."""

# mypy: ignore-errors
from __future__ import annotations

import qd

block, subgroup = qd.simt.block, qd.simt.subgroup
Array = qd.types.ndarray()


@qd.kernel
def outside():
    block.sync()


@qd.kernel
def array_outside(x: Array):
    row = block.SharedArray(8, qd.f32)
    row[0] = x[0]


@qd.kernel
def under_an_if(x: Array, n: qd.i32):
    if n > 0:
        for i in range(8):
            x[i] = block.thread_idx()


@qd.func
def meets(x):
    block.sync()
    return subgroup.shuffle(x, 0)


@qd.kernel
def func_outside(x: Array):
    x[0] = meets(x[0])


@qd.kernel
def under_a_serial_loop(x: Array):
    qd.loop_config(serialize=True)
    for i in range(8):
        x[i] = meets(x[i])


@qd.real_func
def really_called(x: qd.f32) -> qd.f32:
    return subgroup.shuffle(x, 0)


@qd.kernel
def in_a_real_func(x: Array):
    for i in range(32):
        x[i] = really_called(x[i])


@qd.kernel
def not_whole(x: Array, n: qd.i32):
    qd.loop_config(block_dim=8)
    for i in range(n):
        block.sync()
        x[i] = 1


@qd.kernel
def never_whole(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(20):
        x[i] = subgroup.shuffle(x[i], 0)


@qd.kernel
def waits_in_none(x: Array, n: qd.i32):
    """No thread comes to the barrier."""
    qd.loop_config(block_dim=8)
    for i in range(n):
        x[i] = 1
        if n > 100:
            block.sync()


@qd.kernel
def some_wait(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(16):
        if x[i] > 0:  # some
            block.sync()  # some
        x[i] = 1


@qd.kernel
def some_wait_longer(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(16):
        k = 0
        while k < x[i]:  # longer
            block.sync()  # longer
            k += 1


@qd.kernel
def indexed(x: Array, n: qd.i32):
    qd.loop_config(block_dim=8)
    for i in range(16):
        row = block.SharedArray(8, qd.i32)
        row[block.thread_idx() + n] = 1
        block.sync()
        x[i] = row[0]


@qd.kernel
def asserts(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(16):
        block.sync()
        assert x[i] != 3, "a three"  # asserts
        block.sync()
        x[i] += 1


@qd.kernel
def shape_at_run_time(x: Array, n: qd.i32):
    for i in range(8):
        row = block.SharedArray(n, qd.f32)
        x[i] = row[0]


@qd.kernel
def no_type(x: Array):
    for i in range(8):
        row = block.SharedArray(4, "f32")
        x[i] = row[0]


@qd.kernel
def empty(x: Array):
    for i in range(8):
        row = block.SharedArray(0, qd.f32)
        x[i] = row[0]


@qd.kernel
def large_array(x: Array):
    for i in range(8):
        row = block.SharedArray((1024, 1024), qd.f32)
        x[i] = row[0, 0]


@qd.kernel
def shuffles_a_vector(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(8):
        x[i] = subgroup.shuffle(qd.Vector([x[i], x[i]]), 0)[0]


@qd.kernel
def tile_too_large(x: Array):
    qd.loop_config(block_dim=128)
    for i in range(128):
        x[i] = subgroup.reduce_add_tiled(x[i], 9)


@qd.kernel
def wrong_radix(x: Array):
    qd.loop_config(block_dim=32)
    for i in range(32):
        bins = block.SharedArray(16, qd.i32)
        lower = block.SharedArray(16, qd.i32)
        x[i] = block.radix_rank_match_atomic_or(qd.u32(i), 32, 4, 0, 4, bins, lower)


@qd.kernel
def negative_block(x: Array):
    qd.loop_config(block_dim=0)
    for i in range(8):
        x[i] = block.thread_idx()


@qd.kernel
def large_block(x: Array):
    qd.loop_config(block_dim=2048)
    for i in range(2048):
        x[i] = block.thread_idx()


@qd.kernel
def no_such_operation(x: Array):
    for i in range(128):
        block.synch()


@qd.kernel
def too_many_arguments(x: Array):
    for i in range(128):
        block.sync(1)


@qd.kernel
def array_as_a_number(x: Array):
    for i in range(128):
        row = block.SharedArray(2, qd.f32)
        x[i] = row + 1


@qd.kernel
def sums_of_few(x: Array, n: qd.i32):
    qd.loop_config(block_dim=4)
    for i in range(n):
        x[i] = subgroup.reduce_all_add(x[i])  # few


@qd.kernel
def sums_of_some(x: Array, lanes: qd.i32):
    qd.loop_config(block_dim=128)
    for i in range(128):
        if subgroup.invocation_id() < lanes:
            x[i] = subgroup.reduce_all_add(x[i])
