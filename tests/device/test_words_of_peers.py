"""Ways of writing that programs for Quadrants and Taichi use: the same results compiled and on arch=qd.python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def runtime(arch: str) -> None:
    qd.init(arch=arch, log_level="error")


@qd.func
def first_of(v: qd.types.vector(3), m: qd.types.matrix(2, 2)):  # type: ignore[valid-type]
    return v[0] + m[0, 0]


@qd.kernel
def untyped_of_integers() -> qd.i32:
    return first_of(qd.Vector([1, 2, 3]), qd.Matrix([[1, 2], [3, 4]]))


@qd.kernel
def untyped_of_floats(x: qd.f64) -> qd.f64:
    return first_of(qd.Vector([x, 2.0, 3.0]), qd.Matrix([[0.25, 2.0], [3.0, 4.0]]))


def test_types_without_a_dtype_keep_that_of_the_value() -> None:
    assert untyped_of_integers() == 2
    assert untyped_of_floats(1.0 + 2.0**-40) == 1.25 + 2.0**-40


def test_types_without_a_dtype_on_the_host() -> None:
    vec2 = qd.types.vector(2)
    assert repr(vec2) == "qd.types.vector(2)"
    assert vec2 == qd.types.vector(2)
    assert vec2 != qd.types.vector(2, qd.f32)
    assert vec2(1, 2).dtype == qd.i32
    assert vec2(1, 2.5).to_numpy().tolist() == [1.0, 2.5]
    assert vec2(3.0).to_numpy().tolist() == [3.0, 3.0]
    with pytest.raises(qd.KernelTypeError, match=r"qd\.types\.vector\(2\) does not tell the type of its components"):
        vec2.field(shape=3)


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


EXTENTS = np.array([2, 3], np.int32)


@qd.kernel
def unpacked_extents() -> qd.i32:
    n = 0
    for _i, _j in qd.ndrange(*EXTENTS):
        n += 1
    return n


def test_an_array_is_unpacked_as_extents() -> None:
    assert unpacked_extents() == 6
