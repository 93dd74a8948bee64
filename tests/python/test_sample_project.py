"""The sample project of the demo: its tests, its change, and its reference run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent / "projects" / "particles"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy in a git repository of its own."""
    copy = tmp_path / "particles"
    shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    subprocess.run(["git", "init", "-q", copy], check=True)
    return copy


def python(project: Path, *arguments: str, arch: str = "cpu") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QD_ARCH": arch, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *arguments], cwd=project, env=environment, capture_output=True, text=True)


def run_tests(project: Path) -> None:
    run = python(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_project_passes_its_tests(project: Path) -> None:
    run_tests(project)


def test_the_change_applies_and_passes_its_tests(project: Path) -> None:
    subprocess.run(["git", "apply", "change.patch"], cwd=project, check=True)
    assert (project / "tests" / "test_obstacle.py").exists()
    run_tests(project)


def test_the_reference_is_what_plain_python_computes(project: Path) -> None:
    run = python(project, "-m", "tests.reference", "again.json", arch="python")
    assert run.returncode == 0, run.stderr
    again = json.loads((project / "again.json").read_text())
    reference = json.loads((project / "tests" / "reference.json").read_text())
    assert again["time"] == pytest.approx(reference["time"], rel=1e-6)
    for name, tolerance in (("x", 1e-5), ("v", 1e-3), ("x3", 1e-5), ("v3", 1e-3)):
        assert len(again[name]) == len(reference[name])
        for row, expected in zip(again[name], reference[name]):
            assert row == pytest.approx(expected, abs=tolerance)
