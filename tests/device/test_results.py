"""The same kernels give the same results compiled and as plain Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_results as k

OnEach = Callable[[Callable[[], Any]], list[Any]]

PAIRS = [(7, 3), (-7, 3), (7, -3), (-7, -3), (123456789, 987), (-1, 1), (0, 5)]


def filled(kernel: qd.Kernel, size: int, dtype: Any, *before: Any) -> np.ndarray:
    out = np.zeros(size, dtype=dtype)
    kernel(*before, out)
    return out


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_integers(on_each: OnEach, a: int, b: int) -> None:
    compiled, python = on_each(lambda: filled(k.integer_operators, 25, np.int32, a, b))
    assert compiled.tolist() == python.tolist()
    assert python[3] == np.int64(a // b).astype(np.int32)


@pytest.mark.parametrize(("a", "b"), [(1.5, 2.25), (-1.5, 2.25), (2.5, -0.75), (-3.25, -1.5), (1e6, 3.0)])
def test_floats(on_each: OnEach, a: float, b: float) -> None:
    compiled, python = on_each(lambda: filled(k.float_operators, 17, np.float32, a, b))
    np.testing.assert_allclose(compiled, python, rtol=1e-6)


def test_mathematics(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: filled(k.mathematics, 12, np.float64, 0.75))
    np.testing.assert_allclose(compiled, python, rtol=1e-12)


def test_types_of_variables(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: filled(k.types, 14, np.float64))
    assert compiled.tolist() == python.tolist()
    assert python[:4].tolist() == [2.0, 1.5, -128.0, 4.0]


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_control_flow(on_each: OnEach, n: int) -> None:
    compiled, python = on_each(lambda: filled(k.control_flow, 64, np.int32, n))
    assert compiled.tolist() == python.tolist()


def test_funcs(on_each: OnEach) -> None:
    def call() -> Any:
        out = np.zeros(16, dtype=np.float32)
        return k.calls(16, out), out.tolist()

    compiled, python = on_each(call)
    assert compiled == python


def test_indices(on_each: OnEach) -> None:
    def call() -> Any:
        a = np.zeros((3, 4), dtype=np.int32)
        k.over_indices(a)
        return a.tolist()

    compiled, python = on_each(call)
    assert compiled == python
    assert python[1] == [11, 112, 113, 14]


def test_atomics(on_each: OnEach) -> None:
    def call() -> Any:
        a = np.zeros(10, dtype=np.int32)
        return k.atomics(100, a), a.tolist()

    compiled, python = on_each(call)
    assert compiled == python
    assert python == (4950, [4950, -4950, 99, -99, 127, 0, 5, 0, 4, 3])


def test_results_have_the_types_of_the_annotation(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: k.results())
    assert compiled == python == (2, 3.0, True)
    assert [type(x) for x in compiled] == [type(x) for x in python] == [int, float, bool]


def test_templates(on_each: OnEach) -> None:
    def call() -> Any:
        x = qd.field(qd.f32, shape=4)
        x.fill(3)
        k.templates(x, 2.0, "other", k.halve, None)
        first = x.to_numpy().tolist()
        k.templates(x, 2.0, "double", k.halve, 5)
        return first, x.to_numpy().tolist()

    compiled, python = on_each(call)
    assert compiled == python == ([4.0] * 4, [8.0] * 4)


def test_shapes(on_each: OnEach) -> None:
    def call() -> Any:
        x = qd.field(qd.f32, shape=(7, 2))
        return k.shape_of(x, np.zeros(5)), k.shape_of(x, qd.ndarray(qd.i32, shape=(9, 1)))

    compiled, python = on_each(call)
    assert compiled == python == (705, 709)


def test_saxpy_on_ndarrays_and_numpy_arrays(on_each: OnEach) -> None:
    def call() -> Any:
        x = qd.ndarray(qd.f32, shape=1000)
        x.from_numpy(np.arange(1000, dtype=np.float32))
        y = np.ones(1000, dtype=np.float32)
        k.saxpy(0.1, x, y)
        return y

    compiled, python = on_each(call)
    np.testing.assert_allclose(compiled, python, rtol=1e-6)
