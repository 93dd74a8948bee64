"""Kernels with and without races for the checks of the simulated drivers: checked_kernels.py ARCH KERNEL... A kernel's comments name its lines.

Each kernel runs in a child of its own, whose exit code is printed, and whose standard error is the file KERNEL in the current folder."""

# mypy: ignore-errors
from __future__ import annotations

import os
import sys
import traceback

import qd

block, subgroup, grid = qd.simt.block, qd.simt.subgroup, qd.simt.grid
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)
Bytes = qd.types.ndarray(dtype=qd.u8, ndim=1)
N = 512
DIM = 64


# Kernels that race.
@qd.kernel
def stores(x: Array, y: Array):
    for i in x:
        y[0] = i  # store


@qd.kernel
def neighbours(x: Array, y: Array):
    for i in x:
        x[(i + 100) % N] = x[i] + 1  # load and store


@qd.kernel
def half_atomic(x: Array, y: Array):
    for i in x:
        if i == 300:
            y[0] = 5  # store
        else:
            y[0] += i  # atomic


@qd.kernel
def read_of_atomic(x: Array, y: Array):
    for i in x:
        qd.atomic_add(y[0], i)  # atomic
        x[i] = y[0]  # load


@qd.kernel
def read_later(x: Array, y: Array):
    for i in x:
        if i < 300:
            qd.atomic_add(y[0], i)  # atomic
        else:
            x[i] = y[0]  # load


@qd.kernel
def no_barrier(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        shared = block.SharedArray(DIM, qd.i32)
        t = block.thread_idx()
        shared[t] = x[i]  # store
        y[i] = shared[DIM - 1 - t]  # load


@qd.kernel
def second_barrier(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        shared = block.SharedArray(DIM, qd.i32)
        t = block.thread_idx()
        shared[t] = x[i]
        block.sync()
        y[i] = shared[DIM - 1 - t]  # load
        shared[t] = 0  # store


@qd.kernel
def barrier_of_subgroups(x: Array, y: Array):
    qd.loop_config(block_dim=128)
    for i in range(N):
        shared = block.SharedArray(128, qd.i32)
        t = block.thread_idx()
        shared[t] = x[i]  # store
        subgroup.sync()
        y[i] = shared[127 - t]  # load


@qd.kernel
def no_fence(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        x[i] = i  # store
        block.sync()
        if block.thread_idx() == 0:
            if qd.atomic_add(y[0], 1) == N // DIM - 1:
                for j in range(N):
                    y[1] += x[j]  # load


@qd.kernel
def fence_of_block(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        x[i] = i  # store
        block.sync()
        if block.thread_idx() == 0:
            block.mem_fence()
            if qd.atomic_add(y[0], 1) == N // DIM - 1:
                block.mem_fence()
                for j in range(N):
                    y[1] += x[j]  # load


@qd.func
def put(x: Array, i: qd.i32):
    x[0] = i  # store


@qd.kernel
def in_func(x: Array, y: Array):
    for i in x:
        put(y, i)


@qd.kernel
def bytes_race(b: Bytes):
    for i in b:
        b[i // 2] = qd.u8(i % 2)  # store


# Kernels that do not.
@qd.kernel
def disjoint(x: Array, y: Array):
    for i in x:
        y[i] = x[i] + 1


@qd.kernel
def atomics(x: Array, y: Array):
    for i in x:
        y[0] += x[i]
        qd.atomic_max(y[1], i)
        qd.atomic_or(y[2 + i % 3], 1 << i % 31)


@qd.kernel
def same_value(x: Array, y: Array):
    for i in x:
        if i % 3 == 0:
            y[0] = 1


@qd.kernel
def barriers(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        shared = block.SharedArray(DIM, qd.i32)
        t = block.thread_idx()
        shared[t] = x[i]
        block.sync()
        value = shared[DIM - 1 - t]
        block.sync()
        shared[t] = value + 1
        block.sync()
        y[i] = shared[t ^ 1]


@qd.kernel
def subgroups(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        shared = block.SharedArray(DIM, qd.i32)
        t = block.thread_idx()
        shared[t] = x[i]
        subgroup.sync()
        y[i] = shared[t ^ 1] + subgroup.shuffle(x[i], qd.u32(0))


@qd.kernel
def fences(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        x[i] = i
        block.sync()
        if block.thread_idx() == 0:
            grid.mem_fence()
            if qd.atomic_add(y[0], 1) == N // DIM - 1:
                grid.mem_fence()
                for j in range(N):
                    y[1] += x[j]


@qd.kernel
def two_loops(x: Array, y: Array):
    for i in x:
        x[i] = i
    for i in x:
        y[i] = x[N - 1 - i]


@qd.kernel
def own_bytes(b: Bytes):
    for i in b:
        b[i] = qd.u8(b[i] + 1)


# Kernels that use memory that is not theirs.
@qd.kernel
def behind(x: Array, y: Array):
    for i in range(N + 1):
        y[i] = 1  # store


@qd.kernel
def behind_bytes(b: Bytes):
    for i in range(N - 28):
        b[i] = 1  # store


@qd.kernel
def before(x: Array, y: Array):
    for i in range(4):
        x[i] = y[i - 2]  # load


@qd.kernel
def before_shared(x: Array, y: Array):
    qd.loop_config(block_dim=DIM)
    for i in range(N):
        shared = block.SharedArray(DIM, qd.i32)
        shared[block.thread_idx() - 1] = i  # store


def run(arch: str, name: str) -> None:
    qd.init(arch=arch, enable_fallback=False, log_level="error")
    kernel = globals()[name]
    if "byte" in name:
        kernel(qd.ndarray(qd.u8, shape=N - 29))
    else:
        x, y = qd.ndarray(qd.i32, shape=N), qd.ndarray(qd.i32, shape=N)
        x.fill(7), y.fill(0)
        kernel(x, y)
    qd.sync()


def in_a_child(arch: str, name: str) -> int:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        try:
            run(arch, name)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


print(*(in_a_child(sys.argv[1], name) for name in sys.argv[2:]))
