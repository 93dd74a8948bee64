"""qd.ad.Tape(grad_check=[...]): gradients are compared with finite differences, and values are left as the tape has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def runtime() -> None:
    qd.init(arch=qd.cpu, log_level="error", default_fp=qd.f64)


@qd.kernel
def step(x: qd.template(), y: qd.template()):
    for i in x:
        y[i] += qd.sin(x[i]) * x[i]


@qd.kernel
def halve(x: qd.template()):
    for i in x:
        x[i] = 0.5


@qd.kernel
def add_up(y: qd.template(), loss: qd.template()):
    for i in y:
        loss[None] += y[i] * y[i]


def fields() -> tuple[Any, Any, Any]:
    x, y, loss = (qd.field(qd.f64, shape, needs_grad=True, name=name) for name, shape in (("x", 4), ("y", 4), ("loss", ())))
    x.from_numpy(np.linspace(0.5, 2, 4))
    return x, y, loss


def test_gradients_that_are_right() -> None:
    x, y, loss = fields()
    with qd.ad.Tape(loss, grad_check=[x, y, loss]):
        step(x, y)
        add_up(y, loss)
    values = np.linspace(0.5, 2, 4)
    assert x.to_numpy().tolist() == values.tolist()
    np.testing.assert_allclose(y.to_numpy(), np.sin(values) * values)
    np.testing.assert_allclose(loss[None], np.sum((np.sin(values) * values) ** 2))


def test_fields_without_axes() -> None:
    x, y = (qd.field(qd.f64, (), needs_grad=True, name=name) for name in "xy")

    @qd.kernel
    def cube():
        y[None] = x[None] ** 3

    x[None] = 2
    with qd.ad.Tape(y, grad_check=[x]):
        cube()
    assert (x[None], y[None], x.grad[None]) == (2, 8, 12)


def test_a_gradient_that_is_wrong() -> None:
    x, y, loss = fields()

    @qd.ad.grad_replaced
    def forward() -> None:
        step(x, y)

    @qd.ad.grad_for(forward)
    def backward() -> None:
        step.grad(x, y)
        step.grad(x, y)

    with pytest.raises(AssertionError, match=r"Grad check failed: Not all variables pass grad check: variable 0 \(x\) has relative error 0\.49"):
        with qd.ad.Tape(loss, grad_check=[x]):
            forward()
            add_up(y, loss)
    assert x.to_numpy().tolist() == np.linspace(0.5, 2, 4).tolist()


def test_bad_input() -> None:
    x, _, loss = fields()
    narrow = qd.field(qd.f32, 3, needs_grad=True)
    for checked, message in [
        (x, "grad_check should be a list of fields that need to check gradients"),
        ([3], "grad_check should be a list of fields"),
        ([narrow], "Only f64 is supported when checking grad"),
        ([qd.field(qd.f64, 3)], "has no gradient; make it with needs_grad=True"),
    ]:
        with pytest.raises(RuntimeError, match=message), qd.ad.Tape(loss, grad_check=checked):
            raise AssertionError("entered")
