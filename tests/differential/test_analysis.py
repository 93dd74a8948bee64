"""Statements, exclusions, multi-line maps and arcs: ours against the installed coverage.py's, over everything that is installed."""

from __future__ import annotations

import ast
import collections
import itertools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import coverage
import pytest
from analysis_oracle import analysis_of
from analysis_vectors import PATTERN_VECTORS, VECTORS, Generator
from coverage.config import DEFAULT_EXCLUDE, DEFAULT_PARTIAL, DEFAULT_PARTIAL_ALWAYS
from coverage.misc import join_regex

HERE = Path(__file__).parent
BUILD = Path(os.environ.get("QD_BUILD") or HERE.parents[1] / "build" / "release")
DUMP = BUILD / "tests" / "differential" / "dump_analysis"
DEFAULT_PATTERNS = {"exclude": DEFAULT_EXCLUDE, "partial": DEFAULT_PARTIAL + DEFAULT_PARTIAL_ALWAYS}
N_RANDOM_PROGRAMS = 200
N_PROCESSES = 2
SAMPLED = 30  # of so many files of the standard library one is in the test; QD_ALL_FILES=1 takes all
SAMPLED_OWN = 4  # the same of this project's
EVERYTHING = HERE / "no_patterns.json"
OF = (7, 17)
"""The coverage.py whose numbers are ours: an older one, the last for Python 3.10, counts other lines of code that is never reached, and other arcs
of a `with` that ends another."""
DEAD = {10: 0.65, 11: 0.3, 14: 0.02}
"""Share of the random programs that may have lines of unreachable code that this Python leaves; those without a number have none."""

Results = dict[str, dict[str, Any]]


def permitted(theirs: dict[str, Any], ours: dict[str, Any], minor: int, live: set[int], old_withs: set[int]) -> bool:
    """The differences that are as they should be. `live` are the lines that a compiler of today leaves code for, `old_withs` those whose arcs an
    old coverage.py finds otherwise."""
    # The oracle's Python cannot read the file (it is broken on purpose, or for a newer Python; ours reads all of them), or coverage.py
    # fails in an assertion of its own.
    if "error" in theirs:
        return True
    # Up to 3.11, CPython leaves some unreachable code: after a `finally` that never falls through, and functions that happen to stand
    # before a constant in use. Unreachable code is never executed, so an approximation is enough. Nothing but dead
    # lines may differ, and their consequences: coverage.py finds arcs and counts among the lines that have code. (Dead lines that are
    # excluded as well show in the arcs alone.) From 3.14 on it leaves a function's first constant: a lambda after a `return`, say.
    if (minor <= 11 or minor >= 14) and "error" not in ours:
        lines = set(theirs["statements"]) ^ set(ours["statements"])
        if minor == 10 and lines - live:  # a clause is excluded when all of it is: one more dead line can keep it
            lines -= set(theirs["excluded"]) ^ set(ours["excluded"])
        arcs = past_dead(theirs["arcs"], live) ^ past_dead(ours["arcs"], live)
        keys = ["path", "no_branch", "multiline"] + ["excluded"] * (minor > 10 or not lines)
        same = all(theirs[key] == ours[key] for key in keys) and (lines or all(from_ in old_withs for from_, _ in arcs))
        if same and not lines & live:
            return True
    return theirs == ours


def past_dead(arcs: list[list[int]], live: set[int]) -> set[tuple[int, int]]:
    """The arcs between live lines: those that lead to a dead one go on to where it leads."""
    after = collections.defaultdict(set)
    for from_, to in arcs:
        after[from_].add(to)

    def targets(line: int, seen: frozenset[int]) -> set[int]:
        if abs(line) in live or line < 0 or line in seen:
            return {line}
        return set().union(*(targets(to, seen | {line}) for to in after[line]))

    return {(from_, to) for from_ in live for line in after[from_] for to in targets(line, frozenset())}


def lines_of_withs(path: str) -> set[int]:
    """The lines of the file's `with` statements, bodies included: since 7.17 jumps out of one that ends another have arcs of their own."""
    tree = ast.parse(Path(path).read_bytes())
    withs = [node for node in ast.walk(tree) if isinstance(node, (ast.With, ast.AsyncWith))]
    return {line for node in withs for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def ours(paths: list[str], patterns: Path, minor: int) -> Results:
    """Our analyses."""
    if not paths:
        return {}
    out = subprocess.run([DUMP, str(minor), patterns], input="\n".join(paths) + "\n", capture_output=True, text=True, check=True)
    return {result["path"]: result for result in map(json.loads, out.stdout.splitlines())}


def theirs(paths: list[str], patterns: Path, python: str) -> Results:
    """coverage.py's analyses, by `python`, in several processes; of a few files by this Python, in this one."""
    if python == sys.executable and len(paths) < 10:
        joined = [join_regex(json.loads(patterns.read_text())[kind]) for kind in ("exclude", "partial")]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {path: json.loads(json.dumps(analysis_of(path, *joined))) for path in paths}
    folder = Path(coverage.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"}
    command = [python, "-S", str(HERE / "analysis_oracle.py"), str(patterns)]
    processes = []
    for i in range(N_PROCESSES):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        processes.append((process, paths[i::N_PROCESSES]))
    with ThreadPoolExecutor() as pool:
        outputs = list(pool.map(lambda p: p[0].communicate("".join(f"{path}\n" for path in p[1]))[0], processes))
    assert all(process.returncode == 0 for process, _ in processes)
    return {result["path"]: result for result in map(json.loads, itertools.chain(*(out.splitlines() for out in outputs)))}


def differences(paths: list[str], patterns: Path, minor: int) -> tuple[list[str], Results, int]:
    """One line for each thing that differs in a file, coverage.py's results, and how many differences unreachable code makes."""
    expected = theirs(paths, patterns, PYTHONS[minor])
    actual = ours(paths, patterns, minor)
    live = ours([path for path, want in expected.items() if want != actual[path]], EVERYTHING, 13)
    lines = []
    n_permitted = 0
    for path, want in expected.items():
        have = actual[path]
        if want == have:
            continue
        old_withs = lines_of_withs(path) if coverage.version_info < OF and "error" not in want else set()
        lives = set(live[path].get("statements", []))
        if permitted(want, have, minor, lives, old_withs):
            n_permitted += "error" not in want and permitted(want, have, minor, lives, set())  # the others follow from old_withs alone
            continue
        if "error" in have:
            lines.append(f"{path}: {have['error']}")
            continue
        for key in want:
            if want[key] != have.get(key):
                lines.append(f"{path}: {key}: {difference(want[key], have[key])}")
    return lines, expected, n_permitted


def difference(want: Any, have: Any) -> str:
    """Missing and superfluous items."""

    def items(value: Any) -> set[Any]:
        return {str(v) for v in (value.items() if isinstance(value, dict) else value)}

    return f"lacks {sorted(items(want) - items(have))[:8]}, has too much {sorted(items(have) - items(want))[:8]}"


def other_pythons() -> Iterator[tuple[int, str]]:
    """Pythons on this machine that can run coverage.py, newest patch release of each minor version."""
    for minor in sorted({11, 12, 13, sys.version_info[1]} if coverage.version_info >= OF else {sys.version_info[1]}):
        if minor == sys.version_info[1]:
            yield minor, sys.executable
            continue
        found = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
        python = str(found[-1]) if found else shutil.which(f"python3.{minor}")
        if python:
            yield minor, python


PYTHONS = dict(other_pythons())


@pytest.fixture(name="default_patterns")
def default_patterns_fixture(tmp_path: Path) -> Path:
    """coverage.py's own patterns, in a file."""
    path = tmp_path / "patterns.json"
    path.write_text(json.dumps(DEFAULT_PATTERNS))
    return path


def write_all(folder: Path, sources: dict[str, str]) -> list[str]:
    """Writes programs to files; their names."""
    paths = []
    for name, source in sources.items():
        path = folder / f"{name}.py"
        path.write_bytes(source.encode())
        paths.append(str(path))
    return paths


def installed_files() -> list[str]:
    """A sample of this project's own files and of the standard library's, or everything that is installed. Whether a file is in the sample depends
    on its name alone."""
    everything = bool(os.environ.get("QD_ALL_FILES"))
    root = HERE.parents[1]
    own = [path for folder in ("ci", "tests", "runtime", "cli") for path in sorted((root / folder).rglob("*.py")) if "corpus" not in path.parts]
    paths = [path for path in own if everything or zlib.crc32(path.relative_to(root).as_posix().encode()) % SAMPLED_OWN == 0]
    stdlib = Path(sysconfig.get_path("stdlib"))
    folders = {stdlib, *(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib"))} if everything else {stdlib}
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(folder).as_posix()
            # The interpreter that made a virtual environment has site-packages of its own: any number of files.
            if name.startswith("site-packages/") or "\n" in name or not path.is_file():
                continue
            if everything or zlib.crc32(name.encode()) % SAMPLED == 0:
                paths.append(path)
    return list(map(str, paths))


def test_installed_files(default_patterns: Path) -> None:
    """Files that people wrote. QD_ALL_FILES=1 takes every file of the standard library and of site-packages."""
    paths = installed_files()
    lines, expected, n_permitted = differences(paths, default_patterns, sys.version_info[1])
    read = [result for result in expected.values() if "error" not in result]
    print(
        f"{len(read)} files with {sum(len(r['statements']) for r in read)} statements, {sum(len(r['arcs']) for r in read)} arcs and "
        f"{sum(len(r['narrowed'][kind]) for r in read for kind in ('function', 'class'))} regions compared, "
        f"{len(paths) - len(read)} files that coverage.py cannot read, {n_permitted} permitted differences"
    )
    assert len(read) > 100
    assert n_permitted <= (10 if sys.version_info < (3, 11) else 3)
    assert not lines, "\n".join(lines[:40])


@pytest.mark.parametrize("minor", PYTHONS)
def test_vectors(tmp_path: Path, default_patterns: Path, minor: int) -> None:
    """Programs written for this test, under every Python there is."""
    paths = write_all(tmp_path, VECTORS)
    lines, expected, n_permitted = differences(paths, default_patterns, minor)
    unread = {Path(path).stem for path, result in expected.items() if "error" in result}
    assert unread <= {"not_python", "bad_indent"} | ({"try_star"} if minor < 11 else set())
    assert n_permitted == 0 or (minor == 10 and n_permitted <= 3)
    assert not lines, "\n".join(lines)


def test_errors(tmp_path: Path, default_patterns: Path) -> None:
    """A source that is not Python is an error for us, too, in the same line."""
    paths = write_all(tmp_path, {name: VECTORS[name] for name in ("not_python", "bad_indent")})
    expected = theirs(paths, default_patterns, sys.executable)
    actual = ours(paths, default_patterns, sys.version_info[1])
    for path in paths:
        assert actual[path]["error"].startswith(f"Couldn't parse '{path}' as Python source: ")
        assert actual[path]["error"].split(" at line ")[1] == expected[path]["error"].split(" at line ")[1]


@pytest.mark.parametrize("minor", PYTHONS)
def test_random_programs(tmp_path: Path, default_patterns: Path, minor: int) -> None:
    """Random nesting of all statements, with pragmas in random places."""
    first = 0 if minor == sys.version_info[1] else N_RANDOM_PROGRAMS  # this Python takes others
    paths = write_all(tmp_path, {f"p{seed}": Generator(seed).program() for seed in range(first, first + N_RANDOM_PROGRAMS)})
    lines, expected, n_permitted = differences(paths, default_patterns, minor)
    assert sum("error" not in result for result in expected.values()) > N_RANDOM_PROGRAMS * 0.9
    assert n_permitted < N_RANDOM_PROGRAMS * DEAD.get(minor, 0.001)
    assert not lines, "\n".join(lines[:20])


@pytest.mark.parametrize("name", PATTERN_VECTORS)
def test_patterns(tmp_path: Path, name: str) -> None:
    """Exclusion patterns in Python's notation."""
    exclude, partial, source = PATTERN_VECTORS[name]
    patterns = tmp_path / "patterns.json"
    patterns.write_text(json.dumps({"exclude": exclude, "partial": partial}))
    paths = write_all(tmp_path, {name: source})
    lines, expected, n_permitted = differences(paths, patterns, sys.version_info[1])
    assert "error" not in expected[paths[0]]
    assert n_permitted == 0
    assert not lines, "\n".join(lines)
