"""super() in funcs and kernels of classes, in objects that kernels make, and in structs: the order of Python's classes."""

from __future__ import annotations

import re
from typing import Any

import pytest
import qd


@qd.data_oriented
class Base:
    K = 2

    def __init__(self, n=5):
        self.x = qd.field(qd.f32, shape=2)
        self.x[1] = 3
        self.n = n

    @qd.func
    def f(self, x):
        return x * 10.0 + self.x[1] + self.n

    def plain(self, x):
        return x + self.n

    @staticmethod
    @qd.func
    def fixed(x):
        return x + 1

    @property
    def more(self):
        return self.n + 1


class Derived(Base):
    K = 3

    @qd.func
    def f(self, x):
        return super(Derived, self).f(x) + 1.0  # noqa: UP008

    @qd.kernel
    def run(self) -> qd.f32:
        return self.f(1.0)

    @qd.kernel
    def everything(self, x: qd.f32) -> qd.f32:
        return super().f(x) + super().plain(x) + super().fixed(x) + super().K + super().more


class Mixin:
    @qd.func
    def f(self, x):
        return super().f(x) * 1000


class Third(Derived):
    @qd.func
    def f(self, x):
        return super().f(x) + 100.0


class Mixed(Mixin, Third):
    pass


class Left(Base):
    @qd.func
    def f(self, x):
        return super().f(x) * 2


class Right(Base):
    @qd.func
    def f(self, x):
        return super().f(x) + 0.5


class Diamond(Left, Right):
    @qd.kernel
    def run(self) -> qd.f32:
        return self.f(1.0)


class Missing(Base):
    @qd.kernel
    def run(self) -> qd.f32:
        return super().nothing(1.0)


class Stranger(Base):
    @qd.kernel
    def run(self) -> qd.f32:
        return super(Derived, self).f(1.0)


@qd.kernel
def outside() -> qd.f32:
    return super().f(1.0)


def test_levels_of_classes(arch: Any) -> None:
    assert Derived().run() == 19
    assert Derived().everything(1.0) == 18 + 6 + 2 + 2 + 6
    assert Third().run() == 119


def test_the_order_is_that_of_the_objects_class(arch: Any) -> None:
    assert Mixed().run() == 119000
    assert Diamond().run() == (18 + 0.5) * 2


def test_each_object_has_its_own_numbers(arch: Any) -> None:
    first, second = Derived(5), Derived(50)
    assert [first.run(), second.run(), first.run()] == [19, 64, 19]
    first.n = 6
    assert first.run() == 20


@qd.dataclass
class Body:
    m: qd.f32

    @qd.func
    def weight(self):
        return self.m * 10

    def half(self):
        return self.m / 2


@qd.dataclass
class Moving(Body):
    v: qd.f32

    @qd.func
    def weight(self):
        return super().weight() + self.v + super(Moving, self).half()  # noqa: UP008


@qd.kernel
def of_structs() -> qd.f32:
    return Moving(m=2.0, v=1.0).weight()


def test_structs(arch: Any) -> None:
    assert of_structs() == 22


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Missing().run(), "no class after .*Missing.* in the method resolution order has it"),
        (lambda: outside(), re.escape("`super()` stands in a method of a class")),
        (lambda: Stranger().run(), "no class after .*Derived.* in the method resolution order has it"),
    ],
)
def test_errors(arch: Any, call: Any, text: str) -> None:
    with pytest.raises((qd.KernelCompilationError, AttributeError), match=text):
        call()
