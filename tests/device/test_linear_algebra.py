"""qd.svd and the other decompositions against numpy: many matrices, those that algorithms fail on above all, on every architecture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_linear_algebra as k

Array = npt.NDArray[Any]
TYPES = {"f32": (qd.f32, np.float32), "f64": (qd.f64, np.float64)}

sizes = pytest.mark.parametrize("n", [2, 3])
types = pytest.mark.parametrize("dt", TYPES)


def rotations(rng: np.random.Generator, n: int, count: int) -> Array:
    q = np.linalg.qr(rng.normal(size=(count, n, n)))[0]
    q[:, :, 0] *= np.linalg.det(q)[:, None]
    return q


def matrices(n: int, dt: str, few: bool) -> Array:
    """Random ones, and those of special kinds, at three scales. `few`: each at one of the extreme ones."""
    rng = np.random.default_rng(7)
    count = 1 if few else 300
    kind = TYPES[dt][1]
    eps = float(np.finfo(kind).eps)
    found = [rng.normal(size=(count, n, n)), rng.integers(-2, 3, size=(count, n, n)).astype(float)]
    u, v = rotations(rng, n, count), rotations(rng, n, count)
    spectra = [[1] * n, [2, 2, 1], [2, 1, 1], [3, 0, 0], [2, 1, 0], [1, 1 - eps, 1 - 2 * eps], [1, 1e-3, 1e-6], [1, eps, 0], [1, 1, eps]]
    spectra += [[1, 3 * eps, eps], [1, 10 * eps, 9 * eps], [1, 1e-2, 1e-2], [1, 1e-4, 1e-4]]
    for spectrum in spectra:
        found.append(u * np.array(spectrum[:n]) @ v.transpose(0, 2, 1))
        found.append(u * np.array(spectrum[:n]))  # orthogonal columns
    one = np.eye(n)
    exact = [0 * one, one, -one, one[::-1], np.diag([1.0, -1, 1][:n]), np.diag([0.0, 0, 5][3 - n :]), np.ones((n, n)), np.tri(n), np.tri(n).T]
    exact += [np.eye(n, k=1)]
    exact += [np.diag([1.0, 1e-20, 1e-20][:n]), np.tri(n) * 1e-20 + one, np.outer(np.arange(n), np.arange(n)[::-1])]
    found.append(np.array(exact, float))
    together = np.concatenate(found)
    scales = (1.0, 1e-36, 1e36) if dt == "f32" else (1.0, 1e-300, 1e300)
    parts = (together, together[::2], together[1::2]) if few else (together,) * 3
    return np.concatenate([(part * scale).astype(kind) for part, scale in zip(parts, scales)])


def largest(a: Array) -> Array:
    """The scale of each matrix, in long double: nothing overflows in it."""
    scale: Array = np.abs(a.astype(np.longdouble)).max(axis=(1, 2))
    return np.where(scale > 0, scale, 1)


def check(name: str, difference: Array, allowed: float) -> None:
    worst = float(np.abs(difference).max())
    assert worst <= allowed, f"{name}: {worst} > {allowed}"


def check_rotation(name: str, q: Array, eps: float) -> None:
    wide = q.astype(np.longdouble)
    check(name, wide @ wide.transpose(0, 2, 1) - np.eye(q.shape[1]), 30 * eps)


def like(a: Array, *shapes: tuple[int, ...]) -> list[Array]:
    return [np.full((len(a), *shape), np.nan, a.dtype) for shape in shapes]


@sizes
@types
def test_svd(arch: str, n: int, dt: str) -> None:
    check_svd(matrices(n, dt, arch == "python"), n, dt)


@sizes
@types
def test_svd_with_fast_math(back_end_name: str, n: int, dt: str) -> None:
    qd.init(arch=back_end_name, log_level="error", fast_math=True)
    check_svd(matrices(n, dt, False), n, dt)


def check_svd(a: Array, n: int, dt: str) -> None:
    eps = float(np.finfo(a.dtype).eps)
    u, s, v = like(a, (n, n), (n, n), (n, n))
    k.decompositions(n, TYPES[dt][0])["svd"](a, u, s, v)
    check_rotation("U", u, eps)
    check_rotation("V", v, eps)
    scale = largest(a)
    wide = [x.astype(np.longdouble) for x in (u, s / scale[:, None, None], v)]
    check("U S V^T", wide[0] @ wide[1] @ wide[2].transpose(0, 2, 1) - a / scale[:, None, None], 30 * eps)
    assert np.all(s == s * np.eye(n))  # diagonal
    values = np.diagonal(s, axis1=1, axis2=2)
    expected = np.linalg.svd((a / scale[:, None, None]).astype(np.float64), compute_uv=False)
    check("values", np.abs(values) / scale[:, None] - expected, 30 * eps)
    assert np.all(np.abs(values[:, :-1]) >= np.abs(values[:, 1:]))
    assert np.all(values[:, :-1] >= 0)
    check("det V", np.linalg.det(v.astype(np.float64)) - 1, 30 * eps)
    regular = (a / scale[:, None, None]).astype(np.float64)
    sign = np.linalg.det(regular)
    known = np.abs(sign) > 100 * eps
    if n == 2:
        assert np.all(values >= 0)
        check("det U", (np.linalg.det(u.astype(np.float64)) - np.sign(sign))[known], 30 * eps)
    else:
        check("det U", np.linalg.det(u.astype(np.float64)) - 1, 30 * eps)
        assert np.all(np.sign(values[known, -1]) == np.sign(sign[known]))


@sizes
@types
def test_polar_decompose(arch: str, n: int, dt: str) -> None:
    a = matrices(n, dt, arch == "python")
    eps = float(np.finfo(a.dtype).eps)
    u, p = like(a, (n, n), (n, n))
    k.decompositions(n, TYPES[dt][0])["polar"](a, u, p)
    check_rotation("U", u, eps)
    scale = largest(a)[:, None, None]
    check("U P", u.astype(np.longdouble) @ (p / scale) - a / scale, 30 * eps)
    assert np.all(p == p.transpose(0, 2, 1))
    values = np.linalg.eigvalsh((p / scale).astype(np.float64))
    expected = np.linalg.svd((a / scale).astype(np.float64), compute_uv=False)
    determinant = np.linalg.det(u.astype(np.float64))
    if n == 2:
        assert values.min() >= -30 * eps
        sign = np.linalg.det((a / scale).astype(np.float64))
        known = np.abs(sign) > 100 * eps
        check("det U", (determinant - np.sign(sign))[known], 30 * eps)
    else:
        check("det U", determinant - 1, 30 * eps)
    check("values of P", np.sort(np.abs(values)) - expected[:, ::-1], 60 * eps)


@pytest.mark.parametrize("n", [2, 3, 5, 6])
@types
def test_sym_eig(arch: str, n: int, dt: str) -> None:
    kind = TYPES[dt][1]
    eps = float(np.finfo(kind).eps)
    rng = np.random.default_rng(3)
    if n <= 3:
        a = matrices(n, dt, arch == "python")
    else:
        a = rng.normal(size=(3 if arch == "python" else 200, n, n)).astype(kind)
        a[0], a[1] = np.ones((n, n)), np.eye(n)
    scale = largest(a)[:, None, None]
    below = np.tril(a)  # elements above the diagonal are not read
    whole = below + np.tril(a, -1).transpose(0, 2, 1)
    w, v = like(a, (n,), (n, n))
    kernels = k.decompositions(n, TYPES[dt][0])
    kernels["sym_eig"](below, w, v)
    check_rotation("V", v, eps)
    check("det V", np.linalg.det(v.astype(np.float64)) - 1, 30 * eps)
    wide = v.astype(np.longdouble)
    check("V diag V^T", wide * (w[:, None, :] / scale) @ wide.transpose(0, 2, 1) - whole / scale, 20 * n * eps)
    expected, vectors = np.linalg.eigh((whole / scale).astype(np.float64))
    check("values", w / scale[:, 0] - expected, 20 * n * eps)
    assert np.all(w[:, :-1] <= w[:, 1:])

    (p,) = like(a, (n, n))
    kernels["make_spd"](below, p)
    nearest = vectors * np.maximum(expected, 0)[:, None, :] @ vectors.transpose(0, 2, 1)
    check("nearest", p / scale - nearest, 40 * n * eps)
    assert np.all(p == p.transpose(0, 2, 1))


@types
def test_eig(arch: str, dt: str) -> None:
    a = matrices(2, dt, arch == "python")
    eps = float(np.finfo(a.dtype).eps)
    w, v = like(a, (2, 2), (4, 2))
    k.eigen(TYPES[dt][0])(a, w, v)
    scale = largest(a)[:, None, None]
    values = (w[:, :, 0] / scale[:, 0]) + 1j * (w[:, :, 1] / scale[:, 0])
    vectors = v[:, 0::2].astype(np.longdouble) + 1j * v[:, 1::2]
    check("length", np.linalg.norm(vectors.astype(complex), axis=1) - 1, 10 * eps)
    check("A v = value v", (a / scale) @ vectors - vectors * values[:, None, :], 30 * eps)
    check("trace", values.sum(axis=1) - np.trace(a / scale, axis1=1, axis2=2), 10 * eps)
    expected = np.linalg.eigvals((a / scale).astype(np.float64))
    # A pair that nearly is one moves by the root of a rounding.
    check("values", np.sort_complex(values.astype(complex)) - np.sort_complex(expected), 20 * eps**0.5)
    real = values.imag[:, 0] == 0
    assert np.all(values.real[real, 0] >= values.real[real, 1])
    assert np.all(values.imag[~real, 0] > 0) and np.all(values.imag[~real, 1] == -values.imag[~real, 0])
    assert real.any() and not real.all()


def test_eig_of_what_has_one_value(arch: str) -> None:
    a = np.array([[[2, 0], [0, 2]], [[2, 1], [0, 2]], [[2, 0], [1, 2]], [[1, 0], [0, 2]]], np.float32)
    w, v = like(a, (2, 2), (4, 2))
    k.eigen(qd.f32)(a, w, v)
    assert w[:, :, 0].tolist() == [[2, 2], [2, 2], [2, 2], [2, 1]] and not w[:, :, 1].any()
    assert np.abs(v).tolist() == [
        [[1, 0], [0, 0], [0, 1], [0, 0]],
        [[1, 1], [0, 0], [0, 0], [0, 0]],
        [[0, 0], [0, 0], [1, 1], [0, 0]],
        [[0, 1], [0, 0], [1, 0], [0, 0]],
    ]


@sizes
@types
def test_solve(arch: str, n: int, dt: str) -> None:
    a = matrices(n, dt, arch == "python")
    eps = float(np.finfo(a.dtype).eps)
    scale = largest(a)[:, None, None]
    condition = np.linalg.cond((a / scale).astype(np.float64))
    # It does not scale.
    known = (condition < 0.01 / eps) & (scale[:, 0, 0] > 1e-30) & (scale[:, 0, 0] < 1e30)
    a, scale = a[known], scale[known]
    b = (np.random.default_rng(5).normal(size=(len(a), n)) * scale[:, :, 0]).astype(a.dtype)
    (x,) = like(a, (n,))
    k.decompositions(n, TYPES[dt][0])["solve"](a, b, x)
    wide = x.astype(np.longdouble)
    left = ((a / scale) @ wide[:, :, None])[:, :, 0] - b / scale[:, :, 0]
    check("residual", left / (np.abs(wide).max(axis=1) + 1)[:, None], 20 * eps)
    assert len(a) > 20


@pytest.mark.filterwarnings("error")
def test_arguments(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert k.at_top_level() == 43 + 100 + 3000 + 0.25
    assert k.keeps_its_arguments() == 0 + 40 + 200 + 1000
    for dt, kind in TYPES.values():  # nothing in them is worth a warning
        for n in (2, 3):
            a = np.ones((1, n, n), kind)
            kernels = k.decompositions(n, dt)
            for kernel, others in (("svd", 3), ("polar", 2), ("make_spd", 1)):
                kernels[kernel](a, *like(a, *[(n, n)] * others))
            kernels["sym_eig"](a, *like(a, (n,), (n, n)))
            kernels["solve"](a + np.eye(n, dtype=kind), a[:, 0], *like(a, (n,)))
        k.eigen(dt)(np.ones((1, 2, 2), kind), *like(np.ones((1, 2, 2), kind), (2, 2), (4, 2)))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (k.not_square, "`svd` takes a square matrix of 2 to 3 rows, not a 2"),
        (k.too_large, "`eig` takes a 2x2 matrix, not a 3"),
        (k.no_matrix, "`polar_decompose` takes a square matrix of 2 to 3 rows, not "),
        (k.half_precision, "`polar_decompose` computes in qd.f32 or qd.f64, not in qd.f16"),
        (k.wrong_vector, "`solve` takes a vector of 2 components with this matrix, not a vector of 3"),
    ],
)
def test_what_they_do_not_take(arch: str, kernel: Any, message: str) -> None:
    with pytest.raises(qd.KernelTypeError) as raised:
        kernel()
    assert message in str(raised.value)
    if arch != "python":
        text = str(raised.value)
        assert text.count("linear_algebra.py") == text.count("kernels_for_linear_algebra.py") > 0


def test_a_singular_system_fails_in_debug_mode(arch: str) -> None:
    qd.init(arch=arch, log_level="error", debug=True)
    with pytest.raises(qd.KernelAssertionError, match=r"qd\.solve: the matrix is singular") as raised:
        k.singular(1.0)
    here = next(number for number, line in enumerate(Path(k.__file__).read_text().splitlines(), 1) if "qd.solve(m," in line)
    assert f"kernels_for_linear_algebra.py:{here}" in str(raised.value)


def test_on_the_host(arch: str) -> None:
    u, s, v = qd.svd(qd.Matrix([[3.0, 0.0], [0.0, -4.0]]), qd.f64)
    assert isinstance(u, qd.Matrix) and s.dtype is qd.f64
    assert np.allclose((u @ s @ v.transpose()).to_numpy(), [[3, 0], [0, -4]])
    assert np.allclose(qd.solve(qd.Matrix([[2.0, 1.0], [1.0, 3.0]]), qd.Vector([3.0, 4.0])).to_numpy(), [1, 1])
