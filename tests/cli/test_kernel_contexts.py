"""Contexts of kernels: the test that a hit belongs to, and reports of some contexts alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

KERNELS = """import qd


@qd.kernel
def sign(x: qd.i32) -> qd.i32:
    result = 1
    if x < 0:
        result = -1
    return result


@qd.kernel
def slow(steps: qd.i32) -> qd.i32:
    x = 1
    if steps > 0:
        for i in range(steps):
            for j in range(1000):
                x = (x * 1103515245 + 12345) % 2147483647
                if x == -1:
                    x = 0
    else:
        x = -1
    return x
"""
TESTS = """import threading

import host, kernels, qd

started, thread = threading.Event(), None


def launch():
    started.set()
    kernels.slow(400_000)


def test_odd():
    assert host.half(5) == 2


def test_negative():
    qd.init(log_level="error")
    assert kernels.sign(-2) == -1


def test_positive():
    assert kernels.sign(2) == 1


def test_begins_a_long_launch():
    global thread
    kernels.slow(0)  # compiled
    thread = threading.Thread(target=launch)
    thread.start()
    started.wait()
    import time

    time.sleep(0.05)


def test_while_it_runs():
    assert thread.is_alive()
    kernels.sign(-1)
    thread.join()
"""
HOST = "def half(n):\n    if n % 2:\n        n -= 1\n    return n // 2\n"


def environment(plugin_path: str = "") -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "PYTEST"))}
    return {**env, "PYTHONPATH": os.pathsep.join([plugin_path, env.get("PYTHONPATH", "")])}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, plugin_path: str) -> Path:
    folder = tmp_path_factory.mktemp("contexts")
    for name, text in {"host.py": HOST, "kernels.py": KERNELS, "test_all.py": TESTS, "conftest.py": ""}.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--cov=.", "--cov-branch", "--cov-context=test", "--cov-report="]
    done = subprocess.run([*command, "test_all.py"], cwd=folder, env=environment(plugin_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def contexts(project: Path, line: int) -> list[str]:
    data = CoverageData(str(project / ".coverage"))
    data.read()
    found = data.contexts_by_lineno(str(project.resolve() / "kernels.py"))[line]
    return sorted(context.removeprefix("test_all.py::") for context in found)


def test_hits_belong_to_the_test_that_launched(project: Path) -> None:
    assert contexts(project, 8) == ["test_negative|run|qd:cpu", "test_while_it_runs|run|qd:cpu"]
    assert "test_positive|run|qd:cpu" in contexts(project, 9)


def test_a_launch_in_flight_belongs_to_the_test_that_launched_it(project: Path) -> None:
    """A launch ends while another test runs, which launches kernels of its own."""
    assert contexts(project, 18) == ["test_begins_a_long_launch|run|qd:cpu"]


@pytest.mark.parametrize(
    "pattern", ["test_negative", "qd:cpu", r"\|run\|qd:cpu$", "test_odd", "test_(odd|positive)", r"run$", "while,negative", "no such context"]
)
def test_reports_of_some_contexts_are_coverages(project: Path, pattern: str) -> None:
    """Reports of some contexts, of host code and kernels alike, have coverage.py's numbers."""
    arguments = ["report", "-m", f"--contexts={pattern}", "--include=host.py,kernels.py"]
    expected, actual = (
        subprocess.run([*program, *arguments], cwd=project, env=environment(), capture_output=True, text=True, check=False)
        for program in ([sys.executable, "-m", "coverage"], ["qd-cov"])
    )
    assert (actual.returncode, actual.stdout) == (expected.returncode, expected.stdout)
