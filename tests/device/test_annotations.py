"""Annotations and defaults have the value that Python evaluated at a function's definition, whatever the names stand for elsewhere or later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

SOURCE = """
{future}
import qd

T = qd.i32
N = 10
T2 = qd.types.vector(2, qd.i32)


def make(T, N):
    import qd as local

    class Box:
        @qd.func
        def scaled(self, x: T, by=N) -> T:
            return x * by

        @qd.kernel
        def run(self, x: T) -> T:
            return self.scaled(x)

        @qd.kernel
        def imported(self, x: local.f64, y: local.types.ndarray(local.f32, 1)) -> local.f64:
            return x / 4 + y[0]

        @staticmethod
        @qd.kernel
        def alone(x: T) -> T:
            return x / 4

    @qd.func
    def inner(x: T) -> T:
        return x / 4

    @qd.kernel
    def plain(x: T) -> T:
        return inner(x)

    return qd.data_oriented(Box), plain


@qd.data_oriented
class Own:
    T = qd.f64
    T2 = qd.types.vector(2, qd.f64)

    @qd.kernel
    def run(self, x: T, v: T2) -> T:
        y = qd.cast(9.75, T)  # the module's
        return x / 4 + v[1] + y


kernels = []
for T in (qd.f32, qd.f64):
    @qd.kernel
    def divide(x: T) -> T:
        return x / 3
    kernels.append(divide)
T = qd.i32


@qd.real_func
def half(x: T) -> T:
    if x > 100:
        return 100
    return x / 2


@qd.kernel
def halves(x: qd.f64) -> qd.f64:
    return half(x)


@qd.kernel
def text(x: "qd.f64") -> "T":
    return x / 2


def local_half():
    T = qd.f64

    @qd.real_func
    def half(x: T) -> tuple[T, T]:
        if x > 100:
            return 100, 1
        return x / 2, x / 4

    @qd.kernel
    def halves(x: qd.f64) -> qd.f64:
        a, b = half(x)
        return a + b

    return halves
"""


def module(folder: Path, future: bool) -> dict[str, Any]:
    path = folder / f"annotated_{future}.py"
    path.write_text(SOURCE.format(future="from __future__ import annotations" if future else "").lstrip())
    scope: dict[str, Any] = {"__name__": path.stem}
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), scope)
    return scope


@pytest.mark.parametrize("future", [False, True])
def test_methods_take_the_names_of_the_function_around(arch: Any, tmp_path: Path, future: bool) -> None:
    make = module(tmp_path, future)["make"]
    for dtype, by in ((qd.f64, 1), (qd.f32, 3), (qd.f64, 5)):
        box, plain = make(dtype, by)
        assert box().run(0.25) == 0.25 * by
        assert box.alone(0.5) == plain(0.5) == 0.125
        assert box().imported(0.1, np.array([0.5], np.float32)) == 0.1 / 4 + 0.5


@pytest.mark.parametrize("future", [False, True])
def test_names_of_a_class_are_those_of_its_annotations_alone(arch: Any, tmp_path: Path, future: bool) -> None:
    own = module(tmp_path, future)["Own"]()
    assert own.run(0.5, qd.types.vector(2, qd.f64)(1, 0.25)) == 0.125 + 0.25 + 9


def test_names_that_changed_later(arch: Any, tmp_path: Path) -> None:
    kernels = module(tmp_path, False)["kernels"]
    assert [kernel(1) for kernel in kernels] == [np.float32(1) / np.float32(3), 1 / 3]


@pytest.mark.parametrize("future", [False, True])
def test_real_funcs(arch: Any, tmp_path: Path, future: bool) -> None:
    scope = module(tmp_path, future)
    assert scope["halves"](7) == 3
    assert scope["text"](7.5) == 3
    assert scope["local_half"]()(7) == 3.5 + 1.75
