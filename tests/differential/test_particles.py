"""The sample project: compiled kernels under `qd-cov run`, and the same tests as plain Python under coverage.py alone, give one table."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent / "projects" / "particles"
TESTS = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", "-k", "not reference"]


def run(folder: Path, *command: str, arch: str = "cpu") -> str:
    """The output of the command; it must not fail."""
    environment = {**os.environ, "QD_ARCH": arch, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(params=["branch", "line"])
def projects(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    """Two copies of the project as it is after its change, which measure branches or lines."""
    folders = []
    for name in ("compiled", "python"):
        folder = tmp_path / name / "particles"
        shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
        subprocess.run(["git", "init", "-q", folder], check=True)
        subprocess.run(["git", "apply", "change.patch"], cwd=folder, check=True)
        config = folder / "pyproject.toml"
        config.write_text(config.read_text().replace("branch = true", f"branch = {str(request.param == 'branch').lower()}"))
        folders.append(folder)
    return folders


def test_compiled_kernels_are_covered_as_plain_python_is(projects: list[Path]) -> None:
    compiled, python = projects
    run(compiled, "qd-cov", "run", "--", sys.executable, *TESTS)
    run(python, sys.executable, "-m", "coverage", "run", *TESTS, arch="python")
    expected = run(python, sys.executable, "-m", "coverage", "report")
    kernels = next(line for line in expected.splitlines() if line.startswith("particles/kernels.py"))
    assert kernels.split()[2] not in ("0", kernels.split()[1]), "the tests cover some lines of the kernels, not all"
    assert run(compiled, sys.executable, "-m", "coverage", "report") == expected
    assert run(compiled, "qd-cov", "report") == expected
    assert run(python, "qd-cov", "report") == expected
