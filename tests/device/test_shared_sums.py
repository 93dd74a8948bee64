"""Atomics of all iterations to the elements of an inner loop, such as the gradient of a weight: threads find each other at one place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd

N = 1000
integers, floats = qd.types.ndarray(dtype=qd.i32), qd.types.ndarray(dtype=qd.f64)


@qd.kernel
def sums(x: integers, total: integers, low: integers, high: integers, bits: integers, n: qd.i32, m: qd.i32):
    for i in range(n):
        for j in range(m):
            total[j] += x[i, j]
            qd.atomic_min(low[j], x[i, j])
            qd.atomic_max(high[j], x[i, j])
            qd.atomic_or(bits[j], x[i, j])


@qd.kernel
def some_sums(x: integers, order: integers, total: integers, n: qd.i32, m: qd.i32):
    for i in range(n):
        for j in range(m):
            if x[i, j] % 3 == 0:
                continue
            if x[i, j] > 90:
                break
            total[order[j]] += x[i, j]
            if x[i, j] < 20:
                total[order[j] + 1] -= x[i, j]


@qd.kernel
def parted(x: integers, total: integers, n: qd.i32, m: qd.i32):
    for i in range(n):
        for j in range(i % 7, m):
            total[j] += x[i, j]
        k = i % 3
        while k < m:
            total[k] += 1
            k += 2


@qd.kernel
def taken(count: integers, seen: integers, n: qd.i32, m: qd.i32):
    for _ in range(n):
        for j in range(m):
            seen[j, qd.atomic_add(count[j], 1)] += 1


@qd.kernel
def product(x: floats, w: floats, y: floats):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += w[j] * x[i, j]
        y[i] = s * s


def array(values: Any, dtype: Any = qd.i32, **options: Any) -> Any:
    made = qd.ndarray(dtype, np.shape(values), **options)
    made.from_numpy(np.asarray(values))
    return made


@pytest.fixture
def runtime(arch: str) -> None:
    qd.init(arch=arch, log_level="error", default_fp=qd.f64)


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("n", [1, 31, 64, 257, N])
def test_all_threads_together(n: int) -> None:
    x = np.random.default_rng(n).integers(0, 100, (N, 5)).astype(np.int32)
    total, low, high, bits = (array(np.full(5, start, np.int32)) for start in (3, 50, 50, 0))
    sums(array(x), total, low, high, bits, n, 5)
    used = x[:n]
    for found, expected in (
        (total, 3 + used.sum(0)),
        (low, np.minimum(50, used.min(0))),
        (high, np.maximum(50, used.max(0))),
        (bits, np.bitwise_or.reduce(used)),
    ):
        np.testing.assert_array_equal(found.to_numpy(), expected)


@pytest.mark.usefixtures("runtime")
def test_some_threads() -> None:
    x, order = np.random.default_rng(1).integers(0, 100, (N, 6)).astype(np.int32), np.array([3, 0, 5, 1, 2, 4], np.int32)
    total, expected = array(np.zeros(7, np.int32)), np.zeros(7, np.int32)
    some_sums(array(x), array(order), total, N, 6)
    for row in x:
        for j, number in enumerate(row):
            if number % 3 == 0:
                continue
            if number > 90:
                break
            expected[order[j]] += number
            if number < 20:
                expected[order[j] + 1] -= number
    np.testing.assert_array_equal(total.to_numpy(), expected)


@pytest.mark.usefixtures("runtime")
def test_threads_in_other_iterations() -> None:
    x = np.random.default_rng(2).integers(0, 100, (N, 9)).astype(np.int32)
    total, expected = array(np.zeros(9, np.int32)), np.zeros(9, np.int32)
    parted(array(x), total, N, 9)
    for i, row in enumerate(x):
        expected[i % 7 :] += row[i % 7 :]
        expected[i % 3 :: 2] += 1
    np.testing.assert_array_equal(total.to_numpy(), expected)


@pytest.mark.usefixtures("runtime")
def test_values_that_are_used() -> None:
    count, seen = array(np.zeros(3, np.int32)), array(np.zeros((3, 200), np.int32))
    taken(count, seen, 200, 3)
    assert count.to_numpy().tolist() == [200] * 3 and (seen.to_numpy() == 1).all(), "each thread has a number of its own"


def test_gradient_of_a_weight(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", default_fp=qd.f64)
    random = np.random.default_rng(3)
    x, w, d = random.random((N, 4)), random.random(4), random.random(N)
    arrays = [array(values, qd.f64, needs_grad=True) for values in (x, w, np.zeros(N))]
    arrays[2].grad.from_numpy(d)
    product.grad(*arrays)
    np.testing.assert_allclose(arrays[1].grad.to_numpy(), ((2 * d * (x @ w))[:, None] * x).sum(0), rtol=1e-12)
