"""Gradients of arrays as arrays of kernels: ``x.grad`` of ndarrays, tensors and members, read and written like any array."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import qd

pytestmark = pytest.mark.usefixtures("arch")


@qd.kernel
def twice(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        x.grad[i] += 2 * x[i]


@dataclasses.dataclass
class Body:
    scale: qd.f32
    velocity: qd.Tensor


@qd.kernel
def add_to_member(body: Body):
    for i in range(3):
        qd.atomic_add(body.velocity.grad[i], body.scale)


@qd.data_oriented
class Solver:
    def __init__(self, x: Any) -> None:
        self.x = x

    @qd.kernel
    def step(self):
        for i in range(3):
            self.x.grad[i] = self.x[i] + 1


@qd.kernel
def of_template(x: qd.template()):
    for i in range(3):
        x.grad[i] = 5.0


@qd.kernel
def of_tensor(x: qd.Tensor):
    for i in range(3):
        x.grad[i] = 7.0


@qd.kernel
def with_annotation(x: qd.types.ndarray(dtype=qd.f32, ndim=1, needs_grad=True)):
    for i in x:
        x.grad[i] = -x[i]


def made(**options: Any) -> Any:
    x = qd.ndarray(qd.f32, 3, **options)
    x.from_numpy(np.array([1, 2, 3], np.float32))
    return x


def test_of_an_ndarray() -> None:
    x = made(needs_grad=True)
    twice(x)
    twice(x)
    assert x.grad.to_numpy().tolist() == [4, 8, 12]
    assert x.to_numpy().tolist() == [1, 2, 3]


def test_each_call_has_its_own() -> None:
    """The same variant, with other arrays."""
    x, y = made(needs_grad=True), made(needs_grad=True)
    for turn in range(3):
        twice(x)
        twice(y)
        assert x.grad.to_numpy().tolist() == y.grad.to_numpy().tolist() == [2 * (turn + 1), 4 * (turn + 1), 6 * (turn + 1)]


def test_one_that_is_not_there_is_an_error(arch: str) -> None:
    for kernel in (twice, with_annotation, of_template, of_tensor):
        for _ in range(2):
            with pytest.raises(TypeError if arch == "python" else (qd.KernelRuntimeTypeError, qd.KernelNameError)) as raised:
                kernel(made())
            assert arch == "python" or "gradient; make it with" in str(raised.value) or "no gradient: make it with" in str(raised.value)
            kernel(made(needs_grad=True))


@pytest.mark.parametrize("backend", list(qd.Backend))
def test_of_a_tensor_in_a_dataclass(backend: Any) -> None:
    velocity = qd.tensor(qd.f32, (3,), backend=backend, needs_grad=True)
    for turn in range(3):
        add_to_member(Body(2.0 + turn, velocity))
    assert velocity.grad.to_numpy().tolist() == [9, 9, 9]
    other = qd.tensor(qd.f32, (3,), backend=backend, needs_grad=True)
    add_to_member(Body(2.0, other))
    assert other.grad.to_numpy().tolist() == [2, 2, 2]


@pytest.mark.parametrize("backend", list(qd.Backend))
def test_of_members_and_templates(backend: Any) -> None:
    x = qd.tensor(qd.f32, (3,), backend=backend, needs_grad=True)
    Solver(x).step()
    assert x.grad.to_numpy().tolist() == [1, 1, 1]
    of_tensor(x)
    assert x.grad.to_numpy().tolist() == [7, 7, 7]
    of_template(x)
    assert x.grad.to_numpy().tolist() == [5, 5, 5]


@qd.kernel
def of_vectors(x: qd.types.ndarray(dtype=qd.types.vector(2, qd.f32), ndim=1)):
    for i in x:
        x.grad[i] += 2 * x[i]
        x.grad[i][0] += 1


def test_of_vectors() -> None:
    x = qd.Vector.ndarray(2, qd.f32, 2, needs_grad=True)
    x.fill(3)
    of_vectors(x)
    assert x.grad.to_numpy().tolist() == [[7, 6], [7, 6]]


def test_of_an_array_with_another_order_of_axes() -> None:
    x = qd.tensor(qd.f32, (2, 3), layout=(1, 0), needs_grad=True)

    @qd.kernel
    def number(x: qd.types.ndarray(dtype=qd.f32, ndim=2)):
        for i, j in x:
            x.grad[i, j] = 10 * i + j

    number(x)
    assert x.grad.to_numpy().tolist() == [[0, 1, 2], [10, 11, 12]]


def test_in_debug_mode(arch: str) -> None:
    """An assert that is compiled for its errors alone leaves no gradient behind."""

    @qd.kernel
    def checked(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
        for i in x:
            assert x.grad[i] == 0
            x[i] += 1
        for i in x:
            x.grad[i] = x[i]

    for debug in (False, True):
        qd.init(arch=arch, log_level="error", debug=debug)
        x = made(needs_grad=True)
        checked(x)
        assert x.grad.to_numpy().tolist() == [2, 3, 4]


def test_a_gradient_lives_as_long_as_its_array() -> None:
    x = made(needs_grad=True)
    gradient = x.grad
    twice(x)
    del x
    assert gradient.to_numpy().tolist() == [2, 4, 6]
