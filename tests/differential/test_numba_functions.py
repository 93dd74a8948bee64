"""Lines and branches of functions of Numba, measured in compiled code, against coverage.py where the JIT is off: there is no permitted difference.

QD_NUMBA_FUNCTIONS=1000 compares that many generated functions."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba_functions import program

if importlib.util.find_spec("numba") is None:  # it takes long to import, and the tests' programs do so
    pytest.skip("needs numba", allow_module_level=True)

FUNCTIONS = int(os.environ.get("QD_NUMBA_FUNCTIONS", "3"))
TOGETHER = 40
"""Functions of one program."""


def measured(folder: Path, words: list[str], file: str, **environment: str) -> dict[str, set[Any]]:
    """The lines and branches of a program as coverage.py reports them."""
    every = os.environ | {"XDG_CACHE_HOME": str(folder)} | environment
    done = subprocess.run([*words, file], cwd=folder, env=every, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run([sys.executable, "-m", "coverage", "json", "-q"], cwd=folder, check=True)
    found = json.loads((folder / "coverage.json").read_text())["files"][file]
    kinds = ("executed_lines", "missing_lines", "executed_branches", "missing_branches")
    return {kind: {tuple(entry) if isinstance(entry, list) else entry for entry in found[kind]} for kind in kinds}


REFUSED = """
import program, sys
for name in sys.argv[1:]:
    try:
        getattr(program, name)(5, 0)
    except Exception:
        if not getattr(program, name).signatures:
            print(name)
"""


def refused_by_numba(folder: Path, source: str) -> set[int]:
    """The lines of functions that Numba alone does not compile, such as some with `match` in `match` ("key already in dictionary")."""
    functions = {f.name: range(f.lineno + 1, (f.end_lineno or f.lineno) + 1) for f in ast.parse(source).body if isinstance(f, ast.FunctionDef)}
    # The name of a generator is that of the function that calls it, and more.
    called = [name for name in functions if not name.endswith("_values")]
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", REFUSED, *called], cwd=folder, capture_output=True, text=True, check=True)
    refused = done.stdout.split()
    assert len(refused) <= 1 + len(called) // 8, refused
    return {line for name, lines in functions.items() if name.removesuffix("_values") in refused for line in lines}


def without(found: dict[str, set[Any]], lines: set[int]) -> dict[str, set[Any]]:
    return {kind: {entry for entry in entries if (entry[0] if isinstance(entry, tuple) else entry) not in lines} for kind, entries in found.items()}


def compare(folder: Path, source: str, may_refuse: bool = False, **environment: str) -> dict[str, set[Any]]:
    (folder / "program.py").write_text(source)
    by_host = measured(folder, [sys.executable, "-m", "coverage", "run", "--branch"], "program.py", NUMBA_DISABLE_JIT="1")
    compiled = measured(folder, ["qd-cov", "run", "-q", "--branch", "--", sys.executable], "program.py", **environment)
    if may_refuse and compiled != by_host:
        refused = refused_by_numba(folder, source)
        compiled, by_host = without(compiled, refused), without(by_host, refused)
    assert compiled == by_host
    return compiled


@pytest.mark.parametrize("seed", range(1, 1 + -(-FUNCTIONS // TOGETHER)))
def test_generated_functions(tmp_path: Path, seed: int) -> None:
    found = compare(tmp_path, program(seed, min(TOGETHER, FUNCTIONS)), may_refuse=True)
    assert found["executed_branches"] and found["missing_branches"]


def test_constructs(tmp_path: Path) -> None:
    source = (Path(__file__).parent / "numba_constructs.txt").read_text()
    # With times of LLVM's passes, code that LLVM has kept beyond its life ends the program.
    found = compare(tmp_path, source, NUMBA_LLVM_PASS_TIMINGS="1")
    assert len(found["executed_branches"]) > 80 and len(found["missing_lines"]) >= 20
