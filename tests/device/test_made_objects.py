"""Objects that kernels make of the program's classes: as Python has them, on every architecture."""

from __future__ import annotations

import re
from typing import Any

import pytest
import qd

vec2 = qd.types.vector(2, qd.f32)


@qd.data_oriented
class Ray:
    N = 3

    def __init__(self, origin, direction, t=0.5):
        self.origin = origin
        self.direction = direction
        self.t = t

    def at(self, t):
        return self.origin + t * self.direction

    @qd.func
    def end(self):
        return self.at(self.t)

    def grow(self, by):
        self.t += by
        self.origin.x += 1.0

    @property
    def length(self):
        return self.direction.norm()

    @property
    def scale(self):
        return self.t

    @scale.setter
    def scale(self, value):
        self.t = value * 2.0

    @staticmethod
    def twice(x):
        return x * 2

    @classmethod
    def up(cls, x):
        return cls(qd.Vector([x, 0.0]), qd.Vector([0.0, 1.0]))

    def __call__(self, k):
        return self.t * k

    def __add__(self, other):
        return self.t + other.t

    def __rmul__(self, other):
        return self.t * other

    def __neg__(self):
        return -self.t

    def __lt__(self, other):
        return self.t < other.t

    def __getitem__(self, i):
        return self.origin[i]


class Plain:
    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class Child(Plain):
    K = 10

    def __init__(self, value, more):
        super().__init__(value)
        self.more = more

    def get(self):
        return super().get() + self.more * self.K


class OldStyle(Plain):
    def __init__(self, value):
        Plain.__init__(self, value + 1)


class Empty:
    pass


class Sign:
    def __init__(self, x):
        self.positive = 0
        if x > 0:
            self.positive = 1

    def count(self, n):
        found = 0
        for i in range(n):
            if i % 2 == self.positive:
                found += 1
        return found


@qd.func
def moved(ray):
    return Ray(ray.origin + 1.0, ray.direction)


@qd.func
def change(ray, t):
    ray.t = t


@qd.func
def raise_place(x: qd.template()):
    x += 5


@qd.kernel
def shoot(x: qd.f32) -> qd.f32:
    ray = Ray(qd.Vector([x, 0.0]), qd.Vector([2.0, 1.0]))
    return ray.at(3.0)[0]


@qd.kernel
def attributes(x: qd.f32) -> tuple[qd.f32, qd.f32, qd.f32, qd.i32]:
    ray = Ray(qd.Vector([x, 0.0]), qd.Vector([3.0, 4.0]), t=x)
    ray.t = 2.0
    ray.t += 1
    same = ray
    same.t *= 2
    return ray.t, ray.length, ray.end()[0], Ray.N + ray.N + ray.twice(2) + Ray.twice(1)


@qd.kernel
def properties(x: qd.f32) -> tuple[qd.f32, qd.f32]:
    ray = Ray.up(x)
    ray.scale = x
    return ray.scale, ray(10.0)


@qd.kernel
def by_funcs(x: qd.f32) -> tuple[qd.f32, qd.f32, qd.f32, qd.f32]:
    a = Ray.up(x)
    b = moved(a)
    change(b, 7)
    a.grow(2.0)
    larger = 0.0
    if a < b:
        larger = 1.0
    return a + b + 2 * b, larger, -a, b[0] * 1000 + a.origin.x * 10


@qd.kernel
def copies() -> qd.f32:
    v = qd.Vector([1.0, 2.0])
    ray = Ray(v, v)
    v.x = 100.0
    ray.origin.y = 50.0
    return ray.origin.x + ray.direction.y


@qd.kernel
def in_loops(n: qd.i32) -> qd.i32:
    total = 0
    for i in range(n):
        child = Child(i, 2)
        total += child.get()
        if i > 1:
            child.value = 100
            total += child.get()
    return total


@qd.kernel
def nested() -> qd.i32:
    outer = Empty()
    outer.x = 3
    outer.child = Plain(4)
    outer.child.value += 1
    p = Plain(outer.child)
    return outer.x + p.get().value + sum([q.get() for q in [Plain(1), OldStyle(2)]])


@qd.kernel
def shared(n: qd.i32) -> qd.i32:
    sum_of = Plain(0)
    for _ in range(n):
        sum_of.value += 1
    return sum_of.get()


@qd.kernel
def with_branches(x: qd.i32, n: qd.i32) -> qd.i32:
    return Sign(x).count(n)


@qd.kernel
def typed() -> qd.i32:
    p = Plain(1)
    p.value = 2.9
    qd.atomic_add(p.value, 10)
    return p.value


@qd.kernel
def passed_as_a_place() -> qd.i32:
    p = Plain(1)
    raise_place(p.value)
    return p.value


@qd.kernel
def known() -> qd.i32:
    p = Plain(3)
    total = 0
    for i in qd.static(range(p.value)):
        total += i
    return total


def test_a_ray(arch: Any) -> None:
    assert shoot(1.0) == 7


def test_attributes(arch: Any) -> None:
    assert attributes(1.0) == (6, 5, 19, 3 + 3 + 4 + 2)
    assert properties(3.0) == (6, 60)
    assert copies() == 1 + 2
    assert typed() == 2 + 10
    assert known() == 3


def test_an_attribute_as_a_template(back_end: str) -> None:
    assert passed_as_a_place() == 6


def test_objects_and_funcs(arch: Any) -> None:
    assert by_funcs(2.0) == (2.5 + 7 + 14, 1, -2.5, 3000 + 30)


def test_loops_and_branches(arch: Any) -> None:
    assert in_loops(4) == 20 + 21 + 22 + 120 + 23 + 120
    assert shared(1000) == 1000
    assert [with_branches(x, 5) for x in (1, -1)] == [2, 3]
    assert nested() == 3 + 5 + 1 + 3


@qd.kernel
def first_value_in_a_block(n: qd.i32) -> qd.i32:
    e = Empty()
    for i in range(n):
        e.x = i
    return 0


@qd.kernel
def value_of_one_branch(n: qd.i32) -> qd.i32:
    e = Empty()
    if n > 0:
        e.x = n
    return e.x


@qd.kernel
def made_in_an_arm(n: qd.i32) -> qd.i32:
    return (Plain(n) if n > 0 else Plain(1)).value


@qd.kernel
def of_two_classes(n: qd.i32) -> qd.i32:
    a = Plain(n)
    b = Empty()
    return (a if n > 0 else b).value


@qd.kernel
def another_object(n: qd.i32) -> qd.i32:
    p = Plain(1)
    if n > 0:
        p = Plain(n)
    return p.value


@qd.kernel
def no_attribute(n: qd.i32) -> qd.i32:
    return Plain(n).nothing


@qd.kernel
def too_many(n: qd.i32) -> qd.i32:
    return Plain(n, 3).value


@qd.kernel
def no_init(n: qd.i32) -> qd.i32:
    e = Empty(n)
    return e.x


@qd.kernel
def no_operator(n: qd.i32) -> qd.f32:
    return Plain(n) * 2


@qd.kernel
def known_and_changed(n: qd.i32) -> qd.i32:
    p = Plain(3)
    total = 0
    for _ in range(n):
        for i in qd.static(range(p.value)):
            total += i
        p.value += 1
    return total


ERRORS = {
    first_value_in_a_block: "the attribute `x` gets its first value in a block that may not run",
    value_of_one_branch: "the attribute `x` got its first value in one branch of the `if` of line",
    made_in_an_arm: "an object is made in an arm of `x if test else y`: make it before, in a variable",
    of_two_classes: "an object of class 'Plain' and an object of class 'Empty' cannot stand for one another",
    another_object: "`p` is known at compile time: it cannot change in a block that may not run",
    no_attribute: "an object of class 'Plain' has no attribute `nothing`",
    too_many: "`__init__` takes 1 argument, 2 given",
    no_init: "class 'Empty' takes no arguments: it has no __init__ of its own",
    no_operator: "`*` does not work on an object of class 'Plain' and int",
    known_and_changed: "`value` was read at compile time (qd.static): it cannot change after that",
}


@pytest.mark.parametrize("kernel", ERRORS, ids=lambda kernel: kernel.__name__)
def test_errors(back_end: str, kernel: Any) -> None:
    with pytest.raises(qd.KernelCompilationError, match=re.escape(ERRORS[kernel])):
        kernel(2)
