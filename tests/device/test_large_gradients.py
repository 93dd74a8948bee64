"""Gradients of kernels with many iterations, against closed forms: stacks of many depths, long ones, and sums of many threads."""

from __future__ import annotations

from typing import Any

import kernels_for_large_gradients as kernels
import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", fast_math=False, default_fp=qd.f64)


def array(values: Any) -> Any:
    """An ndarray, of floats with a gradient."""
    made = qd.ndarray(qd.f64 if values.dtype.kind == "f" else qd.i32, values.shape, **({"needs_grad": True} if values.dtype.kind == "f" else {}))
    made.from_numpy(values)
    return made


@pytest.mark.parametrize("n", [0, 1, 999, 30_000])
def test_loops_of_different_lengths(n: int) -> None:
    random = np.random.default_rng(n)
    values, exponents, weights = 0.5 + random.random(n + 1), random.integers(0, 40, n + 1).astype(np.int32), random.random(n + 1)
    exponents[: n // 2] %= 3
    x, k, y = array(values), array(exponents), array(np.zeros(n + 1))
    for _ in range(2):
        kernels.powers(n, x, k, y)
        x.grad.fill(0.0)
        y.grad.from_numpy(weights)
        kernels.powers.grad(n, x, k, y)
        expected = np.where(np.arange(n + 1) < n, weights * exponents * values ** (exponents - 1.0), 0.0)
        np.testing.assert_allclose(x.grad.to_numpy(), expected, rtol=1e-11)


@pytest.mark.parametrize("n", [0, 1, 20_000])
def test_a_long_loop(n: int) -> None:
    values = np.array([2.2, 2.9, 3.1])
    x, y = array(values), array(np.zeros(3))
    kernels.logistic(x, n, y)
    y.grad.fill(1.0)
    kernels.logistic.grad(x, n, y)
    s, ds = values * 0.1, np.full(3, 0.1)
    for _ in range(n):
        s, ds = values * s * (1 - s), s * (1 - s) + values * (1 - 2 * s) * ds
    np.testing.assert_allclose(x.grad.to_numpy(), ds, rtol=1e-9)


@pytest.mark.parametrize("elements", [1, 7, 5000])
def test_sums_of_many_iterations(elements: int) -> None:
    n = 20_000
    random = np.random.default_rng(elements)
    values, at, weights = random.random(n), random.integers(0, elements, n).astype(np.int32), random.random(elements)
    x, k, y = array(values), array(at), array(np.zeros(elements))
    kernels.sums(n, x, k, y)
    y.grad.from_numpy(weights)
    kernels.sums.grad(n, x, k, y)
    expected = 2 * values * values[0] * weights[at]
    expected[0] += np.sum(values**2 * weights[at])
    np.testing.assert_allclose(x.grad.to_numpy(), expected, rtol=1e-9)
    np.testing.assert_array_equal(y.grad.to_numpy(), weights)
