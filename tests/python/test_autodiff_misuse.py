"""Misuse of qd.ad: each is an error with its reason, and the program goes on."""

from __future__ import annotations

import sys
import threading
from typing import Any

import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def runtime() -> None:
    qd.init(arch=qd.cpu, log_level="error")


class Fields:
    def __init__(self) -> None:
        self.x = qd.field(qd.f32, 3, needs_grad=True)
        self.loss = qd.field(qd.f32, (), needs_grad=True)
        self.x.from_numpy(np.array([1, 2, 3], np.float32))

    def gradient(self) -> list[float]:
        """That of a tape that is used as it should be."""
        with qd.ad.Tape(self.loss):
            squares(self.x, self.loss)
        return self.x.grad.to_numpy().tolist()  # type: ignore[no-any-return]


@qd.kernel
def squares(x: qd.template(), loss: qd.template()):
    for i in x:
        loss[None] += x[i] * x[i]


@qd.kernel(graph=True)
def as_graph(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        x[i] += 1


@qd.kernel(graph=True, checkpoints=True)
def with_checkpoints(x: qd.types.ndarray(dtype=qd.f32, ndim=1), stop: qd.types.ndarray(dtype=qd.i32, ndim=0)):
    with qd.checkpoint(1, yield_on=stop):
        for i in x:
            x[i] += 1


@qd.kernel
def total(x: qd.template()) -> qd.f32:
    found = 0.0
    for i in x:
        found += x[i]
    return found


@qd.kernel
def count(x: qd.template()) -> qd.i32:
    found = 0
    for i in x:
        found += 1 if x[i] > 1 else 0
    return found


@qd.kernel
def calls_a_gradient(x: qd.template(), loss: qd.template()):
    squares.grad(x, loss)


LOSSES = [
    (lambda: qd.field(qd.f32, ()), "Gradients of loss are not allocated, please use needs_grad=True"),
    (lambda: qd.ndarray(qd.f32, 1), "Gradients of loss are not allocated, please set needs_grad=True"),
    (lambda: qd.tensor(qd.f32, (), needs_grad=False), "Gradients of loss are not allocated"),
    (lambda: qd.field(qd.f32, 3, needs_grad=True), "loss of `Tape` must be a 0-D field, i.e. scalar"),
    (lambda: qd.Vector.field(2, qd.f32, (), needs_grad=True), "loss of `Tape` must be a 0-D field, i.e. scalar"),
    (lambda: qd.ndarray(qd.f32, 3, needs_grad=True), "loss of `Tape` must be an ndarray with only one element"),
    (lambda: qd.field(qd.i32, ()), "loss of `Tape` must be a float, not qd.i32: integers have no gradient"),
    (lambda: np.zeros(1, np.float32), "loss of `Tape` must be a field, an ndarray or a torch tensor, not ndarray"),
    (lambda: qd.field(qd.f32), "is not placed"),
]


@pytest.mark.parametrize(("loss", "message"), LOSSES)
def test_a_loss_that_is_none(loss: Any, message: str) -> None:
    f = Fields()
    with pytest.raises(RuntimeError, match=message), qd.ad.Tape(loss()):
        raise AssertionError("entered")
    assert f.gradient() == [2, 4, 6]


@pytest.mark.parametrize("of_replaced", [False, True])
@pytest.mark.parametrize("inner", ["Tape", "FwdMode"])
@pytest.mark.parametrize("outer", ["Tape", "FwdMode"])
def test_nested_modes(outer: str, inner: str, of_replaced: bool) -> None:
    f = Fields()
    a, b = (qd.field(qd.f32, (), needs_grad=True, needs_dual=True) for _ in range(2))
    make = {"Tape": lambda: qd.ad.Tape(f.loss), "FwdMode": lambda: qd.ad.FwdMode(a, b)}

    def enter() -> None:
        with make[inner]():
            raise AssertionError("entered")

    with make[outer]():
        with pytest.raises(RuntimeError, match=rf"qd.ad.{inner} in qd.ad.{outer}: .* cannot be nested"):
            (qd.ad.grad_replaced(enter) if of_replaced else enter)()
        squares(f.x, f.loss)
    if outer == "Tape":
        assert f.x.grad.to_numpy().tolist() == [2, 4, 6]
    else:
        assert f.gradient() == [2, 4, 6]


def test_a_tape_is_used_once() -> None:
    f = Fields()
    with qd.ad.Tape(f.loss) as tape:
        squares(f.x, f.loss)
    with pytest.raises(RuntimeError, match=r"Gradients of grad can be evaluated only once\."):
        tape.grad()
    with pytest.raises(RuntimeError, match=r"Tape can be entered only once\."), tape:
        raise AssertionError("entered")
    with pytest.raises(RuntimeError, match=r"Before evaluating gradients tape must be entered\."):
        qd.ad.Tape(f.loss).grad()
    assert f.gradient() == [2, 4, 6]


def test_launches_that_have_no_gradient() -> None:
    f = Fields()
    x, stop = qd.ndarray(qd.f32, 3), qd.ndarray(qd.i32, ())
    with qd.create_stream() as stream, qd.ad.Tape(f.loss):
        with pytest.raises(RuntimeError, match=r"as_graph: graph=True is not compatible with qd.ad.Tape: .*@qd.ad.no_grad"):
            as_graph(x)
        with pytest.raises(RuntimeError, match=r"squares: qd_stream is not compatible with autograd Tape"):
            squares(f.x, f.loss, qd_stream=stream)
        with pytest.raises(RuntimeError, match=r"total returns a float, through which no gradient flows: write it into an array"):
            total(f.x)
        assert count(f.x) == 2  # integers cut gradients anyway
        qd.ad.no_grad(as_graph)(x)
        squares(f.x, f.loss)
    assert x[0] == 1 and f.x.grad.to_numpy().tolist() == [2, 4, 6]
    with pytest.raises(RuntimeError, match=r"with_checkpoints: a kernel with checkpoints has no derivative"):
        with_checkpoints.grad(x, stop)
    with qd.create_stream() as stream, pytest.raises(RuntimeError, match=r"squares: qd_stream= is not compatible with automatic differentiation"):
        squares.grad(f.x, f.loss, qd_stream=stream)


def test_wrong_arguments_of_a_gradient() -> None:
    f = Fields()
    with pytest.raises(qd.KernelRuntimeTypeError, match="takes 2 arguments"):
        squares.grad(f.x)
    with pytest.raises(qd.KernelRuntimeTypeError, match="Unexpected argument 'z'"):
        squares.grad(f.x, z=f.loss)
    assert f.gradient() == [2, 4, 6]


def test_a_gradient_of_a_gradient() -> None:
    f = Fields()
    with qd.ad.Tape() as first:
        squares(f.x, f.loss)
    a, b = (qd.field(qd.f32, (), needs_grad=True, needs_dual=True) for _ in range(2))
    for recorder in (qd.ad.Tape(f.loss), qd.ad.FwdMode(a, b)):
        name = type(recorder).__name__
        with recorder:
            with pytest.raises(qd.KernelRuntimeError, match=rf"kernel squares: kernel.grad in qd.ad.{name}: a gradient has no derivative itself"):
                squares.grad(f.x, f.loss)
            with pytest.raises(qd.KernelRuntimeError, match=rf"tape.grad in qd.ad.{name}: a gradient has no derivative itself"):
                first.grad()
            f.loss.grad.fill(1)
            qd.ad.no_grad(lambda: squares.grad(f.x, f.loss))()
            assert f.x.grad.to_numpy().tolist() == [2, 4, 6]
        qd.ad.clear_all_gradients()
    f.loss.grad.fill(1)
    first.grad()
    assert f.x.grad.to_numpy().tolist() == [2, 4, 6]
    assert f.gradient() == [2, 4, 6]


def test_a_gradient_in_its_own_tape() -> None:
    f = Fields()
    with qd.ad.Tape() as tape:
        squares(f.x, f.loss)
        f.loss.grad.fill(1)
        tape.grad()
    assert f.x.grad.to_numpy().tolist() == [2, 4, 6]


def test_a_gradient_in_a_kernel() -> None:
    f = Fields()
    with pytest.raises(qd.KernelCompilationError, match="grad"):
        calls_a_gradient(f.x, f.loss)
    assert f.gradient() == [2, 4, 6]


def test_gradients_of_the_programs_own() -> None:
    def plain() -> None: ...

    for primal in (squares, plain, 3):
        with pytest.raises(RuntimeError, match=r"Primal function `.*` must be decorated by qd.ad.grad_replaced"):
            qd.ad.grad_for(primal)(plain)
    replaced = qd.ad.grad_replaced(plain)
    f = Fields()
    with pytest.raises(RuntimeError, match=r"plain has no gradient: decorate one with qd.ad.grad_for\(plain\)"), qd.ad.Tape(f.loss):
        replaced()
    qd.ad.grad_for(replaced)(plain)
    with pytest.raises(RuntimeError, match=r"Primal function `plain` has a gradient already"):
        qd.ad.grad_for(replaced)(plain)
    assert f.gradient() == [2, 4, 6]


def test_a_reset_in_a_tape() -> None:
    f = Fields()
    with pytest.raises(qd.KernelRuntimeError, match="gone"), qd.ad.Tape(f.loss):
        squares(f.x, f.loss)
        qd.reset()
    qd.init(arch=qd.cpu, log_level="error")
    assert Fields().gradient() == [2, 4, 6]


def test_a_launch_that_fails_is_not_recorded() -> None:
    f = Fields()
    with qd.ad.Tape(f.loss):
        with pytest.raises(qd.KernelRuntimeTypeError):
            squares(f.x)
        squares(f.x, f.loss)
    assert f.x.grad.to_numpy().tolist() == [2, 4, 6]


def test_launches_of_other_threads_are_not_recorded() -> None:
    f = Fields()
    y = qd.field(qd.f32, 3, needs_grad=True)
    others: list[list[float]] = []

    def other() -> None:
        loss = qd.field(qd.f32, (), needs_grad=True)
        squares(f.x, f.loss)
        with qd.ad.Tape(loss, clear_gradients=False):  # of that thread
            squares(y, loss)
        others.append(y.grad.to_numpy().tolist())

    y.fill(5)
    with qd.ad.Tape(f.loss):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        squares(f.x, f.loss)
    assert f.loss[None] == 28 and f.x.grad.to_numpy().tolist() == [2, 4, 6]
    assert others == [[10, 10, 10]]


def test_calls_are_plain_again_afterwards() -> None:
    before = qd.Kernel.__call__
    f = Fields()
    with qd.ad.Tape(f.loss):
        assert qd.Kernel.__call__ is not before
    with pytest.raises(KeyError), qd.ad.Tape(f.loss):
        raise KeyError
    assert qd.Kernel.__call__ is before


def test_as_plain_python() -> None:
    qd.init(arch=qd.python)
    f = Fields()
    with pytest.raises(RuntimeError, match="arch=qd.python compiles none"), qd.ad.Tape(f.loss):
        raise AssertionError("entered")
    squares(f.x, f.loss)
    assert f.loss[None] == 14


def test_a_function_of_torch_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(qd.KernelRuntimeError, match=r"qd.ad.torch_function needs torch, which is not installed$"):
        qd.ad.torch_function(squares, outputs=lambda x: x)
