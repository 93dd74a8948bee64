"""The evaluations of decisions in compiled kernels against those of the same source as Python, by a recorder that shares no code with us.

QD_KERNELS=10000 runs more kernels than the default; QD_FIRST_SEED=400 others."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import hung_programs
import pytest
from condition_recorder import RECORDER, Decision, recording
from decision_generator import DecisionGenerator
from kernel_generator import driver

KERNELS_A_FILE = 10
FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + -(-int(os.environ.get("QD_KERNELS", "40")) // KERNELS_A_FILE))
MOST_WAYS = 64

Evaluations = dict[Decision, set[str]]


@dataclass(frozen=True)
class Mode:
    """Settings for the run of a file's kernels."""

    debug: bool = False
    switch: int = 2
    threads: int = 1
    branch: bool = True

    def __str__(self) -> str:
        return f"{'debug' if self.debug else 'release'}-switch{self.switch}-threads{self.threads}-{'branch' if self.branch else 'line'}"


MODES = [Mode(debug=True), Mode(switch=3), Mode(debug=True, threads=3, switch=1), Mode(branch=False, switch=1)]


def run(folder: Path, arch: str, mode: Mode, settings: dict[str, str], kernels: int = KERNELS_A_FILE) -> str:
    """Runs the driver in a folder that holds `generated.py`; gives its output."""
    threads = mode.threads if arch != "python" else 1
    text = driver(kernels, arch, mode.debug, threads=threads, repeats=2 if mode.switch == 1 and arch != "python" else 1)
    if arch == "python":
        # A failed assert leaves decisions open.
        text = "import recorder\n" + text.replace("def launch(k, size, m):\n", "def launch(k, size, m):\n    recorder.stack.clear()\n")
    (folder / "run.py").write_text(text)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE"))}
    env |= {"QD_LOG_LEVEL": "error", "QD_COVERAGE_SWITCH": str(mode.switch), "QD_KERNEL_COVERAGE": "0"} | settings
    result = hung_programs.run([sys.executable, "run.py"], cwd=folder, env=env, timeout=500)
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


def of_python(folder: Path, source: str, mode: Mode) -> tuple[str, list[Decision], Evaluations]:
    folder.mkdir()
    transformed, decisions = recording(source)
    (folder / "generated.py").write_text(transformed)
    (folder / "recorder.py").write_text(RECORDER)
    output = run(folder, "python", mode, {})
    seen = {decisions[int(number)]: set(ways) for number, ways in json.loads((folder / "seen.json").read_text()).items()}
    return output, decisions, seen


def of_data(path: Path) -> Evaluations:
    """Every decision of a data file, those that were not evaluated too."""
    result: Evaluations = {}
    with contextlib.closing(sqlite3.connect(path)) as database:
        for number, first_line, kind, *place in database.execute("SELECT id, first_line, kind, line, col, end_line, end_col FROM qd_decision"):
            conditions = database.execute(
                "SELECT line, col, end_line, end_col FROM qd_condition WHERE decision_id = ? ORDER BY number", (number,)
            ).fetchall()
            ways = database.execute("SELECT conditions, result FROM qd_evaluation WHERE decision_id = ?", (number,)).fetchall()
            a, b, c, d = place
            result[Decision(first_line, kind, (a, b, c, d), tuple(conditions))] = {letters + outcome for letters, outcome in ways}
    return result


def singly(ways: set[str]) -> set[str]:
    """The record of a decision with too many ways: each condition alone."""
    return {f"{'-' * i}{letter}{'-' * (len(way) - 1 - i)}" for way in ways for i, letter in enumerate(way[:-1]) if letter != "-"}


def differences(expected: Evaluations, actual: Evaluations) -> list[str]:
    lines = []
    for decision, ways in expected.items():
        got = actual.get(decision, set())
        if got != ways and got != singly(ways):
            lines.append(f"{decision}\n  Python: {sorted(ways)}\n  kernel: {sorted(got)}")
    return lines + [f"{decision} was not evaluated: {sorted(ways)}" for decision, ways in actual.items() if ways and decision not in expected]


@pytest.mark.parametrize("seed", SEEDS)
def test_evaluations_equal_those_of_plain_python(tmp_path: Path, back_end_name: str, seed: int) -> None:
    mode = MODES[seed % len(MODES)]
    source = DecisionGenerator(seed).source(KERNELS_A_FILE)
    expected_output, decisions, expected = of_python(tmp_path / "python", source, mode)
    compiled = tmp_path / "compiled"
    compiled.mkdir()
    (compiled / "generated.py").write_text(source)
    if seed % len(MODES) < 2:  # code without coverage is that of debug mode or not, whatever the mode else has
        assert run(compiled, back_end_name, mode, {}) == expected_output
    settings = {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_CONDITIONS": "1", "QD_KERNEL_COVERAGE_BRANCH": str(int(mode.branch))}
    assert run(compiled, back_end_name, mode, settings) == expected_output
    (data,) = compiled.glob("_qd_kcov.*")
    actual = of_data(data)
    assert not differences(expected, actual), "\n".join(differences(expected, actual)[:5])
    unknown = set(actual) - set(decisions)
    assert not unknown
    assert {"if", "ternary", "value"} <= {decision.kind for decision in actual}
    singles = [decision for decision, ways in actual.items() if any(way.endswith("-") for way in ways)]
    print(f"{len(expected)} decisions, {sum(map(len, expected.values()))} evaluations, {len(singles)} recorded singly")


def test_without_conditions_nothing_of_them_is_written(tmp_path: Path, back_end_name: str) -> None:
    (tmp_path / "generated.py").write_text(DecisionGenerator(1).source(2))
    run(tmp_path, back_end_name, Mode(), {"QD_KERNEL_COVERAGE": "1"}, kernels=2)
    (data,) = tmp_path.glob("_qd_kcov.*")
    assert of_data(data) == {}


EAGER = """
import qd

@qd.kernel
def k(x: qd.i32, y: qd.i32) -> qd.i32:
    result = 0
    if x > 0 and (y > 0 or not 3 < x < 9):
        result = 1
    return result
"""


def test_operators_that_evaluate_both_sides_record_what_python_would(tmp_path: Path) -> None:
    (tmp_path / "generated.py").write_text(EAGER)
    (tmp_path / "run.py").write_text(
        "import generated, qd\nqd.init(short_circuit_operators=False)\nfor x, y in (-1, 1), (2, -1), (5, -1), (5, 5):\n    generated.k(x, y)\n"
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE"))}
    env |= {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_CONDITIONS": "1"}
    subprocess.run([sys.executable, "run.py"], check=True, cwd=tmp_path, env=env)
    (data,) = tmp_path.glob("_qd_kcov.*")
    (ways,) = of_data(data).values()
    assert ways == {"F---F", "TFF-T", "TFTTF", "TT--T"}
