"""The size of the stacks of a gradient, for users: on the terminal, and as an observation of the launch."""

from __future__ import annotations

import pytest
import qd


@qd.kernel
def power(x: qd.template(), y: qd.template(), n: qd.i32):
    for i in x:
        v = x[i]
        for _ in range(n):
            v = qd.sin(v)
        y[i] = v


@qd.kernel
def square(x: qd.template(), y: qd.template(), n: qd.i32):
    for i in x:
        y[i] = x[i] * x[i]


def test_the_size_of_stacks(capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=qd.cpu, cpu_max_num_threads=1, log_level="debug")
    x, y = (qd.field(qd.f32, 64, needs_grad=True) for _ in range(2))

    def size(kernel: object, n: int) -> int:
        kernel.grad(x, y, n)  # type: ignore[attr-defined]
        found = kernel.launch_observations.gradient_stack_bytes  # type: ignore[attr-defined]
        text = capfd.readouterr().err
        line = f"[qd] kernel {kernel.__name__}: its gradient has {found} bytes for the stacks of its loops\n"  # type: ignore[attr-defined]
        assert (line in text) == (found > 0), text
        return found

    power(x, y, 10)
    assert power.launch_observations.gradient_stack_bytes == 0
    short, long = size(power, 10), size(power, 1000)
    assert short >= 10 * 4 and 90 * short > long > 10 * short
    assert size(square, 10) == 0
    power(x, y, 10)
    assert power.launch_observations.gradient_stack_bytes == 0
    qd.init(arch=qd.cpu, log_level="info")
    x, y = (qd.field(qd.f32, 64, needs_grad=True) for _ in range(2))
    power.grad(x, y, 10)
    assert "stacks" not in capfd.readouterr().err
