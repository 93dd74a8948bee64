"""--arch: reports of one device's code, or of the host's, are coverage.py's of the contexts that are meant."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from diff_repository import Repository

SOURCE = "".join(f"x{i} = {i}\n" for i in range(1, 13))
HOST = {"": [1, 2], "test_a|run": [2, 3], "not|qd:": [9]}
CONTEXTS = {**HOST, "qd:cpu": [5], "test_a|run|qd:cpu": [6, 7], "test_b|run|qd:vulkan": [7, 8], "qd:cpux": [10]}
PATTERNS = {
    "cpu": r"(^|\|)qd:cpu$",
    "vulkan": r"(^|\|)qd:vulkan$",
    "host": r"^(?!(.*\|)?qd:\w+$)",
    "host,cpu": r"(^|\|)qd:cpu$,^(?!(.*\|)?qd:\w+$)",
}


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False)


def measured(folder: Path) -> None:
    data = CoverageData(str(folder / ".coverage"))
    for context, lines in CONTEXTS.items():
        data.set_context(context)
        data.add_lines({str(folder / "a.py"): lines})
    data.write()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(SOURCE)
    measured(tmp_path)
    return tmp_path


@pytest.mark.parametrize("archs", PATTERNS)
@pytest.mark.parametrize("command", ["report -m", "json -q -o -"])
def test_it_is_a_choice_of_contexts(project: Path, archs: str, command: str) -> None:
    words = command.split()
    expected = ran(project, sys.executable, "-m", "coverage", *words, f"--contexts={PATTERNS[archs]}").stdout
    done = ran(project, "qd-cov", *words, f"--arch={archs}")
    if "json" in command:  # it begins with a version and a time
        done.stdout, expected = (text.partition('"files"')[2] for text in (done.stdout, expected))
    assert (done.stdout, done.stderr) == (expected, "")
    assert "a.py" in done.stdout


def test_other_contexts_can_be_chosen_too(project: Path) -> None:
    done = ran(project, "qd-cov", "report", "-m", "--arch=cpu", "--contexts=test_")
    assert done.stdout.splitlines()[2].split() == ["a.py", "12", "10", "17%", "1-5,", "8-12"]


@pytest.mark.parametrize("command", ["xml -q -o -", "lcov -q -o -", "annotate -d out", "html -q", "badge -q", "debug probes"])
def test_commands_take_it(project: Path, command: str) -> None:
    done = ran(project, "qd-cov", *command.split(), "--arch=vulkan")
    if command.startswith("debug"):
        assert done.returncode == 1
    else:
        assert (done.returncode, done.stderr) == (0, ""), done
    if command.startswith("lcov"):
        assert [line for line in done.stdout.splitlines() if line.endswith(",1")] == ["DA:7,1", "DA:8,1"]
    if command.startswith("annotate"):
        marks = (project / "out" / "a.py,cover").read_text().splitlines()
        assert [number for number, line in enumerate(marks, 1) if line.startswith(">")] == [7, 8]


def test_a_change_that_ran_on_one_device_alone(repo: Repository) -> None:
    repo.write("a.py", "y = 1\n")
    repo.commit("first")
    repo.write("a.py", SOURCE)
    measured(repo.folder)
    for archs, missing in (("cpu", 9), ("vulkan", 10), ("host,cpu,vulkan", 4)):
        report = repo.diff("--compare-branch=HEAD", f"--arch={archs}")
        assert report.total() == (12, missing), report


def test_what_nothing_ran_on_is_told(project: Path) -> None:
    done = ran(project, "qd-cov", "report", "--arch=cuda,cpu")
    assert (done.returncode, done.stderr) == (0, "CoverageWarning: Nothing was measured on the architecture 'cuda'.\n")
    assert " 25%" in done.stdout


@pytest.mark.parametrize("name", ["", "CPU", "qd:cpu", "cpu,", "c.u"])
def test_names_that_are_none(project: Path, name: str) -> None:
    done = ran(project, "qd-cov", "report", f"--arch={name}")
    assert done.returncode == 1
    assert "option --arch: " in done.stderr + done.stdout
