"""Operators on objects of the host, by funcs of their class: numbers reach the funcs in their types, on every architecture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import qd


class Plus:
    @qd.func
    def __radd__(self, n):
        return (n + 100) // 2

    @qd.func
    def __rsub__(self, n):
        return n - 100

    @qd.func
    def __rmul__(self, n):
        return n * 1.1

    @qd.func
    def __rtruediv__(self, n):
        return n * 1.1

    @qd.func
    def __rpow__(self, n):
        return n * n

    @qd.func
    def __rlshift__(self, n):
        return n + 100 < 0

    @qd.func
    def __lt__(self, n):
        return n + 100 < 0

    @qd.func
    def __eq__(self, n):
        return n + 100 < 0

    @qd.func
    def __contains__(self, n):
        return n + 100 < 0


other = Plus()


@qd.kernel
def of_integers(n: qd.i32) -> qd.types.vector(9, qd.i32):
    inside = 0
    if n in other:
        inside += 1
    if n not in other:
        inside += 2
    greater = qd.cast(n > other, qd.i32)
    return qd.Vector([n + other, n - other, n**other, n << other, greater, n == other, n != other, inside, n // 2 in other])


@qd.kernel
def of_floats(x: qd.f32) -> qd.types.vector(2, qd.f64):
    return qd.Vector([x * other, x / other], qd.f64)


@qd.kernel
def in_list(n: qd.i32) -> qd.i32:
    return n in [1, 2]


def test_integers_wrap(on_each: Callable[[Callable[[], Any]], list[Any]]) -> None:
    """A sum beyond 2**31 shows whether a func got an i32, or an integer of Python."""
    for n in (5, 2**31 - 10):
        with np.errstate(over="ignore"):
            compiled, python = on_each(lambda n=n: list(of_integers(n)))  # type: ignore[misc]
        assert compiled == python
    assert compiled[0] == (5 - 10 + 100 - 5 - 2**31) // 2
    assert compiled[4:] == [1, 1, 0, 1, 0]


def test_floats_are_of_their_type(on_each: Callable[[Callable[[], Any]], list[Any]]) -> None:
    compiled, python = on_each(lambda: list(of_floats(0.1)))
    assert compiled == python
    assert compiled[0] == float(np.float32(0.1) * np.float32(1.1))


def test_lists_are_looked_into_at_compile_time_alone(on_each: Callable[[Callable[[], Any]], list[Any]]) -> None:
    def refused() -> None:
        with pytest.raises(qd.KernelSyntaxError, match="`in` is only supported under qd.static"):
            in_list(1)

    on_each(refused)


@qd.func
def product(self, n):
    return self.factor * n


@qd.func
def of_nothing(n):
    return n + 1


class Scale:
    unbound = staticmethod(of_nothing)

    def __init__(self, factor):
        self.factor = factor


Scale.by = product
scale = Scale(3)


@qd.kernel
def by_method(n: qd.i32) -> qd.i32:
    return scale.by(n) + Scale.by(scale, 1) + scale.unbound(n) + Scale(10).by(n)


def test_func_put_into_a_class_gets_the_object(on_each: Callable[[Callable[[], Any]], list[Any]]) -> None:
    assert on_each(lambda: by_method(4)) == [12 + 3 + 5 + 40] * 2
