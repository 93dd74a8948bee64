"""The measured command in data of the plugin, as `qd-cov run` notes it: under pytest-cov, with workers, and under `coverage run`."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

CONFTEST = """\
def pytest_addoption(parser):
    parser.addoption("--db-password")
    parser.addoption("--token")
"""
TEST = """\
import os
import sys
from app import double

def test_double():
    assert double(2) == 4

def test_that_changes_much():
    sys.argv = sys.orig_argv = ["other"]
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
"""
SECRETS = ("--db-password=hunter2", "--token", "hunter2", "-k", "double or changes")


@pytest.fixture
def project(tmp_path: Path, plugin_path: str) -> Path:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__init__.py").write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "tests/test_app.py").write_text(TEST)
    (tmp_path / "installed").symlink_to(plugin_path)
    return tmp_path


def run(project: Path, *words: str, **env: str) -> None:
    clean = {k: v for k, v in os.environ.items() if k.startswith("QD_OFFLINE") or not k.startswith(("QD_", "COV_", "COVERAGE_", "PYTEST_"))}
    clean["PYTHONPATH"] = os.pathsep.join([str(project), str(project / "installed"), clean.get("PYTHONPATH", "")])
    done = subprocess.run(words, cwd=project, env={**clean, **env}, capture_output=True, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stdout + done.stderr


def commands(project: Path, name: str = ".coverage") -> list[str]:
    with sqlite3.connect(project / name) as db:
        rows = db.execute("SELECT value FROM meta WHERE key = 'qd_commands'").fetchall()
    db.close()
    return [line for (value,) in rows for line in value.split("\n")]


COMMANDS = {
    "pytest-cov": ("pytest", "--cov=app", "tests"),
    "xdist": ("pytest", "--cov=app", "-n", "1", "tests"),
    "as a module": ("python", "-m", "pytest", "--cov", "--cov-branch", "tests"),
    "coverage run with workers": ("coverage", "run", "--branch", "-m", "pytest", "-n", "1", "tests"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_secrets_and_other_readers(project: Path, words: tuple[str, ...]) -> None:
    """One command, without secrets, and a file that coverage.py reads."""
    run(project, *words, *SECRETS)
    found = commands(project)
    assert len(found) == 1 and found[0].startswith(" ".join(words)) and b"hunter2" not in (project / ".coverage").read_bytes()
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert str((project / "conftest.py").resolve()) in data.measured_files() or data.lines(str((project / "app/__init__.py").resolve())) == [1, 2]
    if "--branch" in words or words == COMMANDS["pytest-cov"]:
        (project / ".coverage").unlink()
        run(project, "qd-cov", "run", "-q", "--", *words, *SECRETS)
        assert commands(project) == found, "as `qd-cov run` has it"


def test_an_interpreter_with_options(project: Path) -> None:
    """A program that pip has installed has an interpreter in its first line; one that was named stays."""
    run(project, sys.executable, "-X", "dev", "-m", "pytest", "--cov=app", "tests")
    assert commands(project) == [f"{sys.executable} -X dev -m pytest --cov=app tests"]


@pytest.mark.parametrize(
    "tool", [("pytest", "--cov=app", "--cov-append"), ("coverage", "run", "--append", "-m", "pytest")], ids=["pytest-cov", "coverage"]
)
def test_appending(project: Path, tool: tuple[str, ...]) -> None:
    """Each command once; a run that does not append starts afresh."""
    for test in ("test_double", "test_that", "test_double"):
        run(project, *tool, "-k", test)
    assert commands(project) == [" ".join([*tool, "-k", test]) for test in ("test_double", "test_that")]
    fresh = [word for word in tool if "append" not in word]
    run(project, *fresh)
    assert commands(project) == [" ".join(fresh)]


def test_what_pytest_cov_finds(project: Path) -> None:
    """pytest-cov combines data files beside its own, of which coverage.py leaves the commands out."""
    run(project, "coverage", "run", "-p", "-m", "pytest", "-k", "test_double")
    run(project, "pytest", "--cov=app", "--cov-append", "-k", "test_that")
    assert commands(project) == ["coverage run -p -m pytest -k test_double", "pytest --cov=app --cov-append -k test_that"]
    assert not [*project.glob(".coverage.*")]


def test_combining(project: Path) -> None:
    """`qd-cov combine` keeps each command once."""
    for test in ("test_double", "test_that", "test_double"):
        run(project, "coverage", "run", "-p", "-m", "pytest", "-k", test)
    assert [len(commands(project, path.name)) for path in project.glob(".coverage.*")] == [1, 1, 1]
    run(project, "qd-cov", "combine")
    assert commands(project) == [f"coverage run -p -m pytest -k {test}" for test in ("test_double", "test_that")]


def test_what_qd_cov_run_starts(project: Path) -> None:
    """The command is the one that was given to it, not those that it starts."""
    (project / "all.sh").write_text("pytest --cov=app tests\n")
    run(project, "qd-cov", "run", "-q", "--", "sh", "all.sh")
    assert commands(project) == ["sh all.sh"]
