"""Calls of Python's functions and classes with constants: made while a kernel is compiled, with the same results on every architecture."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import math
import os
import re
from typing import Any

import numpy as np
import pytest
import qd

TABLE = [3, 1, 2]
SIZES = {"a": 5}
NAME = "abcb"
calls: list[int] = []


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


def helper(n, k=1):
    return n * 2 + k


def counted(n):
    calls.append(n)
    return n


def fails(n):
    raise ValueError(f"no {n}")


@qd.kernel
def nearest() -> qd.f32:
    best = float("inf")
    for i in range(3):
        qd.atomic_min(best, 3.0 - i)
    return best


@qd.kernel
def texts() -> tuple[qd.f64, qd.f64, qd.i64, qd.i32, qd.f64]:
    return float("1e-3"), float(" -1_0.5e+1 "), int("4000000000"), int(" -1_2 ") + int("ff", 16), float("-Infinity")


@qd.kernel
def nan() -> qd.i32:
    x = float("nan")
    return x != x


@qd.kernel
def of_numpy() -> tuple[qd.i64, qd.f64, qd.f64, qd.i32]:
    return qd.i64(np.iinfo(np.int32).max) + 1, qd.f64(np.finfo(np.float32).eps), np.sin(0.5), np.int32(3) + np.gcd(12, 18)


@qd.kernel
def of_math() -> tuple[qd.f64, qd.f64, qd.f64, qd.f64, qd.i32]:
    return qd.f64(math.sqrt(2)), math.radians(90) * qd.f64(1), math.log(8, 2), math.hypot(3, 4), math.gcd(12, 18) + math.floor(2.5)


@qd.kernel
def of_containers() -> qd.i32:
    return len(TABLE) + min(4, 2) + sum(TABLE) + max(TABLE) + "abc".count("b") + NAME.count("b") + TABLE.index(1) + SIZES.get("a")


@qd.kernel
def of_helpers() -> qd.i32:
    return helper(3) + helper(k=4, n=1) + helper(*[1, 2]) + divmod(7, 2)[0] + ord("a") + len(str(1234)) + Color(2)


@qd.kernel
def static() -> tuple[qd.f32, qd.i32, qd.i32]:
    return qd.static(float("inf")), qd.static(helper(3, k=2)) + len(NAME.split("b")), qd.static(NAME.replace("b", "")).count("c")


@qd.kernel
def unrolled() -> qd.i32:
    total = 0
    for i in qd.static(range(3)):
        total += helper(i)
    return total


@qd.func
def in_func(n):
    return helper(n)


@qd.kernel
def by_way_of_a_func() -> qd.i32:
    return in_func(4)


@qd.kernel
def environment() -> qd.i32:
    return int(os.environ.get("QD_TEST_OF_CALLS", "7"))


@qd.kernel
def truths() -> qd.i32:
    return bool("x") + 10 * bool("")


@dataclasses.dataclass(frozen=True)
class Settings:
    n: int = 2

    def twice(self):
        return self.n * 2


@qd.kernel
def of_classes() -> qd.i32:
    return Settings().twice() + Settings(n=5).n


@qd.kernel
def settings_of_the_run(n: qd.i32) -> qd.i32:
    return Settings(n).n


@qd.kernel
def refused_by_python() -> qd.f32:
    return math.log(0)


@qd.kernel
def once(n: qd.i32) -> qd.i32:
    total = 0
    for _ in range(n):
        total += counted(3)
    return total


def test_numbers_that_are_written_as_text(arch: Any) -> None:
    assert nearest() == 1
    assert texts() == (1e-3, -105.0, 4000000000, 243, -math.inf)
    assert nan() == 1


def test_calls_of_numpy_and_math_are_as_exact_as_python(arch: Any) -> None:
    assert of_numpy() == (2**31, float(np.finfo(np.float32).eps), math.sin(0.5), 9)
    assert of_math() == (math.sqrt(2), math.radians(90), 3.0, 5.0, 8)
    assert refused_by_python() == -math.inf  # the value that a device computes


def test_calls_with_constants(arch: Any) -> None:
    assert of_containers() == 3 + 2 + 6 + 3 + 1 + 2 + 1 + 5
    assert of_helpers() == 7 + 6 + 4 + 3 + 97 + 4 + 2
    assert static() == (math.inf, 8 + 3, 1)
    assert unrolled() == 1 + 3 + 5
    assert by_way_of_a_func() == 9
    assert truths() == 1
    assert of_classes() == 4 + 5


def test_what_was_read_from_outside_counts(arch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_TEST_OF_CALLS", "8")
    assert environment() == 8


def test_a_call_is_made_when_the_kernel_is_compiled(back_end: str) -> None:
    calls.clear()
    assert once(5) == 15
    made = len(calls)
    assert made in (1, 2)  # twice where a kept kernel did not fit
    assert once(7) == 21
    assert len(calls) == made


@qd.kernel
def of_run_time(n: qd.i32) -> qd.i32:
    return helper(n)


@qd.kernel
def of_a_variable() -> qd.i32:
    n = 3
    return helper(1, k=n)


@qd.kernel
def raising() -> qd.i32:
    total = 1
    total += fails(3)
    return total


@qd.kernel
def not_a_number() -> qd.f32:
    return float("abc")


@qd.kernel
def no_integer() -> qd.i32:
    return int("1.5")


def line_of(kernel: Any, text: str) -> int:
    import inspect

    lines, first = inspect.getsourcelines(kernel._function)
    return first + next(i for i, line in enumerate(lines) if text in line)


def message(kernel: Any, error: type[Exception], *arguments: Any) -> str:
    with pytest.raises(error) as caught:
        kernel(*arguments)
    return str(caught.value)


def test_a_function_is_code_of_the_kernel_for_values_of_the_run(arch: Any) -> None:
    assert of_run_time(3) == 7
    assert of_a_variable() == 5


def test_a_dataclass_with_values_of_the_run_is_refused(arch: Any) -> None:
    with pytest.raises(qd.KernelTypeError, match="Settings"):
        settings_of_the_run(1)


def test_what_a_call_raises_is_an_error_of_its_line(arch: Any) -> None:
    text = message(raising, qd.KernelCompilationError)
    assert "function 'fails' raises ValueError: no 3" in text
    assert re.search(rf"test_constant_calls\.py:{line_of(raising, 'fails(3)')}\b", text), text


def test_texts_that_are_no_numbers(arch: Any) -> None:
    assert "could not convert string to float: 'abc'" in message(not_a_number, qd.KernelTypeError)
    assert "invalid literal for int() with base 10: '1.5'" in message(no_integer, qd.KernelTypeError)


@qd.data_oriented
class Scaled:
    def __init__(self, scale):
        self.scale = scale

    def doubled(self, n):
        return self.scale * n * 2

    @qd.kernel
    def run(self) -> qd.i32:
        return self.doubled(3)


def test_a_method_of_the_host_is_called_for_each_object(arch: Any) -> None:
    first, second = Scaled(1), Scaled(10)
    assert [first.run(), second.run(), first.run()] == [6, 60, 6]


@qd.data_oriented
class Stencil:
    """Ranges that Python makes, as an attribute and by a method."""

    def __init__(self, *sizes: Any) -> None:
        self.sizes = sizes
        self.cells = qd.ndrange(*sizes)

    def ranges(self) -> Any:
        return qd.ndrange(*self.sizes)

    @qd.kernel
    def sums(self, out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
        for offset in qd.static(qd.grouped(self.ranges())):
            out[0] += offset.n
            out[1] += 10 * offset[0] + offset[offset.n - 1]
        for offset in qd.static(qd.grouped(self.cells)):
            out[2] += offset[0]
        for _ in qd.static(self.ranges()):
            out[3] += 1


@pytest.mark.parametrize("sizes", [(3,), (2, 3), ((1, 3), 2, (-1, 1))])
def test_ndrange_that_python_makes(arch: str, sizes: tuple[Any, ...]) -> None:
    out = np.zeros(4, np.int32)
    Stencil(*sizes).sums(out)
    points = list(itertools.product(*(range(*(size if isinstance(size, tuple) else (size,))) for size in sizes)))
    assert out.tolist() == [len(points) * len(sizes), sum(10 * p[0] + p[-1] for p in points), sum(p[0] for p in points), len(points)]
