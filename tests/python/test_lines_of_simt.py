"""Kernels with blocks and with tiles (qd.simt): the lines and arcs that are recorded are those of the source, on every architecture."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest
from coverage.parser import PythonParser


@dataclass
class Program:
    """A source, and the arcs that no thread takes, by reading it."""

    source: str
    missing_lines: list[int]
    missing_branches: list[list[int]]


BLOCK_SOURCE = """\
import sys

import numpy as np
import qd

block, subgroup = qd.simt.block, qd.simt.subgroup
qd.init(arch=sys.argv[1], log_level="error", offline_cache=False, cpu_subgroup_size=8, debug="debug" in sys.argv)


@qd.func
def shifted(row: qd.template(), k):
    t = block.thread_idx()
    if k > 5:
        t += 100
    value = row[(t + k) % 8]
    block.sync()
    if value > 1000:
        value = 0
    else:
        value += 1
    row[t] = value
    block.sync()


@qd.kernel
def first(x: qd.types.ndarray(), n: qd.i32):
    qd.loop_config(block_dim=8)
    for i in range(n):
        row = block.SharedArray(8, qd.i32)
        t = block.thread_idx()
        row[t] = x[i]
        block.sync()
        if x[i] < 0:
            x[i] = 0
            continue
        elif (
            x[i] > 90
            and t > 100
        ):
            x[i] = 90
        for k in range(3):
            if k == 1:
                continue
            shifted(row, k)
        while subgroup.any_true(row[t] > 20):
            row[t] -= 1
            if subgroup.all_true(row[t] < -1000):
                break
        x[i] = row[t] if t > 3 else 2 * row[t]
    for i in range(n):
        if x[i] > 1000: x[i] = 1
    qd.loop_config(block_dim=4)
    for i in range(n):
        if block.sync_count_nonzero(x[i] > 0) == 4:
            x[i] += 1
        else:
            x[i] -= 1


@qd.kernel
def last(x: qd.types.ndarray(), n: qd.i32) -> qd.i32:
    found = 0
    qd.loop_config(block_dim=8)
    for i in range(n):
        if subgroup.elect():
            found += 1
    return found


@qd.kernel
def at_the_end(x: qd.types.ndarray(), n: qd.i32):
    if n > 100:
        x[0] = 1
    qd.loop_config(block_dim=8)
    for i in range(n):
        x[i] = subgroup.shuffle(x[i], 0)


@qd.kernel
def never(x: qd.types.ndarray()):
    for i in x:
        block.sync()


x = np.arange(16, dtype=np.int32)
x[3] = -1
x[7] = 24
first(x, 16)
assert last(x, 16) == 2
assert last(x, 0) == 0
at_the_end(x, 16)
print(x.tolist())
"""

TILE_SOURCE = """\
import sys

import numpy as np
import qd

Tile = qd.simt.Tile16x16
N = Tile.SIZE
qd.init(arch=sys.argv[1], log_level="error", offline_cache=False, cpu_subgroup_size=8, debug="debug" in sys.argv)


@qd.func
def updated(x: qd.template(), begin, k0):
    t = Tile.zeros(qd.f64)
    t[:] = x[
        begin : begin + N,
        k0 : k0 + N,
    ]
    for j in range(k0):
        if j > 40:
            continue
        t -= qd.outer(x[begin : begin + N, j], x[k0 : k0 + N, j])
    if k0 > 100:
        t.eye_()
    return t


@qd.kernel
def factorised(x: qd.types.ndarray(), n: qd.i32):
    qd.loop_config(block_dim=N)
    for i in range(N):
        for k in range(n // N):
            diagonal = updated(x, k * N, k * N)
            diagonal.cholesky_(
                1e-14 if i > 99 else 1e-12
            )
            x[k * N : k * N + N, k * N : k * N + N] = diagonal
            for below in range(k + 1, n // N):
                t = updated(x, below * N, k * N)
                diagonal.solve_triangular_(t)
                if below > 5:
                    t += qd.outer(1, 1)
                else:
                    x[below * N : below * N + N, k * N : k * N + N] = t


@qd.kernel
def never(x: qd.types.ndarray(), n: qd.i32):
    for i in range(n):
        x[i, i] = 1
    qd.loop_config(block_dim=N)
    for _ in range(n // 99 * N):
        t = Tile.eye()
        t[:] = x[0:N, 0:N]


half = np.random.default_rng(0).random((48, 48))
x = half @ half.T + 48 * np.eye(48)
want = np.linalg.cholesky(x)
factorised(x, 48)
assert abs(np.tril(x) - want).max() < 1e-12
never(x, 3)
print(np.round(np.tril(x)[40:44, 3:6], 3).tolist())
"""

BLOCKS = Program(BLOCK_SOURCE, [14, 18, 40, 48, 73, 81, 82], [[13, 14], [17, 18], [36, 40], [47, 48], [72, 73], [81, -79], [81, 82]])
TILES = Program(TILE_SOURCE, [20, 23, 41, 52, 53], [[19, 20], [22, 23], [40, 41], [51, 52]])
KINDS = ("executed_lines", "missing_lines", "executed_branches", "missing_branches")
BLOCK_LOOPS = {28, 53, 64, 75}  # lines of the loops with blocks

both = pytest.mark.parametrize("program", [BLOCKS, TILES], ids=["blocks", "tiles"])
with_debug = pytest.mark.parametrize("debug", [[], ["debug"]])


def run(folder: Path, program: Program, arch: str, *more: str) -> str:
    """The output of a program: plain Python under coverage.py alone, which knows nothing of kernels, others under `qd-cov run`."""
    folder.mkdir(exist_ok=True)
    (folder / "sim.py").write_text(program.source)
    alone = [sys.executable, "-m", "coverage", "run", "--branch", "--include=sim.py", "sim.py"]
    command = alone if arch == "python" else ["qd-cov", "run", "--branch", "--", "python", "sim.py"]
    done = subprocess.run([*command, arch, *more], cwd=folder, check=False, capture_output=True, text=True)
    lacks = re.search(r"arch=\w+ has no .*", done.stderr)
    if lacks is not None:
        pytest.skip(lacks.group())
    assert done.returncode == 0, done.stderr
    return done.stdout


def report(folder: Path) -> list[object]:
    """coverage.py's report. No file but the program is measured."""
    cov = coverage.Coverage(data_file=str(folder / ".coverage"), config_file=False, messages=False)
    cov.load()
    assert [Path(file).name for file in cov.get_data().measured_files()] == ["sim.py"]
    cov.json_report(outfile=str(folder / "coverage.json"))
    (file,) = json.loads((folder / "coverage.json").read_text())["files"].values()
    return [file[name] if name.endswith("lines") else sorted(file[name]) for name in KINDS]


def unknown_arcs(data: coverage.CoverageData, file: str) -> set[tuple[int, int]]:
    """The recorded arcs that the analysis of the source does not know. Those of the lines of `def` and of decorators are left out: of any Python
    program are some of them unknown."""
    parser = PythonParser(filename=file)
    parser.parse_source()
    recorded = parser.translate_arcs(data.arcs(file) or [])
    heads = {1}
    for node in ast.walk(ast.parse(BLOCK_SOURCE)):
        if isinstance(node, ast.FunctionDef):
            heads |= {node.lineno, *(decorator.lineno for decorator in node.decorator_list)}
    return {arc for arc in set(recorded) - parser.arcs() if arc[0] != arc[1] and not heads & {abs(arc[0]), abs(arc[1])}}


@with_debug
def test_arcs_are_those_of_the_source(tmp_path: Path, debug: list[str]) -> None:
    """Arcs that coverage.py's analysis does not know are only the ways into and out of a loop's generator."""
    run(tmp_path, BLOCKS, "python", *debug)
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    (file,) = data.measured_files()
    assert unknown_arcs(data, file) == {(-line, line) for line in BLOCK_LOOPS} | {(line, -line) for line in BLOCK_LOOPS}


@with_debug
@both
def test_all_architectures_say_the_same(tmp_path: Path, back_end_name: str, program: Program, debug: list[str]) -> None:
    found = {}
    for arch in ("python", back_end_name):
        found[arch] = run(tmp_path / arch, program, arch, *debug), report(tmp_path / arch)
    assert found["python"] == found[back_end_name]
    assert found["python"][1][1:4:2] == [program.missing_lines, program.missing_branches]
