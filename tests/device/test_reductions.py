"""Sums, minima and the like: the same on every architecture, few elements and many, and where parameters are the same memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_reductions as k

SIZES = [0, 1, 700]


def numbers(size: int, dtype: Any = np.int32) -> np.ndarray:
    return ((np.arange(size) * 7919 + 13) % 1009).astype(dtype)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.float32, np.float64])
def test_into_elements(arch: Any, size: int, dtype: Any) -> None:
    x, out = numbers(size, dtype), np.array([5, 2_000_000, 900, 100], dtype=dtype)
    k.into_elements(x, out)
    low, high = (min(900, *x), max(100, *x)) if size else (900, 100)
    assert out.tolist() == [5 + x.sum(), 2_000_000 - x.sum(), low, high]


def test_bits(arch: Any) -> None:
    for size in SIZES:
        x, out = numbers(size) | 4, qd.field(qd.i32, shape=3)
        out[0], out[2] = 0b1111100, 9
        k.bits(x, out)
        assert out[0] == np.bitwise_and.reduce(x, initial=0b1111100)
        assert out[1] == np.bitwise_or.reduce(x, initial=0)
        assert out[2] == np.bitwise_xor.reduce(x[x % 3 == 0], initial=9)


def test_extremes_of_numbers_and_of_none(arch: Any) -> None:
    x = numbers(500, np.float32) - 300
    assert k.extremes(x) == (x.min(), x.max())
    assert k.extremes(x[:0].copy()) == pytest.approx((1e30, -1e30))


def test_a_nan_is_no_extreme(back_end: str) -> None:
    for fast_math in (True, False):
        qd.init(arch=back_end, log_level="error", fast_math=fast_math)
        x = numbers(500, np.float32)
        x[::3] = np.nan
        assert k.extremes(x) == (np.nanmin(x), np.nanmax(x))
        out = np.array([0, 0, np.nan, 5], dtype=np.float32)
        k.into_elements(np.full(300, np.nan, dtype=np.float32), out)
        assert np.isnan(out[2]) and out[3] == 5


def test_what_is_never_added_touches_nothing(arch: Any) -> None:
    out = np.zeros(1, dtype=np.int32)
    k.guarded(numbers(100), out, 0)
    assert out[0] == 100


@pytest.mark.parametrize("bins", [1009, 40_000])
@pytest.mark.parametrize("size", [1, 3000])
def test_histograms(arch: Any, size: int, bins: int) -> None:
    x = numbers(size)
    for dtype in (np.int32, np.float32, np.int16):
        out = np.full(bins, 2, dtype=dtype)
        k.histogram(x, out)
        assert (out == 2 + np.bincount(x, minlength=bins)).all()


def test_histograms_of_two_axes(arch: Any) -> None:
    x = numbers(600)
    out, low = qd.field(qd.i64, shape=(7, 5)), qd.field(qd.i32, shape=16)
    low.fill(500)
    k.joint_histogram(x, out, low)
    expected, lowest = np.zeros((7, 5), dtype=np.int64), np.full(16, 500)
    for value in x:
        expected[value % 7, value % 5] -= value
        if value % 2 == 1:
            lowest[value % 16] = min(lowest[value % 16], value)
    assert (out.to_numpy() == expected).all()
    assert (low.to_numpy() == lowest).all()


def test_parameters_that_are_the_same_memory(arch: Any) -> None:
    h, y, order = np.arange(50, dtype=np.int32), np.zeros(200, dtype=np.int32), np.tile(np.arange(50, dtype=np.int32), 4)
    k.reads_what_it_adds(order, h, h, y)
    seen = np.sort((y - order).reshape(4, 50), axis=0)
    # In whatever order the iterations run, each sees its own addition and the last one of an element sees all four.
    assert np.isin(seen, [5, 10, 15, 20]).all() and (seen[3] == 20).all()
    assert (h == np.arange(50) + 20).all()
    k.one_iteration(h, h)
    assert h[0] == (20 + 3) * 2


@pytest.mark.parametrize("extent", [40, 2000, 20000])
def test_additions_to_vectors_in_inner_loops(back_end: str, extent: int) -> None:
    """Parts of the loop have arrays of their own where these are small; the sums are the same either way."""
    qd.init(arch=back_end, log_level="error")
    fields = [qd.Vector.field(3, qd.i32, extent) for _ in range(5)]
    first, second, third, fourth, fifth = fields

    @qd.kernel
    def spread(n: qd.i32):
        for i in range(n):
            for j in range(16):
                at = (i * 7 + j * 13) % extent
                first[at] += qd.Vector([1, i, j])
                second[at] += qd.Vector([j, 0, 1])
                third[at][j % 3] += 1
                fourth[extent - 1 - at][1] -= i
                fifth[0][2] += 1

    n = 3000
    spread(n)
    i, j = np.meshgrid(np.arange(n), np.arange(16), indexing="ij")
    at = (i * 7 + j * 13) % extent
    expected = np.zeros((5, extent, 3), np.int64)
    for component, value in enumerate((1, i, j)):
        np.add.at(expected[0, :, component], at, value)
    np.add.at(expected[1, :, 0], at, j)
    np.add.at(expected[1, :, 2], at, 1)
    np.add.at(expected[2], (at, j % 3), 1)
    np.subtract.at(expected[3, :, 1], extent - 1 - at, i)
    expected[4, 0, 2] = n * 16
    for number, field in enumerate(fields):
        np.testing.assert_array_equal(field.to_numpy(), expected[number], err_msg=str(number))


def mixed(h: np.ndarray, by: np.ndarray) -> np.ndarray:
    """The number of k.scattered for each iteration."""
    h = h.astype(np.int32)
    for step in range(16):
        h = h * np.int32(1103) + by.astype(np.int32) * np.int32(step)
        h ^= h >> 9
    return h


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 200, 5000])
@pytest.mark.parametrize("extent", [40, 3000, 200_000])
def test_additions_of_long_computations(arch: Any, size: int, extent: int) -> None:
    if arch == "python":  # one iteration after the other, however many there are
        size = min(size, 300)
    x = numbers(size)
    for kind in ("fields", "arrays"):
        y = numbers(size)[::-1].copy()
        bins, low = (qd.field(qd.i32, extent), qd.field(qd.i32, 32)) if kind == "fields" else (qd.ndarray(qd.i32, extent), qd.ndarray(qd.i32, 32))
        h = mixed(x, y)
        k.scattered(x, y, bins, low)
        np.testing.assert_array_equal(y, numbers(size)[::-1] + h)
        expected, least = np.zeros(extent, np.int32), np.zeros(32, np.int32)
        np.add.at(expected, x & 31, h)
        np.add.at(expected, (x & 31) + 1, np.int32(3) * h)
        np.add.at(expected, 31 - (x & 31), 1)
        np.minimum.at(least, x & 31, h)
        np.testing.assert_array_equal(bins.to_numpy(), expected)
        np.testing.assert_array_equal(low.to_numpy(), least)


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (5, 63), (3, 64), (40, 130)])
def test_additions_of_long_computations_on_two_axes(arch: Any, shape: tuple[int, int]) -> None:
    if arch == "python":
        shape = min(shape, (5, 63))
    x, bins = numbers(shape[0] * shape[1]).reshape(shape), np.ones((4, 32), np.int32)
    k.scattered_rows(x, bins, 5)
    i, j = np.meshgrid(np.arange(1, shape[0]), np.arange(shape[1]), indexing="ij")
    part, expected = x[1:], np.ones((4, 32), np.int32)
    np.add.at(expected, (i & 3, part & 31), mixed(part + 5, i))
    np.add.at(expected, (part & 3, (i + j) & 31), 5)
    np.testing.assert_array_equal(bins, expected)


def test_additions_of_long_computations_to_an_array_that_is_read(arch: Any) -> None:
    """Two parameters are the same memory: an iteration reads what it has added."""
    start = numbers(80)
    x = start.copy()
    k.scattered_into(x, x)
    added = start[:40] + mixed(start[40:], np.arange(40))[::-1]
    np.testing.assert_array_equal(x, np.concatenate([added, added[::-1]]))
