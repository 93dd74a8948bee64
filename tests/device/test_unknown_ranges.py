"""Parallel loops whose number of iterations the kernel computes: each iteration runs once. numpy is the oracle."""

from __future__ import annotations

import numpy as np
import pytest
import qd

Line, Plane, Space = (qd.types.ndarray(dtype=qd.i32, ndim=axes) for axes in (1, 2, 3))
LENGTHS = [0, 1, 2, 3, 9, 513, 4099]


@qd.kernel
def inside_of_line(x: Line) -> qd.i32:
    total = 0
    for i in range(1, x.shape[0] - 1):
        x[i] += i
        if i % 3 == 0:
            continue
        total += i
    return total


@qd.kernel
def inside_of_plane(x: Plane) -> qd.i32:
    total = 0
    for i, j in qd.ndrange((1, x.shape[0] - 1), (2, x.shape[1] - 1)):
        x[i, j] += i * 5000 + j
        total += 1
    return total


@qd.kernel
def inside_of_space(x: Space):
    for i, j, k in qd.ndrange((1, x.shape[0] - 1), x.shape[1] - 1, (-3, x.shape[2] - 5)):
        x[i, j, k + 3] += (i * 50 + j) * 50 + k


@qd.kernel
def as_many_as_loaded(x: Line, bounds: Line):
    for i in range(bounds[0], bounds[1]):
        x[i - bounds[0]] += i


@pytest.mark.parametrize("length", LENGTHS)
def test_lines(arch: str, length: int) -> None:
    x = np.full(length, 7, np.int32)
    total = inside_of_line(x)
    inside = np.arange(length)[1:-1]
    expected = np.full(length, 7)
    expected[1:-1] += inside
    np.testing.assert_array_equal(x, expected)
    assert total == inside[inside % 3 != 0].sum()


@pytest.mark.parametrize("shape", [(0, 5), (3, 3), (3, 4), (5, 1000), (1000, 5), (67, 129)])
def test_planes(arch: str, shape: tuple[int, int]) -> None:
    x = np.zeros(shape, np.int32)
    total = inside_of_plane(x)
    expected = np.add.outer(np.arange(shape[0]) * 5000, np.arange(shape[1]))
    expected[:1], expected[-1:], expected[:, :2], expected[:, -1:] = 0, 0, 0, 0
    np.testing.assert_array_equal(x, expected)
    assert total == np.count_nonzero(expected)


@pytest.mark.parametrize("shape", [(2, 9, 9), (3, 2, 10), (20, 11, 30)])
def test_spaces(arch: str, shape: tuple[int, int, int]) -> None:
    x = np.zeros(shape, np.int32)
    inside_of_space(x)
    i, j, k = np.indices(shape)
    expected = (i * 50 + j) * 50 + k - 3
    expected[:1], expected[-1:], expected[:, -1:], expected[:, :, -2:] = 0, 0, 0, 0
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize(("begin", "end"), [(5, 5), (9, 3), (-3, 1), (-700, 700), (2**31 - 600, 2**31 - 1), (-(2**31), 1000 - 2**31)])
def test_loaded_bounds(arch: str, begin: int, end: int) -> None:
    x = np.zeros(2000, np.int32)
    as_many_as_loaded(x, np.array([begin, end], np.int32))
    expected = np.zeros(2000, np.int64)
    numbers = np.arange(begin, end)
    expected[: len(numbers)] = numbers
    np.testing.assert_array_equal(x, expected)
