"""`qd-cov debug sys` describes the Python that a shell would start, as that Python describes itself, and the runtime that it has."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build" / "release").resolve()


def rows(folder: Path, **more: str | None) -> dict[str, list[str]]:
    """The lines of each name."""
    env = {name: value for name, value in {**os.environ, **more}.items() if value is not None}
    done = subprocess.run([BUILD / "cli/qd-cov", "debug", "sys"], cwd=folder, env=env, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = {}
    name = ""
    for line in done.stdout.splitlines()[1:]:
        if started := re.match(r" {1,31}(\w+): ", line):
            name = started[1]
        found.setdefault(name, []).append(line[33:])
    return found


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder that has the running Python alone."""
    (tmp_path / "bin").mkdir()
    for name in ("python", "python3"):
        (tmp_path / "bin" / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


def test_the_python_that_is_used(here: Path) -> None:
    """The program on the PATH starts another one: only asking tells which."""
    found = rows(here, PATH=f"{here}/bin:/usr/bin:/bin", VIRTUAL_ENV=None)
    assert found["python_executable"] == [sys.executable]
    assert found["python_found"] == [f"{here}/bin/python3, the first on the PATH"]
    assert found["python_version"][0].startswith(f"CPython {platform.python_version()} (")
    assert found["coverage"] == [importlib.metadata.version("coverage")]
    assert found["pytest_cov"] == [importlib.metadata.version("pytest-cov")]


def test_the_runtime(here: Path) -> None:
    found = rows(here, PATH=f"{here}/bin:/usr/bin:/bin", VIRTUAL_ENV=None)
    assert found["qd"][0] == "0.1.0"
    assert Path(found["qd"][1]).samefile(BUILD / "python/qdcov")
    llvm = re.search(r"LLVM_DIR.*/llvm-(\d+)/", (BUILD / "CMakeCache.txt").read_text())
    assert llvm is not None and found["llvm"][0].startswith(f"LLVM {llvm[1]}.")
    assert re.fullmatch(rf"cpu: \S+, {len(os.sched_getaffinity(0))} processors", found["devices"][0])
    assert found["devices"][1:] == ["python"]


def test_a_virtual_environment_comes_first(here: Path) -> None:
    other = here / "environment/bin"
    other.mkdir(parents=True)
    (other / "python3").write_text("#!/bin/sh\nexit 3\n")
    (other / "python3").chmod(0o755)
    found = rows(here, PATH=f"{here}/bin:/usr/bin:/bin", VIRTUAL_ENV=str(here / "environment"))
    assert found["python_executable"] == [f"{other}/python3", "does not run: exit code 3"]
    assert found["python_found"] == [f"{other}/python3, VIRTUAL_ENV"]


def test_no_python(here: Path) -> None:
    assert rows(here, PATH="/nowhere", VIRTUAL_ENV=None)["python_executable"] == ["none on the PATH"]


def test_a_runtime_that_does_not_load(here: Path) -> None:
    (here / "qdcov").mkdir()
    (here / "qdcov/__init__.py").write_text("__version__ = '9'\n")
    (here / "qdcov/_native_module.py").write_text("raise ImportError('for CPython 3.9')\n")
    found = rows(here, PATH=f"{here}/bin:/usr/bin:/bin", VIRTUAL_ENV=None, PYTHONPATH=str(here))
    assert (found["qd"][0], found["llvm"], found["devices"]) == ("9", ["not loaded"], ["python", "not cpu: for CPython 3.9"])


def test_a_folder_of_the_runtime_without_its_files(here: Path) -> None:
    """The rest of an installation, or a folder of the user's of that name: Python imports it as a package without a file."""
    (here / "qdcov").mkdir()
    (here / "bin" / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')  # without the installed one
    found = rows(here, PATH=f"{here}/bin:/usr/bin:/bin", VIRTUAL_ENV=None, PYTHONPATH=str(here))
    assert found["qd"][0] == "not installed: python -m pip install qdcov"


@pytest.mark.parametrize("whole", [True, False])
def test_another_projects_package(here: Path, whole: bool) -> None:
    """pip lets one distribution overwrite the files of another without a word, and takes them away with the other one."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", here / "venv"], check=True)
    site = next((here / "venv").glob("lib/python3*/site-packages"))
    for package in ("numpy", "coverage"):
        for file in Path(str(importlib.metadata.distribution(package).locate_file(""))).glob(f"{package}*"):
            (site / file.name).symlink_to(file)
    (site / "qdcov").symlink_to(BUILD / "python/qdcov")
    (site / "qd").mkdir()
    (site / "qd/math.py").write_text("from qdcov.math import *\n")
    if whole:
        (site / "qd/__init__.py").write_text("")
    what = f"another project's package, {site}/qd/__init__.py" if whole else f"a folder without __init__.py, {site}/qd"
    found = rows(here, PATH=f"{here}/venv/bin:/usr/bin:/bin", VIRTUAL_ENV=None, PYTHONPATH=None)
    assert found["qd"][-1] == f"import qd gives {what}: import qdcov as qd"
    (here / "sim.py").write_text("import qd\nqd.init()\n")
    command = [BUILD / "cli/qd-cov", "run", "-q", "--", here / "venv/bin/python", "sim.py"]
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=here, env=env, capture_output=True, text=True)
    assert "AttributeError: module 'qd' has no attribute 'init'" in done.stderr
    assert f"'import qd' gave {what}: 'import qdcov as qd' gives the kernel runtime" in done.stderr + done.stdout


def test_what_lies_in_the_folder_is_not_run(here: Path) -> None:
    (here / "json.py").write_text("raise SystemExit(7)\n")
    assert rows(here, PATH=f"{here}/bin:/usr/bin:/bin", VIRTUAL_ENV=None)["python_executable"] == [sys.executable]


def test_the_commit(here: Path) -> None:
    """The one that the program was built from: a later one is no reason to build it again for this test."""
    commit = rows(here)["qd_cov_commit"][0]
    known = subprocess.run(["git", "-C", ROOT, "cat-file", "-t", commit.rstrip("+")], capture_output=True, text=True, check=False)
    assert known.stdout == "commit\n" or not (ROOT / ".git").exists()
