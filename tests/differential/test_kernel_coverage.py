"""Kernel coverage against its definition: coverage.py's data of the same launches, run as plain Python.

QD_KERNELS=10000 runs more kernels than the default; QD_FIRST_SEED=400 others."""

from __future__ import annotations

import ast
import itertools
import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import hung_programs
import pytest
from kernel_generator import KernelGenerator, driver
from statement_generator import NESTINGS, SPINES

KERNELS = int(os.environ.get("QD_KERNELS", "120"))
KERNELS_A_FILE = min(15, max(1, KERNELS // 2))  # at least a file in debug mode, and one without
FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + -(-KERNELS // KERNELS_A_FILE))


@dataclass(frozen=True)
class Mode:
    """Settings for the run of a file's kernels, and for their coverage."""

    debug: bool = False
    branch: bool = True
    switch: int = 2  # qd.init's coverage_switch: whether and when kernels change to clean code, or to code with fewer counters
    threads: int = 1

    def __str__(self) -> str:
        return f"{'debug' if self.debug else 'release'}-{'branch' if self.branch else 'line'}-switch{self.switch}-threads{self.threads}"


MODES = (
    Mode(debug=True, switch=3),
    Mode(switch=0),
    Mode(branch=False),
    Mode(threads=3, switch=1),
    Mode(debug=True, branch=False, switch=0),
    Mode(switch=1),
    Mode(debug=True),
    Mode(threads=3, switch=3),
)
"""One for each file, in turn."""


def measured(data_file: Path, source: Path, branch: bool) -> dict[str, Any]:
    """coverage.py's analysis of a file with the data of one: all that its reports show."""
    cov = coverage.Coverage(data_file=str(data_file), branch=branch, config_file=False)
    cov.load()
    analysis = cov._analyze(str(source))
    if not branch:
        return {"statements": analysis.statements, "missing": analysis.missing}
    return {
        "statements": analysis.statements,
        "missing": analysis.missing,
        "missing branches": {(line, end) for line, ends in analysis.missing_branch_arcs().items() for end in ends},
        "executed branches": {(line, end) for line, ends in analysis.executed_branch_arcs().items() for end in ends},
    }


def run(folder: Path, arch: str, mode: Mode, *, print_ir: bool = False, script: str | None = None) -> tuple[str, Path]:
    """Runs the driver, or the script, under coverage.py, kernels too. Gives its output (results or the passes), and the data of both."""
    data = folder / f"{arch}-{mode}.data"
    repeats = 4 if arch != "python" and mode.switch == 1 else 1
    threads = mode.threads if arch != "python" else 1
    (folder / f"run_{arch}.py").write_text(script or driver(KERNELS_A_FILE, arch, mode.debug, threads=threads, repeats=repeats))
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE"))}
    env |= {"QD_LOG_LEVEL": "error", "QD_COVERAGE_SWITCH": str(mode.switch), "QD_PRINT_IR": str(int(print_ir))}
    env["QD_KERNEL_COVERAGE"] = str(int(arch != "python"))
    command = [sys.executable, "-m", "coverage", "run", f"--data-file={data}", "--include=*/generated.py", *(["--branch"] if mode.branch else [])]
    result = hung_programs.run([*command, f"run_{arch}.py"], cwd=folder, env=env, timeout=500)
    assert result.returncode == 0, result.stderr[-3000:]
    if arch != "python":
        (kernels,) = folder.glob("_qd_kcov.*")
        if mode.branch:
            check_func_variants(kernels)
        host, data = data, folder / f"combined-{mode}.data"
        cov = coverage.Coverage(data_file=str(data), config_file=False)
        cov.combine([str(host), str(kernels)], strict=True)
        cov.save()
    return result.stderr if print_ir else result.stdout, data


def check_func_variants(data: Path) -> None:
    """The probes of a func, and its taken arcs, are the union of those of its variants."""
    db = sqlite3.connect(data)
    of_func = "JOIN qd_function f ON f.id = function_id WHERE is_kernel = 0"
    variants = "qd_variant_arc JOIN qd_variant v ON v.id = variant_id"
    for whole, parts in (
        (f"SELECT f.id, fromno, tono FROM qd_probe {of_func} AND measured", f"SELECT f.id, fromno, tono FROM {variants} {of_func}"),
        (
            f"SELECT f.id, p.fromno, p.tono FROM qd_probe p {of_func} AND (file_id, p.fromno, p.tono) IN (SELECT file_id, fromno, tono FROM arc)",
            f"SELECT f.id, fromno, tono FROM {variants} {of_func} AND taken",
        ),
    ):
        assert set(db.execute(whole)) == set(db.execute(parts))
    db.close()


@dataclass(frozen=True)
class Generated:
    """A file of generated kernels in a folder, the mode in which they are compiled, and their run as plain Python: its output and its data."""

    source: Path
    mode: Mode
    output: str
    data: Path


@pytest.fixture(scope="module", params=SEEDS)
def generated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """Each file in turn: pytest runs all tests of one before those of the next. Branch data of plain Python has the lines of line data, too."""
    source = tmp_path_factory.mktemp("generated") / "generated.py"
    source.write_text(KernelGenerator(request.param).source(KERNELS_A_FILE))
    mode = MODES[request.param % len(MODES)]
    return Generated(source, mode, *run(source.parent, "python", Mode(debug=mode.debug)))


def test_lines_and_arcs_equal_those_of_plain_python(generated: Generated, back_end_name: str) -> None:
    source, mode = generated.source, generated.mode
    output, compiled = run(source.parent, back_end_name, mode)
    assert output == generated.output, mode
    expected, actual = measured(generated.data, source, mode.branch), measured(compiled, source, mode.branch)
    for what in expected:
        different = set(actual[what]) ^ set(expected[what])
        lines = {place if isinstance(place, int) else place[0] for place in different}
        assert different == set(), f"{mode}: {what}\n{show(source.read_text(), lines)}"


def test_branches_are_inferred_from_lines_as_plain_python_takes_them(generated: Generated, tmp_path: Path) -> None:
    """Quadrants' own kernel coverage knows lines alone. Such data is made of plain Python's here: no inferred branch is wrong."""
    source, python = generated.source, generated.data
    if generated.mode.debug:  # an assert that fails ends a loop, which lines alone do not tell
        _, python = run(source.parent, "python", Mode())
    data = coverage.CoverageData(str(python))
    data.read()
    arcs = data.arcs(str(source)) or []
    functions = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.FunctionDef) and node.decorator_list]
    entries = {-node.decorator_list[0].lineno for node in functions}
    of_kernels = {line for node in functions for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)}
    host = [arc for arc in arcs if not set(arc) & entries and not (set(arc) <= of_kernels)]
    kernels = {line for arc in arcs if arc not in host for line in arc if line > 0}
    alone = coverage.CoverageData(str(tmp_path / "alone.data"))
    alone.add_arcs({str(source): [*host, *((-1, line) for line in kernels), *((line, -1) for line in kernels)]})
    alone.close()

    def branches(data_file: Path, kind: str) -> set[tuple[int, int]]:
        command = ["qd-cov", "json", "-q", "-o", "-", f"--data-file={data_file}", "--keep-combined"]
        done = subprocess.run(command, cwd=source.parent, check=True, capture_output=True, text=True)
        return {(line, to) for line, to in json.loads(done.stdout)["files"]["generated.py"][f"{kind}_branches"]}

    taken, missing = (branches(python, kind) for kind in ("executed", "missing"))
    inferred, ruled_out = (branches(tmp_path / "alone.data", kind) for kind in ("executed", "missing"))
    wrong = (inferred - taken) | (ruled_out - missing)
    assert wrong == set(), show(source.read_text(), {line for line, _ in wrong})
    assert len(inferred) > 0.8 * len(taken)
    assert len(ruled_out) > 0.8 * len(missing)


DEAD_CALL = """
import qd


@qd.real_func
def shared(x: qd.i32) -> qd.i32:
    if x > 0 and x < 9:
        x += 1
    return x


@qd.real_func
def endless(x: qd.i32) -> qd.i32:
    while True:
        x += 1
        if x > 5:
            return x
    return shared(x)


@qd.kernel
def kernel(x: qd.i32) -> qd.i32:
    return endless(x) + shared(x)
"""


@pytest.mark.parametrize("branch", [True, False])
def test_a_routine_that_dead_code_calls_first_is_measured(tmp_path: Path, back_end_name: str, branch: bool) -> None:
    """Code after a loop that never ends has no probes; a routine is one for all of its calls, and has them."""
    source = tmp_path / "generated.py"
    source.write_text(DEAD_CALL)
    script = "import generated\nimport qd\n\nqd.init(arch='{}')\nprint(generated.kernel(1))\n"
    expected_output, python = run(tmp_path, "python", Mode(branch=branch), script=script.format("python"))
    output, compiled = run(tmp_path, back_end_name, Mode(branch=branch), script=script.format(back_end_name))
    assert output == expected_output
    assert measured(compiled, source, branch) == measured(python, source, branch)


@pytest.mark.parametrize("switch", [0, 2])
def test_kernels_of_which_all_is_covered_change_their_code(tmp_path: Path, back_end_name: str, switch: int) -> None:
    kernels = 10  # of fewer, none may be covered as a whole
    (tmp_path / "generated.py").write_text(KernelGenerator(1).source(kernels))
    passes, _ = run(tmp_path, back_end_name, Mode(switch=switch), print_ir=True, script=driver(kernels, back_end_name))
    compiled = [line for before, line in itertools.pairwise(passes.split("\n")) if before == "# lower"]
    twice = {line for line in compiled if compiled.count(line) == 2}
    assert len(set(compiled)) == kernels
    assert bool(twice) == bool(switch)


def test_the_generator_writes_every_nesting() -> None:
    """Four deep: 240 kernels have the first of them, and the list has all."""
    nested: set[tuple[str, ...]] = set()

    def is_static(node: ast.For | ast.While | ast.If) -> bool:
        head = node.iter if isinstance(node, ast.For) else node.test  # alone: text of a whole statement takes a hundred times as long
        return isinstance(head, ast.Call) and ast.unparse(head.func) == "qd.static"

    def walk(statements: list[ast.stmt], inside: tuple[str, ...]) -> None:
        nested.update(inside[i : i + 4] for i in range(len(inside) - 3))
        for node in statements:
            if isinstance(node, (ast.For, ast.While)):
                walk(node.body, (*inside, "static for" if is_static(node) else type(node).__name__.lower()))
            elif isinstance(node, ast.If):
                walk(node.body, (*inside, "static if" if is_static(node) else "if"))
                while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and node.orelse[0].col_offset == node.col_offset:
                    node = node.orelse[0]
                    walk(node.body, (*inside, "elif"))
                walk(node.orelse, (*inside, "else"))
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                walk(node.body, ())

    for seed in range(240 // KERNELS_A_FILE):
        walk(ast.parse(KernelGenerator(seed).source(KERNELS_A_FILE)).body, ())
    assert set(SPINES[: 240 * 4 // 5]) - nested == set()
    assert sorted(SPINES) == sorted(itertools.product(NESTINGS, repeat=4))


def show(source: str, lines: set[int]) -> str:
    """The lines that differ, marked, and those around them."""
    near = {n for line in lines for n in range(line - 6, line + 7)}
    numbered = enumerate(source.split("\n"), 1)
    return "\n".join(f"{'>>' if n in lines else '  '} {n:4} {text}" for n, text in numbered if n in near)
