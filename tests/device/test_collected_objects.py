"""Objects that hold the kernels and funcs that have captured them: the garbage collector of Python finds them, and their fields."""

from __future__ import annotations

import collections
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import qd

Pair = collections.namedtuple("Pair", "first second")


@pytest.fixture(autouse=True)
def only_what_the_test_makes() -> None:
    """The collector looks at objects that are made from now on alone: at the hundred thousands of a run of tests it takes half a second."""
    gc.freeze()


class Held:
    """An object that has a field, and gets kernels as attributes."""

    def __init__(self) -> None:
        self.x = qd.field(qd.i32, shape=4)
        self.k = 3


def by_kernel(me: Held) -> None:
    @qd.kernel
    def step() -> qd.i32:
        for i in me.x:
            me.x[i] += me.k
        return me.x[0]

    me.step = step
    assert step() == 3


def by_func(me: Held) -> None:
    @qd.func
    def get(i):
        return me.x[i] + me.k

    @qd.kernel
    def step() -> qd.i32:
        return get(1)

    me.get, me.step = get, step
    assert step() == 3


def by_func_alone(me: Held) -> None:
    @qd.func
    def get(i):
        return me.x[i] + me.k

    @qd.kernel
    def step() -> qd.i32:
        return get(1)

    me.get = get
    assert step() == 3


def by_real_func(me: Held) -> None:
    @qd.real_func
    def get(i: qd.i32) -> qd.i32:
        return me.x[i] + me.k

    @qd.kernel
    def step() -> qd.i32:
        return get(1)

    me.get, me.step = get, step
    assert step() == 3


def by_function_of_python(me: Held) -> None:
    def size():
        return me.x.shape[0]

    @qd.kernel
    def step() -> qd.i32:
        return size()

    me.size, me.step = size, step
    assert step() == 4


def by_function_made_a_func(me: Held) -> None:
    def get(i):
        return me.x[i] + me.k

    @qd.kernel
    def step() -> qd.i32:
        return qd.func(get)(1)

    me.step = step
    assert step() == 3


def by_list(me: Held) -> None:
    things = [me]

    @qd.kernel
    def step() -> qd.i32:
        return things[0].x[1] + things[0].k

    me.step = step
    assert step() == 3


def by_named_tuple(me: Held) -> None:
    things = Pair(me, 1)

    @qd.kernel
    def step() -> qd.i32:
        return things.first.x[1] + things.first.k

    me.step = step
    assert step() == 3


def by_template(me: Held) -> None:
    @qd.kernel
    def step(of: qd.template()) -> qd.i32:
        return of.x[1] + of.k

    me.step = step
    assert step(me) == 3


def by_two_variants(me: Held) -> None:
    @qd.kernel
    def step(n: qd.template()) -> qd.i32:
        return me.x[1] + n

    me.step = step
    assert (step(3), step(2.0)) == (3, 2)


WAYS = [
    by_kernel,
    by_func,
    by_func_alone,
    by_real_func,
    by_function_of_python,
    by_function_made_a_func,
    by_list,
    by_named_tuple,
    by_template,
    by_two_variants,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_collected(arch: str, way: Callable[[Held], None]) -> None:
    me = Held()
    way(me)
    seen: list[weakref.ref[Any]] = [weakref.ref(me), weakref.ref(me.x)]
    del me
    gc.collect()
    assert [reference() for reference in seen] == [None, None]


def kernel_that_makes_objects() -> list[weakref.ref[Any]]:
    """References to a class that is made here, and to what its methods have captured."""
    x = qd.field(qd.i32, shape=4)

    class Made:
        def __init__(self, value):
            self.value = value

        def get(self):
            return self.value + x[0]

    @qd.kernel
    def made() -> qd.i32:
        return Made(3).get()

    assert made() == 3
    return [weakref.ref(Made), weakref.ref(x)]


def test_classes_of_made_objects(arch: str) -> None:
    seen = kernel_that_makes_objects()
    gc.collect()
    assert [reference() for reference in seen] == [None, None]


def test_used_while_it_lives(arch: str) -> None:
    """Objects that a func has captured live as long as the kernel that calls it, however often the collector runs."""
    me = Held()
    by_func_alone(me)
    get = me.get

    @qd.kernel
    def twice(n: qd.template()) -> qd.i32:
        return get(1) + n

    del me
    for n in (1, 2):
        gc.collect()
        assert twice(n) == 3 + n
