"""Blocks whose variables do not fit on a thread's stack: an error, and the program goes on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import qd

block = qd.simt.block
Array = qd.types.ndarray(dtype=qd.f64, ndim=1)


@qd.kernel
def large(x: Array, n: qd.i32):
    qd.loop_config(block_dim=1024)
    for i in x:
        m = qd.Matrix.zero(qd.f64, 30, 30)
        m[n, i % 30] = x[i]
        block.sync()
        x[i] = m[n, i % 30] + 1


@qd.kernel
def small(x: Array, n: qd.i32):
    qd.loop_config(block_dim=32)
    for i in x:
        m = qd.Matrix.zero(qd.f64, 30, 30)
        m[n, i % 30] = x[i]
        block.sync()
        x[i] = m[n, i % 30] + 1


@pytest.fixture(params=["cpu", "reference"])
def arch(request: pytest.FixtureRequest) -> Iterator[str]:
    qd.init(arch=request.param, log_level="error")
    yield request.param
    qd.reset()


def test_too_large(arch: str) -> None:
    x = np.arange(1024.0)
    with pytest.raises(RuntimeError, match=r"a block of 1024 threads needs 73\d{5} bytes for shared arrays(.|\n)*test_large_blocks.py:18"):
        large(x, 3)
    small(x, 3)
    assert (x == np.arange(1, 1025)).all()
