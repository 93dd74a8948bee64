"""Classes with @qd.dataclass that inherit from others: members, methods and defaults as Python's dataclasses have them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import qd

vec2 = qd.types.vector(2, qd.f32)


@qd.dataclass
class Point:
    m: qd.f32
    p: vec2

    @qd.func
    def energy(self):
        return 0.5 * self.m * self.p.norm_sqr()

    @qd.func
    def mass(self):
        return self.m


class Helpers:
    other: int

    @qd.func
    def double(self):
        return 2 * self.m


@qd.dataclass
class Body(Point, Helpers):
    v: qd.f32 = 4.0
    m: qd.f64

    @qd.func
    def energy(self):
        return self.v


@qd.dataclass
class Last(Body):
    p: vec2 = (1.0, 2.0)
    v: qd.f32

    @qd.func
    def all(self):
        return self.energy() * 10 + self.double() + self.p.y


@dataclasses.dataclass
class PythonPoint:
    m: float
    p: tuple


@dataclasses.dataclass
class PythonBody(PythonPoint, Helpers):
    v: float = 4.0
    m: float = 0.0
    p: tuple = ()


points = {"of_points": lambda: Point(1.0, vec2(1, 2))}


@qd.kernel
def bodies(x: qd.f32) -> tuple[qd.f64, qd.f32, qd.f32, qd.f32, qd.f32]:
    b = Body(x, vec2(1, 1))
    last = Last(m=1.0)
    return b.m, b.energy(), Body(v=1.0).energy(), b.mass() + b.double(), last.all()


@qd.kernel
def as_argument(b: Body) -> qd.f64:
    return b.m + b.v


@qd.kernel
def in_memory(b: qd.template()) -> qd.f32:
    b[1] = Body(m=3.0)
    b[0].v += b[1].v + b[1].mass()
    return b[0].v


made = {}
exec("def generated(self):\n    return 1", made)  # a function without a source


@qd.dataclass
class WithHostMethods:
    a: qd.i32
    generated = made["generated"]
    small = lambda self: self.a  # noqa: E731

    def twice(self):
        return self.a * 2


@qd.kernel
def with_host_methods() -> qd.i32:
    return WithHostMethods(4).twice()


def test_methods_that_are_not_decorated(arch: Any) -> None:
    assert with_host_methods() == 8
    assert WithHostMethods(4).twice() == 8 and WithHostMethods(4).small() == 4


def test_members_are_in_the_order_of_dataclasses() -> None:
    assert list(Body.members) == [field.name for field in dataclasses.fields(PythonBody)]
    assert list(Last.members) == ["m", "p", "v"]
    assert Body.members["m"] is qd.f64 and Point.members["m"] is qd.f32
    assert (Body().v, Last().v, Last().p.y, Body(m=2).m) == (4.0, 0.0, 2.0, 2.0)


def test_a_default_is_a_value_of_its_own() -> None:
    first = Last()
    first.p.x = 9
    assert Last().p.x == 1


def test_kernels(arch: Any) -> None:
    assert bodies(2.0) == (2.0, 4.0, 1.0, 6.0, 2 + 2)
    assert as_argument(Body(1.0)) == 5
    assert in_memory(Body.field(shape=2)) == 7


def test_what_cannot_be_inherited() -> None:
    with pytest.raises(TypeError, match=r"Struct is made by qd\.types\.struct or qd\.Struct: only a @qd\.dataclass can be inherited from"):

        class OfStruct(qd.types.struct(a=qd.f32)):  # type: ignore[misc]
            pass

    with pytest.raises(qd.KernelSyntaxError, match=r"@qd.dataclass Wrong: 'm' is a member, and Wrong has something else of that name"):

        @qd.dataclass
        class Wrong(Point):
            def m(self):
                return 1

    with pytest.raises(qd.KernelSyntaxError, match=r"@qd.dataclass Wrong"):

        @qd.dataclass
        class Wrong2(Point):
            v: qd.f32 = "one"

        Wrong2()


@dataclasses.dataclass(frozen=True)
class Settings:
    scale: qd.f32
    values: qd.types.NDArray[qd.f32, 1]


@dataclasses.dataclass(frozen=True)
class MoreSettings(Settings):
    offset: qd.i32 = 3


@qd.kernel
def with_settings(s: MoreSettings) -> qd.f32:
    for i in s.values:
        s.values[i] = s.scale * i + s.offset
    return s.scale


def test_frozen_dataclasses_that_inherit_are_arguments(arch: Any) -> None:
    s = MoreSettings(2.0, qd.ndarray(qd.f32, 3))
    assert with_settings(s) == 2
    assert s.values.to_numpy().tolist() == [3, 5, 7]
