"""Kernels, not yet decorated, that call lambdas and functions without a decorator. Python runs them, too."""

# ruff: noqa: E731
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import qd

square = lambda x: x * x
twice, thrice = lambda x: x * 2, lambda x: x * 3
same, again = lambda x: x + 1, lambda x: x + 1
over_lines = (
    lambda x,
    y=10: (
        x
        * y
    )
)  # fmt: skip
in_a_call = functools.partial(
    map,
    lambda x: x - 1,
    (
        1,
        2,
    ),
).args[0]
outer = lambda x: lambda y: x * 10 + y
both = (lambda x: lambda y: x + y, lambda x: lambda y: x - y)
TABLE = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y}
STEPS = [lambda x: x + 1, lambda x: x * 5, lambda x: x - 3]
FACTORS = [lambda x, n=n: x * n for n in range(1, 4)]
choose = lambda x: 1 if x > 2 else -1
text = lambda x: "a,b".count(",") + x
of_list = lambda values: values[0] + values[1]
count = lambda *values: len(values) + values[0]
by_name = lambda x, *, scale=2, shift=0: x * scale + shift


def composed(f: Callable[[Any], Any], g: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: f(g(x))


def closure(k: int) -> Callable[[Any], Any]:
    def inner(x):
        return x * k + len(STEPS)

    return inner


def limited(x, limit=5):
    """A function of several statements."""
    y = x * 4
    if y > limit:
        y = limit
    for i in range(3):
        y += i * x
    return y


def apply(f, x):
    return f(x) + f(x + 1)


def pair(x):
    return x + 1, x * 2


def typed(x: qd.f32, k: qd.i32 = 2):
    return x / k


def decorated_default(f=lambda x: x + 100):
    return f


class Model:
    def __init__(self, k: int) -> None:
        self.k = k
        self.act = lambda x: x * self.k

    def scaled(self, x):
        return self.shifted(x) * self.k

    def shifted(self, x):
        return x + 1

    @staticmethod
    def negated(x):
        return -x

    @classmethod
    def of_class(cls, x):
        return cls.negated(x) + 1


MODEL = Model(7)
composition = composed(composed(square, twice), STEPS[1])
times_four, times_six = closure(4), closure(6)
default = decorated_default()


def a_lambda(n: qd.i32) -> qd.i32:
    return square(n) + square(n + 1)


def of_several_in_a_line(n: qd.i32) -> qd.i32:
    return twice(n) * 100 + thrice(n) * 10 + same(n) + again(n)


def defaults_and_lines(n: qd.i32) -> qd.i32:
    return over_lines(n) + over_lines(n, 3) + over_lines(y=n, x=2) + in_a_call(n)


def made_by_others(n: qd.i32) -> qd.i32:
    return composition(n) + times_four(n) * times_six(n) + default(n)


def nested(n: qd.i32) -> qd.i32:
    return qd.static(outer(4))(n) + qd.static(both[0](2))(n) * 100 + qd.static(both[1](2))(n) * 1000


def in_containers(n: qd.i32) -> qd.i32:
    total = TABLE["add"](n, 5) * 100 + TABLE["sub"](n, 5)
    for f in qd.static(STEPS):
        total = f(total)
    for i in qd.static(range(3)):
        total += FACTORS[i](n) * (i + 1)
    return total


def with_a_choice(n: qd.i32) -> qd.i32:
    return choose(n) + choose(n - 1) * 10 + text(n)


def with_lists(n: qd.i32) -> qd.i32:
    return of_list([n, 4]) + of_list((n, n)) + count(n, 1, 2) + count(*[n, n]) + by_name(n) + by_name(n, shift=n, scale=3)


def with_statements(n: qd.i32) -> qd.i32:
    return limited(n) + limited(n, limit=100) * 10 + limited(1)


def passed_on(n: qd.i32) -> qd.i32:
    return apply(square, n) + apply(times_four, n) + apply(lambda_of_module, n) * 10


lambda_of_module = lambda x: apply(twice, x) - 1


def results_of_several(n: qd.i32) -> qd.i32:
    a, b = pair(n)
    c, d = pair(a + b)
    return a + b * 10 + c * 100 + d * 1000


def methods(n: qd.i32) -> qd.i32:
    return MODEL.scaled(n) + MODEL.act(n) * 100 + MODEL.negated(n) + Model.negated(n) + Model.of_class(n)


def constants_run_on_the_host(n: qd.i32) -> qd.i32:
    return square(5) + len(str(square(100))) + limited(2) + square(2) * n


def in_a_condition(n: qd.i32) -> qd.i32:
    found = 0
    i = 0
    while square(i) < 20:
        i += 1
    if thrice(n) > 6 and choose(n) == 1:
        found = 1
    return found * 100 + i


def typed_parameters(n: qd.i32) -> qd.f32:
    return typed(n + 0.5) + typed(n, 4)


def decided(x, kind="linear", limit=None):
    if kind == "square":
        return x * x
    elif kind in ("cube", "third"):
        return x * x * x
    if limit is not None and x > limit:
        x = limit
    return x


def power(x, n):
    return 1 if n == 0 else x * power(x, n - 1)


def half_known(x, on):
    y = 0
    if on and x > 2:
        y = 5
    return y + (x if not on else 2 * x)


def known_tests(n: qd.i32) -> qd.i32:
    total = decided(n) + decided(n, "square") * 10 + decided(n, kind="third") * 100
    return total + decided(n, "other", 2) * 10000 + half_known(n, True) + half_known(n, False)


def recursion_with_a_known_end(n: qd.i32) -> qd.i32:
    return power(n, 4) + power(n, 0)
