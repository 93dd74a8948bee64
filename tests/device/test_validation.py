"""Validation mode of automatic differentiation: a launch that overwrites what it has read is an error with both lines, in debug mode."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
import qd


@pytest.fixture(autouse=True)
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", debug=True)


@qd.kernel
def adds_to_what_it_has_read(x: qd.template(), b: qd.template(), loss: qd.template()):
    loss[None] = x[1] * b[None]
    b[None] += 100


@qd.kernel
def squares_in_place(x: qd.template(), loss: qd.template()):
    for i in x:
        x[i] = x[i] * x[i]
    loss[None] += x[0]


@qd.kernel
def overwrites_vectors(v: qd.types.ndarray(dtype=qd.types.vector(2, qd.f32), ndim=1), loss: qd.template()):
    loss[None] += v[2][1]
    v[2] = qd.Vector([1.0, 2.0])


@qd.func
def read(x: qd.template(), i):
    return x[i]


@qd.kernel
def reads_in_a_func(x: qd.template(), loss: qd.template()):
    for i in range(3):
        loss[None] += read(x, i)
    for i in range(3):
        x[2 - i] = 0.0


def made() -> tuple[Any, Any, Any]:
    return tuple(qd.field(qd.f32, shape, needs_grad=True, name=name) for shape, name in ((3, "x"), ((), "b"), ((), "loss")))  # type: ignore[return-value]


def line(kernel: Any, text: str) -> str:
    lines, first = inspect.getsourcelines(kernel._function)
    return f"{Path(__file__).name}:{first + next(i for i, one in enumerate(lines) if text in one)} in {kernel.__name__}"


def validated(kernel: Any, *args: Any) -> None:
    kernel._in_mode("validation", args, {})


def refused(kernel: Any, *args: Any) -> str:
    with pytest.raises(qd.KernelAssertionError, match="Breaks the global data access rule") as raised:
        validated(kernel, *args)
        qd.sync()
    return str(raised.value)


def test_both_lines() -> None:
    x, b, loss = made()
    message = refused(adds_to_what_it_has_read, x, b, loss)
    write, _, read_place = message.partition("It was read here:")
    assert "b[None] is overwritten here, and was read before" in write
    assert line(adds_to_what_it_has_read, "b[None] += 100") in write
    assert line(adds_to_what_it_has_read, "x[1] * b") in read_place


def test_elements() -> None:
    x, _, loss = made()
    assert "x[" in refused(squares_in_place, x, loss)
    v = qd.Vector.ndarray(2, qd.f32, 4, needs_grad=True)
    assert "v[2] is overwritten here" in refused(overwrites_vectors, v, loss)
    write, _, read_place = refused(reads_in_a_func, x, loss).partition("It was read here:")
    assert line(reads_in_a_func, "x[2 - i]") in write
    assert line(read, "return x[i]") in read_place


def test_allowed_programs() -> None:
    x, _, loss = made()
    y, count = qd.field(qd.f32, 3, needs_grad=True), qd.field(qd.f32, 3)

    @qd.kernel
    def adds() -> None:
        for i in x:
            y[i] += x[i]
            y[i] += 2 * x[i]
            count[i] = count[i] + 1  # has no gradient

    @qd.kernel
    def sums() -> None:
        for i in range(3):
            x[i] = 5.0
            loss[None] += y[i]

    x.fill(1)
    for _ in range(2):  # each launch begins anew
        validated(adds)
        validated(sums)
    assert loss[None] == 3 * (3 + 18) and count[0] == 2


@qd.kernel
def squares(x: qd.template(), y: qd.template()):
    for i in x:
        y[i] = x[i] * x[i]


@qd.kernel
def moves(x: qd.template(), y: qd.template()):
    for i in y:
        x[i] = y[i]


@qd.real_func
def element(x: qd.types.ndarray(dtype=qd.f32, ndim=1), i: qd.i32) -> qd.f32:
    return x[i]


@qd.kernel
def reads_in_a_real_func(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        y[i] += element(x, i)


@qd.kernel
def clears(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for _ in range(1):
        x[1] = 0.0


def test_what_an_earlier_launch_has_read() -> None:
    """Marks are those of the whole tape, in a line of another kernel."""
    x, _, loss = made()
    y = qd.field(qd.f32, 3, needs_grad=True)
    with pytest.raises(qd.KernelAssertionError, match="Breaks the global data access rule") as raised, qd.ad.Tape(loss, validation=True):
        squares(x, y)
        moves(x, y)
        qd.sync()
    write, _, read_place = str(raised.value).partition("It was read here:")
    assert "x[" in write and line(moves, "x[i] = y[i]") in write
    assert line(squares, "x[i] * x[i]") in read_place
    with qd.ad.Tape(loss, validation=True):  # the next tape begins anew
        moves(x, y)


def test_what_a_real_func_has_read() -> None:
    _, _, loss = made()
    x, y = (qd.ndarray(qd.f32, 3, needs_grad=True) for _ in range(2))
    with pytest.raises(qd.KernelAssertionError, match=r"x\[1\] is overwritten here") as raised, qd.ad.Tape(loss, validation=True):
        reads_in_a_real_func(x, y)
        clears(y)
        clears(x)
        qd.sync()
    assert line(element, "return x[i]") in str(raised.value).partition("It was read here:")[2]


def test_arrays_without_gradients_are_not_checked() -> None:
    _, _, loss = made()
    x = qd.field(qd.f32, 3)
    x.fill(2)
    validated(squares_in_place, x, loss)
    assert loss[None] == 4


def test_without_debug_mode_nothing_is_checked(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", debug=False)
    x, b, loss = made()
    validated(adds_to_what_it_has_read, x, b, loss)
    assert b[None] == 100
