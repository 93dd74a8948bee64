"""Types of numbers in vectors, matrices and structs: annotations without one, with one number's, and arrays of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd

pytestmark = pytest.mark.usefixtures("arch")


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


def test_elements_of_any_length() -> None:
    @qd.kernel
    def total(x: qd.types.ndarray(element_dim=1), m: qd.types.ndarray(qd.f32, element_dim=2)) -> qd.f32:
        return x[0][1] + (m[0] @ x[0]).sum()

    assert total(np.ones((4, 3), np.float32), np.ones((4, 11, 3), np.float32)) == 34
    assert total(np.ones((4, 2), np.float32), np.ones((4, 2, 2), np.float32)) == 5
    x = qd.Vector.ndarray(3, qd.f32, 4)
    x.fill(2)
    assert total(x, np.ones((4, 1, 3), np.float32)) == 8
    with pytest.raises(
        qd.KernelRuntimeTypeError, match="expected ndarray of vectors, got f32 ndarray of 0 dimensions|got f32 ndarray of 1 dimension"
    ):
        total(qd.ndarray(qd.f32, 4), np.ones((4, 1, 3), np.float32))
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected ndarray of f32 matrices, got ndarray of f64 1x3 matrix"):
        total(x, np.ones((4, 1, 3)))


@qd.kernel
def scaled(x: qd.types.ndarray(dtype=qd.math.vec3, ndim=1), m: qd.types.ndarray(dtype=qd.types.matrix(2, 2, qd.f32))) -> qd.f64:  # type: ignore[valid-type]
    for i in x:
        x[i] = x[i] * 2.5
    m[0, 1] = x[1][1] * m[0, 1]
    return x[1][2] + m[0, 1][1, 0]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.float16])
def test_vectors_of_other_libraries_have_numbers_of_any_type(kind: Any) -> None:
    x, m = np.arange(6).reshape(2, 3).astype(kind), np.arange(8).reshape(1, 2, 2, 2).astype(kind)
    by_numpy = (x * 2.5).astype(kind)
    product = (m[0, 1] * by_numpy[1, 1]).astype(kind)
    assert scaled(x, m) == by_numpy[1, 2] + product[1, 0]
    assert x.tolist() == by_numpy.tolist() and m[0, 1].tolist() == product.tolist()
    own = qd.Vector.ndarray(3, qd.f64, 2)
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected ndarray of f32 vector of 3 with 1 dimension, got ndarray of f64 vector of 3"):
        scaled(own, m)
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected ndarray of f32 vector of 3 with 1 dimension"):
        scaled(np.ones((2, 4), kind), m)


@pytest.mark.parametrize(
    "arguments", [{"element_dim": 3}, {"element_dim": 1, "element_shape": (2, 2)}, {"dtype": qd.types.vector(3, qd.f32), "element_dim": 2}]
)
def test_shapes_of_elements_that_do_not_fit(arguments: dict[str, Any]) -> None:
    with pytest.raises(qd.KernelTypeError, match="element_dim"):
        qd.types.ndarray(**arguments)


Segment = qd.types.struct(direction=qd.types.vector(3, qd.f32), length=qd.f32)


Arm = qd.types.struct(segment=Segment, index=qd.i32)


arm_values = qd.types.ndarray(dtype=qd.f32, ndim=1)


@qd.kernel
def arms_of_numbers(out: arm_values, n: qd.i32):  # type: ignore[valid-type]
    a = Arm(1)
    b = Arm(index=3, segment=n)
    c = Segment(2.5, n)
    out[0] = a.segment.direction.sum() + a.segment.length + a.index
    out[1] = b.segment.direction.sum() + b.segment.length + b.index
    out[2] = c.direction.sum() + c.length


def test_a_number_for_a_member_with_parts() -> None:
    out = np.zeros(3, np.float32)
    arms_of_numbers(out, 2)
    assert out.tolist() == [3.0, 9.0, 9.5]
    arm = Arm(3)
    assert list(arm.segment.direction) == [3.0, 3.0, 3.0] and (arm.segment.length, arm.index) == (0.0, 0)
    assert list(Segment(2.5, 1).direction) == [2.5] * 3


@qd.func
def truncated(v: qd.i32, scale: qd.f32 = 2.0) -> float:  # type: ignore[assignment]
    return v * scale


@qd.func
def halved(v) -> qd.i32:  # type: ignore[no-untyped-def]
    return v / 2


@qd.kernel
def annotated_by_numbers(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    a = truncated(qd.Vector([1.75, -2.75]))
    out[0], out[1] = a[0], a[1]
    b = halved(qd.Matrix([[5, 6], [7, 9]]))
    out[2] = (b * b).sum()
    out[3] = truncated(7.9) + halved(9)


def test_the_annotation_of_a_number_is_the_type_of_components() -> None:
    out = np.zeros(4, np.float32)
    annotated_by_numbers(out)
    assert out.tolist() == [2.0, -4.0, 4.0 + 9.0 + 9.0 + 16.0, 14.0 + 4.0]


def test_a_kernel_returns_what_it_says() -> None:
    @qd.kernel
    def returns() -> qd.i32:
        return qd.Vector([1, 2])

    if qd.cfg is not None:
        with pytest.raises(qd.KernelTypeError, match="a vector of 2 i32 is not a number"):
            returns()
