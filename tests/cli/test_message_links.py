"""Messages name the page of coverage.py's documentation that explains them, as the newest coverage.py does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py

OLD = Path(sys.prefix).with_name(".venv-coverage74") / "bin" / "python"


def put(path: Path, source: Path, arcs: bool = False) -> None:
    data = CoverageData(str(path))
    if arcs:
        data.add_arcs({str(source): [(-1, 1), (1, -1)]})
    else:
        data.add_lines({str(source): [1]})
    data.close()


def said(folder: Path, *command: str) -> tuple[int, str, list[str]]:
    """Exit code, standard output and warnings."""
    return told(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False))


def told(done: subprocess.CompletedProcess[str]) -> tuple[int, str, list[str]]:
    warnings = re.findall("CoverageWarning: (.*)", done.stderr)
    return done.returncode, done.stdout, warnings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    result = tmp_path.resolve()
    put(result / ".coverage", result / "gone.py")
    put(result / "lines", result / "gone.py")
    put(result / "arcs", result / "gone.py", arcs=True)
    return result


COMMANDS = {
    "no source": ["report"],
    "no source for a page": ["html", "-q"],
    "a file that is named": ["xml", "-q", "gone.py"],
    "could not be parsed": ["report", "-i"],
    "lines first": ["combine", "--keep", "-q", "--data-file=out", "lines", "arcs"],
    "arcs first": ["combine", "--keep", "-q", "--data-file=out", "arcs", "lines"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("old", [False, True], ids=["newest", "7.4"])
def test_the_version_that_is_matched_has_its_links(folder: Path, old: bool, command: list[str]) -> None:
    if old and not OLD.exists():
        pytest.skip("no coverage.py 7.4 here")
    python = str(OLD) if old else sys.executable
    version = coverage_py(["--version"], folder, check=True, python=python).stdout.split()[2]
    (folder / "pyproject.toml").write_text(f'[tool.qd-cov]\ncoverage_version = "{version}"\n')
    if old and command[0] == "combine":
        pytest.skip("it had other words")
    if command[0] == "combine":  # coverage.py combines in an order of its own, and an output of an earlier run is no input
        command = [*command[:-2], *sorted(command[-2:])]
    theirs = told(coverage_py(command, folder, python=python))
    (folder / "out").unlink(missing_ok=True)
    ours = said(folder, "qd-cov", *command)
    assert ours == theirs
    assert ("see https://" in ours[1] + "".join(ours[2])) != old


def test_without_a_version_links_are_to_the_latest(folder: Path) -> None:
    url = "https://coverage.readthedocs.io/en/latest/messages.html"
    assert said(folder, "qd-cov", "report") == (1, f"No source for code: '{folder}/gone.py'; see {url}#error-no-source\n", [])
    (folder / "pyproject.toml").write_text('[tool.qd-cov]\ncoverage_version = "7.10"\n')
    assert said(folder, "qd-cov", "report")[1].endswith("/en/latest/messages.html#error-no-source\n")
    (folder / "pyproject.toml").write_text('[tool.qd-cov]\ncoverage_version = "7.10.6"\n')
    assert said(folder, "qd-cov", "report") == (1, f"No source for code: '{folder}/gone.py'.\n", [])


def test_other_messages_have_none(folder: Path) -> None:
    (folder / "gone.py").mkdir()
    assert "see https" not in said(folder, "qd-cov", "report")[1]
    assert said(folder, "qd-cov", "report", "--include=nothing")[1] == "No data to report.\n"
