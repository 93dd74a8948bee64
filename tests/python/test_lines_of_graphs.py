"""arch=qd.python: coverage.py sees the lines and arcs of do-whiles, sections, blocks and checkpoints, also of those that are skipped."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import coverage
from coverage.parser import PythonParser

FOLDER = Path(__file__).parent
KERNELS = FOLDER / "kernels_for_graph_lines.py"
RUN = """
import contextlib
import sys
import types
import coverage
import numpy as np
import qd
sys.path.insert(0, {folder!r})
import kernels_for_graph_lines as k
qd.init(arch=qd.python, log_level="error")

class DoWhile:
    # Schedules of the kernels in plain Python: no flag stops a checkpoint.
    def __init__(self):
        self.running = set()
    def __call__(self, flag):
        if id(flag) not in self.running:
            self.running.add(id(flag))
            return True
        if flag[()] == 0:
            self.running.remove(id(flag))
        return flag[()] != 0

block = lambda *a, **k: contextlib.nullcontext()
if {plain}:
    graph = types.SimpleNamespace(do_while=DoWhile(), parallel_context=block, parallel=block)
    k.qd = types.SimpleNamespace(graph=graph, checkpoint=block, stream_parallel=block)

def call(kernel, *arguments):
    return (kernel._function if {plain} else kernel)(*arguments)

def flag(n):
    return np.array(n, np.int32)

def x(n=4):
    return np.arange(n, dtype=np.int32)

for number, calls in enumerate({calls}):
    coverage.Coverage.current().switch_context(str(number))
    exec(calls)
"""

Arcs = set[tuple[int, int]]


def arcs_of(tmp_path: Path, calls: Sequence[str], plain: bool = False, core: str = "ctrace") -> list[Arcs]:
    """The arcs of the bodies of kernels as they were traced, between first lines of statements, for each of the calls."""
    data, script = tmp_path / f"data-{plain}-{core}", tmp_path / "run.py"
    script.write_text(RUN.format(folder=str(FOLDER), plain=plain, calls=calls))
    command = [sys.executable, "-m", "coverage", "run", "--branch", f"--data-file={data}", f"--include={KERNELS}", str(script)]
    subprocess.run(command, check=True, env={**os.environ, "COVERAGE_CORE": core})
    measured = coverage.CoverageData(str(data))
    measured.read()
    parser = PythonParser(filename=str(KERNELS))
    parser.parse_source()
    kernels = [node for node in ast.parse(KERNELS.read_text()).body if isinstance(node, ast.FunctionDef)]
    bodies = {line for node in kernels for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)}
    found: list[Arcs] = []
    for number in range(len(calls)):
        measured.set_query_context(str(number))
        arcs = {(parser.first_line(a), parser.first_line(b)) for a, b in measured.arcs(str(KERNELS)) or []}
        found.append({(a, b) for a, b in arcs if a != b and (a in bodies or b in bodies)})
    return found


CALLS = (
    "call(k.repeated, x(), flag(1), flag(1))",
    "call(k.repeated, x(), flag(4), flag(1))",
    "call(k.blocks, x(), 4)",
    "call(k.blocks, x(), 0)",
    "call(k.stages, x(), flag(0), flag(0), flag(1))",
    "call(k.stages, x(), flag(0), flag(0), flag(3))",
    "call(k.stages, x() + 100, flag(0), flag(0), flag(1))",
    "call(k.stages, x(0), flag(0), flag(0), flag(2))",
)


def test_arcs_are_those_of_the_source(tmp_path: Path) -> None:
    """Whichever tracer coverage.py has."""
    expected = arcs_of(tmp_path, CALLS, plain=True)
    assert all(expected)
    for core in ("ctrace", "pytrace"):
        assert dict(zip(CALLS, arcs_of(tmp_path, CALLS, core=core), strict=True)) == dict(zip(CALLS, expected, strict=True)), core


def arcs_along(*paths: str) -> Arcs:
    """The arcs of ways through a kernel, whose lines have the letters of their comments; ^ is its beginning and $ its end."""
    lines = KERNELS.read_text().splitlines()
    found: Arcs = set()
    for kernel, path in (given.split(" ") for given in paths):
        start = lines.index(next(line for line in lines if f"def {kernel}(" in line)) + 1
        at = {"^": -(start - 1), "$": -(start - 1)}
        at |= {path: next(n for n, line in enumerate(lines, 1) if n > start and line.endswith(f"# {path}")) for path in path.strip("^$")}
        found |= {(at[a], at[b]) for a, b in zip(path, path[1:])}
    return found


SKIPPING = {
    "k.yields(x(5), flag(0), flag(0))": ["yields ^ABCBDEFEGHGDIJKLKJMNMO$"],
    "k.yields(x(5), flag(1), flag(1))": ["yields ^ABCBDEFEGHGDIJMO$"],
    "k.yields(x(5), flag(0), flag(1))": ["yields ^ABCBDEFEGHGDIJKLKJMO$"],
    "k.yields.resume(x(5), flag(1), flag(0), from_checkpoint=2)": ["yields ^ABDIJKLKJMNMO$"],
    "k.yields.resume(x(5), flag(1), flag(1), from_checkpoint=2)": ["yields ^ABDIJKLKJMO$"],
    "k.yields.resume(x(5), flag(1), flag(0), from_checkpoint=1)": ["yields ^ABDEFEGHGDIJMO$"],
    "s = k.yields(x(5), flag(1), flag(0)); k.yields.resume(x(5), flag(0), flag(0), from_checkpoint=s)": [
        "yields ^ABCBDEFEGHGDIJMO$",
        "yields ^ABDEFEGHGDIJKLKJMNMO$",
    ],
    "k.passes(x(5), flag(3), flag(1))": ["passes ^ABCBDEFEDGHA$"],
    "k.passes.resume(x(5), flag(1), flag(1), from_checkpoint=1)": ["passes ^ABDEFEDGHA$"],
    "k.passes.resume(x(5), flag(1), flag(0), from_checkpoint=1)": ["passes ^ABDEFEDGIGHA$"],
    "k.passes.resume(x(5), flag(2), flag(0), from_checkpoint=1)": ["passes ^ABDEFEDGIGHABCBDEFEDGIGHA$"],
}


def test_what_is_skipped_did_not_run(tmp_path: Path) -> None:
    found = dict(zip(SKIPPING, arcs_of(tmp_path, list(SKIPPING)), strict=True))
    assert found == {calls: arcs_along(*paths) for calls, paths in SKIPPING.items()}
