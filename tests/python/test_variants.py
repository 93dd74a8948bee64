"""Data files have the arguments for which kernels were compiled, the arcs that each variant took, and its number of launches."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import coverage_commands
import pytest

KERNELS = """\
import numpy as np
import qd


@qd.kernel
def pick(n: qd.template(), x: qd.types.ndarray()) -> qd.i32:
    found = 0
    for i in range(4):
        if qd.static(n > 1):
            if x[i] > 2:
                found += n
        else:
            found -= 1
    return found


@qd.kernel
def plain(top: qd.i32) -> qd.i32:
    return top + 1


class Box:
    def __init__(self, size):
        self.size = size


@qd.kernel
def grow(box: qd.template()) -> qd.i32:
    return box.size + 1


f32 = np.arange(4, dtype=np.float32)
f64 = np.arange(4, dtype=np.float64)
"""
PROGRAM = """\
import os, signal, sys
import qd
import kernels as k

qd.init(log_level="error")
for _ in range(3):
    k.pick(1, k.f32)
k.pick(2, k.f32)
k.pick(2, k.f64 - 9)
for i in range(5000):
    k.plain(i)
for size in (3, 4, 3):
    k.grow(k.Box(size))
if "kill" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
if "fork" in sys.argv:
    child = os.fork()
    if child == 0:
        qd.init(log_level="error")
    k.plain(1)
    if child == 0:
        sys.exit(0)
    os.waitpid(child, 0)
if "end" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
"""
F32, F64 = "x=f32 ndarray of 1 dimension", "x=f64 ndarray of 1 dimension"
LAUNCHES = {
    ("pick", f"n=1, {F32}"): 3,
    ("pick", f"n=2, {F32}"): 1,
    ("pick", f"n=2, {F64}"): 1,
    ("plain", ""): 5000,
    ("grow", "box=an object of class 'Box', box.size=3"): 2,
    ("grow", "box=an object of class 'Box', box.size=4"): 1,
}
HEAD = 5  # the decorator of `pick`


def clean() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k.startswith("QD_OFFLINE") or not k.startswith(("QD_", "COV", "PYTEST"))}


def run(folder: Path, *words: str, **env: str) -> None:
    done = coverage_commands.program(["program.py", *words], folder, {**clean(), "QD_KERNEL_COVERAGE": "1", **env})
    assert done.returncode == (-9 if {"kill", "end"} & {*words} else 0), done.stderr


def data_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("_qd_kcov.*"))


def launches(path: Path) -> dict[tuple[str, str], int]:
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT name, arguments, launches FROM qd_variant JOIN qd_function f ON f.id = function_id").fetchall()
    db.close()
    return {(name, arguments): n for name, arguments, n in rows}


def arcs(path: Path, arguments: str) -> dict[tuple[int, int], bool]:
    """Arcs of a variant of `pick`, and whether they were taken."""
    with sqlite3.connect(path) as db:
        select = "SELECT fromno, tono, taken FROM qd_variant_arc JOIN qd_variant v ON v.id = variant_id WHERE arguments = ?"
        rows = db.execute(select, (arguments,)).fetchall()
    db.close()
    return {(start, end): bool(taken) for start, end, taken in rows}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_each_variant_with_what_it_ran(project: Path) -> None:
    run(project)
    (path,) = data_files(project)
    found = launches(path)
    assert found == LAUNCHES
    one, two, never = (arcs(path, arguments) for name, arguments in LAUNCHES if name == "pick")
    assert one[-HEAD, 13] and all(one.values()) and not {(-HEAD, 10), (-HEAD, 11)} & set(one)
    assert two[-HEAD, 11] and (-HEAD, 13) not in two
    assert never[-HEAD, 10] and never[-HEAD, 11] is False and never[10, 11] is False  # no number is more than 2


def test_line_data(project: Path) -> None:
    """Line data tells only lines apart."""
    (project / ".coveragerc").write_text("[run]\nbranch = false\n")
    run(project)
    (path,) = data_files(project)
    assert launches(path) == LAUNCHES and all(start < 0 for start, _ in arcs(path, f"n=2, {F64}"))


def test_launches_of_a_fork_count_once(project: Path) -> None:
    run(project, "fork")
    assert sum(launches(path).get(("plain", ""), 0) for path in data_files(project)) == 5002


def test_a_fork_leaves_the_journal_of_its_parent_alone(project: Path) -> None:
    """The child writes nothing to the journal of its parent, which is killed when its child has ended."""
    run(project, "fork", "end")
    done = subprocess.run(["qd-cov", "combine"], cwd=project, env=clean(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = launches(project / ".coverage")
    assert found == dict.fromkeys(found, 0) | {("plain", ""): 1} and set(LAUNCHES) <= set(found)


def test_a_process_that_was_killed_has_variants_without_a_count(project: Path) -> None:
    """Reached arcs are safe; nothing is written for the sake of counting while kernels run."""
    run(project, "kill")
    done = subprocess.run(["qd-cov", "combine"], cwd=project, env=clean(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = launches(project / ".coverage")
    assert {key for key in found if key[1]} == {key for key in LAUNCHES if key[1]} and set(found.values()) == {0}
    assert arcs(project / ".coverage", f"n=2, {F32}")[-HEAD, 11]


def test_combining_adds_up(project: Path) -> None:
    """Combining adds up launches, also to data that is there, and with data of before there were variants."""
    for _ in range(2):
        run(project)
        command = ["qd-cov", "combine", *(["--append"] if (project / ".coverage").exists() else [])]
        assert subprocess.run(command, cwd=project, env=clean(), capture_output=True, check=False).returncode == 0
    assert launches(project / ".coverage") == {key: 2 * n for key, n in LAUNCHES.items()}
    run(project)
    (path,) = data_files(project)
    with sqlite3.connect(path) as db:
        db.executescript("DROP TABLE qd_variant_arc; DROP TABLE qd_variant;")
    db.close()
    assert subprocess.run(["qd-cov", "combine", "--append"], cwd=project, env=clean(), capture_output=True, check=False).returncode == 0
    assert launches(project / ".coverage") == {key: 2 * n for key, n in LAUNCHES.items()}
    stock = [sys.executable, "-m", "coverage", "report", "--include=kernels.py"]
    assert subprocess.run(stock, cwd=project, env=clean(), capture_output=True, check=False).returncode == 0
