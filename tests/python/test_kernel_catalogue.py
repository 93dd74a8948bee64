"""Catalogue of kernels in data files: the compiled ones, the arcs that their code can take, and the reasons for missing ones."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import kernel_project
import pytest

KERNELS = (
    kernel_project.KERNELS
    + """\


@qd.kernel
def no_such_type(x: "qd.f33"):
    pass
"""
)

PROGRAM = """\
import os, signal, sys
import kernels, qd

qd.init(log_level="error")
kernels.launched(True, 3.0)
kernels.sometimes(1, 3.0)
for kernel, arguments in ((kernels.sometimes, (2, 3.0)), (kernels.broken, (1.0,)), (kernels.no_such_type, (1.0,))):
    try:
        kernel(*arguments)
    except qd.KernelCompilationError:
        pass
    else:
        sys.exit("it compiled")
if "kill" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
"""


def run(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k.startswith("QD_OFFLINE") or not k.startswith(("QD_", "COV", "PYTEST"))}
    command = [sys.executable, "program.py", *words]
    return subprocess.run(command, cwd=folder, env={**clean, "QD_KERNEL_COVERAGE": "1", **env}, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def line(text: str) -> int:
    (found,) = (i for i, source in enumerate(KERNELS.splitlines(), 1) if source.strip() == text)
    return found


def functions(path: Path) -> dict[str, tuple[bool, str]]:
    """Functions by name: whether it is a kernel, and for which device it was compiled."""
    rows = sqlite3.connect(path).execute("SELECT name, is_kernel, arch FROM qd_function").fetchall()
    assert len({row[0] for row in rows}) == len(rows)
    return {name: (bool(is_kernel), arch) for name, is_kernel, arch in rows}


def probes(path: Path, name: str, measured: int = 1) -> set[tuple[int, int]]:
    query = "SELECT fromno, tono FROM qd_probe JOIN qd_function ON function_id = qd_function.id WHERE name = ? AND measured = ?"
    return set(sqlite3.connect(path).execute(query, (name, measured)).fetchall())


def errors(path: Path, name: str) -> list[str]:
    query = "SELECT message FROM qd_compile_error JOIN qd_function ON function_id = qd_function.id WHERE name = ?"
    return [message for (message,) in sqlite3.connect(path).execute(query, (name,))]


def data_file(folder: Path) -> Path:
    (path,) = folder.glob("_qd_kcov.*")
    return path


@pytest.mark.parametrize("how", ["end", "kill"])
def test_w3_compiled_kernels_are_listed_with_what_they_measure(project: Path, how: str) -> None:
    done = run(project, how)
    if how == "kill":
        assert done.returncode == -signal.SIGKILL
        subprocess.run(["qd-cov", "recover", "-q"], cwd=project, check=True)
    else:
        assert done.returncode == 0, done.stdout + done.stderr
    path = data_file(project)
    assert functions(path) == {
        "launched": (True, "cpu"),
        "half": (False, "cpu"),
        "sometimes": (True, "cpu"),
        "broken": (True, "cpu"),
        "no_such_type": (True, "cpu"),
    }
    first = line("def launched(fast: qd.template(), x: qd.f32) -> qd.f32:") - 1
    test, negative, back = line("if r < 0.0:"), line("r = -r"), line("return r")
    reached = {line("r = 0.0"), line("if qd.static(fast):"), line("r = half(x)"), test, negative, back}
    edges = {(line("if qd.static(fast):"), line("r = half(x)")), (test, negative), (test, back)}
    assert probes(path, "launched") == {(-first, at) for at in reached} | edges  # the arm that no variant holds is not among them
    assert probes(path, "half") == {(-line("def half(x):") + 1, line("return x / 2"))}
    assert probes(path, "sometimes") != set() and probes(path, "broken") == set()
    (why,) = errors(path, "broken")
    assert why.startswith(f"kernels.py:{line('return undefined_name * x')}: ") and "undefined_name" in why and "\n" not in why
    assert len(errors(path, "sometimes")) == 1 and len(errors(path, "no_such_type")) == 1 and errors(path, "launched") == []


def test_line_data_lists_lines(project: Path) -> None:
    assert run(project, QD_KERNEL_COVERAGE_BRANCH="0").returncode == 0
    path = data_file(project)
    first = line("def half(x):") - 1
    assert probes(path, "half") == {(-first, line("return x / 2"))}
    assert all(start < 0 for start, _ in probes(path, "launched")) and len(probes(path, "launched")) == 6


def test_only_files_that_are_measured(project: Path) -> None:
    (project / ".coveragerc").write_text("[run]\nomit = */kernels.py\n")
    command = [sys.executable, "-m", "coverage", "run", "program.py"]
    done = subprocess.run(command, cwd=project, env={**os.environ, "QD_KERNEL_COVERAGE": "1"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and list(project.glob("_qd_kcov.*")) == [], done.stdout + done.stderr


def test_w19_a_cap_on_probes_says_what_it_leaves_out(project: Path) -> None:
    done = run(project, QD_COVERAGE_MAX_PROBES="4")
    assert done.returncode == 0
    path = data_file(project)
    assert len(probes(path, "launched")) + len(probes(path, "half")) == 4
    assert len(probes(path, "launched", 0)) == 5 and len(probes(path, "half", 0)) == 1
    (said,) = done.stderr.splitlines()
    assert "QD_COVERAGE_MAX_PROBES=4 is reached" in said
    assert f"{project.resolve()}/kernels.py:" in said
    whole = sqlite3.connect(path).execute("SELECT fromno, tono FROM arc").fetchall()
    assert set(whole) == probes(path, "launched") | probes(path, "half")  # the measured part is exact: all of it ran


def test_w19_templates_programs_and_calls_again_use_up_no_cap(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import qd\n\n\n"
        "@qd.func\ndef twice(x):\n    return x + x\n\n\n"
        "@qd.kernel\ndef k(n: qd.template()) -> qd.i32:\n    return twice(twice(twice(n)))\n\n\n"
        "for round in range(3):\n    qd.init(log_level='error')\n    assert [k(n) for n in range(20)] == [8 * n for n in range(20)]\n"
    )
    done = run(tmp_path, QD_COVERAGE_MAX_PROBES="2")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    path = data_file(tmp_path)
    assert probes(path, "k") == {(-9, 11)} and probes(path, "twice") == {(-4, 6)}
    assert probes(path, "k", 0) == probes(path, "twice", 0) == set()


BRANCHY = """\
import numpy as np
import qd

qd.init(log_level="error")


@qd.func
def pull(v, target: qd.template()):
    d = target - v
    if d < 0:
        d = 0.0
    return v + d * 0.5


@qd.kernel
def relax(rounds: qd.i32, x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.i32:
    n = 0
    for i in x:
        for r in range(rounds):
            x[i] = pull(x[i], 10.0)
            if x[i] > 9.0:
                break
            while n < r:
                n += 1
        if n > 1000:
            continue
        x[i] -= 1.0
    return n


relax(9, np.zeros(4, dtype=np.float32))
relax(0, np.zeros(4, dtype=np.float32))
"""


def test_what_a_cap_leaves_is_exact(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(BRANCHY)

    def measured(**env: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        done = run(tmp_path, **env)
        assert done.returncode == 0, done.stderr
        path = data_file(tmp_path)
        arcs = set(sqlite3.connect(path).execute("SELECT fromno, tono FROM arc").fetchall())
        can = probes(path, "relax") | probes(path, "pull")
        path.unlink()
        return arcs, can

    all_arcs, all_can = measured()
    assert 20 < len(all_arcs) < len(all_can)
    for cap in (0, 1, 11, 22):
        arcs, can = measured(QD_COVERAGE_MAX_PROBES=str(cap))
        assert len(can) == cap and arcs == all_arcs & can
