"""Kernels with blocks for the tests of how arch=qd.python runs them."""

# mypy: ignore-errors
from __future__ import annotations

import qd

block, subgroup = qd.simt.block, qd.simt.subgroup
Array = qd.types.ndarray()


@qd.func
def inner(x):
    block.sync()
    return subgroup.shuffle(1 // x, 0)


@qd.kernel
def divides(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        x[i] = inner(x[i])  # calls


@qd.kernel
def without(x: Array):
    for i in range(x.shape[0]):
        x[i] += qd.global_thread_idx()


@qd.func
def twice(f: qd.template(), x):
    return f(f(x))


@qd.func
def neighbour(x):
    return subgroup.shuffle_xor(x, 1) * 10


@qd.kernel
def by_name(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        x[i] = twice(neighbour, x[i]) + 1


@qd.func
def doubled_row(n: qd.i32):
    """A loop of a func that does not wait: serial in a thread."""
    total = 0
    for k in range(n):
        total += block.thread_idx() + k
    return total


@qd.kernel
def loops_in_funcs(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        x[i] = doubled_row(3)


@qd.func
def all_of_it(x: qd.template()):
    """A func whose own loop has blocks."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        x[i] = subgroup.reduce_all_add(x[i])


@qd.kernel
def loops_of_funcs(x: Array):
    all_of_it(x)


@qd.kernel
def waits_forever(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(8):
        while x[0] == 0:
            block.sync()


@qd.kernel
def apart(x: Array):
    """Some threads pass a barrier by and come to another one."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        for k in range(1):
            if x[i] == 5:
                continue
            block.sync()  # one
        block.sync()  # other


@qd.kernel
def lanes_apart(x: Array):
    """A lane waits for the block, the others for the subgroup."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        for k in range(1):
            if x[i] == 5:
                continue
            x[i] = subgroup.shuffle(x[i], 0)  # lanes
        block.sync()  # block


@qd.kernel
def in_a_comprehension(x: Array):
    qd.loop_config(block_dim=8)
    for i in range(8):
        v = qd.Vector([subgroup.shuffle(x[i], k) for k in range(2)])
        x[i] = v[0]


@qd.kernel
def conditions(x: Array, out: Array):
    """Operations of subgroups in conditions and in conditional expressions."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        if subgroup.any_true(x[i] > 5) and subgroup.all_true(x[i] > 0):
            out[i] = 1
        elif not subgroup.all_equal(x[i]):
            out[i] = 2
        out[i] += subgroup.reduce_all_max(x[i]) if x.shape[0] > 3 else 0
        assert subgroup.any_true(x[i] >= 0), f"none of {x[i]}"


@qd.kernel(graph=True, checkpoints=True)
def graph(x: Array, flag: qd.types.ndarray(dtype=qd.i32, ndim=0)):
    with qd.checkpoint(1, yield_on=flag):
        qd.loop_config(block_dim=8)
        for i in range(x.shape[0]):
            x[i] = block.inclusive_add(x[i], 8, qd.i32)
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        x[i] = x[i] + block.reduce_all_add(x[i], 8, qd.i32)
