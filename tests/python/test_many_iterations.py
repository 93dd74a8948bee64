"""Loops with more iterations than 32 bits count: their arcs are counted in 64, and arrays beyond 2**31 elements are addressed right."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import coverage
import numpy as np
import pytest
import qd

SIM = """\
import sys

import qd

qd.init(arch=qd.cpu, log_level="error", offline_cache=False)


@qd.kernel
def wide(n: qd.i64) -> qd.i64:
    s = qd.i64(0)
    for i in range(n):
        if i >= 0:
            s += i & 1
        else:
            s += 5
    return s


@qd.kernel
def inner(n: qd.i64) -> qd.i64:
    s = qd.i64(0)
    for _ in range(1):
        for j in range(n):
            if j >= 0:
                s += j & 1
            else:
                s += 5
    return s


@qd.kernel
def product(n: qd.i32) -> qd.i64:
    s = qd.i64(0)
    for i, j in qd.ndrange(n, n):
        if i + j >= 0:
            s += 1
        else:
            s += 5
    return s


n = 2**32
print(wide(n) - n // 2, inner(n) - n // 2, product(2**16) - n)
"""


def test_counts_of_a_multiple_of_2_to_the_32(tmp_path: Path) -> None:
    """A sum of 32 bits would be 0, and its arc not taken."""
    (tmp_path / "sim.py").write_text(SIM)
    command = ["qd-cov", "run", "--branch", "--", "python", "sim.py"]
    done = subprocess.run(command, cwd=tmp_path, check=True, env=dict(os.environ), stdout=subprocess.PIPE, text=True)
    assert done.stdout.splitlines()[0] == "0 0 0"
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    arcs = set(data.arcs(str(tmp_path / "sim.py")) or ())
    lines = SIM.splitlines()
    for start, line in enumerate(lines, 1):
        if line.lstrip().startswith("if "):
            assert (start, start + 1) in arcs and (start, start + 3) not in arcs, line


Bytes = qd.types.ndarray(dtype=qd.u8, ndim=2)


@qd.kernel
def touch(x: Bytes, i: qd.i64, j: qd.u32) -> qd.i32:
    x[i, j] = 7
    x[i - 1, j + 1] += 8
    return qd.i32(x[i, j]) * 100 + x[i - 1, j + 1]


@pytest.mark.parametrize("arch", ["cpu", "python"])
def test_array_of_more_than_2_to_the_31_elements(arch: str) -> None:
    """Two pages are used of the memory that the system has promised; the reference device would copy all of it."""
    qd.init(arch=arch, log_level="error", debug=True)
    x = np.zeros((2**16, 2**15 + 4), np.uint8)
    assert touch(x, 2**16 - 1, 2**15) == 708
    assert (x[2**16 - 1, 2**15], x[2**16 - 2, 2**15 + 1]) == (7, 8)
    with pytest.raises(qd.KernelAssertionError):
        touch(x, 2**16 + 2**32 - 1, 2**15)
    del x
    qd.reset()


@pytest.mark.parametrize("arch", ["cpu", "reference", "python"])
def test_axes_that_are_too_long(arch: str) -> None:
    qd.init(arch=arch, log_level="error")
    for shape in (2**31, 2**40, (4, 2**32), -1, (-1, 2), 2**63, 2**64):
        for make in (qd.field, qd.ndarray):
            with pytest.raises(ValueError, match="each axis must be between 0 and 2\\*\\*31 - 1"):
                make(qd.u8, shape)
    for shape in ((2**31 - 1,) * 3, (2**31 - 1,) * 12, (2**30, 2**30), (2**20, 2**20, 2**21), (2**30, 2**30, 2**4), (2**30, 2**30, 2**4 + 1)):
        for make in (qd.field, qd.ndarray):
            with pytest.raises(MemoryError):
                make(qd.i64, shape)
    with pytest.raises(qd.KernelRuntimeTypeError, match="an axis of 2\\*\\*31 or more"):
        first(np.zeros(2**31, np.uint8))
    qd.reset()


@qd.kernel
def first(x: qd.types.ndarray(dtype=qd.u8, ndim=1)) -> qd.u8:
    return x[0]
