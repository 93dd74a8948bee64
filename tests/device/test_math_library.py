"""Complex numbers, rotations and other transforms of qd.math, against Python's complex numbers and rotations made of three simple ones."""

from __future__ import annotations

import cmath
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_math as k


def turn(axis: int, angle: float) -> Any:
    """The rotation of columns, counter-clockwise seen against the axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    made = np.eye(3)
    made[i, i] = made[j, j] = math.cos(angle)
    made[i, j], made[j, i] = -math.sin(angle), math.sin(angle)
    return made


def test_complex_numbers(arch: str) -> None:
    qd.init(arch=arch, log_level="error", default_fp=qd.f64, fast_math=False)
    rng = np.random.default_rng(1)
    z = rng.normal(size=(40, 2)) * 3
    z[:8] = [[1, 0], [-1, 0], [0, 1], [0, -1], [-4, -0.0], [-3, 4], [-3, -4], [1e-3, 0]]
    w = rng.normal(size=(40, 2))
    out = np.zeros((40, 8, 2))
    k.complex_numbers(z, w, 2.5, out)
    got = out[:, :, 0] + 1j * out[:, :, 1]
    for i in range(len(z)):
        a, b = complex(*z[i]), complex(*w[i])
        expected = [a * b, a.conjugate(), a / b, cmath.sqrt(a), 1 / a, abs(a) ** 2.5 * cmath.exp(2.5j * cmath.phase(a)), cmath.exp(a), cmath.log(a)]
        if math.copysign(1, a.imag) < 0 and a.imag == 0:  # -0 is no negative number here
            expected[3] = -expected[3]
        assert np.allclose(got[i], expected, rtol=1e-13, atol=1e-14), a


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_complex_numbers_do_not_overflow(arch: str, scale: float) -> None:
    root = k.roots(3 * scale, -4 * scale).to_numpy()
    assert np.allclose(root / scale**0.5, [2, -1], rtol=1e-6)
    x, y = (qd.Vector([n * scale, m * scale], dt=qd.f32) for n, m in ((3.0, 4.0), (1.0, -2.0)))
    assert np.allclose(qd.math.cdiv(x, y).to_numpy(), [-1, 2], rtol=1e-6)
    assert abs(qd.math.clog(x)[0] - math.log(5 * scale)) < 1e-5


def test_complex_zero_and_integers(arch: str) -> None:
    assert k.roots(0.0, 0.0).to_numpy().tolist() == [0, 0]
    assert np.allclose(k.of_integers().to_numpy(), [3 - 8 - 4, 4 + 6], atol=1e-5)


def test_transforms(arch: str) -> None:
    qd.init(arch=arch, log_level="error", default_fp=qd.f64, fast_math=False)
    a, b, c = 0.4, -1.1, 2.3
    out = np.zeros((6, 4, 4))
    k.transforms(a, b, c, out)
    assert np.array_equal(out[0] @ [1, 2, 3, 1], [1 + a, 2 + b, 3 + c, 1])
    assert np.array_equal(out[1] @ [1, 2, 3, 1], [a, 2 * b, 3 * c, 1])
    axis = np.array([a, b, c]) / np.linalg.norm([a, b, c])
    cross = np.cross(np.eye(3), -axis).T  # v -> axis x v
    rodrigues = np.eye(3) + math.sin(0.7) * cross + (1 - math.cos(0.7)) * cross @ cross
    whole = np.eye(4)
    for i, expected in ((2, rodrigues), (3, turn(1, a) @ turn(0, b) @ turn(2, c)), (4, turn(1, c) @ turn(0, a) @ turn(2, b))):
        whole[:3, :3] = expected.T  # for rows
        assert np.allclose(out[i], whole, atol=1e-15), i
    assert np.allclose(out[5, :2, :3], [[math.cos(a), -math.sin(a), math.cos(b)], [math.sin(a), math.cos(a), math.sin(b)]], atol=1e-15)


def test_on_the_host(arch: str) -> None:
    assert np.allclose(qd.math.rotation2d(math.pi / 2).to_numpy(), [[0, -1], [1, 0]], atol=1e-6)
    assert qd.math.cmul(qd.math.vec2(1, 2), qd.math.vec2(3, 4)).to_numpy().tolist() == [-5, 10]


@pytest.mark.parametrize(("x", "y"), [(2.0, 3.0), (0.5, 2.0), (1.5, -1.0), (math.nan, 2.0), (2.0, math.nan)])
def test_extrema_of_powers(back_end: str, x: float, y: float) -> None:
    """LLVM 19 crashes on max(max(x, y), x**y)."""
    qd.init(arch=back_end, log_level="error")
    out = np.zeros((2, 4))
    k.extrema_of_powers(np.array([x, y]), out)
    with np.errstate(invalid="ignore"):
        powers = np.power(x, y), np.power(y, x)
    expected = [np.fmax(np.fmax(x, y), powers[0]), np.fmin(np.fmin(x, y), powers[0]), np.fmax(np.fmin(x, y), powers[1]), np.fmax(x, y)]
    np.testing.assert_allclose(out, [expected, expected], rtol=1e-6)
