"""Gradients of arrays of structs in kernels: ``s.grad[i].v`` is a place like ``s[i].v``."""

from __future__ import annotations

from typing import Any

import pytest
import qd

Part = qd.types.struct(p=qd.types.vector(2, qd.f32), m=qd.f32, n=qd.i32)


@pytest.fixture(autouse=True)
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error")


def test_a_kernel_reads_and_clears_gradients_of_structs() -> None:
    s = Part.field(3, needs_grad=True)
    loss = qd.field(qd.f32, (), needs_grad=True)

    @qd.kernel
    def energy():
        for i in s:
            loss[None] += s[i].m * s[i].p.dot(s[i].p) * s[i].n

    @qd.kernel
    def halve():
        for i in range(3):
            s.grad[i].m *= 0.5
            s.grad[i].p = qd.Vector.zero(qd.f32, 2)

    for i in range(3):
        s[i] = Part(p=[1.0, i], m=2.0, n=2)
    with qd.ad.Tape(loss):
        energy()
    assert s.p.grad.to_numpy().tolist() == [[8, 0], [8, 8], [8, 16]]
    halve()
    assert s.m.grad.to_numpy().tolist() == [1, 2, 5]
    assert s.p.grad.to_numpy().tolist() == [[0, 0]] * 3


Body = qd.types.struct(at=qd.types.vector(2, qd.f32), part=qd.types.struct(m=qd.f32, n=qd.i32))
Bodies = qd.types.ndarray(dtype=Body, ndim=1)
Numbers = qd.types.ndarray(dtype=qd.f32, ndim=1)


@qd.kernel
def as_ndarray(s: Bodies, e: Numbers):
    for i in s:
        e[i] = s[i].part.m * s[i].at.dot(s[i].at) * s[i].part.n


@qd.kernel
def as_differentiated(s: qd.types.ndarray(dtype=Body, ndim=1, needs_grad=True), e: Numbers):
    for i in s:
        e[i] = s[i].part.m * s[i].at.dot(s[i].at) * s[i].part.n


@qd.kernel
def as_constant(s: qd.types.ndarray(dtype=Body, ndim=1, needs_grad=False), e: Numbers):
    for i in s:
        e[i] = s[i].part.m * s[i].at.dot(s[i].at) * s[i].part.n


@qd.kernel
def as_template(s: qd.template(), e: Numbers):
    for i in s:
        e[i] = s[i].part.m * s[i].at.dot(s[i].at) * s[i].part.n


@qd.kernel
def in_a_tuple(both: qd.template(), e: Numbers):
    for i in range(both[1].shape[0]):
        e[i] = both[1][i].part.m * both[1][i].at.dot(both[1][i].at) * both[1][i].part.n


@qd.data_oriented
class Holder:
    def __init__(self, s: Any) -> None:
        self.s = s

    @qd.kernel
    def method(self, e: Numbers):
        for i in self.s:
            e[i] = self.s[i].part.m * self.s[i].at.dot(self.s[i].at) * self.s[i].part.n


WAYS: dict[str, Any] = {
    "ndarray": lambda s: (as_ndarray, (s,)),
    "needs_grad": lambda s: (as_differentiated, (s,)),
    "template": lambda s: (as_template, (s,)),
    "tuple": lambda s: (in_a_tuple, ((0.5, s),)),
    "member": lambda s: (Holder(s).method, ()),
}


def bodies(**options: Any) -> Any:
    s = qd.ndarray(Body, 3, **options)
    for i in range(3):
        s[i] = Body(at=[1.0, i], part={"m": 2.0, "n": i + 1})
    return s


@pytest.mark.parametrize("way", WAYS)
def test_ndarrays_of_structs(way: str) -> None:
    e = qd.ndarray(qd.f32, 3, needs_grad=True)
    for _ in range(2):  # the second time, other arrays are bound to the same variant
        s = bodies(needs_grad=True)
        kernel, arguments = WAYS[way](s)
        kernel(*arguments, e)
        assert e.to_numpy().tolist() == [2, 8, 30]
        e.grad.fill(1)
        kernel.grad(*arguments, e)
        assert s.at.grad.to_numpy().tolist() == [[4, 0], [8, 8], [12, 24]]
        assert s.part.m.grad.to_numpy().tolist() == [1, 4, 15]


def test_ndarrays_of_structs_that_are_constants() -> None:
    e = qd.ndarray(qd.f32, 3, needs_grad=True)
    s = bodies(needs_grad=True)
    with pytest.raises(qd.KernelRuntimeTypeError, match=r'"s.at" of kernel as_differentiated: expected an ndarray with a gradient'):
        as_differentiated(bodies(), e)
    e.grad.fill(1)
    as_constant.grad(s, e)
    assert not s.at.grad.to_numpy().any()


def test_ndarrays_of_structs_outside_of_the_kernel() -> None:
    s = bodies()

    @qd.kernel
    def wrong(e: Numbers):
        e[0] = s[0].part.m

    with pytest.raises(qd.KernelCompilationError, match="an ndarray outside of the kernel cannot be used in it"):
        wrong(qd.ndarray(qd.f32, 1))


def test_structs_without_gradients_say_so() -> None:
    s: Any = Part.field(3)

    @qd.kernel
    def wrong():
        for i in range(3):
            s.grad[i].m = 1.0

    with pytest.raises(qd.KernelCompilationError, match=r"has no gradient: make it with needs_grad=True"):
        wrong()
