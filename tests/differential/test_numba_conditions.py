"""The evaluations of decisions in functions of Numba against those of the same source as Python, by a recorder that shares no code with us.

QD_NUMBA_FUNCTIONS=1000 compares that many generated functions."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from condition_recorder import RECORDER, recording
from numba_functions import program
from test_conditions import Evaluations, differences, of_data
from test_numba_functions import FUNCTIONS, TOGETHER, refused_by_numba

if importlib.util.find_spec("numba") is None:  # it takes long to import, and the tests' programs do so
    pytest.skip("needs numba", allow_module_level=True)
pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="bytecode has no columns")

CONSTRUCTS = """\
import itertools
import numpy as np
from numba import njit, objmode, prange


@njit
def operands(a, b, c, d):
    x = a and (b or c) and d
    y = not (a or b) and c
    z = a and (b if c else d)
    if not (a and b) or 0 < a < c: x += 1
    if (a if b else c) and not b in (c, d): x += 2
    if a and (b and c if d else True): x += 4
    if a <= b <= c: x += 16
    if (1 if a else b) and (2 > 1 or c): x += 8
    w = a > 0 and b > 0 or True and c > 0
    return int(bool(x)) + int(bool(y)) + int(bool(z)) + int(bool(w))


@njit
def with_none(a, b):
    if a is None or b is not None and not b is None:
        return 1
    return 2


@njit
def strings(s, t, values):
    return len(s and t) == 1 or len(values) > 1 and "a" in s


@njit
def loops(a, b):
    n = 0
    while a and b:
        a -= 1
        while 0 < b - a < 2 and n < 9:
            n += 1
    return n


@njit
def raising(a, b):
    n = 0
    for i in range(4):
        try:
            if i > 0 and 4 % (i - a) > b and i < 3:
                n += 1
        except Exception:
            n -= 1
    try:
        n += 1
    finally:
        if n > a or n > b: n += 2
    return n


@njit
def assertive(a, b):
    assert a > 0 or b > 0
    return 1


@njit
def callee(a, b):
    return a > b and a > 1


@njit
def calls(n):
    s = 0
    for i in range(n):
        if callee(i, 2) or callee(i, 4) and i > n:
            s += 1
    return s


@njit
def recursive(n):
    return n > 0 and (recursive(n - 1) or n % 3 == 0) or n < -5


@njit
def many(a, b, c, d, e, f, g):
    return (a or b) and (c or d) and (e or f) and (g or a) and (b or c) and (d or e) and (f or g)


@njit(parallel=True)
def parallel(x, a):
    n = 0
    for i in prange(x.size):
        if x[i] > a and x[i] < 3 or i == 1:
            n += 1
    return n


@njit
def python_within(a, b):
    with objmode(n="int64"):
        n = int(a and b or not a and b > 1)
    return n


@njit
def arrays(x, y):
    n = 0
    for i in range(x.size):
        if x[i] > 0 and y[i] > 0 or x[i] > y[i]:
            n += 1
    return n


if __name__ == "__main__":
    for a, b, c, d in itertools.product((0, 1), repeat=4):
        operands(a, b, c, d)
        many(a, b, c, d, a, b, c)
    for a in None, 1:
        for b in None, 2:
            with_none(a, b)
    strings("a", "", (1, 2))
    strings("b", "a", (1, 2))
    strings("", "b", (1,))
    for a, b in (0, 0), (1, 0), (2, 3), (1, 1):
        loops(a, b)
        raising(a, b)
        python_within(a, b)
        try:
            assertive(a, b)
        except AssertionError:
            pass
    calls(7)
    recursive(4)
    recursive(2)
    parallel(np.arange(5), 1)
    arrays(np.array([1.0, -1.0, 2.0]), np.array([1.0, 2.0, -2.0]))
"""


def of_python(folder: Path, source: str) -> Evaluations:
    folder.mkdir()
    transformed, decisions = recording(source)
    (folder / "program.py").write_text(transformed)
    (folder / "recorder.py").write_text(RECORDER)
    words = [sys.executable, "-W", "ignore", "program.py"]
    subprocess.run(words, cwd=folder, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=True)
    return {decisions[int(number)]: set(ways) for number, ways in json.loads((folder / "seen.json").read_text()).items()}


def compiled(folder: Path, source: str) -> Evaluations:
    (folder / "program.py").write_text(source)
    words = ["qd-cov", "run", "-q", "--branch", "--conditions", "--", sys.executable, "program.py"]
    subprocess.run(words, cwd=folder, env=os.environ | {"XDG_CACHE_HOME": str(folder)}, check=True)
    return of_data(folder / ".coverage")


def of_others(evaluations: Evaluations, lines: set[int]) -> Evaluations:
    return {decision: ways for decision, ways in evaluations.items() if decision.range[0] not in lines}


@pytest.mark.parametrize("seed", range(-(-FUNCTIONS // TOGETHER)))
def test_evaluations_of_generated_functions(tmp_path: Path, seed: int) -> None:
    source = program(1000 + seed, min(TOGETHER, FUNCTIONS))
    expected, actual = of_python(tmp_path / "python", source), compiled(tmp_path, source)
    if differences(expected, actual):
        expected = of_others(expected, refused_by_numba(tmp_path, source))
    assert not differences(expected, actual), "\n".join(differences(expected, actual)[:5])
    assert expected


def test_evaluations_of_constructs(tmp_path: Path) -> None:
    expected, actual = of_python(tmp_path / "python", CONSTRUCTS), compiled(tmp_path, CONSTRUCTS)
    assert not differences(expected, actual), "\n".join(differences(expected, actual)[:5])
    assert len(expected) > 25 and {"if", "while", "assert", "ternary", "value"} == {decision.kind for decision in expected}
