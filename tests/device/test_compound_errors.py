"""Errors of kernels with vectors, matrices, structs and views, and their messages."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
import qd

VEC = qd.types.vector(2, qd.f32)
CONSTANT = qd.Vector([1.0, 2.0])


@qd.dataclass
class Body:
    pos: VEC
    mass: qd.f32


@dataclasses.dataclass
class Plain:
    x: qd.types.NDArray[qd.f32, 1]
    scale: qd.f32


@qd.kernel
def takes(v: VEC, m: qd.types.matrix(2, 2, qd.f32), b: Body) -> qd.f32:
    return v.x + m[0, 0] + b.mass


@qd.kernel
def takes_arrays(x: qd.types.ndarray(dtype=VEC, ndim=1), v: qd.BufferView[qd.f32], t: qd.Tensor, p: Plain) -> qd.f32:
    return x[0].x + v[0] + t[0] + p.x[0] * p.scale


def arrays() -> list[Any]:
    x, y = qd.ndarray(VEC, 2), qd.ndarray(qd.f32, 4)
    y.fill(1)
    return [x, y[1:3], qd.tensor(qd.f32, 2), Plain(y, 2.0)]


def test_fitting_arguments(arch: str) -> None:
    m = qd.Matrix.identity(qd.i32, 2)
    assert takes([1, 2], m, Body(mass=3)) == takes(np.array([1, 2]), [[1, 0], [0, 1]], {"pos": [0, 0], "mass": 3}) == 5
    assert takes_arrays(*arrays()) == 3
    assert takes_arrays(np.ones((3, 2), dtype=np.float32), *arrays()[1:3], Plain(np.ones(1, dtype=np.float32), 4)) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2, 3], [[1, 0], [0, 1]], Body()), 'Argument "v" of kernel takes: expected f32 vector of 2, got list of 3'),
        ((qd.Vector([1, 2, 3]), [[1, 0], [0, 1]], Body()), 'Argument "v" of kernel takes: expected f32 vector of 2, got i32 vector of 3'),
        ((1.0, [[1, 0], [0, 1]], Body()), 'Argument "v" of kernel takes: expected f32 vector of 2, got float 1.0'),
        (([1, 2], CONSTANT, Body()), 'Argument "m" of kernel takes: expected f32 2x2 matrix, got f32 vector of 2'),
        (([1, 2], [[1, 0], [0, 1]], 5), 'Argument "b" of kernel takes: expected Body, got int 5'),
        (([1, 2], [[1, 0], [0, 1]], qd.Struct(a=1)), 'Argument "b" of kernel takes: expected Body, got struct Struct'),
    ],
)
def test_wrong_values(arch: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(qd.KernelRuntimeTypeError, match=f"^{re.escape(message)}$"):
        takes(*arguments)


@pytest.mark.parametrize(
    ("at", "make", "message"),
    [
        (0, lambda: qd.ndarray(qd.f32, 2), 'Argument "x" of kernel takes_arrays: expected ndarray of f32 vector of 2 with 1 dimension'),
        (0, lambda: qd.ndarray(VEC, (2, 2)), "got ndarray of f32 vector of 2 with 2 dimensions"),
        (0, lambda: qd.Vector.ndarray(3, qd.f32, 2), "got ndarray of f32 vector of 3 with 1 dimension"),
        (0, lambda: qd.Vector.ndarray(2, qd.f64, 2), "got ndarray of f64 vector of 2 with 1 dimension"),
        (1, lambda: qd.ndarray(qd.f32, 2), 'Argument "v" of kernel takes_arrays: expected BufferView of f32, got f32 ndarray of 1 dimension'),
        (1, lambda: qd.ndarray(qd.f64, 2)[0:1], "expected BufferView of f32, got BufferView of f64"),
        (2, lambda: 3, 'Argument "t" of kernel takes_arrays: expected a qd.Tensor, a field or an ndarray, got int 3'),
        (3, lambda: Plain(qd.ndarray(qd.f64, 2), 1), 'Argument "p.x" of kernel takes_arrays: expected f32 ndarray of 1 dimension, got f64'),
        (3, lambda: Plain(qd.ndarray(qd.f32, 2), "a"), "Argument \"p.scale\" of kernel takes_arrays: expected f32, got str 'a'"),
        (3, lambda: None, 'Argument "p" of kernel takes_arrays: expected Plain, got None'),
    ],
)
def test_wrong_arrays(arch: str, at: int, make: Any, message: str) -> None:
    given = arrays()
    given[at] = make()
    with pytest.raises(qd.KernelRuntimeTypeError, match=re.escape(message)):
        takes_arrays(*given)


def test_arguments_and_captured_values_are_immutable(arch: str) -> None:
    @qd.kernel
    def component(v: VEC):
        v[0] = 3

    @qd.kernel
    def swizzle(v: VEC):
        v.yx += 3.0

    @qd.kernel
    def member(v: Body):
        v.pos.x = 3

    @qd.kernel
    def captured(v: VEC):
        CONSTANT[0] = 5

    for kernel in (component, swizzle, member):
        with pytest.raises(qd.KernelSyntaxError, match='Kernel argument "v" is immutable in the kernel'):
            kernel(Body() if kernel is member else [1, 2])
    with pytest.raises(qd.KernelTypeError, match="`CONSTANT` is a value from outside of the kernel"):
        captured([1, 2])
    assert CONSTANT.to_list() == [1, 2]


@qd.kernel
def beyond(x: qd.template(), i: qd.i32):
    for k in range(1):
        x[i + k, 4] += 1.0


def test_fields_with_an_offset_are_checked(arch: str) -> None:
    qd.init(arch=arch, debug=True, log_level="error")
    x = qd.field(qd.f32, (3, 2), offset=(-2, 3), name="x")
    beyond(x, -2)
    beyond(x, 0)
    assert x.to_numpy().tolist() == [[0, 1], [0, 0], [0, 1]]
    for i in (-3, 1):
        with pytest.raises(AssertionError, match=rf"Accessing field \(f32 x\) of size \(3, 2\) offset \(-2, 3\) with indices \({i}, 4\)"):
            beyond(x, i)
            qd.sync()


def test_constant_indices_of_fields_with_an_offset(back_end: str) -> None:
    @qd.kernel
    def before(x: qd.template()):
        x[-3, 3] = 1.0

    @qd.kernel
    def behind(x: qd.template()):
        x[0, 5] = 1.0

    x = qd.field(qd.f32, (3, 2), offset=(-2, 3), name="x")
    with pytest.raises(qd.KernelIndexError, match="index -3 is out of range: axis 0 of `x` has 3 elements from -2 on"):
        before(x)
    with pytest.raises(qd.KernelIndexError, match="index 5 is out of range: axis 1 of `x` has 2 elements from 3 on"):
        behind(x)


def test_a_field_without_a_gradient(back_end: str) -> None:
    @qd.kernel
    def reads(x: qd.template()):
        x.grad[0] = 1.0

    @qd.kernel
    def reads_dual(x: qd.template()):
        x.dual[0] = 1.0

    with pytest.raises(qd.KernelNameError, match="has no gradient: make it with needs_grad=True, or place its .grad"):
        reads(qd.field(qd.f32, 3, needs_dual=True))
    with pytest.raises(qd.KernelNameError, match="has no dual: make it with needs_dual=True, or place its .dual"):
        reads_dual(qd.field(qd.f32, 3, needs_grad=True))


@qd.kernel
def wrong(what: qd.template(), x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    v = qd.Vector([1.0, 2.0])
    if qd.static(what == "shape"):
        v = v + qd.Vector([1.0, 2.0, 3.0])
    if qd.static(what == "assign"):
        v = qd.Vector([1.0, 2.0, 3.0])
    if qd.static(what == "number"):
        v = 3.0
    if qd.static(what == "element"):
        x[0] = v
    if qd.static(what == "swizzle"):
        x[0] = v.z
    if qd.static(what == "product"):
        v = v @ v
    if qd.static(what == "member"):
        b = Body()
        b.weight = 3
    if qd.static(what == "truth"):
        if v > 0:
            x[0] = 1
    if qd.static(what == "index"):
        x[0] = v[2]


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("shape", TypeError), ("assign", TypeError), ("number", TypeError), ("element", TypeError), ("swizzle", Exception), ("product", TypeError),
        ("member", Exception),
        ("truth", TypeError), ("index", IndexError),
    ],
)  # fmt: skip
def test_errors_of_operations(arch: str, what: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong(what, np.zeros(2, dtype=np.float32))


# --- debug messages of views ---


@qd.func
def touch(v: qd.BufferView[qd.f32], i: qd.i32):
    v[i] += 1.0


@qd.kernel
def out_of_view(v: qd.BufferView[qd.f32], i: qd.i32):
    for k in range(1):
        touch(v, i + k)


@qd.kernel
def sub_out_of_view(v: qd.BufferView[qd.f32], o: qd.i32, s: qd.i32) -> qd.i32:
    return v.subview(o, s).size


@qd.kernel
def made_out_of_range(x: qd.types.ndarray(dtype=qd.f32, ndim=1), o: qd.i32, s: qd.i32) -> qd.i32:
    return qd.BufferView(x, o, s).size


@qd.kernel
def stepped(v: qd.BufferView[qd.f32]) -> qd.i32:
    return v[0:4:2].size


def line_of(text: str) -> int:
    with open(__file__) as file:
        return next(number for number, line in enumerate(file, 1) if line.strip() == text)


def test_debug_messages_of_views(arch: str) -> None:
    qd.init(arch=arch, debug=True, log_level="error")
    x = qd.ndarray(qd.f32, 10)
    with pytest.raises(AssertionError) as caught:
        out_of_view(x[2:5], 3)
        qd.sync()
    calls = rf"out_of_view \({re.escape(__file__)}:{line_of('touch(v, i + k)')}\)\n  touch \({re.escape(__file__)}:{line_of('v[i] += 1.0')}\)"
    head = r"BufferView Out Of Range: kernel\[out_of_view\] tid=\d+, got index 3 \(offset=2, size=3\)\."
    assert re.fullmatch(rf"{head}\nCallstack:\n{calls}", str(caught.value)), caught.value
    assert isinstance(caught.value, qd.KernelAssertionError) and not x.to_numpy().any()
    with pytest.raises(AssertionError, match=r"got index -1 \(offset=2, size=3\)"):
        out_of_view(x[2:5], -1)
        qd.sync()
    out_of_view(x[2:5], 2)
    assert x[4] == 1
    message = r"subview offset=2, subview size=5, parent size=6\.\nCallstack:\nsub_out_of_view \("
    with pytest.raises(AssertionError, match=rf"^BufferView subview Out Of Range: kernel\[sub_out_of_view\] tid=\d+, {message}"):
        sub_out_of_view(x[2:8], 2, 5)
    with pytest.raises(AssertionError, match=r"^BufferView construction out of range: offset=7, size=4, ndarray length=10\."):
        made_out_of_range(x, 7, 4)
    assert sub_out_of_view(x[2:8], 2, 4) == 4 and made_out_of_range(x, 6, 4) == 4
    with pytest.raises(qd.KernelSyntaxError, match="explicit step"):
        stepped(x[:])


def test_views_are_not_checked_without_debug(arch: str) -> None:
    qd.init(arch=arch, log_level="error")
    x = qd.ndarray(qd.f32, 10)
    out_of_view(x[2:5], 3)
    assert x[5] == 1 and sub_out_of_view(x[2:8], 4, 5) == 5


@qd.kernel
def too_large() -> qd.f32:
    v = qd.Vector([1.0 * i for i in range(100)])
    m = v.outer_product(v)
    return m[3, 4]


def test_matrices_that_are_too_large_for_a_variable(back_end: str) -> None:
    with pytest.raises(qd.KernelTypeError, match="10000 numbers is too large: 4096 at most"):
        too_large()
