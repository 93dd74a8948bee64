"""`qd-cov debug` has the facts of `coverage debug`, one by one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import coverage
import pytest
from coverage_commands import coverage_py

Facts = dict[str, list[str]]


def output(folder: Path, *command: str, **environment: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(command, cwd=folder, env={**env, **environment}, capture_output=True, text=True, check=True)
    return done.stdout


def facts(text: str) -> Facts:
    """The lines of each name below the header."""
    found: Facts = {}
    name = ""
    for line in text.splitlines()[1:]:
        if started := re.match(r" {1,31}([\w.]+): ", line):
            name = started[1]
        found.setdefault(name, []).append(line[33:])
    return found


def both(folder: Path, *words: str, **environment: str) -> tuple[str, str]:
    theirs = output(folder, sys.executable, "-m", "coverage", "debug", *words, **environment)
    return theirs, output(folder, "qd-cov", "debug", *words, **environment)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tox.ini").write_text("[tox]\nx = 1\n")
    (tmp_path / "setup.cfg").write_text("[metadata]\nname = x\n")
    (tmp_path / "pyproject.toml").write_text('[tool.coverage.run]\nbranch = true\n\n[tool.coverage.paths]\nsource = ["a", "b"]\n')
    (tmp_path / "other.cfg").write_text("[run]\nparallel = true\n")
    (tmp_path / "rc").mkdir()
    (tmp_path / "rc/.coveragerc").write_text("[report]\nprecision = 2\n")
    return tmp_path


SETTINGS: list[tuple[list[str], dict[str, str]]] = [
    ([], {}), (["--rcfile=other.cfg"], {}), (["--rcfile=setup.cfg"], {}), (["--rcfile=.coveragerc"], {}), ([], {"COVERAGE_RCFILE": "other.cfg"}),
    (["--rcfile=rc/.coveragerc"], {"COVERAGE_RCFILE": "other.cfg"}), ([], {"COVERAGE_DEBUG": "what"}),
]  # fmt: skip


@pytest.mark.parametrize(("options", "environment"), SETTINGS)
def test_config(project: Path, options: list[str], environment: dict[str, str]) -> None:
    theirs, ours = (facts(text) for text in both(project, *options, "config", **environment))
    theirs.pop("plugin_options")
    assert {name: ours.get(name) for name in theirs} == theirs
    (project / ".coveragerc").write_text("[run]\nbranch = false\n")
    theirs, ours = (facts(text) for text in both(project, *options, "config", **environment))
    assert [ours[name] for name in ("config_files_attempted", "config_files_read", "config_file")] == [
        theirs[name] for name in ("config_files_attempted", "config_files_read", "config_file")
    ]


def test_pybehave(project: Path) -> None:
    """All facts of coverage.py in the Python that a shell would start."""
    bin_folder = str(Path(sys.executable).parent)
    environment = {"VIRTUAL_ENV": sys.prefix, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    theirs, ours = both(project, "pybehave", **environment)
    assert ours == theirs


def test_pybehave_without_coverage(project: Path) -> None:
    """Facts that the version of Python tells, without coverage.py."""
    program = shutil.which("qd-cov")
    assert program
    ours = facts(output(project, program, "debug", "pybehave", PATH="/nowhere", VIRTUAL_ENV=""))
    assert {"PYVERSION", "fstring_syntax"} <= set(ours)


@pytest.mark.parametrize("branch", [False, True])
def test_data(project: Path, branch: bool) -> None:
    """Facts of a data file, of the files beside it, of files that are named, and of one that is not there."""
    (project / "a.py").write_text("x = 1\nif x:\n    y = 2\n")
    (project / ".coveragerc").write_text(f"[run]\nbranch = {branch}\n")
    assert len(set(both(project, "data"))) == 1
    for words in (["run", "a.py"], ["run", "-p", "a.py"]):
        coverage_py([*words], project, check=True)
    data = coverage.CoverageData(str(project / "more"))
    if branch:
        data.add_arcs({str(project / "a.py"): [(-1, 1), (1, 2), (2, 3)]})
    else:
        data.add_lines({str(project / "a.py"): [1, 2, 3]})
    data.add_file_tracers({str(project / "a.py"): "my.plugin"})
    data.write()
    data.close()
    for words in (["data"], ["data", "more"], ["data", ".coverage", "more", "gone"]):
        theirs, ours = both(project, *words)
        assert ours == theirs
        assert "a.py: 3 lines" in ours


def test_sys(project: Path) -> None:
    bin_folder = str(Path(sys.executable).parent)
    environment = {"VIRTUAL_ENV": sys.prefix, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    theirs, ours = (facts(text) for text in both(project, "sys", **environment))
    for name in ("data_file", "python", "executable", "platform", "pid", "command_line", "time", "path"):
        theirs.pop(name)  # of the process, or more exact in other rows
        assert name in ours
    assert set(theirs.pop("environment")) <= set(ours["environment"])  # ours has variables of our own, too
    theirs["config_contents"] = [line for line in (project / "pyproject.toml").read_text().splitlines() if line]  # in their words, one line of bytes
    assert {name: ours.get(name) for name in theirs} == theirs


def test_premain(project: Path) -> None:
    """The processes that lead to this one, this one first."""
    lines = output(project, "sh", "-c", "qd-cov debug premain; true").splitlines()
    assert lines[0].startswith("-- premain --")
    assert lines[1].endswith("qd-cov debug premain")
    assert lines[2].endswith(" : sh -c qd-cov debug premain; true")
    assert any(line.split(" : ")[0].strip() == str(os.getpid()) for line in lines[1:])
