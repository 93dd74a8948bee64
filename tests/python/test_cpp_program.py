"""A C++ program that runs kernels: measured by an environment variable or by qd-cov run, with no Python in the process."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build/release")
KERNELS = ROOT / "tests/projects/cpp/kernels.py"
PROGRAM = BUILD / "tests/projects/cpp/saxpy_program"


def line_of(text: str) -> int:
    """The line of kernels.py that holds a text."""
    return next(number for number, line in enumerate(KERNELS.read_text().splitlines(), 1) if text in line)


def run(folder: Path, *command: str | Path, **more: str) -> str:
    """The output of a command that must succeed; `more` is environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("QD_KERNEL", "COV"))}
    return subprocess.run(command, cwd=folder, env={**environment, **more}, check=True, capture_output=True, text=True).stdout


def rows(data_file: Path, query: str) -> list[tuple[object, ...]]:
    """Sorted rows of a data file."""
    with sqlite3.connect(data_file) as database:
        return sorted(database.execute(query))


def test_nothing_is_left_without_coverage(tmp_path: Path) -> None:
    assert run(tmp_path, PROGRAM, KERNELS) == "sum of y: 1.5005e+06\n"
    assert list(tmp_path.iterdir()) == []


def test_the_environment_asks_for_branches_and_conditions(tmp_path: Path) -> None:
    run(tmp_path, PROGRAM, KERNELS, QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_CONDITIONS="1")
    (data,) = tmp_path.iterdir()
    test = line_of("if v > top")
    assert rows(data, f"SELECT tono FROM arc WHERE fromno = {test}") == [(test + 2,)]
    assert rows(data, "SELECT conditions, result FROM qd_evaluation") == [("TT", "T")]
    assert rows(data, "SELECT DISTINCT name, is_kernel FROM qd_function") == [("limited", 0), ("saxpy_limited", 1), ("sum_positive", 1)]


def test_lines_when_branches_are_not_wanted(tmp_path: Path) -> None:
    run(tmp_path, PROGRAM, KERNELS, "100", QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_BRANCH="0")
    (data,) = tmp_path.iterdir()
    assert rows(data, "SELECT * FROM arc") == []
    assert rows(data, "SELECT count(*) FROM line_bits") == [(1,)]
    assert rows(data, "SELECT * FROM qd_decision") == [], "conditions were not asked for"


def test_qd_cov_run_measures_the_program(tmp_path: Path) -> None:
    out = run(tmp_path, "sh", "-c", f"qd-cov run --branch --conditions -- '{PROGRAM}' '{KERNELS}' 100 2>&1")
    assert "sum of y: " in out and "kernels.py" in out
    report = run(tmp_path, "qd-cov", "report", "-m", "--conditions")
    for condition in ("0.0 < x[i]", "x[i] < TOO_LARGE"):
        assert f"kernels.py:{line_of('0.0 < x[i]')}: {condition} never false\n" in report
