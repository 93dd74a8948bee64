"""pytest with pytest-cov over a package with kernels: the report is that of the same tests on arch=qd.python, which coverage.py sees by itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import coverage
import pytest
from coverage_commands import forked

pytestmark = pytest.mark.usefixtures("on_back_end")

KERNELS = '''\
import qd


@qd.func
def limited(v, top: qd.f32):
    if v > top:
        v = top
    return v


@qd.kernel
def step(n: qd.i32, x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    """Not all of this runs."""
    for i in range(n):
        if x[i] > 100.0:
            x[i] = 0.0
        elif x[i] > 2.0:
            x[i] = limited(x[i], 3.0)
        k = i
        while k > 0:
            k -= 2
            if k == 50:
                break
    if n > 1000:
        x[0] = 1.0


@qd.kernel
def count(n: qd.i32) -> qd.i32:
    s = 0
    for i in range(n):
        if i % 2 == 0: s += 1
    return s


@qd.kernel
def never(x: qd.types.ndarray()):
    for i in range(3):
        x[i] = 0


def host(n):
    if n > 3:
        return count(n)
    return 0
'''

TESTS = {
    "test_step.py": """\
import numpy as np
import pytest
import qd
from my_package import kernels
from other import outside

@pytest.mark.parametrize("n", [2, 5])
def test_step(n):
    x = np.linspace(0, 10, 8).astype(np.float32)
    kernels.step(n, x)
    outside(x)
    assert x.max() <= 10
""",
    "test_count.py": """\
from my_package import kernels

def test_count():
    assert kernels.host(9) == 5
""",
    "conftest.py": """\
import pytest
import qd

@pytest.fixture(autouse=True)
def program():
    qd.init(log_level="error")
    yield
    qd.reset()
""",
}

OTHER = """\
import qd

@qd.kernel
def outside(x: qd.types.ndarray()):
    for i in range(1):
        x[i] = 1
"""


def write_project(folder: Path, plugin_path: str) -> Path:
    for name, text in {"my_package/__init__.py": "", "my_package/kernels.py": KERNELS, "other.py": OTHER}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (folder / "tests").mkdir()
    for name, text in TESTS.items():
        (folder / "tests" / name).write_text(text)
    (folder / "installed").symlink_to(plugin_path)
    return folder


@pytest.fixture
def project(tmp_path: Path, plugin_path: str) -> Path:
    return write_project(tmp_path, plugin_path)


def run(project: Path, *options: str, env: Mapping[str, str] | None = None, at_once: bool = False) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own; `at_once` with others."""
    kept, dropped = ("QD_OFFLINE", "QD_ARCH"), ("QD_", "COV_", "COVERAGE_", "PYTEST_")
    clean = {k: v for k, v in os.environ.items() if k.startswith(kept) or not k.startswith(dropped)}
    clean["PYTHONPATH"] = os.pathsep.join([str(project), str(project / "installed"), clean.get("PYTHONPATH", "")])
    words = ["pytest", "-q", "-p", "no:cacheprovider", *options, "tests"]
    if at_once:
        done = subprocess.run([sys.executable, "-m", *words], cwd=project, env={**clean, **(env or {})}, capture_output=True, text=True)
    else:
        done = forked(sys.executable, words, project, {**clean, **(env or {})})
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def report(project: Path, *options: str, env: Mapping[str, str] | None = None) -> dict[str, Any]:
    """pytest-cov's report of each file."""
    target = project / "report.json"
    target.unlink(missing_ok=True)
    done = run(project, "--cov=my_package", f"--cov-report=json:{target}", *options, env=env)
    assert "INTERNALERROR" not in done.stdout and "Traceback" not in done.stderr
    keys = ("executed_lines", "missing_lines", "executed_branches", "missing_branches")
    return {name: {key: file.get(key) for key in keys} for name, file in json.loads(target.read_text())["files"].items()}


@pytest.fixture(scope="module")
def of_python(tmp_path_factory: pytest.TempPathFactory, plugin_path: str) -> dict[str, Any]:
    """The report of plain Python, in branch mode."""
    found = report(write_project(tmp_path_factory.mktemp("python"), plugin_path), "--cov-branch", env={"QD_ARCH": "python"})
    kernels = found["my_package/kernels.py"]
    assert 7 in kernels["executed_lines"] and 16 in kernels["missing_lines"]
    return found


def lines_alone(found: dict[str, Any]) -> dict[str, Any]:
    """A report in line mode."""
    return {name: {key: None if "branches" in key else value for key, value in file.items()} for name, file in found.items()}


def left_over(project: Path) -> list[str]:
    return sorted(p.name for p in project.iterdir() if re.match(r"\.coverage\.|_qd_kcov", p.name))


def test_the_report_is_that_of_plain_python(project: Path, of_python: dict[str, Any], on_back_end: str) -> None:
    """In branch mode, with the contexts of a line: the test that reached it, and the device."""
    assert report(project, "--cov-branch", "--cov-context=test") == of_python
    assert left_over(project) == []
    data = coverage.CoverageData(str(project / ".coverage"))
    data.read()
    by_line = data.contexts_by_lineno(str((project / "my_package/kernels.py").resolve()))
    assert f"tests/test_step.py::test_step[5]|run|qd:{on_back_end}" in by_line[14]
    assert f"tests/test_count.py::test_count|run|qd:{on_back_end}" in by_line[31]
    assert not any("test_count" in context for context in by_line[14])


def test_the_report_of_workers_is_that_of_plain_python(project: Path, of_python: dict[str, Any]) -> None:
    """In line mode."""
    assert report(project, "-n", "2") == lines_alone(of_python)
    assert left_over(project) == []


def test_opting_out(project: Path) -> None:
    without = report(project, "--cov-branch", env={"QD_KERNEL_COVERAGE": "0"})
    assert 14 in without["my_package/kernels.py"]["missing_lines"]
    assert left_over(project) == []


def test_without_pytest_cov_nothing_is_measured(project: Path) -> None:
    run(project)
    assert left_over(project) == [] and not (project / ".coverage").exists()


def test_the_environment_asks_without_pytest_cov(project: Path, on_back_end: str) -> None:
    run(project, env={"QD_KERNEL_COVERAGE": "1"})
    (name,) = left_over(project)
    data = coverage.CoverageData(str(project / name))
    data.read()
    assert data.has_arcs() and data.measured_contexts() == {"", f"qd:{on_back_end}"}
    assert str((project / "my_package/kernels.py").resolve()) in data.measured_files()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".coveragerc", "[run]\nbranch = true\n"),
        ("pyproject.toml", "[tool.coverage.run]\nbranch = true\n"),
        ("setup.cfg", "[coverage:run]\nbranch = true\n"),
    ],
)
def test_branch_mode_of_a_configuration_file(project: Path, of_python: dict[str, Any], file: str, text: str) -> None:
    (project / file).write_text(text)
    assert report(project, f"--cov-config={file}") == of_python


def test_relative_files_and_omit(project: Path, of_python: dict[str, Any]) -> None:
    (project / "my_package" / "more.py").write_text("import qd\n\n@qd.kernel\ndef more():\n    for i in range(3):\n        pass\n")
    (project / "tests" / "test_more.py").write_text("from my_package.more import more\n\ndef test_more():\n    more()\n")
    (project / ".coveragerc").write_text("[run]\nbranch = true\nrelative_files = true\nomit = */more.py\n")
    found = report(project)
    assert found == of_python and list(found) == ["my_package/__init__.py", "my_package/kernels.py"]
    data = coverage.CoverageData(str(project / ".coverage"))
    data.read()
    assert "my_package/kernels.py" in data.measured_files()


def test_kernels_of_child_processes(project: Path) -> None:
    (project / "tests" / "test_children.py").write_text(
        """\
import multiprocessing, subprocess, sys
import numpy as np
import qd
from my_package import kernels

CHILD = "import qd, numpy as np; from my_package import kernels; qd.init(log_level='error'); kernels.never(np.zeros(3))"

def in_fork():
    qd.init(log_level="error")
    kernels.step(3, np.full(3, 500, dtype=np.float32))

def test_fork():
    child = multiprocessing.get_context("fork").Process(target=in_fork)
    child.start()
    child.join()
    assert child.exitcode == 0

def test_subprocess():
    subprocess.run([sys.executable, "-c", CHILD], check=True)
"""
    )
    lines = report(project, "--cov-branch")["my_package/kernels.py"]
    assert 16 in lines["executed_lines"]  # only the fork's child gets there
    assert {38, 39} <= set(lines["executed_lines"])  # only the subprocess
    assert left_over(project) == []


def test_two_sessions_at_once_in_one_folder(project: Path, of_python: dict[str, Any]) -> None:
    """Each session has its own data file, as two jobs of a build have, and all that it ran, and nothing of the other."""

    def session(name: str) -> set[int]:
        target = project / f"{name}.json"
        options = ["--cov=my_package", "--cov-branch", f"--cov-report=json:{target}", "-k", name]
        done = run(project, *options, env={"COVERAGE_FILE": str(project / f".{name}")}, at_once=True)
        assert "Traceback" not in done.stderr
        return set(json.loads(target.read_text())["files"]["my_package/kernels.py"]["executed_lines"])

    with ThreadPoolExecutor() as both:
        step, count = both.map(session, ("test_step", "test_count"))
    whole = set(of_python["my_package/kernels.py"]["executed_lines"])
    of_step, of_count = {*range(6, 9), *range(13, 26)}, {*range(30, 34), *range(43, 46)}
    assert (step, count) == (whole - of_count, whole - of_step) and whole & of_step and whole & of_count
    assert left_over(project) == []
