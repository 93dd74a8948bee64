"""A project whose report has every kind of number, and those numbers again, by other tools.

Kernels and host code, classes, nested folders, contexts on two devices and conditions. Executed lines are drawn by lot; coverage.py and `ast`
give the numbers of each part.
"""

from __future__ import annotations

import ast
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import coverage
from condition_project import Measured, add_conditions
from coverage.python import PythonFileReporter
from coverage.report_core import get_analysis_to_report
from coverage.results import AnalysisNarrower, Numbers
from kernel_tables import schema
from run_program import qd_cov

KERNELS = '''"""Kernels, and the host code around them."""
import os
import sys

import qd

LIMIT = int(os.environ.get("LIMIT", "8"))
if LIMIT > 100:
    LIMIT = 100
    sys.exit("too large")


def check(x):
    if x is None:
        raise ValueError("nothing to do")
    return x and LIMIT


@qd.kernel
def clip(x: qd.types.ndarray(dtype=qd.f32, ndim=1), low: qd.f32, top: qd.f32) -> qd.i32:
    n = 0
    for i in x:
        if x[i] > top or x[i] < low and low > 0.0:
            x[i] = top if x[i] > top * 1.0 else low
            n += 1
        if n > 5 and top > 1.0: n = 5
    return n


@qd.func
def shrink(a: qd.f32) -> qd.f32:
    while a > 1.0 and a < 1e9:
        a = a / 2.0
    return a


class Solver:
    """A class with host code and a kernel."""

    def __init__(self, n):
        self.n = n
        if n < 0 or n > LIMIT:
            raise ValueError(n)

    @qd.kernel
    def step(self, x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
        for i in x:
            if x[i] > 2.0 or x[i] < -2.0:
                x[i] = shrink(x[i])
            elif x[i] == 0.0:  # pragma: no cover
                x[i] = 1.0


@qd.kernel
def never(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        if x[i] > 0.0 and x[i] < 2.0:
            x[i] = 0.0
        else:
            x[i] = 1.0
'''
HOST = '''"""Host code alone."""


class Outer:
    def method(self, x):
        for i in range(x):
            if i == 3:
                break
        else:
            return 0
        return i

    class Inner:
        def name(self):
            return "inner"


def plain(x):
    def nested(y):
        return y + 1

    try:
        return nested(x)
    except TypeError:
        return None


if __name__ == "__main__":  # pragma: no cover
    plain(1)
'''
FILES = {"kernels.py": KERNELS, "lib/host.py": HOST, "lib/deep/full.py": "a = 1\nb = 2\n", "lib/deep/other.py": HOST.replace("Outer", "Other")}

HOSTS = ["", "test_a|run", "test_b|run"]
CPU = ["test_a|run|qd:cpu", "test_b|run|qd:cpu"]
CUDA = ["test_b|run|qd:cuda"]
CONTEXTS = HOSTS + CPU + CUDA
TESTS = {
    "outside tests (import, collection)": ("",),
    "test_a": ("test_a|run", "test_a|run|qd:cpu"),
    "test_b": ("test_b|run", "test_b|run|qd:cpu", "test_b|run|qd:cuda"),
}
ORIGINS = {"host": HOSTS, "cpu": CPU, "cuda": CUDA}
KERNEL_FUNCTIONS = ("clip", "shrink", "step")  # those that were compiled
# The lines of their decorators.
CLIP, SHRINK, STEP, NEVER = (KERNELS[: KERNELS.index(f"def {name}")].count("\n") for name in ("clip", "shrink", "step", "never"))
DECISIONS: list[Measured] = [
    ("x[i] > top or x[i] < low and low > 0.0", CLIP, "if", ["x[i] > top", "x[i] < low", "low > 0.0"],
     {CPU[0]: ["T--:T", "FF-:F"], CPU[1]: ["FTF:F"], CUDA[0]: ["FTT:T", "FF-:F"]}),
    ("x[i] > top * 1.0", CLIP, "ternary", ["x[i] > top * 1.0"], {CPU[0]: ["T:T"], CPU[1]: ["F:F"]}),
    ("n > 5 and top > 1.0", CLIP, "if", ["n > 5", "top > 1.0"], {CPU[0]: ["F-:F"], CPU[1]: ["TT:T"], CUDA[0]: ["TF:F"]}),
    ("a > 1.0 and a < 1e9", SHRINK, "while", ["a > 1.0", "a < 1e9"], {CPU[1]: ["TT:T", "F-:F"]}),
    ("x[i] > 2.0 or x[i] < -2.0", STEP, "if", ["x[i] > 2.0", "x[i] < -2.0"], {CUDA[0]: ["T-:T"]}),
]  # fmt: skip
NEVER_EVALUATED: list[Measured] = [("x[i] > 0.0 and x[i] < 2.0", NEVER, "if", ["x[i] > 0.0", "x[i] < 2.0"], {})]


def kernel_bodies(text: str) -> list[range]:
    """The lines of the bodies of kernels and funcs."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return [
        range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        for node in functions
        if any(isinstance(one, ast.Attribute) and one.attr in ("kernel", "func") for one in node.decorator_list)
    ]


def measure(folder: Path) -> None:
    """Writes the project, its data, and the report."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    plain = coverage.Coverage(data_file=None, config_file=False)
    data = coverage.CoverageData(str(folder / ".coverage"))
    for name, text in FILES.items():
        path = str(folder / name)
        bodies = kernel_bodies(text)
        arcs = sorted(PythonFileReporter(path, plain).arcs())
        never_launched = text.splitlines().index("def never(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):") if bodies else 0
        for context in CONTEXTS:
            dice = random.Random(name + context)
            on_device = "qd:" in context
            share = 1.0 if name.endswith("full.py") else 0.1 if name.endswith("other.py") else 0.3
            mine = [a for a in arcs if any(abs(a[0]) in body or abs(a[1]) in body for body in bodies) == on_device and dice.random() < share]
            mine = [a for a in mine if not (on_device and max(abs(a[0]), abs(a[1])) > never_launched)]
            data.set_context(context)
            data.add_arcs({path: mine})
    data.write()
    data.close()
    with sqlite3.connect(folder / ".coverage") as database:
        database.executescript(schema())
        (file_id,) = database.execute("SELECT id FROM file WHERE path LIKE '%/kernels.py'").fetchone()
        for node in ast.walk(ast.parse(KERNELS)):
            if isinstance(node, ast.FunctionDef) and node.name in KERNEL_FUNCTIONS:
                insert = "INSERT INTO qd_function (file_id, first_line, name, is_kernel, arch) VALUES (?, ?, ?, ?, ?)"
                first = min(one.lineno for one in node.decorator_list)
                database.execute(insert, (file_id, first, node.name, int(node.name != "shrink"), "cpu"))
    database.close()
    add_conditions(folder / ".coverage", folder / "kernels.py", str(folder / "kernels.py"), DECISIONS)
    done = qd_cov(folder, "html", "-q", "--show-contexts", "--conditions")
    assert (done.returncode, done.stderr) == (0, "")


class Outcomes(NamedTuple):
    """Numbers of conditions."""

    seen: int = 0
    all: int = 0
    alone: int = 0
    decide: int = 0

    def __add__(self, other: Any) -> Outcomes:
        return Outcomes(*(a + b for a, b in zip(self, other, strict=True)))


def outcomes(decision: Measured, contexts: Iterable[str]) -> Outcomes:
    """Outcomes seen and conditions that decide alone, by trying all pairs of evaluations."""
    _, _, _, conditions, measured = decision
    ways = [way.split(":") for context, all_ways in measured.items() if context in contexts for way in all_ways]
    seen = alone = 0
    for i in range(len(conditions)):
        seen += len({values[i] for values, _ in ways} - {"-"})
        for (a, result_a), (b, result_b) in product(ways, ways):
            others = [{x, y} for at, (x, y) in enumerate(zip(a, b, strict=True)) if at != i]
            if a[i] == "T" and b[i] == "F" and result_a != result_b and {"T", "F"} not in others:
                alone += 1
                break
    return Outcomes(seen, 2 * len(conditions), alone, len(conditions))


def decisions_by_line() -> dict[int, list[Measured]]:
    """Decisions of kernels.py, by line."""
    result: dict[int, list[Measured]] = {}
    for decision in DECISIONS + NEVER_EVALUATED:
        result.setdefault(KERNELS[: KERNELS.index(decision[0])].count("\n") + 1, []).append(decision)
    return result


class Selection:
    """Numbers by coverage.py for the contexts of a selection, in the lines that belong to it."""

    def __init__(self, folder: Path, contexts: Sequence[str] | None = None, lines: dict[str, set[int]] | None = None) -> None:
        oracle = coverage.Coverage(data_file=str(folder / ".coverage"), config_file=False)
        oracle.load()
        if contexts is not None:
            oracle.get_data().set_query_contexts([f"^{re.escape(context)}$" for context in contexts] or ["^none of them$"])
        self.contexts = CONTEXTS if contexts is None else contexts
        self.files = {str(Path(a.filename).relative_to(folder)): (reporter, a) for reporter, a in get_analysis_to_report(oracle, None)}
        self.lines = lines

    def numbers(self, name: str, lines: Iterable[int] | None = None) -> tuple[Numbers, Outcomes]:
        """Numbers of a file, or of some of its lines."""
        analysis = self.files[name][1]
        wanted = set(range(1, 10_000)) if lines is None else set(lines)
        if self.lines is not None:
            wanted &= self.lines[name]
        narrower = AnalysisNarrower(analysis)
        narrower.add_regions([wanted])
        n = analysis.numbers if lines is None and self.lines is None else narrower.narrow(wanted).numbers
        total = Outcomes()
        if name == "kernels.py":
            for line, decisions in decisions_by_line().items():
                if line in wanted:
                    for decision in decisions:
                        total += outcomes(decision, self.contexts)
        return n, total

    def executed(self, name: str) -> set[int]:
        """Statements."""
        return set(self.files[name][1].executed)

    def regions(self, name: str, kind: str) -> list[tuple[str, int, set[int]]]:
        """Name, line and lines of the functions or classes, and of the code outside of them."""
        reporter, _ = self.files[name]
        regions = [region for region in reporter.code_regions() if region.kind == kind]
        outside = set(range(1, FILES[name].count("\n") + 1)) - {line for region in regions for line in region.lines}
        return [(region.name, region.start, set(region.lines)) for region in regions] + [("", 0, outside)]


def lines_of_origins(folder: Path, origins: Sequence[str]) -> dict[str, set[int]]:
    """The lines that some origins can run: bodies of kernels on devices, all others in the host; and the lines that ran there."""
    ran = Selection(folder, [context for origin in origins for context in ORIGINS[origin]])
    result = {}
    for name, text in FILES.items():
        inside = {line for body in kernel_bodies(text) for line in body}
        outside = set(range(1, text.count("\n") + 1)) - inside
        result[name] = (outside if "host" in origins else set()) | (inside if set(origins) - {"host"} else set()) | ran.executed(name)
    return result


def test_counts(folder: Path) -> dict[str, Counter[str]]:
    """The number of statements of each file that a test ran, by test."""
    result = {}
    for test, contexts in TESTS.items():
        selection = Selection(folder, contexts)
        result[test] = Counter({name: n for name in FILES if (n := len(selection.executed(name)))})
    return result


def selections_of_archs(folder: Path) -> dict[str, Selection]:
    """Selections of the host and of each device: coverage.py's numbers for its contexts, in the lines that it can run."""
    return {arch: Selection(folder, contexts, lines_of_origins(folder, [arch])) for arch, contexts in ORIGINS.items()}
