"""Kernels for the tests of tiles (qd.simt.Tile16x16 and Tile32x32): one for each operation, and programs as they are written with tiles."""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import qd

block = qd.simt.block
Tile16x16 = qd.simt.Tile16x16
N = Tile16x16.SIZE
Array = qd.types.ndarray()


def made(Tile: Any, dtype: Any) -> Any:
    @qd.kernel
    def run(zeros: Array, ones: Array, again: Array):
        qd.loop_config(block_dim=Tile.SIZE)
        for _ in range(Tile.SIZE):
            t = Tile.zeros(dtype=dtype)
            zeros[0 : Tile.SIZE, 0 : Tile.SIZE] = t
            ones[0 : Tile.SIZE, 0 : Tile.SIZE] = Tile.eye(dtype)
            t[:] = again[0 : Tile.SIZE, 0 : Tile.SIZE]
            t.eye_()
            again[0 : Tile.SIZE, 0 : Tile.SIZE] = t

    return run


def moved(Tile: Any, dtype: Any, annotation: Any = Array) -> Any:
    """Loads the part of `x` at a place and stores the tile at another one of `y`."""

    @qd.kernel
    def run(x: annotation, y: annotation, place: qd.types.vector(4, qd.i32), other: qd.types.vector(4, qd.i32)):
        qd.loop_config(block_dim=Tile.SIZE)
        for _ in range(Tile.SIZE):
            t = Tile.zeros(dtype)
            t[:] = x[place[0] : place[1], place[2] : place[3]]
            y[other[0] : other[1], other[2] : other[3]] = t

    return run


def moved_in_batches(Tile: Any, dtype: Any, annotation: Any = Array) -> Any:
    """A kernel as `moved`, of the matrix that the number of the block chooses."""

    @qd.kernel
    def run(x: annotation, y: annotation, place: qd.types.vector(4, qd.i32), other: qd.types.vector(4, qd.i32)):
        qd.loop_config(block_dim=Tile.SIZE)
        for i in range(x.shape[0] * Tile.SIZE):
            batch = i // Tile.SIZE
            t = Tile.zeros(dtype)
            t[:] = x[batch, place[0] : place[1], place[2] : place[3]]
            y[y.shape[0] - 1 - batch, other[0] : other[1], other[2] : other[3]] = t

    return run


@qd.kernel
def wide_bounds(x: Array, y: Array, begin: qd.i64, end: qd.u32):
    qd.loop_config(block_dim=N)
    for _ in range(N):
        t = Tile16x16.zeros()
        t[:] = x[begin:end, begin:end]
        v = x[begin:end, begin]
        t += qd.outer(v, v)
        y[begin:end, begin:end] = t


@qd.kernel
def columns_alone(x: Array):
    """Columns without a tile: each thread gets a number."""
    qd.loop_config(block_dim=32)
    for i in range(64):
        x[i % 32, 1 + i // 32] = x[2:20, 0]


def through_a_shared_array(Tile: Any, dtype: Any) -> Any:
    @qd.kernel
    def run(x: Array, y: Array, columns: qd.i32):
        qd.loop_config(block_dim=Tile.SIZE)
        for _ in range(Tile.SIZE):
            row = block.thread_idx()
            shared = block.SharedArray((2, Tile.SIZE, Tile.SIZE), dtype)
            narrow = block.SharedArray((Tile.SIZE, 5), dtype)
            for j in range(5):
                narrow[row, j] = 7
            t = Tile.zeros(dtype)
            t[:] = x[0 : Tile.SIZE, 0 : Tile.SIZE]
            shared[1, 0 : Tile.SIZE, 0 : Tile.SIZE] = t
            narrow[0 : Tile.SIZE - 1, 0:columns] = t
            block.sync()
            turned = Tile.zeros(dtype)
            for j in range(Tile.SIZE):
                shared[0, row, j] = shared[1, j, row]
            turned[:] = shared[0, 0 : Tile.SIZE, 0 : Tile.SIZE]
            turned += qd.outer(shared[1, 0 : Tile.SIZE, 2], narrow[0 : Tile.SIZE, 1])
            y[0 : Tile.SIZE, 0 : Tile.SIZE] = turned

    return run


def outer(Tile: Any, dtype: Any) -> Any:
    """Updates by columns of an array and by numbers of the threads, some of them in loops."""

    @qd.kernel
    def run(x: Array, v: Array, batches: Array, rows: qd.i32):
        qd.loop_config(block_dim=Tile.SIZE)
        for i in range(Tile.SIZE):
            t = Tile.zeros(dtype)
            t[:] = x[0 : Tile.SIZE, 0 : Tile.SIZE]
            for k in range(3):
                a = v[0:rows, k]
                t -= qd.outer(a, v[1 : rows + 1, k])
            b = batches[1, 0 : Tile.SIZE, 0]
            t -= qd.outer(b, b)
            t += qd.outer(i + 1, b=2 * i)
            x[0 : Tile.SIZE, 0 : Tile.SIZE] = t

    return run


def cholesky(Tile: Any, dtype: Any) -> Any:
    """Cholesky decomposition of each matrix; a row has the least pivot of its own."""

    @qd.kernel
    def run(x: Array, least: Array):
        qd.loop_config(block_dim=Tile.SIZE)
        for i in range(x.shape[0] * Tile.SIZE):
            t = Tile.zeros(dtype)
            t[:] = x[i // Tile.SIZE, 0 : Tile.SIZE, 0 : Tile.SIZE]
            t.cholesky_(least[i])
            x[i // Tile.SIZE, 0 : Tile.SIZE, 0 : Tile.SIZE] = t

    return run


def solve(Tile: Any, dtype: Any) -> Any:
    @qd.kernel
    def run(x: Array, b: Array):
        qd.loop_config(block_dim=Tile.SIZE)
        for _ in range(Tile.SIZE):
            factor = Tile.zeros(dtype)
            factor[:] = x[0 : Tile.SIZE, 0 : Tile.SIZE]
            right = Tile.zeros(dtype)
            for k in range(2):
                right[:] = b[k, 0 : Tile.SIZE, 0 : Tile.SIZE]
                factor.solve_triangular_(right, lower=True)
                b[k, 0 : Tile.SIZE, 0 : Tile.SIZE] = right

    return run


@qd.func
def loaded(x: qd.template(), begin):
    t = Tile16x16.zeros(qd.f32)
    t[:] = x[begin : begin + N, 0:N]
    return t


@qd.func
def changes_its_copy(t):
    t.eye_()
    return t


@qd.func
def changes_what_it_is_given(t: qd.template(), v):
    t -= qd.outer(v, 1)


@qd.kernel
def of_funcs(x: Array, y: Array):
    """A tile is a value: assigning it copies it, and so does passing it to a func, but for a template."""
    qd.loop_config(block_dim=N)
    for i in range(N):
        t = loaded(x, 2)
        copy = t
        unit = changes_its_copy(t)
        changes_what_it_is_given(t, 1.0 * i)
        both = loaded(x, 0)
        if x[0, 0] > 0:
            both = t
        y[0, 0:N, 0:N] = y[3, 0:N, 0:N] = both
        y[1, 0:N, 0:N], y[2, 0:N, 0:N] = copy, unit


# --- a blocked Cholesky factorisation ---


@qd.func
def updated(x: qd.template(), matrix, begin, end, k0, k1):
    """The block of a matrix at rows from `begin` on and columns from `k0` on, less the products of the columns before it."""
    t = Tile16x16.zeros(dtype=qd.f64)
    if begin == k0:
        t = Tile16x16.eye(dtype=qd.f64)
    t[:] = x[matrix, begin:end, k0:k1]
    for j in range(k0):
        t -= qd.outer(x[matrix, begin:end, j], x[matrix, k0:k1, j])
    return t


@qd.kernel
def factorised(x: Array, n: qd.i32):
    """The factor of each matrix of n rows in its lower triangle."""
    qd.loop_config(block_dim=N)
    for i in range(x.shape[0] * N):
        matrix = i // N
        for k in range((n + N - 1) // N):
            k0 = k * N
            k1 = qd.min(k0 + N, n)
            diagonal = updated(x, matrix, k0, k1, k0, k1)
            diagonal.cholesky_(1e-14)
            x[matrix, k0:k1, k0:k1] = diagonal
            for below in range(k + 1, (n + N - 1) // N):
                begin = below * N
                end = qd.min(begin + N, n)
                t = updated(x, matrix, begin, end, k0, k1)
                diagonal.solve_triangular_(t)
                x[matrix, begin:end, k0:k1] = t
