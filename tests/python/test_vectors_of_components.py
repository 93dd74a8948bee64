"""Vector instructions of the CPU for arrays of matrices whose numbers a loop reads and writes in turn."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import qd

Matrices = qd.types.ndarray(dtype=qd.types.matrix(3, 3, qd.f32), ndim=1)


@qd.kernel
def pulled_back(a: Matrices, b: Matrices, c: Matrices, d: Matrices, g: Matrices):
    """The shape of a gradient: takes `g`, sets it to 0, and adds products of it to two arrays."""
    for i in range(a.shape[0]):
        adjoint = g[i]
        for row, column in qd.static(qd.ndrange(3, 3)):
            g[i][row, column] = 0.0
        a[i] += adjoint @ b[i].inverse()
        c[i] += adjoint @ d[i].inverse()


@pytest.mark.skipif("avx2" not in Path("/proc/cpuinfo").read_text(), reason="for processors with AVX2")
def test_matrices_are_taken_by_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=qd.cpu, log_level="error", offline_cache=False, print_kernel_asm=True)
    values = np.random.default_rng(0).uniform(0, 1, (5, 100, 3, 3)).astype(np.float32) + 2 * np.eye(3, dtype=np.float32)
    arrays = [qd.Matrix.ndarray(3, 3, qd.f32, 100) for _ in values]
    for array, value in zip(arrays, values):
        array.from_numpy(value)
    pulled_back(*arrays)
    assembly = capfd.readouterr().err
    assert len(re.findall(r"fn?m(?:add|sub)\d+ps\s", assembly)) > 20
    a, b, c, d, g = values
    expected = [a + g @ np.linalg.inv(b), b, c + g @ np.linalg.inv(d), d, np.zeros_like(g)]
    for array, value in zip(arrays, expected):
        np.testing.assert_allclose(array.to_numpy(), value, rtol=1e-4, atol=1e-4)
