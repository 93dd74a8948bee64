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


def test_structs_without_gradients_say_so() -> None:
    s: Any = Part.field(3)

    @qd.kernel
    def wrong():
        for i in range(3):
            s.grad[i].m = 1.0

    with pytest.raises(qd.KernelCompilationError, match=r"has no gradient: make it with needs_grad=True"):
        wrong()
