"""Launches that end at a failed assert or check in a parallel loop: an arc that no iteration reached is not in the data, whichever ran."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from test_nothing_lost import environment

KERNELS = """import qd

ARRAY = qd.types.ndarray(qd.i32, 1)


@qd.func
def checked(v):
    r = v
    if v > 50:
        assert v < 3
        r = 2  # never
    return r


@qd.kernel
def in_a_branch(x: ARRAY, y: ARRAY):
    for i in x:
        y[i] = 1
        if x[i] > 5:
            assert x[i] < 3
            y[i] = 2  # never
        y[i] += 1
    y[0] = 9  # never


@qd.kernel
def in_a_func(x: ARRAY, y: ARRAY):
    for i in x:
        for j in range(3):
            y[i] += checked(x[i])
            if x[i] > 50:
                y[i] = 3  # never
    y[0] = 9  # never


@qd.kernel
def in_every_iteration(x: ARRAY, y: ARRAY):
    for i in x:
        assert x[i] < 0
        y[i] = 2  # never
    for i in x:  # never
        y[i] = 3  # never


@qd.func
def read(x, at):
    r = x[at]
    return r  # never


@qd.kernel
def out_of_range(x: ARRAY, y: ARRAY):
    for i in x:
        y[i] = 1
        if x[i] > 5:
            y[i] = read(x, x.shape[0] + i)
            y[i] = 2  # never
        y[i] += 1
    y[0] = 9  # never


@qd.kernel
def by_zero(x: ARRAY, y: ARRAY):
    for i in x:
        n = 3
        if x[i] > 5:
            n = 0
        while n < 3:
            n += y[i] // n
            y[i] = 2  # never
        y[i] += n
    y[0] = 9  # never


@qd.real_func
def down(x: qd.template(), at: qd.i32, left: qd.i32) -> qd.i32:
    for j in range(2):
        if left == 0:
            return checked(x[at])
        if x[at] > 50 and left == 1:
            assert left > 1
            return 5  # never
        r = down(x, at, left - 1)
        if x[at] > 50:
            return r  # never
    return 7


@qd.kernel
def in_a_recursion(x: ARRAY, y: ARRAY):
    for i in x:
        if x[i] > 50:
            y[i] = down(x, i, 2)
            y[i] = 2  # never
        if x[i] <= 50:
            y[i] = down(x, i, 2)
    y[0] = 9  # never
"""

PROGRAM = """import sys
import numpy as np
import qd
import kernels

qd.init(debug=True, log_level="error", cpu_max_num_threads=int(sys.argv[1]), coverage_switch=int(sys.argv[2]))
for n in (1, 10, 1000, 300_000):
    for at in (0, n // 2, n - 1):
        x, y = np.ones(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
        x[at] = 60
        for name in ("in_a_branch", "in_a_func", "in_every_iteration", "out_of_range", "by_zero", "in_a_recursion"):
            try:
                getattr(kernels, name)(x, y)
            except qd.KernelAssertionError:
                continue
            raise SystemExit("no assert failed")
"""


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("switch", [0, 2, 3])
def test_what_no_iteration_reached(tmp_path: Path, threads: int, switch: int) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    subprocess.run([sys.executable, "program.py", str(threads), str(switch)], cwd=tmp_path, env=environment(), check=True)
    (file,) = tmp_path.glob("_qd_kcov.*")
    data = CoverageData(str(file))
    data.read()
    lines = KERNELS.splitlines()
    inside = {number for number, line in enumerate(lines, 1) if line.startswith("    ")}
    never = {number for number in inside if lines[number - 1].endswith("# never")}
    path = str(tmp_path.resolve() / "kernels.py")
    assert set(data.lines(path) or []) == inside - never
    assert not any(end in never for _, end in data.arcs(path) or [])
