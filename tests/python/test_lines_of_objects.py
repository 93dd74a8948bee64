"""Coverage of objects that kernels make, of super(), and of functions that are called with constants: coverage.py on arch=qd.python is the oracle.

Methods of such objects are kernel code. A function that is called with constants is host code: it runs when a kernel is compiled or found again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import coverage

PROGRAM = """\
import qd

qd.init(log_level="error")


def table(n):
    if n > 3:
        return 10
    if n < 0:
        return 20
    total = 0
    for i in range(n):
        total += i
    return total


class Base:
    def __init__(self, v):
        self.v = v
        if v > 100:
            self.v = 100

    def get(self, limit):
        found = 0
        for i in range(limit):
            if i % 2 == 0:
                found += i
            elif i > 1000:
                found -= 1
        return found + self.v


class Child(Base):
    def __init__(self, v, w=3):
        super().__init__(v)
        self.w = w

    @property
    def both(self):
        if self.v > 5:
            self.w += 1
        return self.v + self.w

    @staticmethod
    def never(x):
        return x

    def unused(self):
        return 0

    def get(self, limit):
        return super().get(limit) + table(2)


@qd.data_oriented
class Top:
    @qd.func
    def f(self, x):
        y = 0
        if x > 3:
            y = 1
        return y


class Below(Top):
    @qd.func
    def f(self, x):
        return super().f(x) + 1

    @qd.kernel
    def run(self, n: qd.i32) -> qd.i32:
        total = 0
        for i in range(n):
            total += self.f(i)
        return total


@qd.kernel
def k(n: qd.i32) -> qd.i32:
    total = 0
    for i in range(n):
        c = Child(i)
        if i > 2:
            total += c.get(3)
        else:
            total += c.both
    return total + table(5)


print(k(5), Below().run(3))
"""


def analysis(data: Path, source: Path) -> dict[str, Any]:
    cov = coverage.Coverage(data_file=str(data), branch=True, config_file=False)
    cov.load()
    found = cov._analyze(str(source))
    return {"statements": found.statements, "missing": found.missing, "branches": found.missing_branch_arcs()}


def measured(folder: Path, arch: str, *command: str) -> tuple[str, Any]:
    """The output of the program, and the analysis of its coverage."""
    environment = {**os.environ, "QD_ARCH": arch, "QD_OFFLINE_CACHE_FILE_PATH": str(folder / "cache")}
    done = subprocess.run([*command, "program.py"], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    found = analysis(folder / ".coverage", folder / "program.py")
    (folder / ".coverage").unlink()
    return done.stdout, found


def test_lines_and_branches_are_those_of_python(tmp_path: Path, on_back_end: str) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    expected = measured(tmp_path, "python", sys.executable, "-m", "coverage", "run", "--branch", "--include=program.py")
    assert expected[0] == "35 3\n"
    missing = expected[1]["missing"]
    for text, gone in (("return 10", False), ("return 20", True), ("self.v = 100", True), ("found -= 1", True), ("return x", True), ("y = 1", True)):
        assert (line_of(text) in missing) is gone, text
    for _ in range(2):  # compiled, and found in the cache
        assert measured(tmp_path, on_back_end, "qd-cov", "run", "--branch", "--", "python") == expected


def line_of(text: str) -> int:
    return next(i for i, line in enumerate(PROGRAM.split("\n"), 1) if line.strip() == text)
