"""Floats as integers: the fraction goes, a value out of range gives the nearest integer that there is, NaN gives 0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import qd

NUMBERS = [
    0.0,
    -0.0,
    0.99,
    -0.99,
    1.5,
    -1.5,
    126.9,
    127.0,
    128.0,
    -128.9,
    -129.0,
    255.9,
    256.0,
    32767.5,
    32768.0,
    65536.0,
    2147483520.0,
    2147483647.0,
    2147483648.0,
    -2147483648.0,
    -2147483649.0,
    -3e9,
    4294967040.0,
    4294967295.0,
    4294967296.0,
    9.2e18,
    9223372036854774784.0,
    9223372036854775808.0,
    -9223372036854775808.0,
    -9.3e18,
    1.8446744073709550e19,
    18446744073709551616.0,
    1e30,
    -1e30,
    1e300,
    -1e300,
    math.inf,
    -math.inf,
    math.nan,
]
TYPES = [qd.i8, qd.i16, qd.i32, qd.i64, qd.u8, qd.u16, qd.u32, qd.u64]


def nearest(number: float, dtype: Any) -> int:
    limits = np.iinfo(dtype.numpy)
    if math.isnan(number):
        return 0
    if math.isinf(number):
        return int(limits.max if number > 0 else limits.min)
    return min(max(int(number), int(limits.min)), int(limits.max))


@pytest.mark.parametrize("source", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_floats_as_integers(arch: Any, dtype: Any, source: Any) -> None:
    @qd.kernel
    def cast(x: qd.types.ndarray(), y: qd.types.ndarray()):
        for i in x:
            y[i] = qd.cast(x[i], dtype)

    @qd.kernel
    def assign(x: qd.types.ndarray(), y: qd.types.ndarray()):
        for _ in range(1):
            for i in range(x.shape[0]):
                y[i] = x[i]

    with np.errstate(over="ignore"):
        x = np.tile(np.array(NUMBERS, source), 1 if arch == "python" else 7)
    want = [nearest(float(number), dtype) for number in x]
    for kernel in (cast, assign):
        y = np.zeros(len(x), dtype.numpy)
        kernel(x, y)
        assert y.tolist() == want
    assert [int(dtype(float(number))) for number in x[: len(NUMBERS)]] == want[: len(NUMBERS)]


@qd.kernel
def default(x: qd.f32) -> qd.i32:
    return int(x)


@qd.kernel
def constants(out: qd.types.ndarray()):
    out[0] = qd.i32(3e9)
    out[1] = qd.i32(-1e30)
    out[2] = qd.u8(300.7)
    out[3] = qd.cast(float("nan") if qd.static(False) else -5.5, qd.u16)
    out[4] = qd.cast(1e30, qd.i64)


def test_int(arch: Any) -> None:
    assert [default(x) for x in (1e30, -1e30, math.nan, math.inf, 3e9, -7.9)] == [2147483647, -2147483648, 0, 2147483647, 2147483647, -7]


def test_constants(arch: Any) -> None:
    out = np.zeros(5, np.int64)
    constants(out)
    assert out.tolist() == [2147483647, -2147483648, 255, 0, 2**63 - 1]


def test_vectors(arch: Any) -> None:
    @qd.kernel
    def components(x: qd.types.vector(3, qd.f32)) -> qd.types.vector(3, qd.i32):
        return qd.cast(x, qd.i32)

    @qd.kernel
    def given(x: qd.types.vector(3, qd.i32)) -> qd.i32:
        return x[0] + x[1] + x[2]

    assert components(qd.Vector([1e30, math.nan, -2.5])).to_list() == [2147483647, 0, -2]
    assert given(qd.Vector([math.nan, 1.5, -1e30], qd.f32)) == -2147483647
