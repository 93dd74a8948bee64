"""Vectors and matrices of arrays of numpy that kernels find outside: constants, with the default types. Arrays in arguments are none."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import numpy as np
import pytest
import qd

GRAVITY = np.array([0.0, -9.8, 0.1])
TURN = np.arange(4.0).reshape(2, 2)
COUNTS = np.array([1, 2, 3], np.int8)
FLAGS = np.array([True, False])
ROWS = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
SINGLE = np.array([1.5, 2.5], np.float32)
module = types.ModuleType("settings")
module.up = np.array([0.0, 1.0])


@qd.data_oriented
class Solver:
    def __init__(self, gravity):
        self.gravity = np.array(gravity)

    @qd.kernel
    def run(self) -> qd.types.vector(2, qd.f64):
        return qd.Vector(self.gravity, dt=qd.f64) * 2


@qd.kernel
def vector() -> qd.types.vector(3, qd.f32):
    return qd.Vector(GRAVITY) * 2.0


@qd.kernel
def matrix() -> qd.types.matrix(2, 2, qd.f32):
    return qd.Matrix(TURN)


@qd.kernel
def kinds() -> tuple[qd.f32, qd.f64, qd.f32, qd.f32, qd.f32, qd.f32, qd.i32]:
    halves = qd.Vector(COUNTS) / 2
    exact = qd.Vector(GRAVITY, dt=qd.f64)
    v = qd.math.vec3(GRAVITY)
    rows = qd.Matrix.rows([GRAVITY, GRAVITY])
    cols = qd.Matrix.cols(ROWS)
    s = qd.Vector(module.up) + qd.Vector(SINGLE)
    v = qd.Vector(GRAVITY)
    return halves[2], exact[1], v.y + rows[1, 1], qd.Matrix(ROWS)[1, 0] + cols[0, 1], s[1], qd.Vector(np.array([5, 6]))[1], qd.Vector(FLAGS).sum()


@qd.kernel
def integers() -> tuple[qd.i32, qd.i32]:
    v = qd.Vector(COUNTS)
    v[0] = 2.9
    return v[0], v[1] * 100


@qd.kernel
def matrix_as_vector() -> qd.f32:
    return qd.Vector(TURN)[0]


@qd.kernel
def cube() -> qd.f32:
    return qd.Matrix(np.zeros((2, 2, 2)))[0, 0]


@qd.kernel
def empty() -> qd.f32:
    return qd.Vector(np.zeros(0))[0]


@qd.kernel
def no_numbers() -> qd.f32:
    return qd.Vector(np.array([1j]))[0]


@qd.kernel
def of_an_argument(x: qd.types.ndarray()) -> qd.f32:
    return qd.Vector(x)[0]


@qd.kernel
def too_large() -> qd.f32:
    return qd.Vector(np.zeros(5000))[0]


def test_vectors_and_matrices(arch: Any) -> None:
    assert np.allclose(vector().to_numpy(), [0, -19.6, 0.2])
    assert matrix().to_numpy().tolist() == TURN.tolist()
    single = float(np.float32(-9.8))
    got = kinds()
    assert got[:2] == (1.5, -9.8)
    assert got[2] == pytest.approx(2 * single) and got[3:] == (6, 3.5, 6, 1)
    assert integers() == (2, 200)


def test_arrays_of_objects(arch: Any) -> None:
    first, second = Solver([0.1, 0.2]), Solver([1.0, 2.0])
    assert [solver.run().to_list() for solver in (first, second, first)] == [[0.2, 0.4], [2, 4], [0.2, 0.4]]
    first.gravity = np.array([3.0, 4.0])
    assert first.run().to_list() == [6, 8]


@pytest.mark.parametrize("kernel", [matrix_as_vector, cube, empty], ids=lambda kernel: kernel.__name__)
def test_wrong_shapes(arch: Any, kernel: Any) -> None:
    with pytest.raises(qd.KernelTypeError, match="list of (rows of )?numbers"):
        kernel()


def test_what_has_no_numbers(arch: Any) -> None:
    with pytest.raises(qd.KernelTypeError, match="number"):
        no_numbers()
    with pytest.raises(qd.KernelTypeError, match="list of numbers"):
        of_an_argument(np.zeros(3))


def test_large_arrays(back_end: str) -> None:
    with pytest.raises(qd.KernelTypeError, match="a vector or matrix of 5000 numbers is too large"):
        too_large()


@dataclasses.dataclass
class Given:
    numbers: qd.types.NDArray[qd.f32, 1]


@dataclasses.dataclass
class Nested:
    given: Given


@qd.kernel
def of_dataclass(given: Given, nested: Nested, out: qd.types.ndarray(qd.f64, 1)):
    out[0] = given.numbers[0] + 1e-9
    out[1] = nested.given.numbers[0] * nested.given.numbers[1] * 3


def test_arrays_of_dataclasses_are_arguments(arch: str) -> None:
    """Their elements are f32, not constants of Python, whatever the index."""
    numbers, out = np.array([0.1, 0.3], np.float32), np.zeros(2)
    of_dataclass(Given(numbers), Nested(Given(numbers)), out)
    assert out.tolist() == [float(numbers[0] + np.float32(1e-9)), float(numbers[0] * numbers[1] * np.float32(3))]
