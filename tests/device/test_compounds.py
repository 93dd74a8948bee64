"""Vectors, matrices and structs as values: the catalogue of kernels_for_compounds.py against numpy, and compiled against arch=qd.python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_compounds as k

rng = np.random.default_rng(5)
X = np.array([[1.5, -2.25, 3.75, 0.5], [0.5, 2.0, -1.25, 2.0], [4.0, 1.0, 0.5, 1.0]], dtype=np.float32)
WIDE = rng.uniform(-2, 2, (8, 9)).astype(np.float32)
INTS = np.array([[7, -7, 123], [3, 2, -5]], dtype=np.int32)

Case = Callable[[], tuple[Any, ...]]
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    CASES[function.__name__] = function
    return function


def rows(kernel: Any, x: np.ndarray, count: int, *more: Any, width: int = 16, dtype: Any = np.float32) -> np.ndarray:
    """The last argument after a kernel, a row for each operation."""
    out = np.zeros((count, width), dtype=dtype)
    kernel(x.copy(), out, *more)
    return out


def padded(answers: list[Any], width: int = 16, dtype: Any = np.float32) -> np.ndarray:
    out = np.zeros((len(answers), width), dtype=dtype)
    for row, answer in zip(out, answers):
        flat = np.ravel(answer)
        row[: flat.size] = flat
    return out


F = np.float32


@case
def build() -> tuple[Any, ...]:
    a = X[0]
    answer = [
        a[:2], a[:3], [a[3]] * 3, [a[0], 2, 3.5], [a[0], a[1], 5, a[2]], [0] * 3, [1] * 2, [0, 0, 1, 0], [1, 2.5, a[0]], [0, -9.8, 0],
        a * np.arange(4),
    ]  # fmt: skip
    return rows(k.build, X, 11), padded(answer)


@case
def build_matrices() -> tuple[Any, ...]:
    a, x = WIDE[0], WIDE
    answer = [
        a[:4], np.eye(3), np.zeros((2, 3)), np.ones(3), 3 * np.eye(2), a[4] * np.eye(3), x[:2, :3], x[:2, :3].T, [a[0], 1, 2, a[1]],
        [a[0], 1, 2, a[1]], [a[5]] * 6, [1, 2, 3, 4], np.eye(3),
    ]  # fmt: skip
    return rows(k.build_matrices, WIDE, 13), padded(answer)


@case
def arithmetic() -> tuple[Any, ...]:
    a, b = X[0, :3], X[1, :3]
    answer = [
        a + b, a - b, a * b, a / b, a // b, a % b, -a, a + 1, 2 * a, 1 / b, a - X[0, 3], abs(a) ** b, a**2, a, a * F(0.5) + b * F([0, -9.8, 0]),
        a + F([1, 2.5, 3]),
    ]  # fmt: skip
    return rows(k.arithmetic, X, 16), padded(answer)


@case
def matrix_arithmetic() -> tuple[Any, ...]:
    a, b = WIDE[2], WIDE[3]
    return rows(k.matrix_arithmetic, WIDE, 7), padded([a + b, a - b * 2, a * b, a / b, -a, 1 - a, np.eye(3).ravel() + a])


@case
def integers() -> tuple[Any, ...]:
    a, b = INTS
    quotient = np.trunc(a / b).astype(np.int32)
    answer = [
        a // b, a % b, a & b, a | b, a ^ b, ~a, a << 2, a >> 1, quotient, a - b * quotient, 1 * (a < b) + 2 * (a == b), [3, 30, 6],
        np.minimum(np.minimum(a, b), 3), np.maximum(a, 0), [0, -1], [a.astype(int) @ b, a.sum(), a.max()], abs(a), np.maximum(a, b), np.cross(a, b),
    ]  # fmt: skip
    return rows(k.integers, INTS, 19, dtype=np.int32), padded(answer, dtype=np.int32)


@case
def element_types() -> tuple[Any, ...]:
    a = X[0, :3]
    answer = [
        [0.5, 1, 1.5], [0, 1, 1], [1, 3, 3], [2, -2, 0], [0.5, a[0] / 2, 1.5], [1, 2, 3], [-56, -106, 101], np.trunc(a), np.trunc(a) * 0.5,
        np.trunc(a * 10), [0.5, 1, 1.5], [1, 2, 3],
    ]  # fmt: skip
    return rows(k.element_types, X, 12), padded(answer)


@case
def components() -> tuple[Any, ...]:
    return (rows(k.components, WIDE, 8, 1),)


@case
def swizzles() -> tuple[Any, ...]:
    x, y, z, w = X[0]
    answer = [
        [x, y, z], [w, z, y, x], [x, y], [z, z, z], [x, y, z, w], [5, y, y, 5], [105, y + 1, y, 5], [1, 2, 3, 10], [2, 1, 3, 10],
    ]  # fmt: skip
    return rows(k.swizzles, X, 9), padded(answer)


@case
def copies() -> tuple[Any, ...]:
    return (rows(k.copies, WIDE, 9),)


@case
def products() -> tuple[Any, ...]:
    a, b, m, n = WIDE[0, :3], WIDE[1, :3], WIDE[2].reshape(3, 3), WIDE[3].reshape(3, 3)
    wide = np.array([a, b])
    answer = [
        m @ n, m @ a, [a @ b, a @ b], np.cross(a, b), np.cross(b, a), np.outer(a, b), m.T, [np.trace(m), a[0] * b[1] - a[1] * b[0]],
        wide @ wide.T, wide @ a, np.outer(a, b[:2]), a @ m,
    ]  # fmt: skip
    return rows(k.products, WIDE, 12), padded(answer)


@case
def norms() -> tuple[Any, ...]:
    a, b, m = WIDE[0, :3], WIDE[1, :3], WIDE[2]
    s, length = a @ a, np.linalg.norm(a)
    answer = [
        [length, s, 1 / length, np.sqrt(s + 1e-2)], a / length, a / (length + 1e-3), a / length,
        [length, np.linalg.norm(a - b), np.linalg.norm(m)], a * [1, -1, 1],
    ]  # fmt: skip
    return rows(k.norms, WIDE, 6), padded(answer)


@case
def reductions() -> tuple[Any, ...]:
    a, m = WIDE[0, :3], WIDE[2]
    answer = [[a.sum(), a.max(), a.min(), m.sum(), m.max(), m.min()], [(a > 0).all(), (a > 0).any(), 0, 1, 1, 3]]
    return rows(k.reductions, WIDE, 2), padded(answer)


@case
def inverses() -> tuple[Any, ...]:
    r = WIDE[2].astype(np.float64)
    m, two = r.reshape(3, 3), r[:4].reshape(2, 2)
    four = np.array([[*r[:3], 1], [*r[3:6], 0], [*r[6:], 2], [0.5, 0, 1, 3]])
    det, inv = np.linalg.det, np.linalg.inv
    answer = [[det(m), det(two), det(four), r[0]], inv(m), inv(two), inv(four), 1 / r[0], np.eye(3)]
    return rows(k.inverses, WIDE, 6), padded(answer)


@case
def functions() -> tuple[Any, ...]:
    return (rows(k.functions, X, 18),)


@case
def comparisons() -> tuple[Any, ...]:
    a, b = X[0, :3], X[1, :3]
    answer = [a < b, a <= 1, a > b, 0 >= a, a == b, a != b, (a < b) & (a > 0), (a < b) | (a > 0), np.trunc(a)]
    return rows(k.comparisons, X, 9, dtype=np.int32), padded(answer, dtype=np.int32)


@case
def calls() -> tuple[Any, ...]:
    return (rows(k.calls, X, 6),)


@case
def compound_results_of_real_funcs() -> tuple[Any, ...]:
    a = X[0]
    answer = [
        [1.5, 0, 0, 10, a[:3].sum() * 7, 7], [3.75, 1, 1.5, 2 + 1 + int(a[1]) + 3, 0, 3], [3.75, 1, 3, 3 + 1 + int(a[1]) + 2, 0, 3], a[:3]
    ]  # fmt: skip
    return rows(k.compound_results_of_real_funcs, X, 4), padded(answer)


@case
def in_loops() -> tuple[Any, ...]:
    return (rows(k.in_loops, WIDE, 8),)


@case
def sums() -> tuple[Any, ...]:
    v = WIDE[:, :3].astype(np.float64)
    return rows(k.sums, WIDE, 2), padded([v.sum(axis=0), np.einsum("ai,aj->ij", v[:, :2], v[:, 1:])])


@case
def static_indices() -> tuple[Any, ...]:
    return (rows(k.static_indices, X, 4),)


@case
def cholesky() -> tuple[Any, ...]:
    x = rng.uniform(0, 1, (3, 5)).astype(np.float32) * 0 + WIDE[:3, :5]
    out = np.zeros((3, 5), dtype=np.float32)
    k.cholesky(5, x, out)
    return out, np.array([np.linalg.cholesky(np.outer(r, r).astype(np.float64) + 5 * np.eye(5))[-1] for r in x])


@case
def arguments() -> tuple[Any, ...]:
    out = np.zeros((3, 4), dtype=np.float32)
    m = qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
    k.vector_argument(qd.Vector([1.0, 2.0, 3.0]), m, qd.Vector([5, 6]), out)
    k_out = np.zeros((3, 4), dtype=np.float32)
    k.vector_argument([1, 2, 3], np.array([[1, 2], [3, 4]]), (5, 6), k_out)
    assert (out == k_out).all()
    return out, padded([[2, 4, 6], [7, 10, 15, 22], [6, 7]], width=4)


@case
def results() -> tuple[Any, ...]:
    v, m, (i, f) = k.vector_result(X.copy()), k.matrix_result(X.copy()), k.several_results(X.copy())
    assert isinstance(v, qd.Matrix) and v.dtype is qd.f32 and i.dtype is qd.i32 and type(f) is float and m.shape == (2, 2)
    a = X[0]
    return padded([v, m, i, f]), padded([a[:3] + 1, [a[0], 1, 2, a[1]], [1, 7], a[1]])


@case
def grouped_indices() -> tuple[Any, ...]:
    out = np.zeros((3, 2), dtype=np.int32)
    k.grouped_indices(out)
    return (out,)


@pytest.fixture(autouse=True)
def end() -> Iterator[None]:
    yield
    qd.reset()


def run(name: str, arch: str) -> tuple[Any, ...]:
    qd.init(arch=arch, log_level="error", fast_math=False, cpu_max_num_threads=2)
    return CASES[name]()


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str) -> None:
    result, *expected = run(name, "python")
    for answer in expected:
        np.testing.assert_allclose(result, answer, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_compiled_as_python(back_end: str, name: str) -> None:
    np.testing.assert_allclose(run(name, back_end)[0], run(name, "python")[0], rtol=1e-5, atol=1e-6)


def test_attributes_of_a_struct_type(arch: Any) -> None:
    out = np.zeros(2, dtype=np.float32)
    k.reads_attributes_of_a_struct_type(out)
    assert out.tolist() == [3, 1.5]
