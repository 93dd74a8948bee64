"""qd.ad.FwdMode: its seeds and results, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def runtime() -> None:
    qd.init(arch=qd.cpu, log_level="error", default_fp=qd.f64)


class Fields:
    def __init__(self) -> None:
        self.x = qd.field(qd.f64, 3, needs_dual=True)
        self.y = qd.field(qd.f64, 3, needs_dual=True)
        self.loss = qd.field(qd.f64, (), needs_dual=True)
        self.x.from_numpy(np.array([1.0, 2.0, 3.0]))


@qd.kernel
def cubes(x: qd.template(), y: qd.template()):
    for i in x:
        y[i] = x[i] ** 3


@qd.kernel
def add_up(y: qd.template(), loss: qd.template()):
    for i in y:
        loss[None] += y[i]


def run(f: Fields) -> None:
    cubes(f.x, f.y)
    add_up(f.y, f.loss)


@pytest.mark.parametrize(("seed", "expected"), [([1, 0, 0], 3.0), ([0, 0, 1], 27.0), ([1, 1, 1], 42.0), (np.array([0.5, 0, 0]), 1.5)])
def test_the_derivative_in_the_direction_of_the_seed(seed: Any, expected: float) -> None:
    f = Fields()
    for _ in range(2):  # the second time duals begin as zeros again
        f.loss[None] = 0
        with qd.ad.FwdMode(loss=f.loss, param=f.x, seed=seed):
            run(f)
        assert f.loss.dual[None] == pytest.approx(expected)
        assert f.loss[None] == 36
        assert np.all(f.x.dual.to_numpy() == 0)


def test_functions_with_a_gradient_of_their_own() -> None:
    """Forward mode differentiates their launches, but for those of no_grad."""
    f, g = Fields(), Fields()
    replaced = qd.ad.grad_replaced(lambda: cubes(f.x, f.y))
    with qd.ad.FwdMode(loss=f.loss, param=f.x, seed=[1, 1, 1]):
        replaced()
        qd.ad.no_grad(lambda: cubes(f.x, g.y))()
        add_up(f.y, f.loss)
    assert f.loss.dual[None] == 42
    assert g.y.to_numpy().tolist() == [1, 8, 27] and g.y.dual.to_numpy().tolist() == [0, 0, 0]


def test_several_losses_and_a_parameter_with_two_axes() -> None:
    x = qd.field(qd.f64, (2, 2), needs_dual=True)
    x.fill(2)
    a, b = (qd.field(qd.f64, (), needs_dual=True) for _ in range(2))

    @qd.kernel
    def both():
        for i, j in x:
            a[None] += x[i, j] ** 2
            b[None] += (i + 1) * x[i, j]

    with qd.ad.FwdMode(loss=[a, b], param=x, seed=[1, 0, 1, 0]):
        both()
    assert (a.dual[None], b.dual[None]) == (8, 3)


def test_one_element_needs_no_seed() -> None:
    x, y = qd.field(qd.f64, (), needs_dual=True), qd.field(qd.f64, (), needs_dual=True)
    x[None] = 3

    @qd.kernel
    def square():
        y[None] = x[None] ** 2

    with qd.ad.FwdMode(y, x):
        square()
    assert y.dual[None] == 6
    square()  # outside, duals stay
    assert y.dual[None] == 6 and y[None] == 9


def test_duals_that_are_not_cleared() -> None:
    f = Fields()
    f.loss.dual[None] = 5
    with qd.ad.FwdMode(f.loss, f.x, seed=[1, 0, 0], clear_gradients=False):
        run(f)
    assert f.loss.dual[None] == 8


def test_lazy_duals_and_methods() -> None:
    x, y = qd.field(qd.f64, needs_dual=True), qd.field(qd.f64, needs_dual=True)
    qd.root.place(x, y)
    qd.root.lazy_dual()

    @qd.data_oriented
    class Model:
        @qd.kernel
        def step(self):
            y[None] = 4 * x[None]

    with qd.ad.FwdMode(y, x):
        Model().step()
    assert y.dual[None] == 4


def test_an_exception_ends_the_mode() -> None:
    f = Fields()
    with pytest.raises(ZeroDivisionError), qd.ad.FwdMode(f.loss, f.x, seed=[1, 0, 0]):
        raise ZeroDivisionError
    f.y.dual.fill(9)
    run(f)
    assert f.y.dual.to_numpy().tolist() == [9, 9, 9]
    assert f.x.dual.to_numpy().tolist() == [0, 0, 0]


def test_bad_input() -> None:
    f = Fields()
    plain, of_vectors, array = qd.field(qd.f64, 3), qd.Vector.field(2, qd.f64, 3, needs_dual=True), qd.ndarray(qd.f64, 3)
    for loss, param, seed, message in [
        (f.loss, plain, [1, 0, 0], "param of `FwdMode` has no dual: make it with needs_dual=True"),
        (plain, f.x, [1, 0, 0], "loss of `FwdMode` has no dual"),
        (f.loss, f.x, None, "`seed` is not set for non 0-D field, please specify: a list of 3 numbers"),
        (f.loss, f.x, [1, 0], "`seed` has 2 numbers, but .* has 3 elements"),
        (f.loss, of_vectors, [1] * 6, "param of `FwdMode` must be a field of numbers"),
        ([f.loss, array], f.x, [1, 0, 0], "loss of `FwdMode` must be a field of numbers"),
    ]:
        with pytest.raises(RuntimeError, match=message), qd.ad.FwdMode(loss, param, seed=seed):
            raise AssertionError("entered")
    mode = qd.ad.FwdMode(f.loss, f.x, seed=[1, 0, 0])
    with mode:
        with pytest.raises(RuntimeError, match="FwdMode in qd.ad.FwdMode"), qd.ad.FwdMode(f.loss, f.x, seed=[1, 0, 0]):
            pass
        run(f)
    assert f.loss.dual[None] == 3
    with pytest.raises(RuntimeError, match="entered only once"), mode:
        pass
    with qd.ad.FwdMode(f.loss, f.x, seed=[0, 0, 1]):  # the program goes on
        run(f)
    assert f.loss.dual[None] == 27


def test_streams_are_refused() -> None:
    f = Fields()
    with qd.create_stream() as stream, qd.ad.FwdMode(f.loss, f.x, seed=[1, 0, 0]), pytest.raises(RuntimeError, match="qd_stream= is not compatible"):
        cubes(f.x, f.y, qd_stream=stream)


def test_as_plain_python() -> None:
    qd.init(arch=qd.python)
    f = Fields()
    with pytest.raises(RuntimeError, match="arch=qd.python compiles none"), qd.ad.FwdMode(f.loss, f.x, seed=[1, 0, 0]):
        pass
