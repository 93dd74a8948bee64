"""The pytest plugin without the kernel runtime, as the distribution qd-cov alone installs it: data has the command and the hashes all the same."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

NO_RUNTIME = """\
import sys
from importlib.machinery import PathFinder

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in ("qd", "qdcov", "qd_coverage") else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
"""
TESTS = """\
import app

def test_one():
    assert app.double(1) == 2

def test_two():
    import importlib.util
    assert importlib.util.find_spec("qdcov") is None
"""


@pytest.fixture
def project(tmp_path: Path, plugin_path: str) -> Path:
    (tmp_path / "app.py").write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "test_app.py").write_text(TESTS)
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden/sitecustomize.py").write_text(NO_RUNTIME)
    (tmp_path / "installed").symlink_to(plugin_path)
    return tmp_path


def run(project: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("QD_", "COV_", "COVERAGE_", "PYTEST_"))}
    clean["PYTHONPATH"] = os.pathsep.join(str(project / folder) for folder in ("hidden", "installed", ".")) + os.pathsep + clean.get("PYTHONPATH", "")
    return subprocess.run(words, cwd=project, env={**clean, **env}, capture_output=True, text=True, check=False)


def passed(project: Path, *words: str) -> None:
    done = run(project, *words)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr


def commands(project: Path) -> list[str]:
    with sqlite3.connect(project / ".coverage") as db:
        rows = db.execute("SELECT value FROM meta WHERE key = 'qd_commands'").fetchall()
    db.close()
    return [line for (value,) in rows for line in value.split("\n")]


@pytest.mark.parametrize("words", ["pytest --cov=app", "pytest --cov=app -n 2", "coverage run -m pytest"])
def test_the_command(project: Path, words: str) -> None:
    passed(project, *words.split())
    assert commands(project) == [words]


def test_a_changed_source_meets_no_gate(project: Path) -> None:
    """The data has the hash of the source that was measured."""
    passed(project, "pytest", "--cov=app")
    assert run(project, "qd-cov", "report", "--require-hashes", "--fail-under=1").returncode == 0
    (project / "app.py").write_text("def double(n):\n    return n + n\n")
    done = run(project, "qd-cov", "report", "--fail-under=1")
    assert done.returncode == 2 and "app.py" in done.stdout + done.stderr


def test_data_that_is_appended_to_keeps_its_versions(project: Path) -> None:
    passed(project, "pytest", "--cov=app", "-k", "test_one")
    passed(project, "pytest", "--cov=app", "--cov-append", "-k", "test_two")
    assert commands(project) == ["pytest --cov=app --cov-append -k test_two", "pytest --cov=app -k test_one"]
    (project / "app.py").write_text("def double(n):\n    return n + n\n")
    passed(project, "pytest", "--cov=app", "--cov-append", "-k", "test_two")
    assert run(project, "qd-cov", "report", "--fail-under=1").returncode == 2


def test_no_program(project: Path) -> None:
    """It is of the same distribution: a missing one is told, and fails no test."""
    with (project / "hidden/sitecustomize.py").open("a") as file:
        file.write("import sysconfig\nsysconfig.get_path = lambda *_: '/nowhere'\n")
    done = run(project, sys.executable, "-m", "pytest", "--cov=app", PATH="/usr/bin:/bin")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "versions of sources are not in the data: the program qd-cov is not installed beside its pytest plugin" in done.stderr


def test_an_older_leftover_is_not_of_the_new_source(project: Path) -> None:
    """Data without hashes that is older than a source, and that pytest-cov combines."""
    passed(project, "coverage", "run", "-p", "-m", "pytest", "-p", "no:qd-cov", "-k", "test_one")
    (left,) = project.glob(".coverage.*")
    os.utime(left, (left.parent.stat().st_mtime - 1000,) * 2)
    passed(project, "pytest", "--cov=app", "--cov-append", "-k", "test_two")
    done = run(project, "qd-cov", "report", "--fail-under=1")
    assert done.returncode == 2 and "has no version" in done.stderr
