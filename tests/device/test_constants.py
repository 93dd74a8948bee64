"""Constants of kernels: exact until they get a type, an error where they do not fit the one that they get."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd

LARGE = 1 << 70
MASK = 0xFFFFFFFFFFFFFFFF
TABLE = (1 << 40, 1 << 63)


@qd.func
def squared(x):
    return x * x


@qd.kernel
def captured(out: qd.types.ndarray(qd.u64, 1)):
    out[0] = LARGE >> 10
    out[1] = qd.u64(LARGE % (2**64 - 59))
    out[2] = TABLE[1] + 1
    out[3] = TABLE[0] * TABLE[0] // 2**20
    out[4] = qd.static(LARGE // 2**7)
    out[5] = out[4] & MASK
    for k in qd.static(range(2)):
        out[6 + k] = (k + 1) * 2**33


@qd.kernel
def through_funcs() -> qd.i64:
    return squared(2**20) + sum(k * 2**31 for k in range(3)) + [2**20, 5][0] * 2**20


@qd.kernel
def with_variables(a: qd.i32, u: qd.u32, x: qd.f32, y: qd.f64, out: qd.types.ndarray(qd.f64, 1)):
    out[0] = a + 2**40
    out[1] = u & 0xFFFFFFFF
    out[2] = a == 2**32 + 5
    out[3] = u < 2**32
    out[4] = y * (1 / 3)
    out[5] = x * 2**100 / 2**100
    out[6] = qd.f64(0.1) + qd.cast(0.1, qd.f64)
    out[7] = max(2**40, 3) + abs(-(2**41)) + min(0.1, 7)
    out[8] = 2**-1 + -(2**31) // 7


@qd.kernel
def does_not_fit(kind: qd.template()):
    if qd.static(kind == "i32"):
        print(qd.i32(2**40))
    if qd.static(kind == "u16"):
        print(qd.u16(-1))
    if qd.static(kind == "u8"):
        print(qd.u8(255 + 1))
    if qd.static(kind == "int"):
        print(int(2**40))
    if qd.static(kind == "none"):
        x = 2**64
        print(x)
    if qd.static(kind == "shift"):
        print(1 << -1)


@qd.kernel
def cut(out: qd.types.ndarray(qd.u8, 1)):
    out[0] = qd.cast(300, qd.u8)
    out[1] = qd.cast(-1, qd.u8)


@qd.kernel
def vectors() -> qd.f64:
    v = qd.math.uvec2(1, 2**40)
    w = qd.math.ivec2(-(2**40), 1)
    return v[1] + w[0] + qd.math.vec2(0.1, 1)[0] + (v[0] - 2 > v[1])


def test_what_python_has_captured(arch: Any) -> None:
    out = np.zeros(8, np.uint64)
    captured(out)
    assert out.tolist() == [1 << 60, LARGE % (2**64 - 59), (1 << 63) + 1, 1 << 60, 1 << 63, 1 << 63, 2**33, 2**34]


def test_constants_stay_exact_in_funcs_and_containers(arch: Any) -> None:
    assert through_funcs() == 2**40 + 3 * 2**31 + 2**40


def test_constants_beside_variables(arch: Any) -> None:
    out = np.zeros(9)
    with_variables(5, 7, 1.5, 3.0, out)
    assert out.tolist() == [5 + 2**40, 7, 0, 1, 3.0 * (1 / 3), 1.5, 0.1 + 0.1, 2**40 + 2**41 + 0.1, 0.5 + -(2**31) // 7]


@pytest.mark.parametrize("kind", ["i32", "u16", "u8", "int", "none", "shift"])
def test_constants_that_do_not_fit(arch: Any, kind: str) -> None:
    message = {"shift": "shift count", "none": "does not fit any type"}.get(kind, "exceeded the range of specified dtype")
    with pytest.raises(qd.KernelTypeError, match=message):
        does_not_fit(kind)


def test_a_cast_keeps_the_lowest_bits(arch: Any) -> None:
    out = np.zeros(2, np.uint8)
    cut(out)
    assert out.tolist() == [44, 255]


def test_vectors_of_the_default_types(arch: str) -> None:
    qd.init(arch=arch, default_ip=qd.i64, default_fp=qd.f64, log_level="error")
    assert vectors() == 0.1 + 1
    assert (qd.math.uvec3.dtype, qd.math.ivec3.dtype, qd.math.vec3.dtype) == (qd.u64, qd.i64, qd.f64)
    qd.init(arch=arch, log_level="error")
    assert (qd.math.uvec3.dtype, qd.math.ivec3.dtype, qd.math.vec3.dtype) == (qd.u32, qd.i32, qd.f32)


@qd.kernel
def counts_to(n: qd.template()) -> qd.i32:
    total = 0
    for _ in range(n):
        total += 1
    return total


def test_bounds_of_loops(arch: str) -> None:
    for default in (qd.i32, qd.i64):
        qd.init(arch=arch, default_ip=default, log_level="error")
        assert counts_to(5) == 5 and counts_to(-3) == 0
        with pytest.raises(qd.KernelTypeError, match="does not fit any type"):
            counts_to(2**64)
