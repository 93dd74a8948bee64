"""expm1 and log1p against numpy, with more digits than the results have: near 0, where they are for, and at their ends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import qd

WIDE = {qd.f32: np.float64, qd.f64: np.longdouble}
FUNCTIONS = {"expm1": np.expm1, "log1p": np.log1p}


def values(name: str, dtype: Any) -> Any:
    """Normal numbers of all sizes with results that are, and those at which the formulas change."""
    rng = np.random.default_rng(1)
    least, most = (-30, 30) if dtype == qd.f32 else (-290, 290)
    sizes = 10.0 ** rng.uniform(least, 1.9, 3000)
    near = rng.uniform(-1, 1, 3000)
    x = np.concatenate([[0.0, -0.0, np.inf, np.nan, 0.5, 1.0, 88.0], sizes, -sizes, near])
    if name == "log1p":
        edges = [-1.0, -1.5, -1 + 2.0**-20, 10.0**most]
        x = np.concatenate([x[~(x < -1)], edges, 10.0 ** rng.uniform(0, most, 1000)])
    else:
        x = np.concatenate([x, [-np.inf, 700.0, -700.0, -17.4, -37.5, 89.0, 710.0], rng.uniform(-40, 80, 3000)])
    return x.astype(np.float32 if dtype == qd.f32 else np.float64)


def computed(name: str, dtype: Any, x: Any) -> Any:
    function = getattr(qd, name)
    numbers = qd.types.ndarray(dtype=dtype, ndim=1)

    @qd.kernel
    def compute(x: numbers, out: numbers):  # type: ignore[valid-type]
        for i in x:
            out[i] = function(x[i])

    out = np.zeros_like(x)
    compute(x, out)
    return out


def errors(got: Any, exact: Any) -> Any:
    """In ulp; infinite where one is NaN, or infinite, or has another sign, and the other is not like it."""
    with np.errstate(over="ignore", invalid="ignore"):
        nearest = exact.astype(got.dtype)
        alike = (got == nearest) | (np.isnan(got) & np.isnan(nearest))
        error = np.abs(got - exact) / np.spacing(np.abs(nearest))
    error[~np.isfinite(error) | (np.signbit(got) != np.signbit(nearest)) & ~np.isnan(got)] = np.inf
    error[alike & ((np.signbit(got) == np.signbit(nearest)) | np.isnan(got)) & ~np.isfinite(error)] = 0
    return error


@pytest.mark.parametrize("dtype", [qd.f32, qd.f64], ids=["f32", "f64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors(arch: str, name: str, dtype: Any) -> None:
    x = values(name, dtype)
    x = x[: 40 if arch == "python" else None]
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[name](x.astype(WIDE[dtype]))
    found = errors(computed(name, dtype, x), exact)
    worst = int(np.argmax(found))
    bound = 3 if arch == "python" else 2  # there the function is numpy's own
    assert found[worst] <= bound, (x[worst], found[worst])


@qd.kernel
def in_all_forms(x: qd.f32, out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    out[0] = qd.math.expm1(x) + math.log1p(x)
    out[1] = qd.expm1(qd.Vector([x, -x]))[1]
    out[2] = qd.log1p(1)  # an integer is one of the default float
    out[3] = qd.static(math.expm1(1e-9)) * 1e9
    out[4] = qd.static(qd.log1p(1e-9)) * 1e9


def test_names_vectors_integers_and_constants(arch: str) -> None:
    qd.init(arch=arch, log_level="error", fast_math=False)
    out = np.zeros(5)
    in_all_forms(1e-4, out)
    tiny = float(np.float32(1e-4))
    wanted = [math.expm1(tiny) + math.log1p(tiny), math.expm1(-tiny), math.log1p(1), 1 + 5e-10, 1 - 5e-10]
    assert np.allclose(out[:3], wanted[:3], rtol=3e-7, atol=0)
    assert np.allclose(out[3:], wanted[3:], rtol=1e-7, atol=0)
