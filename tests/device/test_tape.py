"""qd.ad.Tape and kernel.grad: which launches they differentiate, in which order, with which arguments, on every device."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import qd

N = 4


@pytest.fixture(autouse=True)
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error")


class Fields:
    def __init__(self) -> None:
        self.x, self.y = (qd.field(qd.f32, N, needs_grad=True) for _ in range(2))
        self.loss = qd.field(qd.f32, (), needs_grad=True)
        self.x.from_numpy(np.arange(1, N + 1, dtype=np.float32))


@qd.kernel
def scale(x: qd.template(), y: qd.template(), by: qd.f32):
    for i in x:
        y[i] = by * x[i] * x[i]


@qd.kernel
def add_up(y: qd.template(), loss: qd.template()):
    for i in y:
        loss[None] += y[i]


def numbers(array: Any) -> list[float]:
    return array.to_numpy().tolist()


def test_a_tape_runs_gradients_in_reverse_order() -> None:
    f = Fields()
    f.y.grad.fill(100)  # the tape clears gradients
    for by in (1.0, 2.0):
        with qd.ad.Tape(loss=f.loss):
            scale(f.x, f.y, by)
            add_up(f.y, f.loss)
            assert f.loss[None] == by * 30  # launches run at once; the loss begins as 0
        assert numbers(f.x.grad) == [2 * by * i for i in range(1, N + 1)]
        assert f.loss.grad[None] == 1


def test_gradients_add_up_when_they_are_not_cleared() -> None:
    f = Fields()
    for turn in (1, 2):
        f.y.grad.fill(0)
        with qd.ad.Tape(f.loss, clear_gradients=False):
            scale(f.x, f.y, 1.0)
            add_up(f.y, f.loss)
        assert numbers(f.x.grad) == [2 * turn * i for i in range(1, N + 1)]
    qd.ad.clear_all_gradients()
    assert numbers(f.x.grad) == numbers(f.y.grad) == [0] * N and f.loss.grad[None] == 0


def test_a_gradient_by_hand() -> None:
    f = Fields()
    scale(f.x, f.y, by=3.0)
    f.y.grad.fill(1)
    scale.grad(f.x, f.y, by=3.0)
    f.y.grad.fill(1)
    scale.grad(f.x, f.y, 3.0)
    assert numbers(f.x.grad) == [12 * i for i in range(1, N + 1)]
    assert numbers(f.y) == [3 * i * i for i in range(1, N + 1)]


@qd.kernel
def of_arrays(x: qd.types.ndarray(dtype=qd.f32, ndim=1), w: qd.types.ndarray(dtype=qd.f32, ndim=1), loss: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        loss[0] += w[i] * x[i] * x[i]


def arrays() -> tuple[Any, Any, Any]:
    x, w, loss = (qd.ndarray(qd.f32, n, needs_grad=grad) for n, grad in ((3, True), (3, False), (1, True)))
    x.from_numpy(np.array([1, 2, 3], np.float32))
    w.fill(2)
    return x, w, loss


def test_ndarrays_with_and_without_gradients() -> None:
    """One without is a constant; which have one is a part of the variant."""
    x, w, loss = arrays()
    with qd.ad.Tape(loss):
        of_arrays(x, w, loss)
    assert loss[0] == 28 and numbers(x.grad) == [4, 8, 12]
    weights = qd.ndarray(qd.f32, 3, needs_grad=True)
    weights.fill(2)
    x.grad.fill(0)
    with qd.ad.Tape(loss):
        of_arrays(x, weights, loss)
    assert numbers(x.grad) == [4, 8, 12] and numbers(weights.grad) == [1, 4, 9]
    x.grad.fill(0)
    with qd.ad.Tape(loss):
        of_arrays(x, w, loss)
    assert numbers(x.grad) == [4, 8, 12] and numbers(weights.grad) == [1, 4, 9]


def test_numpy_arrays_are_constants() -> None:
    x, _, loss = arrays()
    w = np.full(3, 2, np.float32)
    with qd.ad.Tape(loss):
        of_arrays(x, w, loss)
    assert numbers(x.grad) == [4, 8, 12] and w.tolist() == [2, 2, 2]


@dataclasses.dataclass
class State:
    x: qd.types.ndarray(dtype=qd.f32, ndim=1)
    factor: qd.f32
    loss: qd.Tensor


@qd.kernel
def of_state(state: State):
    for i in range(3):
        state.loss[0] += state.factor * state.x[i] ** 2


@qd.data_oriented
class Model:
    def __init__(self, backend: Any) -> None:
        self.x = qd.tensor(qd.f32, (3,), backend=backend, needs_grad=True)
        self.loss = qd.tensor(qd.f32, (1,), needs_grad=True)
        self.factor = 2.0
        self.x.fill(3)

    @qd.kernel
    def step(self, n: qd.i32):
        for i in range(n):
            self.loss[0] += self.factor * self.x[i] * self.x[i]


def test_members_of_dataclasses() -> None:
    x, _, loss = arrays()
    state = State(x, 2.0, loss)
    for _ in range(3):
        of_state(state)  # kept calls of the primal
        x.grad.fill(0)
        with qd.ad.Tape(loss):
            of_state(state)
        assert loss[0] == 28 and numbers(x.grad) == [4, 8, 12]
    state.factor = 3.0
    loss.grad.fill(1)
    x.grad.fill(0)
    of_state.grad(state)
    assert numbers(x.grad) == [6, 12, 18]


@pytest.mark.parametrize("backend", list(qd.Backend))
def test_methods(backend: Any) -> None:
    model, other = Model(backend), Model(backend)
    for _ in range(2):
        model.x.grad.fill(0)
        with qd.ad.Tape(model.loss):
            model.step(3)
        assert numbers(model.x.grad) == [12, 12, 12] and numbers(other.x.grad) == [0, 0, 0]
    model.loss.grad.fill(1)
    model.step.grad(2)
    assert numbers(model.x.grad) == [24, 24, 12]


def test_numbers_are_recorded_by_value() -> None:
    f = Fields()
    v = qd.Vector([1.0, 2.0])

    @qd.kernel
    def weighted(x: qd.template(), v: qd.types.vector(2, qd.f32), loss: qd.template()):
        for i in x:
            loss[None] += v[0] * x[i] + v[1]

    with qd.ad.Tape(f.loss):
        weighted(f.x, v, f.loss)
        v[0] = 50.0
        weighted(f.x, v=v, loss=f.loss)
        v[0] = 0.0
    assert numbers(f.x.grad) == [51] * N


def test_structs_vectors_and_lazy_gradients() -> None:
    body = qd.types.struct(mass=qd.f32, at=qd.types.vector(2, qd.f32))
    bodies = body.field(2, needs_grad=True)
    loss = qd.field(qd.f32)
    qd.root.place(loss)
    qd.root.lazy_grad()
    bodies.mass.fill(2)
    bodies.at.fill(3)

    @qd.kernel
    def energy():
        for i in bodies:
            loss[None] += bodies[i].mass * bodies[i].at.dot(bodies[i].at)

    with qd.ad.Tape(loss):
        energy()
    assert loss[None] == 72
    assert numbers(bodies.mass.grad) == [18, 18]
    assert numbers(bodies.at.grad) == [[12, 12], [12, 12]]


def test_an_exception_runs_no_gradient() -> None:
    f = Fields()
    with pytest.raises(ZeroDivisionError), qd.ad.Tape(f.loss):
        scale(f.x, f.y, 1.0)
        add_up(f.y, f.loss)
        raise ZeroDivisionError
    assert numbers(f.x.grad) == [0] * N
    scale(f.x, f.y, 2.0)  # is not recorded
    with qd.ad.Tape(f.loss):
        add_up(f.y, f.loss)
    assert numbers(f.x.grad) == [0] * N and numbers(f.y.grad) == [1] * N


def test_gradients_of_the_programs_own() -> None:
    """grad_replaced, grad_for and no_grad: launches in them are not recorded, their gradients are run in their place in the order."""
    f = Fields()
    calls: list[tuple[Any, ...]] = []

    @qd.ad.grad_replaced
    def square(by: float, *, name: str = "") -> str:
        scale(f.x, f.y, by)
        return f"{name} by {by}"

    @qd.ad.grad_for(square)
    def square_grad(by: float, *, name: str = "") -> None:
        calls.append((by, name, numbers(f.y.grad)))
        scale.grad(f.x, f.y, 10 * by)

    @qd.ad.no_grad
    def untouched() -> None:
        add_up(f.x, f.loss)

    with qd.ad.Tape(f.loss):
        assert square(2.0, name="scaled") == "scaled by 2.0"
        untouched()
        add_up(f.y, f.loss)
    assert calls == [(2.0, "scaled", [1] * N)]
    assert numbers(f.x.grad) == [40 * i for i in range(1, N + 1)]
    assert f.loss[None] == 60 + 10


def test_replaced_gradients_of_methods() -> None:
    f = Fields()

    @qd.data_oriented
    class Step:
        def __init__(self, by: float) -> None:
            self.by = by

        @qd.ad.grad_replaced
        def forward(self) -> None:
            scale(f.x, f.y, self.by)

        @qd.ad.grad_for(forward)
        def backward(self) -> None:
            scale.grad(f.x, f.y, -self.by)

    step = Step(2.0)
    with qd.ad.Tape(f.loss):
        step.forward()
        add_up(f.y, f.loss)
    assert numbers(f.x.grad) == [-4 * i for i in range(1, N + 1)]


def test_a_tape_without_a_loss() -> None:
    f = Fields()
    with qd.ad.Tape() as tape:
        scale(f.x, f.y, 1.0)
    assert numbers(f.x.grad) == [0] * N
    f.y.grad.fill(5)
    tape.grad()
    assert numbers(f.x.grad) == [10 * i for i in range(1, N + 1)]


def test_the_gradient_of_an_overwritten_element_becomes_zero() -> None:
    """So time steps may share an array, if no gradient needs its values."""
    f = Fields()

    @qd.kernel
    def triple():
        for i in f.x:
            f.x[i] = 3 * f.x[i]

    with qd.ad.Tape(f.loss):
        for _ in range(3):
            triple()
        add_up(f.x, f.loss)
    assert numbers(f.x.grad) == [27] * N


@qd.kernel
def without_gradient(x: qd.types.ndarray(dtype=qd.f32, ndim=1, needs_grad=False), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        y[i] = 3 * x[i]


def test_an_annotation_makes_an_array_a_constant() -> None:
    x, y = (qd.ndarray(qd.f32, 3, needs_grad=True) for _ in range(2))
    without_gradient(x, y)
    y.grad.fill(1)
    without_gradient.grad(x, y)
    assert x.grad.to_numpy().tolist() == [0, 0, 0]
    assert y.grad.to_numpy().tolist() == [0, 0, 0]


def test_copies_of_arrays_are_differentiated() -> None:
    x, y = (qd.field(qd.f32, 3, needs_grad=True, needs_dual=True) for _ in range(2))
    loss = qd.field(qd.f32, (), needs_grad=True, needs_dual=True)

    @qd.kernel
    def squares():
        for i in y:
            loss[None] += y[i] * y[i]

    x.from_numpy(np.array([1, 2, 3], dtype=np.float32))
    with qd.ad.Tape(loss):
        y.copy_from(x)
        squares()
    assert x.grad.to_numpy().tolist() == [2, 4, 6]
    loss.fill(0)
    with qd.ad.FwdMode(loss, x, seed=[1, 0, 1]):
        y.copy_from(x)
        squares()
    assert loss.dual[None] == 8


def test_copies_of_tensors_are_differentiated() -> None:
    x = qd.tensor(qd.f32, (2, 2), layout=(1, 0), needs_grad=True)
    loss = qd.ndarray(qd.f32, (), needs_grad=True)

    @qd.kernel
    def weighted(y: qd.types.ndarray(dtype=qd.f32, ndim=2), loss: qd.types.ndarray(dtype=qd.f32, ndim=0)):
        for i, j in y:
            loss[None] += y[i, j] * (2 * i + j)

    for y in (qd.ndarray(qd.f32, (2, 2), needs_grad=True), qd.tensor(qd.f32, (2, 2), needs_grad=True)):
        x.grad.fill(0)
        with qd.ad.Tape(loss):
            y.copy_from(x)
            weighted(y, loss)
        assert x.grad.to_numpy().tolist() == [[0, 1], [2, 3]]


def test_copies_of_numbers_are_differentiated() -> None:
    x, y, loss = (qd.field(qd.f32, (), needs_grad=True) for _ in range(3))

    @qd.kernel
    def square():
        loss[None] = y[None] * y[None]

    x[None] = 3
    with qd.ad.Tape(loss):
        y.copy_from(x)
        square()
    assert x.grad[None] == 6


def test_a_gradient_that_needs_the_gradient_it_adds_to() -> None:
    @qd.kernel
    def needs(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
        for i in x:
            y[i] = x[i] * x.grad[0]

    @qd.kernel
    def reads(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
        for i in x:
            y[i] = 2 * x[i] + x.grad[0]

    x, y = (qd.ndarray(qd.f32, 3, needs_grad=True) for _ in range(2))
    with pytest.raises(qd.KernelCompilationError, match="the element is one of the gradient of `x`, which .* copy it to another array first"):
        needs.grad(x, y)
    y.grad.fill(1)
    reads.grad(x, y)
    assert x.grad.to_numpy().tolist() == [2, 2, 2]


# --- launches that overwrite elements ---------------------------------------------------------------------------------


@qd.kernel
def fall(x: qd.template(), v: qd.template()):
    for i in x:
        v[i] += 0.5 * x[i] * x[i]
        x[i] -= 0.25 * v[i]
        if x[i] < 0.5:
            x[i] = 0.5 * x[i] * x[i] + 0.25
            v[i] *= -0.5


def fallen(x: Any, v: Any, steps: int) -> Any:
    for _ in range(steps):
        v = v + 0.5 * x * x
        x = x - 0.25 * v
        low = x < 0.5
        x = np.where(low, 0.5 * x * x + 0.25, x)
        v = np.where(low, -0.5 * v, v)
    return x


def test_a_tape_keeps_what_its_launches_overwrite() -> None:
    """Each launch has a record of its own."""
    x, v = (qd.field(qd.f64, N, needs_grad=True) for _ in range(2))
    loss = qd.field(qd.f64, (), needs_grad=True)
    start, speed, step = np.array([0.4, 0.8, 1.2, 1.6]), np.zeros(N), 1e-6
    for _ in range(2):
        x.from_numpy(start)
        v.fill(0)
        with qd.ad.Tape(loss):
            for _ in range(5):
                fall(x, v)
            add_up(x, loss)
        np.testing.assert_allclose(x.to_numpy(), fallen(start, speed, 5), rtol=1e-12)
        quotient = (fallen(start + step, speed, 5) - fallen(start - step, speed, 5)) / (2 * step)
        np.testing.assert_allclose(x.grad.to_numpy(), quotient, rtol=1e-6)


@qd.kernel
def momentum(x: qd.template(), v: qd.template()):
    for i in x:
        v[i] = 0.5 * v[i] + x[i] * x[i]
        x[i] -= 0.1 * v[i] * v[i]


def moved(x: Any, v: Any, steps: int) -> Any:
    for _ in range(steps):
        v = 0.5 * v + x * x
        x = x - 0.1 * v * v
    return x


def test_a_later_launch_overwrites_what_the_same_kernel_has_read() -> None:
    """The gradient of the first launch needs v as that launch has left it."""
    x, v = (qd.field(qd.f64, N, needs_grad=True) for _ in range(2))
    loss = qd.field(qd.f64, (), needs_grad=True)
    start, speed, step = np.array([0.4, 0.8, 1.2, 1.6]), np.full(N, 0.5), 1e-6
    x.from_numpy(start)
    v.from_numpy(speed)
    with qd.ad.Tape(loss):
        for _ in range(3):
            momentum(x, v)
        add_up(x, loss)
    for field, (above, below) in ((x, ((step, 0), (-step, 0))), (v, ((0, step), (0, -step)))):
        quotient = (moved(start + above[0], speed + above[1], 3) - moved(start + below[0], speed + below[1], 3)) / (2 * step)
        np.testing.assert_allclose(field.grad.to_numpy(), quotient, rtol=1e-6)


def test_arrays_of_arguments_are_kept() -> None:
    @qd.kernel
    def clamp(x: qd.types.ndarray(dtype=qd.types.vector(2, qd.f32), ndim=1), low: qd.f32):
        for i in x:
            if x[i].y < low:
                x[i].y = low * x[i].x

    x = qd.Vector.ndarray(2, qd.f32, 3, needs_grad=True)
    x.from_numpy(np.array([[1, 1], [2, 0], [3, 2]], dtype=np.float32))
    tape = qd.ad.Tape()
    with tape:
        clamp(x, 0.5)
        clamp(x, 1.5)
    x.grad.fill(1)
    tape.grad()
    assert x.to_numpy().tolist() == [[1, 1.5], [2, 3], [3, 2]]
    assert x.grad.to_numpy().tolist() == [[2.5, 0], [2.5, 0], [1, 1]]


def test_without_a_tape_an_old_number_is_an_error() -> None:
    f = Fields()

    @qd.kernel
    def clamp():
        for i in f.x:
            if f.x[i] < 0.5:
                f.x[i] = 0.5

    @qd.kernel
    def search():
        for i in f.x:
            for j in range(3):
                f.x[(i + j) // 4] = f.x[(i + j) // 4] ** 2

    @qd.kernel
    def fill():
        for i in range(2 * N):
            if f.y[i // 2] < 1.0:
                f.y[i // 2] += f.x[i // 2]  # as another iteration does

    clamp()
    with pytest.raises(qd.KernelCompilationError, match="whose old number the gradient needs .*: launch the kernel in a qd.ad.Tape, which keeps it"):
        clamp.grad()
    with pytest.raises(qd.KernelCompilationError, match="whose old number the gradient needs .*: write to another array"), qd.ad.Tape(f.loss):
        search()
    with pytest.raises(qd.KernelCompilationError, match="whose old number the gradient needs .*: write to another array"), qd.ad.Tape(f.loss):
        fill()
