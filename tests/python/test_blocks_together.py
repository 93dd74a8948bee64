"""Blocks of qd.stream_parallel and sections of graph kernels on the CPU: they run at the same time, and one that fails leaves the others whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import qd
from coverage import CoverageData
from test_nothing_lost import environment

VEC = qd.types.ndarray(qd.i32, 1)
ENOUGH = 100_000_000
"""Limit on the looks at another block's progress, a second or so."""


@qd.func
def meets(flags, own, other, most):
    """Whether the other block comes to this place while this one waits there."""
    qd.atomic_or(flags[own], 1)
    looks = 0
    while qd.atomic_or(flags[other], 0) == 0 and looks < most:
        looks += 1
    return qd.atomic_or(flags[other], 0)


@qd.kernel
def two_blocks(flags: VEC, x: VEC, y: VEC, most: qd.i32):
    with qd.stream_parallel():
        for _ in range(1):
            x[0] = meets(flags, 0, 1, most)
    with qd.stream_parallel():
        for _ in range(1):
            y[0] = meets(flags, 1, 0, most)


@qd.kernel(graph=True)
def two_sections(flags: VEC, x: VEC, y: VEC, most: qd.i32):
    with qd.graph.parallel_context():
        with qd.graph.parallel():
            for _ in range(1):
                x[0] = meets(flags, 0, 1, most)
        with qd.graph.parallel():
            for _ in range(1):
                y[0] = meets(flags, 1, 0, most)


@pytest.mark.parametrize("kernel", [two_blocks, two_sections])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("profiler", [False, True])
def test_they_run_at_the_same_time(kernel: Any, threads: int, profiler: bool) -> None:
    """Blocks run on two threads, unless tasks are measured."""
    qd.init(arch=qd.cpu, log_level="error", cpu_max_num_threads=threads, kernel_profiler=profiler)
    flags, x, y = (qd.ndarray(qd.i32, n) for n in (2, 1, 1))
    flags.fill(0)
    together = threads == 2 and not profiler
    kernel(flags, x, y, ENOUGH if together else 1000)
    assert (x[0], y[0]) == (1 if together else 0, 1)


PROGRAM = """
import qd

ARRAY = qd.types.ndarray(qd.i32, 1)


@qd.func
def work(x, i, rounds):
    for _ in range(rounds):
        x[i] = x[i] * 3 + 1


@qd.kernel
def blocks(x: ARRAY, y: ARRAY, rounds: qd.i32):
    with qd.stream_parallel():
        for i in x:
            work(x, i, rounds)
            assert x[i] == 0
            x[i] = 5  # never
        for i in x:  # never
            x[i] = 6  # never
    with qd.stream_parallel():
        for i in y:
            work(y, i, rounds)
            if i == y.shape[0] - 1:
                y[i] = 7


qd.init(log_level="error", cpu_max_num_threads=2, debug=True, offline_cache=False)
for rounds in (0, 1, 1000):
    x, y = qd.ndarray(qd.i32, 5000), qd.ndarray(qd.i32, 5000)
    x.fill(1), y.fill(0)
    try:
        blocks(x, y, rounds)
    except qd.KernelAssertionError:
        print(y[4999])
"""


def test_a_failed_block_leaves_the_others_whole(tmp_path: Path) -> None:
    """A loop beside a failed one runs to its end, and the data has both as far as they ran."""
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["7", "7", "7"], done.stderr
    lines = PROGRAM.splitlines()
    never = {number for number, line in enumerate(lines, 1) if line.endswith("# never")}
    reached = {lines.index(line) + 1 for line in ("                y[i] = 7", "        x[i] = x[i] * 3 + 1", "            assert x[i] == 0")}
    data = CoverageData(str(next(tmp_path.glob("_qd_kcov.*"))))
    data.read()
    got = set(data.lines(str(tmp_path / "program.py")) or [])
    assert not got & never
    assert reached <= got
