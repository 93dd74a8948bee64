"""`qd-cov which-tests`, and the contexts that `qd-cov run --context test` records for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOST = "def half(n):\n    if n % 2:\n        n -= 1\n    return n // 2\n"
KERNELS = """import qd


@qd.kernel
def sign(x: qd.i32) -> qd.i32:
    result = 1
    if x < 0:
        result = -1
    return result
"""
TESTS = """import host, kernels, qd


def test_even():
    assert host.half(4) == 2


def test_odd():
    assert host.half(5) == 2


def test_negative():
    qd.init(log_level="error")
    assert kernels.sign(-2) == -1


def test_positive():
    qd.init(log_level="error")
    assert kernels.sign(2) == 1
"""


def qd_cov(folder: Path, *arguments: str, plugin_path: str = "") -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "PYTEST"))}
    env["PYTHONPATH"] = os.pathsep.join([plugin_path, env.get("PYTHONPATH", "")])
    return subprocess.run(["qd-cov", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module", params=["one process", "xdist"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, plugin_path: str) -> Path:
    folder = tmp_path_factory.mktemp("which")
    for name, text in {"host.py": HOST, "kernels.py": KERNELS, "test_all.py": TESTS, "conftest.py": ""}.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", *(["-n", "2"] if request.param == "xdist" else [])]
    done = qd_cov(folder, "run", "--branch", "--context", "test", "--", *command, plugin_path=plugin_path)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize(
    ("place", "tests"),
    [
        ("host.py:4", ["test_even", "test_odd"]),
        ("host.py:3", ["test_odd"]),
        ("host.py:2->4", ["test_even"]),
        ("kernels.py:7", ["test_negative", "test_positive"]),
        ("kernels.py:8", ["test_negative"]),
        ("kernels.py:7->9", ["test_positive"]),
    ],
)
def test_lines_and_branches(project: Path, place: str, tests: list[str]) -> None:
    done = qd_cov(project, "which-tests", place)
    assert (done.returncode, done.stdout.split()) == (0, [f"test_all.py::{name}" for name in tests]), done.stderr


def test_whole_contexts(project: Path) -> None:
    assert qd_cov(project, "which-tests", "--contexts", "kernels.py:8").stdout == "test_all.py::test_negative|run|qd:cpu\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["host.py"], "'host.py' is no place: it takes FILE:LINE, FILE:LINE->LINE or FILE:LINE->exit"),
        (["host.py:x"], "is no place"),
        (["host.py:0"], "is no place"),
        (["gone.py:1"], "No data for 'gone.py'."),
        (["host.py:400"], "No test reaches it."),
        (["host.py:1"], "It ran, but the data has no test contexts: measure with contexts."),
        ([], "No line is given"),
    ],
)
def test_what_cannot_be_answered(project: Path, arguments: list[str], message: str) -> None:
    done = qd_cov(project, "which-tests", *arguments)
    assert done.returncode == 1
    assert message in done.stdout + done.stderr
