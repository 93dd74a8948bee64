"""Kernels with tiles (qd.simt.Tile16x16): the lines and arcs that are recorded are those of the source, on every architecture."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import coverage
import pytest

SIM = """\
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

MISSING_LINES = [20, 23, 41, 52, 53]  # arcs that no thread takes, by reading the program
MISSING_BRANCHES = [[19, 20], [22, 23], [40, 41], [51, 52]]


def run(folder: Path, arch: str, *more: str) -> str:
    (folder / "sim.py").write_text(SIM)
    command = ["qd-cov", "run", "--branch", "--", "python", "sim.py", arch, *more]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    lacks = re.search(r"arch=\w+ has no .*", done.stderr)
    if lacks is not None:
        pytest.skip(lacks.group())
    assert done.returncode == 0, done.stderr
    return done.stdout


def report(folder: Path) -> list[object]:
    """No file but the program is measured."""
    data = coverage.CoverageData(str(folder / ".coverage"))
    data.read()
    assert [Path(file).name for file in data.measured_files()] == ["sim.py"]
    subprocess.run(["qd-cov", "json"], cwd=folder, check=True, capture_output=True)
    (file,) = json.loads((folder / "coverage.json").read_text())["files"].values()
    return [file[name] for name in ("executed_lines", "missing_lines", "executed_branches", "missing_branches")]


def test_missing_lines_and_branches(tmp_path: Path) -> None:
    """Missing lines and branches by coverage.py alone, without qd-cov."""
    (tmp_path / "sim.py").write_text(SIM)
    subprocess.run([sys.executable, "-m", "coverage", "run", "--branch", "--include=sim.py", "sim.py", "python"], cwd=tmp_path, check=True)
    subprocess.run([sys.executable, "-m", "coverage", "json", "-q"], cwd=tmp_path, check=True)
    (file,) = json.loads((tmp_path / "coverage.json").read_text())["files"].values()
    assert file["missing_lines"] == MISSING_LINES
    assert sorted(file["missing_branches"]) == MISSING_BRANCHES


@pytest.mark.parametrize("debug", [[], ["debug"]])
def test_all_architectures_say_the_same(tmp_path: Path, back_end_name: str, debug: list[str]) -> None:
    found = {}
    for arch in ("python", back_end_name):
        (tmp_path / arch).mkdir()
        found[arch] = run(tmp_path / arch, arch, *debug), report(tmp_path / arch)
    assert found["python"] == found[back_end_name]
    assert found["python"][1][1:4:2] == [MISSING_LINES, MISSING_BRANCHES]
