"""Optional parameters of kernels: `T | None`, of which a call passes None or a T."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import pytest
import qd

Floats = qd.types.ndarray(dtype=qd.f32, ndim=1)


pytestmark = pytest.mark.usefixtures("arch")


@qd.kernel
def between(first: Floats, middle: qd.types.NDArray[qd.f32, 1] | None, last: Floats):  # type: ignore[valid-type]
    for i in range(first.shape[0]):
        first[i] = i
        if qd.static(middle is not None):
            last[i] = middle[i] + 1
        else:
            last[i] = -i


def test_an_array_may_be_none() -> None:
    first, last = np.zeros(3, np.float32), qd.ndarray(qd.f32, 3)
    for _ in range(2):
        between(first, None, last)
        assert last.to_numpy().tolist() == [0, -1, -2]
        between(last, np.full(3, 7, np.float32), first)
        assert first.tolist() == [8, 8, 8]
        between(first, middle=qd.ndarray(qd.f32, 3), last=last)
        assert last.to_numpy().tolist() == [1, 1, 1]


def test_an_array_is_checked_as_others_are() -> None:
    x = np.zeros(3, np.float32)
    with pytest.raises(qd.KernelRuntimeTypeError, match='Argument "middle" of kernel between: expected f32 ndarray of 1 dimension, got i32'):
        between(x, np.zeros(3, np.int32), x)
    with pytest.raises(qd.KernelRuntimeTypeError, match='Argument "first" of kernel between: expected f32 ndarray of 1 dimension, got'):
        between(None, x, x)
    with pytest.raises(qd.KernelRuntimeTypeError, match="Missing argument 'last'"):
        between(x, None)


@qd.kernel
def of_tensor(x: qd.Tensor | None, out: Floats):  # type: ignore[valid-type]
    out[0] = x[1] if qd.static(x is not None) else -1


@qd.kernel
def of_template(x: Optional[qd.Template], out: Floats):  # type: ignore[valid-type]  # noqa: UP045
    out[0] = x if qd.static(x is not None) else -1


def test_tensors_and_templates_may_be_none() -> None:
    out = np.zeros(1, np.float32)
    for kernel, values in ((of_tensor, (qd.field(qd.f32, 2), qd.ndarray(qd.f32, 2))), (of_template, (5, 2.5))):
        for value in values:
            if kernel is of_tensor:
                value[1] = 3
            kernel(None, out)
            assert out[0] == -1
            kernel(value, out)
            assert out[0] == (3 if kernel is of_tensor else value)


@qd.data_oriented
class Sums:
    def __init__(self) -> None:
        self.total = qd.field(qd.f32, ())

    @qd.kernel
    def add(self, x: Floats | None, y: Floats | None):  # type: ignore[valid-type]
        if qd.static(x is not None):
            for i in x:
                self.total[None] += x[i]
        if qd.static(y is not None):
            for i in y:
                self.total[None] += 10 * y[i]


def test_two_arrays_of_a_method() -> None:
    ones = np.ones(4, np.float32)
    for x, y, total in ((None, None, 0), (ones, None, 4), (None, ones, 40), (ones, ones, 44)):
        sums = Sums()
        sums.add(x, y)
        assert sums.total[None] == total


@qd.kernel
def scaled(x: Floats | None, y: Floats):  # type: ignore[valid-type]
    for i in y:
        if qd.static(x is not None):
            y[i] = 3 * x[i]
        else:
            y[i] = 1


def test_gradients(arch: str) -> None:
    if arch == "python":
        return
    x, y = (qd.ndarray(qd.f32, 2, needs_grad=True) for _ in range(2))
    y.grad.fill(1)
    scaled(None, y)
    scaled.grad(x, y)
    assert x.grad.to_numpy().tolist() == [3, 3]


def other_unions() -> list[Any]:
    return [int | float, qd.Tensor | int | None, str | None]


def test_other_unions() -> None:
    for union in other_unions():

        def k(x):  # type: ignore[no-untyped-def]
            pass

        k.__annotations__["x"] = union
        with pytest.raises(qd.KernelSyntaxError, match=r"a union is `T \| None`, only supported for qd\.Tensor, qd\.Template and qd\.types\.NDArray"):
            qd.kernel(k)
