"""The sample project: compiled kernels under `qd-cov run`, and the same tests as plain Python under coverage.py alone, give one table."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "projects" / "particles"
LEFT_OUT = "reference or placing or flight or fall or energy or dam or 1-7 or 1024-0"
"""Tests of derivatives, which plain Python does not compute, and some simulations that run what others run: it takes minutes."""
TESTS = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", "-k", f"not ({LEFT_OUT})"]


def run(folder: Path, *command: str, arch: str = "cpu") -> str:
    """The output of the command; it must not fail."""
    environment = {**os.environ, "QD_ARCH": arch, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def project(folder: Path) -> Path:
    """A copy of the project as it is after its change, which measures branches."""
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run(["git", "apply", "change.patch"], cwd=folder, check=True)
    return folder


def test_compiled_kernels_are_covered_as_plain_python_is(tmp_path: Path) -> None:
    python, compiled = (project(tmp_path / name / "particles") for name in ("python", "compiled"))
    run(python, sys.executable, "-m", "coverage", "run", *TESTS, arch="python")
    run(compiled, "qd-cov", "run", "--", sys.executable, *TESTS)
    expected = run(python, sys.executable, "-m", "coverage", "report")
    assert "Branch" in expected
    kernels = next(line for line in expected.splitlines() if line.startswith("particles/kernels.py"))
    assert kernels.split()[2] not in ("0", kernels.split()[1]), "the tests cover some lines of the kernels, not all"
    assert run(compiled, sys.executable, "-m", "coverage", "report") == expected
    assert run(compiled, "qd-cov", "report") == expected
    assert run(python, "qd-cov", "report") == expected
