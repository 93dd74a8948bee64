"""Conditions from a kernel that runs to the reports: `qd-cov run`, `combine`, `report`, `html`, `diff`, and their gates."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from html_page_data import sources_of

KERNELS = """\
import qd


@qd.func
def inside(v, low, top):
    return low <= v <= top


@qd.kernel
def clip(x: qd.types.ndarray(dtype=qd.f32, ndim=1), low: qd.f32, top: qd.f32) -> qd.i32:
    n = 0
    for i in x:
        if x[i] > top or x[i] < low and low > 0.0:
            x[i] = top if x[i] > top else low
            n += 1
        elif not inside(x[i], 0.0, 9.0):
            n -= 1
    return n


def make(limit):
    @qd.kernel
    def step(a: qd.i32, b: qd.i32) -> qd.i32:
        return a if a > limit and (b < limit or
                                   a == b) else b
    return step


@qd.kernel
def unused(a: qd.i32) -> qd.i32:
    return 1 if a > 0 and a < 10 else 0
"""
TESTS = """\
import kernels
import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def cpu():
    qd.init(arch=qd.cpu, log_level="error")


def clip(*values):
    return kernels.clip(np.array(values, dtype=np.float32), 0.5, 5.0)


def test_above():
    assert clip(1.0, 8.0) == 1


def test_below():
    assert clip(0.1, 2.0) == 1


def test_step():
    step = kernels.make(3)
    assert step(5, 1) == 5
    assert step(1, 5) == 5
"""
# x[i] > top, x[i] < low, low > 0.0: T--, FF-, FTT. a > limit, b < limit, a == b: TT-, F--. low <= v <= top: TT.
MISSING = [
    "6: low <= v never false",
    "6: v <= top never false",
    "13: low > 0.0 never false",
    "24: b < limit never false",
    "25: a == b never evaluated",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Kernels at the top level, in a function, one that is never compiled, and tests that leave something out."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "test_kernels.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text("[tool.coverage.run]\nbranch = true\nsource = ['.']\n[tool.coverage.report]\nomit = ['test_*']\n")
    return tmp_path


def run(folder: Path, *command: str, code: int = 0, **more: str) -> str:
    """The output of a command that ends with `code`; of `qd-cov run` with the table, which it writes to standard error."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "PYTEST"))}
    done = subprocess.run(command, cwd=folder, env={**env, **more}, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + (done.stderr if command[:2] == ("qd-cov", "run") else "")


def missing_conditions(folder: Path, *options: str) -> list[str]:
    """The conditions in the column Missing."""
    return re.findall(r"\d+: [^,]*? never \w+", run(folder, "qd-cov", "report", "-m", "--conditions", *options))


def test_run_and_report(project: Path) -> None:
    """The table at the end of the run has the conditions already; each context has its own."""
    pytest_command = ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    out = run(project, "qd-cov", "run", "--conditions", "--context=test", "--", *pytest_command)
    assert "\nkernels.py " in out and "Conditions: 55%, 12 of 22 outcomes seen in 5 decisions.\n" in out, out
    assert "MC/DC: 36%, 4 of 11 conditions shown to decide alone.\n" in out
    assert missing_conditions(project) == MISSING
    assert "13: x[i] < low never true" in missing_conditions(project, "--contexts=test_above")
    assert "13: x[i] > top never true" in missing_conditions(project, "--contexts=test_below")
    (project / "pyproject.toml").write_text("[tool.coverage.run]\nbranch = true\n[tool.qd-cov]\nconditions = true\nfail_under_conditions = 99\n")
    out = run(project, "qd-cov", "run", "--", *pytest_command)
    assert "CondMiss" in out and "Failure" not in out  # the exit code is the command's
    assert "% < 99%: cover " in run(project, "qd-cov", "report", code=2)


def test_two_processes_are_combined(project: Path) -> None:
    """Each reaches a part, and both together have the data that one process would have."""
    for test in ("test_above", "test_below or test_step"):
        wanted = {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_CONDITIONS": "1"}
        run(project, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", test, **wanted)
    assert len(list(project.glob("_qd_kcov.*"))) == 2
    run(project, "qd-cov", "combine")
    assert missing_conditions(project) == MISSING
    assert "kernels.py: 12 lines, 5 decisions" not in (debug := run(project, "qd-cov", "debug", "data"))
    assert "4 decisions" in debug
    # Stock coverage.py reads the file, and says nothing of them.
    assert "never" not in run(project, sys.executable, "-m", "coverage", "report", "-m")


def test_pages_and_gates(project: Path) -> None:
    """The page shows them line by line; the gates of a change look at its lines alone."""
    run(project, "git", "init", "-q", "-b", "main")
    run(project, "git", "config", "user.email", "a@example.com")
    run(project, "git", "config", "user.name", "a")
    (project / "kernels.py").write_text(KERNELS.replace(" and low > 0.0", ""))
    run(project, "git", "add", "kernels.py", "test_kernels.py")
    run(project, "git", "commit", "-q", "-m", "base")
    (project / "kernels.py").write_text(KERNELS)
    run(project, "qd-cov", "run", "--conditions", "-q", "--", "python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    run(project, "qd-cov", "html", "--conditions", "-q", "--fail-under-mcdc", "36.3")
    page = (project / "htmlcov" / "index.html").read_text()
    chips = sources_of(page)["kernels.py"]["conditions"]
    assert sorted(chips, key=int) == ["6", "13", "14", "24", "31"]
    assert [chips[line]["chip"][1:3] for line in ("13", "14", "31")] == [[5, 6], [2, 2], [0, 4]]
    said = [text for decision in chips["13"]["decisions"] for *_, text in decision["conditions"]]
    assert "ways 1 and 3" in said and "wants x[i] > top false, x[i] < low true, low > 0.0 false" in said
    diff = run(project, "qd-cov", "diff", "--compare-branch=main", "--conditions", "--fail-under-conditions=83.3")
    assert "Conditions: 83.3%, 5 of 6 outcomes seen\nMC/DC: 66.7%, 2 of 3 conditions shown to decide alone\n" in diff
    assert "  kernels.py:13: low > 0.0 never false\n" in diff
    run(project, "qd-cov", "diff", "--compare-branch=main", "--fail-under-conditions=83.4", code=2)
    # The gate of a run that recorded none is closed.
    run(project, "qd-cov", "run", "-q", "--", "python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    out = run(project, "qd-cov", "report", "--fail-under-conditions=1", code=2)
    assert "Failure. No conditions were recorded: run the tests under 'qd-cov run --conditions'" in out
