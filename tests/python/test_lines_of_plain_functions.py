"""Coverage of lambdas, and of functions without a decorator, that kernels call: coverage.py on arch=qd.python is the oracle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import coverage
import pytest

PROGRAM = """\
import qd

qd.init(log_level="error")

square = lambda x: x * x
never = lambda x: x - 1
TABLE = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: (
        x
        - y
    ),
    "not called": lambda x, y: (
        x * y
    ),
}
both = [lambda x: x + 1, lambda x: x + 2]
alone = (
    lambda x:
    x * 3
)


def clipped(x, low=0):
    found = x
    if x < low:
        found = low
    else:
        if x > 100:
            found = 100
    return found


def mode(x, kind="a"):
    if kind == "a":
        return x + 1
    elif kind == "b":
        return x + 2
    return x


def shared(x):
    if x > 1000:
        return 1000
    return x


def unused(x):
    return x


class Scale:
    def __init__(self, by):
        self.by = by

    def times(self, x):
        if x < 0:
            x = 0
        return x * self.by


scale = Scale(2)


@qd.kernel
def kernel(n: qd.i32) -> qd.i32:
    total = square(n) + TABLE["add"](n, 2)
    total += TABLE["sub"](n, 1) + both[1](n) + alone(n)
    if n > 50:
        total += never(n)
    total += clipped(n) + mode(n, "b") + scale.times(n)
    total += shared(3)
    return total


print(kernel(3), both[0](1), mode(1), clipped(-1))  # on the host, too
"""


def measured(folder: Path, arch: str, *options: str) -> tuple[str, Any]:
    """The output of the program, and coverage.py's analysis of its data."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_"))}
    environment |= {"QD_ARCH": arch, "QD_KERNEL_COVERAGE": str(int(arch != "python"))}
    command = [sys.executable, *options, "-m", "coverage", "run", "--branch", "--data-file=host", "program.py"]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    cov = coverage.Coverage(data_file=str(folder / f"of_{arch}"), branch=True, config_file=False)
    cov.combine([str(folder / "host"), *map(str, folder.glob("_qd_kcov.*"))], strict=True)
    analysis = cov._analyze(str(program))
    taken, missing = (
        {(a, b) for a, ends in arcs.items() for b in ends} for arcs in (analysis.executed_branch_arcs(), analysis.missing_branch_arcs())
    )
    lambdas = {-number for number, text in enumerate(PROGRAM.splitlines(), 1) if "lambda" in text}
    of_lambdas = {arc for arc in cov.get_data().arcs(str(program)) or () if lambdas & {*arc}}
    return done.stdout, (analysis.statements, analysis.missing, taken, missing, of_lambdas)


@pytest.mark.parametrize("options", [(), ("-X", "no_debug_ranges")], ids=["columns", "no columns"])
def test_lines_and_arcs_are_those_of_python(tmp_path: Path, back_end_name: str, options: tuple[str, ...]) -> None:
    expected_output, expected = measured(tmp_path, "python", *options)
    output, actual = measured(tmp_path, back_end_name, *options)
    assert output == expected_output == "47 2 2 0\n"
    assert actual == expected
    of_the_host = {line("found = low"), line("return x + 1")}
    assert {line("found = 100"), line("never(n)"), line("x = 0"), line("def mode") + 5} <= actual[1]
    assert ({line("def shared") + 1, line("def mode") + 4, line("lambda x:\n")} | of_the_host) & actual[1] == set()


def line(text: str) -> int:
    return PROGRAM[: PROGRAM.index(text)].count("\n") + 1
