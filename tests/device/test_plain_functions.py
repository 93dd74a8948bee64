"""Lambdas and functions without a decorator in kernels, called with values of the run: what Python gives for the same call."""

# ruff: noqa: E731
from __future__ import annotations

import functools
import inspect
import math
import operator
from collections.abc import Callable
from typing import Any

import kernels_for_plain_functions
import numpy as np
import pytest
import qd

KERNELS = [f for f in vars(kernels_for_plain_functions).values() if inspect.isfunction(f) and str(inspect.signature(f)).startswith("(n: 'qd.i32')")]


@pytest.mark.parametrize("function", KERNELS, ids=lambda function: function.__name__)
def test_as_python(arch: str, function: Callable[[Any], Any]) -> None:
    assert qd.kernel(function)(3) == function(3)


def mapped(f: Callable[[Any], Any], *values: float) -> list[float]:
    """The values of a function at some points, computed by a kernel."""
    x, y = qd.field(qd.f32, shape=len(values)), qd.field(qd.f32, shape=len(values))

    @qd.kernel
    def compute():
        for i in x:
            y[i] = f(x[i])

    for i, value in enumerate(values):
        x[i] = value
    compute()
    return [y[i] for i in range(len(values))]


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x**2,
        lambda x: (x + 1) / (x - 1), lambda x: (x + 1) * (x - 1),
        lambda x, *, by=0.5: (
            x
            * by
        ),
    ],
)  # fmt: skip
def test_of_a_decorator(arch: str, f: Callable[[float], float]) -> None:
    assert mapped(f, 2.0, 3.0) == [f(2.0), f(3.0)]


def test_each_of_a_line(arch: str) -> None:
    many = [lambda x: x + 1, lambda x: x + 2, lambda x: x * 2, lambda x: 2 * x + (lambda: 1)(), lambda x: x + 1]
    assert [mapped(f, 3.0)[0] for f in many[:3] + many[4:]] == [4, 5, 6, 4]


def test_a_new_function_of_the_same_line(arch: str) -> None:
    assert [mapped(lambda x: x * k, 3.0)[0] for k in (2, 5)] == [6, 15]  # noqa: B023


def test_elements_are_read_by_the_kernel(arch: str) -> None:
    x = qd.field(qd.i32, shape=2)
    first, at, put = lambda: x[0], lambda i: x[i] * 10, lambda i, value: qd.atomic_add(x[i], value)

    @qd.kernel
    def read() -> qd.i32:
        return first() + at(1)

    @qd.kernel
    def write():
        put(0, 3)

    x[0], x[1] = 1, 2
    assert read() == 21
    write()
    assert read() == 24


def test_funcs_are_called_by_way_of_functions(arch: str) -> None:
    @qd.func
    def func(v):
        return v + 1

    indirect = lambda v: func(v) * 2
    constant = lambda: func(1) * 2

    @qd.kernel
    def kernel(n: qd.i32) -> qd.i32:
        return indirect(n) + indirect(3) + constant()

    assert kernel(1) == 4 + 8 + 4


def fill(a, value):
    for i in range(3):
        a[i] = value + i


def add(target: qd.template(), value):
    target += value


def test_arrays(arch: str) -> None:
    x = qd.field(qd.i32, shape=3)

    @qd.kernel
    def kernel(v: qd.i32):
        fill(x, v)

    kernel(4)
    assert [x[i] for i in range(3)] == [4, 5, 6]


def test_a_place_of_the_caller(arch: str) -> None:
    x = qd.field(qd.i32, shape=1)

    @qd.kernel
    def kernel(v: qd.i32) -> qd.i32:
        total = v
        add(total, 5)
        add(x[0], total)
        return total

    x[0] = 1
    if arch == "python":  # no template is assigned there
        pytest.raises(qd.KernelTypeError, kernel, 4)
    else:
        assert (kernel(4), x[0]) == (9, 10)


def test_as_templates(arch: str) -> None:
    @qd.func
    def folded(f: qd.template(), a, b):
        return f(f(a, b), b)

    @qd.kernel
    def kernel(f: qd.template(), n: qd.i32) -> qd.i32:
        return folded(f, n, 3)

    assert kernel(lambda a, b: a * b, 2) == 18
    assert kernel(lambda a, b: a - b, 2) == -4
    assert kernel(kernels_for_plain_functions.TABLE["add"], 2) == 8


@qd.data_oriented
class Layer:
    def __init__(self, act: Callable[[Any], Any], scale: int) -> None:
        self.act, self.scale = act, scale

    def scaled(self, v):
        return self.act(v) * self.scale

    @qd.kernel
    def run(self, n: qd.i32) -> qd.i32:
        return self.scaled(n) + self.act(n)


def test_attributes_of_a_template(arch: str) -> None:
    layer = Layer(lambda v: v + 1, 10)
    assert layer.run(2) == 33
    layer.scale = 100
    assert layer.run(2) == 303
    layer.act = lambda v: v - 1
    assert layer.run(2) == 101
    assert Layer(lambda v: v * v, 1).run(3) == 18


def test_decorated_lambdas(arch: str) -> None:
    increased, half = qd.func(lambda v: v + 1), qd.pyfunc(lambda v: v * 0.5)

    @qd.kernel
    def kernel(n: qd.i32) -> qd.f32:
        return increased(n) + half(n) + qd.func(kernels_for_plain_functions.square)(n)

    assert kernel(3) == 4 + 1.5 + 9
    assert half(3) == 1.5
    for decorator in (qd.kernel, qd.real_func):
        with pytest.raises(qd.KernelSyntaxError, match="cannot decorate a lambda"):
            decorator(lambda v: v)


def mirrored(row, t):
    qd.simt.block.sync()
    return row[63 - t]


def test_threads_of_a_block_meet_in_a_function(arch: str) -> None:
    x = qd.field(qd.i32, shape=64)
    read = lambda row, t: mirrored(row, t) * 2

    @qd.kernel
    def kernel():
        qd.loop_config(block_dim=64)
        for i in range(64):
            row = qd.simt.block.SharedArray((64,), qd.i32)
            t = qd.simt.block.thread_idx()
            row[t] = i
            x[i] = read(row, t) + mirrored(row, t)

    kernel()
    assert [x[i] for i in range(64)] == [3 * (63 - i) for i in range(64)]


def generator(v):
    yield v


def endless(v):
    return endless(v) + endless(v + 1)


def returns_early(v):
    if v > 0:
        return 1
    return 2


def without_source(v):
    return v


exec(compile("def without_source(v):\n    return v + 1\n", "<no file>", "exec"))


@pytest.mark.parametrize(
    "function, message",
    [
        (generator, "generator is a generator or a coroutine"),
        (endless, "calls itself"),
        (without_source, "The source of without_source is not available"),
        (lambda v: 1 if v in (1, 2) else 0, "`in` is only supported under qd.static"),
        (returns_early, "Return inside non-static if"),
        (functools.partial(lambda v: v), "an object of class 'functools.partial' is not a qd.func"),
        (inspect.cleandoc, "it cannot be called in a kernel with values of the run"),
        (lambda v, w: v, "Missing argument 'w'"),
        (lambda: 1, "takes 0 arguments, 1 given"),
        (lambda v: [w + 1 for w in v], "cannot be iterated"),
        (lambda **v: 1, "`\\*\\*v`"),
    ],
)
def test_refused(arch: str, function: Callable[..., Any], message: str) -> None:
    errors = (qd.KernelCompilationError, qd.KernelRuntimeError, TypeError)  # Python's own, on arch=qd.python
    with pytest.raises(errors, match=None if arch == "python" else message):
        mapped(function, 1.0)


def smooth(v, k=2.0):
    w = v * v
    for _ in range(2):
        w = w * k
    if w > 100.0:
        w = 100.0
    return w


GRADIENTS = [
    (lambda v: v**2, lambda v: 2 * v),
    (lambda v: qd.sin(v) * v, lambda v: math.cos(v) * v + math.sin(v)),
    (lambda v: qd.max(v, 1.0) if v < 3.0 else 1 / v, lambda v: (1.0 if v > 1.0 else 0.0) if v < 3.0 else -1 / v**2),
    (kernels_for_plain_functions.composed(lambda v: v * v, lambda v: v + 1), lambda v: 2 * (v + 1)),
    (smooth, lambda v: 8 * v if v < 5.0 else 0.0),
]


@pytest.mark.parametrize("f, derivative", GRADIENTS, ids=["power", "sin", "choice", "composed", "function"])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_gradients(back_end: str, mode: str, f: Callable[[Any], Any], derivative: Callable[[float], float]) -> None:
    points = [0.5, 2.0, 8.0]
    x = qd.field(qd.f32, shape=3, needs_grad=True, needs_dual=True)
    y = qd.field(qd.f32, shape=3, needs_grad=True, needs_dual=True)

    @qd.kernel
    def compute():
        for i in x:
            y[i] = f(x[i])

    for i, point in enumerate(points):
        x[i], y.grad[i] = point, 1.0
    if mode == "reverse":
        compute()
        compute.grad()
        found = x.grad.to_numpy()
    else:
        with qd.ad.FwdMode(loss=y, param=x, seed=[1.0, 1.0, 1.0]):
            compute()
        found = y.dual.to_numpy()
    assert found == pytest.approx([derivative(point) for point in points], rel=1e-5)


BINARY = [
    getattr(operator, name)
    for name in (
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "lshift",
        "rshift",
        "and_",
        "or_",
        "xor",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
    )
]
UNARY = [operator.neg, operator.pos, operator.invert, operator.not_]


@qd.kernel
def of_operators(a: qd.i32, b: qd.i32, out: qd.types.ndarray(dtype=qd.f64, ndim=1), x: qd.types.ndarray(dtype=qd.i32, ndim=1)):  # type: ignore[valid-type]
    for k in qd.static(range(len(BINARY))):
        out[k] = qd.static(BINARY[k])(a, b)
    for k in qd.static(range(len(UNARY))):
        out[len(BINARY) + k] = qd.static(UNARY[k])(a)
    product = operator.matmul(qd.Matrix([[a, b], [b, a]]), qd.Vector([1, 2]))
    out[22] = operator.getitem(product, 1)
    out[23] = operator.getitem(x, a)


@pytest.mark.parametrize(("a", "b"), [(7, 2), (0, 3), (5, 5)])
def test_functions_of_the_module_operator(arch: str, a: int, b: int) -> None:
    out, x = np.zeros(24), np.arange(8, dtype=np.int32)
    of_operators(a, b, out, x)
    assert out.tolist() == [f(a, b) for f in BINARY] + [f(a) for f in UNARY] + [b + 2 * a, x[a]]


def test_other_functions_of_the_module_operator(arch: str) -> None:
    @qd.kernel
    def index(a: qd.i32) -> qd.i32:
        return operator.index(a)

    with pytest.raises(qd.KernelTypeError, match="function 'index' is not a qd.func: it cannot be called in a kernel with values of the run"):
        index(2)
