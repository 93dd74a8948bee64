"""Tables: constants that are looked up by a number that is known at run time only, as in marching cubes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import qd

Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)

RNG = np.random.default_rng(7)
CASES = RNG.integers(-1, 12, (16, 8))
EDGES = RNG.integers(0, 1 << 12, 32)
cases = qd.Matrix(CASES.tolist(), dt=qd.i32)
edges = qd.Vector(EDGES.tolist(), dt=qd.i32)
few = qd.Vector([5, -3, 7], dt=qd.i32)


def looked_up(size: int) -> tuple[Any, Any]:
    """A kernel with a table of so many numbers, and the numbers."""
    data = np.random.default_rng(size).integers(-(1 << 31), 1 << 31, size)
    table = qd.Vector(data.tolist(), dt=qd.i32)

    @qd.kernel
    def look(at: Ints, out: Ints):
        for i in at:
            out[i] = table[at[i]]

    return look, data.astype(np.int32)


@pytest.mark.parametrize("size", [1, 2, 4, 8, 9, 64, 1024, 4096, 32768, 32769, 65536])
def test_sizes(back_end: str, size: int) -> None:
    """A table of 65,536 numbers takes seconds at most; a driver may need a minute for a thousand stores into a local array, or lose its device."""
    look, data = looked_up(size)
    at = (np.arange(300, dtype=np.int64) * 7919 % size).astype(np.int32)
    at[:2] = 0, size - 1
    out = np.zeros(300, np.int32)
    begin = time.monotonic()
    look(at, out)
    assert time.monotonic() - begin < 30
    np.testing.assert_array_equal(out, data[at])


TYPES = {
    qd.u1: [True, False, False, True, True] * 3,
    qd.i8: [-128, 127, -1, 0, 5] * 3,
    qd.u8: [255, 128, 1, 0, 5] * 3,
    qd.i16: [-32768, 32767, -1, 0, 5] * 3,
    qd.u16: [65535, 32768, 1, 0, 5] * 3,
    qd.i32: [-(1 << 31), (1 << 31) - 1, -1, 0, 5] * 3,
    qd.u32: [(1 << 32) - 1, 1 << 31, 1, 0, 5] * 3,
    qd.i64: [-(1 << 63), (1 << 63) - 1, -1, 1 << 40, 5] * 3,
    qd.u64: [(1 << 64) - 1, 1 << 63, 1, 1 << 40, 5] * 3,
    qd.f16: [65504.0, -0.5, 6e-8, 0.1, -0.0] * 3,
    qd.f32: [3e38, -0.5, 1e-45, 0.1, -0.0] * 3,
    qd.f64: [np.float64(x) for x in (1e308, -0.5, 5e-324, 0.1, -0.0)] * 3,
}


@pytest.mark.parametrize("length", [5, 15])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_types(on_each: Callable[..., Any], dtype: Any, length: int) -> None:
    """Few numbers are chosen from, many are looked up."""
    values = TYPES[dtype][:length]
    table = qd.Vector(values, dt=dtype)
    other = qd.Vector(values[::-1], dt=dtype)

    @qd.kernel
    def look(at: Ints, out: qd.types.ndarray(dtype=dtype, ndim=1)):
        for i in at:
            out[i] = table[at[i]]
            out[i + at.shape[0]] = other[at[i]]

    at = np.arange(length, dtype=np.int32)

    def run() -> Any:
        out = qd.ndarray(dtype, 2 * length)
        look(at, out)
        return out.to_numpy()

    got, expected = on_each(run)
    np.testing.assert_array_equal(got.view(np.uint8), expected.view(np.uint8))
    if dtype is not qd.u1:
        np.testing.assert_array_equal(got, np.array(values + values[::-1], got.dtype))


@qd.func
def edge_of(case: qd.i32, k: qd.i32):
    return cases[case, k]


@qd.func
def sum_of(table: qd.template(), n: qd.i32):
    total = 0
    for k in range(n):
        total += table[k] * (k + 1)
    return total


@qd.func
def sum_of_copy(table, n: qd.i32):
    total = 0
    for k in range(n):
        total += table[k] * (k + 1)
    return total


@qd.real_func
def entry(k: qd.i32) -> qd.i32:
    return edges[k] + few[k % 3]


@qd.kernel
def in_funcs_and_loops(out: Ints):
    for i in range(16):
        total = 0
        k = 0
        while k < 8 and edge_of(i, k) >= 0:
            total += edges[edge_of(i, k)] * few[k % 3]
            k += 1
        for row in qd.static(range(2)):
            total += cases[row, i % 8]
        out[i] = total + sum_of(edges, i) + sum_of_copy(few, i % 4) + entry(i)


@qd.kernel
def written(out: Ints):
    for i in range(16):
        table = edges
        before = table[i]
        table[i] = -1
        out[i] = before + 2 * table[i] + 4 * table[(i + 1) % 16]


@qd.kernel
def written_in_a_branch(out: Ints):
    for i in range(16):
        table = qd.Vector([1, 2, 3, 4])
        if i > 7:
            table[1] = 50
        out[i] = table[i % 4]


@qd.kernel
def written_behind_a_loop(out: Ints):
    for i in range(16):
        table = qd.Vector([1, 2, 3, 4])
        total = 0
        for k in range(3):
            total = total * 10 + table[(i + k) % 4]
            table[1] = 7
        out[i] = total


@qd.kernel
def added_to(out: Ints):
    for i in range(16):
        table = qd.Vector([1, 2, 3, 4])
        table[i % 4] += i
        out[i] = table[2] + 10 * table[i % 4]


@qd.kernel
def partly_constant(out: Ints):
    for i in range(16):
        table = qd.Vector([1, i, 3, i * i])
        out[i] = table[i % 4] + 100 * table[(i + 1) % 4]


@qd.kernel
def stored_twice(out: Ints):
    for i in range(16):
        table = qd.Vector([1, 2, 3, 4])
        table[3] = 9
        out[i] = table[i % 4] + 10 * table[3]


@qd.kernel
def of_the_kernel(out: Ints):
    table = qd.Matrix([[1, 2], [3, 4], [5, 6]])
    sums = qd.Vector([0, 0])
    for i in range(16):
        out[i] = table[i % 3, i % 2] + table[2, i % 2]
    for i in range(2):
        sums[i] += table[i, 1]
    out[0] = sums[0] * 100 + sums[1]


@qd.kernel
def again_in_each_round(out: Ints):
    for i in range(16):
        total = 0
        for k in range(4):
            table = qd.Vector([2, 3, 5, 7])
            total = total * 10 + table[k]
            if k == i % 4:
                continue
            table = qd.Vector([4, 6, 8, 9])
            total = total * 10 + table[k]
        out[i] = total % 100003


@qd.kernel
def rows_and_columns(out: Ints):
    for i in range(16):
        row = cases[i, :]
        column = cases[:, i % 8]
        whole = cases
        out[i] = row[i % 8] * 3 + column[i] + row.sum() + whole[i, 2] + cases[3, 1]


@qd.kernel
def nested_lists(out: Ints):
    for i in range(16):
        total = 0
        for first, second in qd.static([[1, 2], [3, 4]]):
            table = qd.Vector([first, second, first * second])
            total = total * 20 + table[i % 3]
        out[i] = total


KERNELS = [
    in_funcs_and_loops, written, written_in_a_branch, written_behind_a_loop, added_to, partly_constant, stored_twice, of_the_kernel,
    again_in_each_round, rows_and_columns, nested_lists,
]  # fmt: skip


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_uses(on_each: Callable[..., Any], kernel: Any) -> None:
    def run() -> list[int]:
        out = np.zeros(17, np.int32)
        kernel(out)
        return out.tolist()

    got, expected = on_each(run)
    assert got == expected


def test_an_index_that_is_not_there(back_end: str) -> None:
    """An index out of range is an error in debug mode, as for any vector."""
    qd.init(arch=back_end, log_level="error", debug=True)
    look, data = looked_up(20)
    out = np.zeros(2, np.int32)
    look(np.array([0, 19], np.int32), out)
    np.testing.assert_array_equal(out, data[[0, 19]])
    for wrong in (20, -1):
        with pytest.raises(qd.KernelAssertionError, match="Out of bound access"):
            look(np.array([0, wrong], np.int32), out)
