"""Arguments that share memory: a write through one is seen through the others, in whatever order their elements lie."""

from __future__ import annotations

from typing import Any

import in_place
import numpy as np
import pytest
import qd


@qd.kernel
def both(x: qd.types.ndarray(), y: qd.types.ndarray()):
    for i, j in qd.ndrange(x.shape[0], x.shape[1]):
        x[i, j] = 10 * i + j
        y[j, i] += 100


@qd.kernel
def in_order(x: qd.types.ndarray(), y: qd.types.ndarray()):
    for _ in range(1):
        for i in range(x.shape[0]):
            x[i] = y[i] + 1


@qd.kernel
def elements(x: qd.types.ndarray(), value: qd.i32):
    for i, j in x:
        x[i, j] += value * (10 * i + j)


@qd.kernel
def vectors(x: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32)), y: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32))):
    for i in x:
        x[i][0] = i
        y[i][1] += 100


@qd.kernel
def vectors_and_numbers(x: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32)), y: qd.types.ndarray()):
    for i in x:
        x[i][0] = i
        y[i, 1] += 100


@qd.kernel
def template_and_argument(x: qd.template(), y: qd.types.ndarray()):
    for i, j in qd.ndrange(3, 2):
        x[i, j] = 10 * i + j
        y[j, i] += 100


@qd.kernel
def with_field(x: qd.template(), y: qd.types.ndarray()):
    for i in range(4):
        x[i] = i
        y[i] += 100


def test_an_array_and_its_transpose(arch: Any) -> None:
    x = np.zeros((3, 3), np.int32)
    both(x, x.T)
    assert x.tolist() == [[100 + 10 * i + j for j in range(3)] for i in range(3)]
    y = np.zeros((2, 5), np.int64, order="F")
    both(y, y.T)
    assert y.tolist() == [[100 + 10 * i + j for j in range(5)] for i in range(2)]


def test_an_array_in_fortran_order_twice(on_each: Any) -> None:
    def run() -> Any:
        x = np.zeros((4, 4), np.int32, order="F")
        both(x, x)
        return x.tolist()

    compiled, interpreted = on_each(run)
    # Iterations may run in any order: an element is written by one and added to by another.
    assert all(element % 100 in (0, 10 * i + j) for i, row in enumerate(compiled) for j, element in enumerate(row))
    assert all(compiled[i][i] == interpreted[i][i] == 11 * i + 100 for i in range(4))


def test_many_axes(arch: Any) -> None:
    @qd.kernel
    def three(x: qd.types.ndarray(), y: qd.types.ndarray()):
        for i, j, k in x:
            x[i, j, k] = 100 * i + 10 * j + k
            y[k, j, i] += 1000

    x = np.zeros((2, 3, 4), np.float32)
    three(x, x.T)
    assert x.tolist() == [[[1000 + 100 * i + 10 * j + k for k in range(4)] for j in range(3)] for i in range(2)]


def test_parts_of_one_array(on_each: Any) -> None:
    def run() -> Any:
        a = np.arange(10, dtype=np.int32)
        in_order(a[1:], a[:-1])
        b = np.arange(10, dtype=np.int32)
        in_order(b[:-1], b[1:])
        return a.tolist(), b.tolist()

    compiled, interpreted = on_each(run)
    assert compiled == interpreted == ([*range(10)], [2, 3, 4, 5, 6, 7, 8, 9, 10, 9])


def test_vectors_in_fortran_order(arch: Any) -> None:
    x = np.zeros((4, 3), np.float32, order="F")
    vectors(x, x)
    assert x.tolist() == [[i, 100, 0] for i in range(4)]


def test_vectors_in_fortran_order_beside_a_part_of_theirs(back_end: str) -> None:
    x = np.zeros((4, 3), np.float32, order="F")
    with pytest.raises(ValueError, match=r"Kernel vectors_and_numbers: .* shares memory with another argument; pass numpy.ascontiguousarray"):
        vectors_and_numbers(x, x)
    other = np.zeros((4, 3), np.float32, order="F")
    vectors_and_numbers(x, other)
    assert x[:, 0].tolist() == [0, 1, 2, 3] and other[:, 1].tolist() == [100] * 4
    in_place.needed()
    own = qd.ndarray(qd.f32, (3, 4))
    with pytest.raises(ValueError, match="shares memory"):
        vectors_and_numbers(own.to_numpy(copy=False).T, own)


def test_a_template_and_an_argument(arch: Any) -> None:
    in_place.needed()
    x = qd.ndarray(qd.i32, (3, 2))
    template_and_argument(x, x.to_numpy(copy=False).T)
    assert x.to_numpy().tolist() == [[100, 101], [110, 111], [120, 121]]
    field = qd.field(qd.i32, 4)
    with_field(field, field.to_numpy(copy=False))
    assert field.to_numpy().tolist() == [100, 101, 102, 103]


def test_what_is_written_through_memory_of_another_library(arch: Any) -> None:
    in_place.needed()
    x = qd.ndarray(qd.i32, 4)
    shared = np.from_dlpack(x)
    with_field(x, x)
    assert shared.tolist() == x.to_numpy().tolist() == [100, 101, 102, 103]


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_nothing_in_an_array(arch: Any, shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.int32, order="F")
    if len(shape) == 2:
        elements(x, 1)
        both(x, x.T)
    else:
        in_order(x, x)
    assert x.size == 0


def test_memory_that_no_kernel_takes(arch: Any) -> None:
    a = np.zeros((4, 6), np.int32)
    for odd in (a[::2], a[:, ::2], a[::-1], a[:, ::-1], a[:, 1:], np.lib.stride_tricks.as_strided(a, (4, 6), (0, 4))):
        with pytest.raises(ValueError, match=r'Argument "x" of kernel elements: the array is not contiguous; pass numpy.ascontiguousarray'):
            elements(odd, 1)
    with pytest.raises(ValueError, match=r'Argument "x" of kernel elements: the array is not contiguous'):
        elements(np.broadcast_to(np.int32(1), (4, 6)), 1)
    with pytest.raises(ValueError, match=r'Argument "x" of kernel elements: the array is read-only, and .*:\d+ in elements writes it'):
        elements(np.frombuffer(bytes(96), np.int32).reshape(4, 6), 1)
    assert (a == 0).all()
    for dtype, text in (
        (">i4", r">i4 are not supported; pass x\.astype"),
        ("c8", "complex64 are not supported$"),
        ([("a", "i4")], r"\[\('a', '<i4'\)\]"),
    ):
        with pytest.raises(qd.KernelRuntimeTypeError, match=f'Argument "x" of kernel elements: arrays of {text}'):
            elements(np.zeros((4, 6), dtype), 1)
