"""Conditions of decisions: ways to ask for them, the records that survive a process's death, and the tests that they belong to."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import forked

pytestmark = pytest.mark.usefixtures("on_back_end")

KERNELS = """
import qd


@qd.kernel
def between(x: qd.i32) -> qd.i32:
    result = 0
    if x > 0 and x < 10:
        result = 1
    if x > 100:
        result = 2 if x % 2 == 0 else 3
    return result
"""
BELOW, ABOVE, INSIDE = "F-F", "TFF", "TTT"

PROGRAM = """
import os
import signal
import sys

import kernels
import qd

qd.init(log_level="error")
kernels.between(-3)
how = sys.argv[1]
if how == "kill":
    kernels.between(20)
    os.kill(os.getpid(), signal.SIGKILL)
elif how == "fork":
    # The child reports nothing of its parent's.
    if (child := os.fork()) == 0:
        qd.init(log_level="error")
        kernels.between(5)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    os._exit(0)
"""

TESTS = """
import kernels
import pytest
import qd


@pytest.fixture(autouse=True)
def cpu():
    qd.init(log_level="error")


def test_below():
    assert kernels.between(-3) == 0


def test_inside_and_above():
    assert kernels.between(3) == 1
    assert kernels.between(30) == 0
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "test_kernels.py").write_text(TESTS)
    return tmp_path


def run(folder: Path, *command: str, **more: str) -> int:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "PYTEST"))} | more
    if command[0] == "pytest":
        return forked(sys.executable, command, folder, env).returncode
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False).returncode


def evaluations(folder: Path, data_file: str = ".coverage") -> dict[str, set[str]]:
    """The evaluations of the decision of `between`, by context."""
    found: dict[str, set[str]] = {}
    with contextlib.closing(sqlite3.connect(folder / data_file)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'qd_decision'").fetchone():
            return found
        rows = database.execute(
            "SELECT context.context, conditions || result FROM qd_evaluation"
            " JOIN context ON context.id = context_id JOIN qd_decision ON qd_decision.id = decision_id WHERE line = 8"
        )
        for context, way in rows:
            found.setdefault(context, set()).add(way)
    return found


ASK = {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_CONDITIONS": "1"}


def test_a_run_asks_by_its_option(project: Path, on_back_end: str) -> None:
    assert run(project, "qd-cov", "run", "-q", "--", "python", "program.py", "end") == 0
    assert evaluations(project) == {}
    assert run(project, "qd-cov", "run", "-q", "--conditions", "--", "python", "program.py", "end") == 0
    assert evaluations(project) == {f"qd:{on_back_end}": {BELOW}}
    assert run(project, "qd-cov", "run", "-q", "--conditions", "--no-host", "--", "python", "program.py", "end") == 0
    assert evaluations(project) == {f"qd:{on_back_end}": {BELOW}}


@pytest.mark.parametrize("value", ["true", "false"])
def test_the_configuration_asks(project: Path, value: str, on_back_end: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.qd-cov]\nconditions = {value}\n")
    expected = {f"qd:{on_back_end}": {BELOW}} if value == "true" else {}
    assert run(project, "qd-cov", "run", "-q", "--", "python", "program.py", "end") == 0
    assert evaluations(project) == expected
    # A process whose coverage was started by the environment alone.
    assert run(project, sys.executable, "program.py", "end", QD_KERNEL_COVERAGE="1") == 0
    (data,) = project.glob("_qd_kcov.*")
    assert evaluations(project, data.name) == expected
    data.unlink()
    if value == "false":
        return
    assert run(project, sys.executable, "program.py", "end", QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_CONDITIONS="0") == 0
    (data,) = project.glob("_qd_kcov.*")
    assert evaluations(project, data.name) == {}


def test_a_configuration_that_is_wrong_is_said(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.qd-cov]\nconditions = "perhaps"\n')
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "PYTEST"))}
    env["QD_KERNEL_COVERAGE"] = "1"
    done = subprocess.run([sys.executable, "program.py", "end"], cwd=project, env=env, capture_output=True, text=True, check=True)
    assert "pyproject.toml: Option [tool.qd-cov]conditions couldn't convert to a boolean: 'perhaps'" in done.stderr
    assert run(project, "qd-cov", "run", "--", "python", "program.py", "end") == 1


def test_pytest_asks_and_each_test_has_its_own(project: Path, on_back_end: str) -> None:
    """In workers too; what else is in the data does not depend on it."""
    pytest_cov = ["pytest", "-q", "--cov=.", "--cov-branch", "--cov-context=test"]
    first, second = f"test_kernels.py::test_below|run|qd:{on_back_end}", f"test_kernels.py::test_inside_and_above|run|qd:{on_back_end}"
    kernels, others = str(project / "kernels.py"), []
    for options in (["--cov-conditions"], ["--cov-conditions", "-n", "2"], []):
        assert run(project, *pytest_cov, *options) == 0
        assert evaluations(project) == ({first: {BELOW}, second: {INSIDE, ABOVE}} if options else {})
        data = CoverageData(str(project / ".coverage"))
        data.read()
        others.append((sorted(data.arcs(kernels) or []), data.measured_contexts()))
    assert others[0] == others[1] == others[2]


def test_contexts_of_qd_cov_run(project: Path, on_back_end: str) -> None:
    assert run(project, "qd-cov", "run", "-q", "--conditions", "--context=test", "--", "python", "-m", "pytest", "-q") == 0
    first, second = f"test_kernels.py::test_below|run|qd:{on_back_end}", f"test_kernels.py::test_inside_and_above|run|qd:{on_back_end}"
    assert evaluations(project) == {first: {BELOW}, second: {INSIDE, ABOVE}}


def test_a_killed_process_loses_no_finished_launch(project: Path, on_back_end: str) -> None:
    assert run(project, sys.executable, "program.py", "kill", **ASK) == -signal.SIGKILL
    assert run(project, "qd-cov", "combine", "-q") == 0
    assert evaluations(project) == {f"qd:{on_back_end}": {BELOW, ABOVE}}


def test_a_forked_child_has_its_own(project: Path, on_back_end: str) -> None:
    if on_back_end == "vulkan":
        pytest.skip("drivers of Vulkan do not outlive a fork")
    assert run(project, sys.executable, "program.py", "fork", **ASK) == 0
    journals = list(project.glob("_qd_kcov-journal.*"))
    assert len(journals) == 2
    both = []
    for journal in journals:
        assert run(project, "qd-cov", "combine", "-q", journal.name) == 0
        both.append(evaluations(project)[f"qd:{on_back_end}"])
    assert sorted(map(sorted, both)) == [[BELOW], [INSIDE]]


def test_a_decision_that_was_never_evaluated_is_known(project: Path) -> None:
    assert run(project, "qd-cov", "run", "-q", "--conditions", "--", "python", "program.py", "end") == 0
    with contextlib.closing(sqlite3.connect(project / ".coverage")) as database:
        decisions = database.execute("SELECT id, kind, line FROM qd_decision ORDER BY line").fetchall()
        assert [decision[1:] for decision in decisions] == [("if", 8), ("ternary", 11)]
        assert database.execute("SELECT count(*) FROM qd_evaluation WHERE decision_id = ?", (decisions[1][0],)).fetchone() == (0,)
