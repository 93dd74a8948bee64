"""The arcs that probes stand for are the arcs that coverage.py sees in the same source."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from coverage.parser import PythonParser

ROOT = Path(__file__).resolve().parents[2]
QD_LOWER = Path(os.environ.get("QD_BUILD", ROOT / "build/release")) / "tests/ir/qd-lower"

Arcs = set[tuple[int, int]]


def probe_arcs(path: Path) -> Arcs:
    """Every arc that a probe of the file's kernels stands for."""
    result = subprocess.run([QD_LOWER, "--arcs", path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    return {(int(start), int(end)) for _, start, end in lines}


def parse(path: Path) -> PythonParser:
    parser = PythonParser(text=path.read_text(), filename=str(path))
    parser.parse_source()
    return parser


def function_lines(path: Path) -> set[int]:
    """Lines of function bodies; the generated files have nothing else that is indented."""
    lines = path.read_text().splitlines()
    return {i + 1 for i, line in enumerate(lines) if line.startswith(" ")}


class Generator:
    """Random kernels: every control flow that kernels have."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.counter = 0

    def name(self) -> str:
        self.counter += 1
        return f"v{self.counter}"

    def test(self) -> str:
        return self.random.choice(["n > 2", "x[0] == 1", "n < 3 and x[1] > 0", "not n > 5", "1 < n < 4", "x[n] > 0 or n > 1"])

    def simple(self, loops: int, top: bool) -> str:
        choices = ["x[n] = 1", "x[0] += n", "pass", "assert n > 0, 'text'", "print(n)", '"a bare string"']
        if loops:
            choices.append("continue")
            if loops > 1:
                choices.append("break")
        return self.random.choice(choices)

    def suite(self, header: str, depth: int, loops: int) -> None:
        indent = "    " * depth
        if self.random.random() < 0.2:
            # One statement or two, in one line or in several that backslashes join.
            parts = [f"{indent}{header}:", *([f"{self.simple(0, False)};"] if self.random.random() < 0.5 else []), self.simple(loops, False)]
            self.lines += self.random.choice([" ", f" \\\n{indent} "]).join(parts).split("\n")
            return
        self.lines.append(f"{indent}{header}:")
        self.block(depth + 1, loops)

    def block(self, depth: int, loops: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, loops)

    def statement(self, depth: int, loops: int) -> None:
        kind = self.random.random()
        indent = "    " * depth
        if depth > 4 or kind < 0.4:
            self.lines.append(indent + self.simple(loops, depth == 1))
        elif kind < 0.7:
            self.suite(f"if {self.test()}", depth, loops)
            for _ in range(self.random.choice([0, 0, 1, 2])):
                self.suite(f"elif {self.test()}", depth, loops)
            if self.random.random() < 0.5:
                self.suite("else", depth, loops)
        elif kind < 0.85:
            # A loop that is not the outermost may have a break.
            self.suite(f"for {self.name()} in range(n)", depth, max(loops, 1) + 1 if depth > 1 else 1)
        elif kind < 0.9:
            self.suite(f"for {self.name()}, {self.name()} in qd.ndrange(n, (1, x.shape[0]))", depth, 2 if depth > 1 else 1)
        else:
            # Only here a constant: in an `if` it makes dead code, which we read and coverage.py does not.
            self.suite(f"while {self.random.choice([self.test(), 'True'])}", depth, 2)

    def source(self, kernels: int) -> str:
        self.lines = ["import qd"]
        for i in range(kernels):
            self.lines += ["", "", "@qd.kernel", f"def k{i}(n: qd.i32, x: qd.types.ndarray(qd.i32, 1)):"]
            if self.random.random() < 0.3:
                self.lines.append('    """A docstring."""')
            self.block(1, 0)
        return "\n".join(self.lines) + "\n"


@pytest.mark.parametrize("seed", range(8))
def test_generated_kernels(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "generated.py"
    path.write_text(Generator(seed).source(40))
    compare(path, complete=True)


def sample_files() -> list[Path]:
    return sorted((ROOT / "tests/ir").glob("*/*.py"))


@pytest.mark.parametrize("path", [p for p in sample_files() if p.parent.name != "errors"], ids=lambda p: f"{p.parent.name}/{p.name}")
def test_golden_kernels(path: Path) -> None:
    # Statements that qd.static leaves out have no probes.
    compare(path, complete="qd.static" not in path.read_text())


def compare(path: Path, *, complete: bool) -> None:
    parser = parse(path)
    probes = probe_arcs(path)
    possible = set(parser.arcs())
    executed_lines = {end for start, end in probes if start < 0}
    first = parser.first_line
    edges = parser.translate_arcs((start, end) for start, end in probes if start > 0)  # this also joins the arcs that leave a `with`
    edges = {(start, end) for start, end in edges if start != end}
    assert edges - possible == set()
    assert {first(line) for line in executed_lines} - parser.statements == set()
    if not complete:
        return
    inside = function_lines(path)
    wanted_lines = {line for line in parser.statements if line in inside}
    assert wanted_lines - {first(line) for line in executed_lines} == set()
    branching = {line for line, exits in parser.exit_counts().items() if exits > 1 and line in inside}
    wanted = {arc for arc in possible if arc[0] in branching}
    assert wanted - edges == set()
