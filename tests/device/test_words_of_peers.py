"""Ways of writing that programs for Quadrants and Taichi use: the same results compiled and on arch=qd.python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd

pytestmark = pytest.mark.usefixtures("arch")


@qd.kernel
def products(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    v = qd.Vector([1.0, 2.0])
    m = qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
    out[0] = v @ qd.Vector([3.0, 4.0])
    out[1] = v @ m @ v
    out[2] = qd.Vector([2]) @ qd.Vector([3])


def test_the_product_of_two_vectors_is_their_dot_product() -> None:
    out = np.zeros(3, np.float32)
    products(out)
    v, m = np.array([1.0, 2.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert out.tolist() == [v @ np.array([3.0, 4.0]), v @ m @ v, 6.0]
    assert qd.Vector([1, 2]) @ qd.Vector([3, 4]) == 11


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_shapes_are_arrays(kind: Any) -> None:
    shape = np.array([2, 3], kind)
    assert qd.field(qd.i32, shape=shape).shape == (2, 3)
    assert qd.ndarray(qd.i32, shape).shape == (2, 3)
    assert qd.Vector.field(2, qd.f32, shape=shape[:1]).shape == (2,)
    assert qd.field(qd.i32, shape=shape[0]).shape == (2,)
    for wrong in (np.array([2.0]), np.array([[2]]), np.array([2.5, 1])):
        with pytest.raises(TypeError, match="shape must be an integer or a tuple of integers"):
            qd.field(qd.i32, shape=wrong)


@qd.func
def counted(calls: qd.template(), n):  # type: ignore[no-untyped-def, valid-type]
    calls[0] += 1.0
    return n


@qd.kernel
def chosen_indices(x: qd.types.ndarray(), a: qd.i32, b: qd.i32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    out[1] = x[(b, a) if a > b else (a, b)]
    pair = [a, b] if a < b else [b, a]
    out[2] = x[pair]
    out[3] = x[[a, b]]
    first, second = (1, 2.5) if a > b else (0.5, b)
    out[4] = first + second
    i, j = (a, counted(out, b)) if b > 5 else (counted(out, b), counted(out, a))
    out[5] = x[i, j]


def test_a_choice_between_tuples() -> None:
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    for a, b in ((2, 1), (0, 2)):
        out = np.zeros(6, np.float32)
        chosen_indices(x, a, b, out)
        first, second = (1, 2.5) if a > b else (0.5, b)
        assert out.tolist() == [2.0, x[(b, a) if a > b else (a, b)], x[min(a, b), max(a, b)], x[a, b], first + second, x[b, a]]


@qd.kernel
def unequal_choice(a: qd.i32) -> qd.i32:
    pair = (a, 1) if a > 2 else (a, 2, 3)
    return pair[0]


def test_a_choice_between_tuples_of_other_lengths(arch: str) -> None:
    if arch == "python":
        assert unequal_choice(1) == 1
    else:
        with pytest.raises(qd.KernelTypeError, match="a tuple is not a number"):
            unequal_choice(1)


@qd.func
def several(x: qd.f32):
    return qd.Vector([x, 2.0]), qd.Vector([3.0, 4.0, 5.0]), 5, 2.5


@qd.kernel
def unread(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    for i in range(2):
        _, w, _, _ = several(2.0 + i)
        _, _, n, _ = several(0.5)
        out[i] = w[2] + n
    v, _, _, _ = several(1.0)
    _ = qd.Vector([7.0, 8.0])
    out[2] = v[0] + _[1]


def test_a_name_for_what_nobody_reads() -> None:
    out = np.zeros(3, np.float32)
    unread(out)
    assert out.tolist() == [10.0, 10.0, 9.0]


def test_attributes_of_the_program_on_arrays() -> None:
    @qd.kernel
    def fill(x: qd.Tensor):
        for i in x:
            x[i] = i

    for x in (qd.field(qd.i32, 3), qd.ndarray(qd.i32, 3), qd.tensor(qd.i32, 3)):
        x.view = "kept"
        fill(x)
        assert x.view == "kept" and x[2] == 2


def test_copies_are_of_fields() -> None:
    for array in (qd.field(qd.f32, 3), qd.ndarray(qd.f32, 3), qd.tensor(qd.f32, 3)):
        with pytest.raises(TypeError, match=r"copy_from takes a field or ndarray, not ndarray: from_numpy\(\) copies arrays of numpy"):
            array.copy_from(np.zeros(3, np.float32))


def test_a_func_that_is_a_real_function(arch: str) -> None:
    @qd.func(is_real_function=True)
    def sign_of(a: qd.i32) -> qd.i32:
        if a < 0:
            return -1
        return 1

    @qd.kernel
    def k(a: qd.i32) -> qd.i32:
        return sign_of(a)

    assert (k(-3), k(3)) == (-1, 1)


@qd.func
def plus_unknown(n):  # type: ignore[no-untyped-def]
    return n + nowhere  # type: ignore[name-defined]  # noqa: F821


def test_an_unknown_name() -> None:
    @qd.kernel
    def of_kernel(n: qd.i32) -> qd.i32:
        return n + nowhere  # type: ignore[name-defined]  # noqa: F821

    @qd.kernel
    def of_func(n: qd.i32) -> qd.i32:
        return plus_unknown(n)

    for kernel in (of_kernel, of_func):
        with pytest.raises(qd.KernelNameError, match=r'test_words_of_peers\.py:\d+:.*Name "nowhere" is not defined'):
            kernel(1)
