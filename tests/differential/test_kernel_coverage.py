"""Kernel coverage against its definition: what coverage.py records when the same launches run as plain Python.

QD_KERNELS=10000 runs more kernels than the default."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import coverage
import pytest
from kernel_generator import KernelGenerator, driver

KERNELS_A_FILE = 25
FILES = -(-int(os.environ.get("QD_KERNELS", "300")) // KERNELS_A_FILE)


def measured(folder: Path, data_file: str) -> dict[str, Any]:
    """coverage.py's analysis of generated.py with the data of a file; statements and branches of the kernels' bodies."""
    cov = coverage.Coverage(data_file=str(folder / data_file), branch=True, config_file=False)
    cov.load()
    analysis = cov._analyze(str(folder / "generated.py"))
    return {
        "statements": analysis.statements,
        "missing": set(analysis.missing),
        "missing_branches": {line: sorted(ends) for line, ends in analysis.missing_branch_arcs().items()},
    }


def run(folder: Path, arch: str, kernels: int, debug: bool, *, branch: bool = True, switch: int = 2, print_ir: bool = False) -> str:
    """Runs the driver; leaves python.data or kernel data in the folder. Gives what it printed: results, or the compiler's passes."""
    (folder / f"run_{arch}.py").write_text(driver(kernels, arch, debug))
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE"))}
    env["QD_LOG_LEVEL"] = "error"
    env["QD_COVERAGE_SWITCH"] = str(switch)
    env["QD_PRINT_IR"] = str(int(print_ir))
    command = [sys.executable]
    if arch == "python":
        command += ["-m", "coverage", "run", "--branch", f"--data-file={folder / 'python.data'}", "--include=*/generated.py"]
        env["QD_KERNEL_COVERAGE"] = "0"
    else:
        env["QD_KERNEL_COVERAGE"] = "1"
        env["QD_KERNEL_COVERAGE_BRANCH"] = str(int(branch))
    result = subprocess.run([*command, f"run_{arch}.py"], check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stderr if print_ir else result.stdout


def body_lines(source: str) -> set[int]:
    """Lines of kernels and funcs without decorators, def lines and what the host runs."""
    import ast

    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            lines |= set(range(node.body[0].lineno, (node.end_lineno or 0) + 1))
    return lines


# Debug mode compiles asserts, which end basic blocks; every fourth file runs in it too. It makes no difference whether and when kernels change to
# clean code (qd.init's coverage_switch).
CASES = [(seed, False, 2 if seed % 3 else 0) for seed in range(FILES)]
CASES += [(seed, True, 0 if seed % 8 else 2) for seed in range(0, FILES, 4)]
CASES += [(0, False, 1)]


NAMES = [f"{seed}-{'debug' if debug else 'release'}-switch{switch}" for seed, debug, switch in CASES]


@pytest.mark.parametrize(("seed", "debug", "switch"), CASES, ids=NAMES)
def test_lines_and_arcs_equal_those_of_plain_python(tmp_path: Path, seed: int, debug: bool, switch: int) -> None:
    source = KernelGenerator(seed, asserts=debug).source(KERNELS_A_FILE)
    (tmp_path / "generated.py").write_text(source)
    expected_output = run(tmp_path, "python", KERNELS_A_FILE, debug)
    assert run(tmp_path, "cpu", KERNELS_A_FILE, debug, switch=switch) == expected_output
    (kernel_file,) = tmp_path.glob("_qd_kcov.*")
    expected = measured(tmp_path, "python.data")
    actual = measured(tmp_path, kernel_file.name)
    body = body_lines(source)
    assert actual["statements"] == expected["statements"]
    assert actual["missing"] & body == expected["missing"] & body, show(source, (actual["missing"] ^ expected["missing"]) & body)
    # coverage.py reports the missing branches of lines that ran.
    ran = body - expected["missing"]
    got = {line: ends for line, ends in actual["missing_branches"].items() if line in ran}
    want = {line: ends for line, ends in expected["missing_branches"].items() if line in ran}
    assert got == want, show(source, {line for line in got.keys() | want.keys() if got.get(line) != want.get(line)})


@pytest.mark.parametrize("switch", [0, 2])
def test_kernels_of_which_all_is_covered_change_their_code(tmp_path: Path, switch: int) -> None:
    source = KernelGenerator(1).source(KERNELS_A_FILE)
    (tmp_path / "generated.py").write_text(source)
    passes = run(tmp_path, "cpu", KERNELS_A_FILE, False, switch=switch, print_ir=True)
    compiled = [line for before, line in itertools.pairwise(passes.split("\n")) if before == "# lower"]
    twice = {line for line in compiled if compiled.count(line) == 2}
    assert len(set(compiled)) == KERNELS_A_FILE
    assert bool(twice) == bool(switch)


def test_line_mode_has_the_same_lines(tmp_path: Path) -> None:
    source = KernelGenerator(1000).source(KERNELS_A_FILE)
    (tmp_path / "generated.py").write_text(source)
    run(tmp_path, "cpu", KERNELS_A_FILE, False, branch=True)
    (arcs,) = tmp_path.glob("_qd_kcov.*")
    arcs.rename(tmp_path / "arcs.data")
    run(tmp_path, "cpu", KERNELS_A_FILE, False, branch=False)
    (lines,) = tmp_path.glob("_qd_kcov.*")
    data = {}
    for name in ("arcs.data", lines.name):
        data[name] = coverage.CoverageData(str(tmp_path / name))
        data[name].read()
    (file,) = data["arcs.data"].measured_files()
    assert data["arcs.data"].has_arcs()
    assert not data[lines.name].has_arcs()
    body = body_lines(source)
    assert set(data[lines.name].lines(file) or []) & body == set(data["arcs.data"].lines(file) or []) & body


def show(source: str, lines: set[int]) -> str:
    """The source with the lines that differ marked."""
    return "\n".join(f"{'>>' if n in lines else '  '} {n:4} {text}" for n, text in enumerate(source.split("\n"), 1))
