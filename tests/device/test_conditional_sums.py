"""Sums of some of the elements, which compiled code adds up without branches: the same as NumPy's."""

from __future__ import annotations

import math

import numpy as np
import pytest
import qd

f32s = qd.types.ndarray(dtype=qd.f32, ndim=1)


@pytest.fixture(autouse=True, params=[True, False], ids=["fast_math", "exact"])
def runtime(back_end: str, request: pytest.FixtureRequest) -> None:
    """Elements are whole numbers, so that their sums are exact in any order."""
    qd.init(arch=back_end, fast_math=request.param, log_level="error")


@qd.kernel
def above(x: f32s, low: qd.f32) -> qd.f32:
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] > low:
            s += x[i]
    return s


@qd.kernel
def below_and_above(x: f32s, low: qd.f32) -> qd.f32:
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] > low:
            s += x[i]
        else:
            s -= 1.0
    return s


@qd.kernel
def marked(x: f32s, mark: qd.types.ndarray(dtype=qd.i32, ndim=1), s: qd.f32) -> qd.f32:
    total = s
    for i in range(x.shape[0]):
        if mark[i] != 0:
            if mark[i] == 1:
                total -= x[i]
            elif mark[i] == 2:
                total += 2.0 * x[i]
    return total


@qd.kernel
def by_rows(x: qd.types.ndarray(dtype=qd.f32, ndim=2), sums: f32s, start: qd.f32):
    for i in sums:
        s = start
        for j in range(x.shape[1]):
            if x[i, j] > 3.0:
                s += x[i, j]
        sums[i] = s


SIZES = [0, 1, 7, 64, 1003]


@pytest.mark.parametrize("n", SIZES)
def test_sums(n: int) -> None:
    random = np.random.default_rng(n)
    x = random.integers(-50, 50, n).astype(np.float32)
    mark = random.integers(0, 4, n).astype(np.int32)
    assert above(x, 3.0) == x[x > 3].sum()
    assert below_and_above(x, 3.0) == x[x > 3].sum() - (x <= 3).sum()
    assert marked(x, mark, 5.0) == 5 - x[mark == 1].sum() + 2 * x[mark == 2].sum()
    rows = random.integers(-50, 50, (9, n)).astype(np.float32)
    sums = np.empty(9, np.float32)
    by_rows(rows, sums, 1.0)
    assert (sums == 1 + np.where(rows > 3, rows, 0).sum(axis=1)).all()


def test_elements_that_are_not_added_leave_the_sum_as_it_is() -> None:
    """Infinities and NaN of elements that are not added do not come in."""
    x = np.array([1, -math.inf, 2, math.nan] * 30, np.float32)
    assert above(x, 0.0) == 90
