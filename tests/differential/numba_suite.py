"""The suite of a package that uses Numba: passes it as without coverage, and what do compiled functions have that Python has not?

    numba_suite.py FOLDER --source PACKAGE [-- tests/test_a.py -k word]

FOLDER has the unpacked sources, and the tests; the package and what they need must be importable. The suite runs alone, under `qd-cov run`, and
under coverage.py with NUMBA_DISABLE_JIT=1. The lines and branches of the last two are compared function by function. Differences are printed with
their source lines, for a reader to explain: a suite may choose other tests without the JIT, and other code with it. --keep FOLDER keeps the data.

NUMBA_DISABLE_JIT leaves @guvectorize compiled: `-p python_gufuncs` behind `--`, with this folder in PYTHONPATH, runs these functions as Python."""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Entry = int | tuple[int, int]
"""A line or a branch."""

KINDS = ("executed_lines", "missing_lines", "executed_branches", "missing_branches")


def run_suite(folder: Path, kept: Path, words: list[str], tests: list[str], **environment: str) -> dict[str, int]:
    """The number of tests by their outcome."""
    start = time.monotonic()
    results = kept / "results.xml"
    command = [*words, "-m", "pytest", "-q", "-o", f"cache_dir={kept / 'pytest'}", f"--junitxml={results}", *tests]
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False)
    if not results.exists():
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    suite = next(ElementTree.parse(results).getroot().iter("testsuite"))
    results.unlink()
    counts = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    print(f"{time.monotonic() - start:6.0f} s  exit code {done.returncode}  {counts}", flush=True)
    if counts["tests"] == 0:
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    return counts


def facts_of(folder: Path, data: Path) -> dict[str, dict[str, set[Entry]]]:
    """The lines and branches of each file."""
    out = data.with_suffix(".json")
    command = [sys.executable, "-m", "coverage", "json", "-q", "-i", "-o", str(out)]
    subprocess.run(command, cwd=folder, env=os.environ | {"COVERAGE_FILE": str(data)}, check=True)
    files: Any = json.loads(out.read_text())["files"]
    result: dict[str, dict[str, set[Entry]]] = {}
    for file, found in files.items():
        result[file] = {kind: {tuple(e) if isinstance(e, list) else e for e in found[kind]} for kind in KINDS}
    return result


def functions_of(source: str) -> Iterator[tuple[str, int, int, bool]]:
    """Functions of a module with the lines of their bodies, outer ones first, and whether a decorator has a name of Numba's."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            decorators = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
            yield node.name, node.lineno + 1, node.end_lineno or node.lineno, bool(re.search(r"jit|vectorize|stencil|cfunc|overload", decorators))


def _only(own: dict[str, set[Entry]], other: dict[str, set[Entry]], line: int) -> Iterator[tuple[str, str, list[Entry]]]:
    """The difference of the two sides in a line."""
    for kind in ("executed_lines", "executed_branches"):
        for by, entries in (("compiled alone", own[kind] - other[kind]), ("Python alone", other[kind] - own[kind])):
            yield kind, by, [e for e in entries if (e if isinstance(e, int) else e[0]) == line]


def compare(folder: Path, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    same = functions = differing = 0
    for file in sorted(set(ours) | set(theirs)):
        source = (folder / file).read_text()
        lines = source.splitlines()
        own, other = ours.get(file, {kind: set() for kind in KINDS}), theirs.get(file, {kind: set() for kind in KINDS})
        ran = [own[kind] ^ other[kind] for kind in ("executed_lines", "executed_branches")]
        same += sum(len(own[kind] & other[kind]) for kind in ("executed_lines", "executed_branches"))
        wrong = {e if isinstance(e, int) else e[0] for entries in ran for e in entries}
        places = sorted(functions_of(source), key=lambda place: place[2] - place[1])
        functions += sum(1 for *_, compiled in places if compiled)
        for name, first, last, compiled in places:
            inside = sorted(line for line in wrong if first <= line <= last)
            if not inside:
                continue
            differing += 1
            print(f"{file}: {name}{' (compiled)' if compiled else ''}")
            for line in inside:
                who = [f"{kind}: {only} {by}" for kind, by, only in _only(own, other, line) if only]
                print(f"    {line:>5} {lines[line - 1].strip():<60} {'; '.join(who)}")
            wrong -= set(inside)
        for line in sorted(wrong):
            print(f"{file}:{line}: {lines[line - 1].strip()}")
    print(f"{same} lines and branches ran in both, {functions} functions with decorators, {differing} functions differ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--source", required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as name:
        kept = (options.keep or Path(name)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        plain = run_suite(options.folder, kept, [sys.executable], options.tests)
        data, other = kept / "compiled", kept / "python"
        own = ["qd-cov", "run", "-q", "--branch", f"--source={options.source}", f"--data-file={data}", "--", sys.executable]
        covered = run_suite(options.folder, kept, own, options.tests, XDG_CACHE_HOME=str(kept))
        words = [sys.executable, "-m", "coverage", "run", "--branch", f"--source={options.source}", f"--data-file={other}"]
        run_suite(options.folder, kept, words, options.tests, NUMBA_DISABLE_JIT="1")
        compare(options.folder, facts_of(options.folder, data), facts_of(options.folder, other))
        if covered != plain:
            sys.exit(f"the suite has other outcomes under coverage: {covered}, not {plain}")


if __name__ == "__main__":
    main()
