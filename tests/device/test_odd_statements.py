"""Odd statements: compiled kernels and arch=qd.python refuse the same ones, and give the same results for the others."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

HEADER = """import dataclasses
import math
import qd
VEC = qd.types.vector(2, qd.f32)
MAT = qd.types.matrix(2, 2, qd.f32)
PAIR = qd.Vector([1, 2])
LIST = [1, 2]
CELL = qd.field(qd.f32, ())
@qd.dataclass
class Body:
    pos: VEC
    mass: qd.f32
    @qd.func
    def weight(self):
        return self.mass
@dataclasses.dataclass
class Plain:
    x: qd.types.NDArray[qd.f32, 1]
    s: qd.f32
@qd.func
def ident(a): return a
@qd.func
def rebinds(a):
    a = a[0]
    return a
@qd.func
def body(a: Body): return a
@qd.func
def first(a): return a[0] + a[1]
"""
PARAMETERS = (
    "x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1), v: VEC, n: qd.i32, f: qd.template(), "
    "w: qd.types.ndarray(dtype=VEC, ndim=1), b: Body, s: qd.types.ndarray(dtype=Body, ndim=1), view: qd.BufferView[qd.f32], p: Plain"
)

REFUSED = """
a = v[None]
a = v[()]
a = w[0][None]
a = MAT(1)[()]
lv = qd.Vector([1, 2]); lv.fill(v)
lv = qd.Vector([1, 2]); lv.fill([1, 2])
w[0].fill(v)
a = x; a = 1
a = x; a = v
a = f; a = 1
a = s; a = b
a = view; a = 1
a = rebinds(x)
a = sum([b])
a = sum([(1, 2)])
a = max([f])
a = min([b])
a = s.weight()
a = body(s)
a: Body = s
a = x[LIST]
a = x[{1: 2}]
a = x[1.5]
a = f[0]
a = x[0, 0]
a = x[None]
while PAIR: break
if qd.static(PAIR): pass
qd.static_assert(PAIR)
a = all([PAIR])
a = [1, 2] + (3, 4)
a = x.shape + [1]
a = VEC((), 1)
a = VEC([1])
a = VEC({1: n})
a = qd.Vector({1: n})
a = qd.Matrix([{1: n}])
x[0] = None
x[0] = CELL
x[0] = x
a = 1.5; a = x
a = 1.5; a = None
a = qd.f32(None)
b.mass = 3.0
w[0] = None
a = qd.math.fns(1.5, 0, 0)
a = qd.math.fns(1, 0)
a = [1, 2]; a[0] = 3
a = [1, 2]; a.append(3)
a = {1: 2}; a[1] = 3
LIST[0] = 3
LIST.append(3)
x.sort()
f.sort()
a = f.to_numpy()
a = x.sum()
s.fill(1)
raise ValueError()
import os
global zz
del n
a = {1, 2}
a = {i for i in LIST}
a = lambda: 0
a = n in (1, 2)
a = v is not v
yield 1
def g(): pass
class C: pass
with open("a"): pass
if n > 1: return
while n > 1: return
for i in range(3): break
for i in x: break
""".strip().splitlines()

ACCEPTED = {
    "a = not v": "[False, False]",
    "a = not (n > 1)": "False",
    "a = ~True": "False",
    "a = (n > 1) + v": "[2.0, 3.0]",
    "a = n / v": "[2.0, 1.0]",
    "a = n / qd.Vector([1, 2])": "[2.0, 1.0]",
    "a = (n > 1) << 2": "4",
    "a = True << qd.Vector([1, 2])": "[2, 4]",
    "a = n if n > 1 else 0.5": "2.0",
    "a = n if n > 1 else x[0]": "2.0",
    "a = n if n > 1 else x[n * 1000]": "2.0",
    "a = x[n * 1000] if n > 5 else n": "2.0",
    "a = n if n > 1 else f[0, 0] * 2": "2.0",
    "a = n if n > 1 else -v.x": "2.0",
    "a = n if n > 1 else s[0].mass + 1": "2.0",
    "a = n if n > 1 else b.pos[0]": "2.0",
    "a = n if n > 1 else w[0].x": "2.0",
    "a = n if n > 1 else view[9]": "2.0",
    "a = n if n > 1 else p.s": "2.0",
    "a = n > 1 if n > 1 else n": "1",
    "a = n if n > 1 else n > 3": "2",
    "a = n if n > 1 else n // (n - 2)": "2",
    "a = n if n > 1 else x.shape[0]": "2",
    "a = n if n > 1 else (7 if n > 0 else 1.5)": "2.0",
    "a = n if n > 1 else qd.f64(3)": "2.0",
    "a = n if n > 1 else qd.sqrt(4)": "2.0",
    "a = qd.Vector([1, 2]) if n > 1 else v": "[1.0, 2.0]",
    "a = PAIR if n > 1 else w[0]": "[1.0, 2.0]",
    "a = n if qd.static(True) else 0.5": "2",
    "a = v.copy()": "[1.0, 2.0]",
    "lv = qd.Vector([1, 2]); a = lv.copy(); lv.x = 5": "[1, 2]",
    "c = s[0].copy(); s[0].mass = 3; a = c.mass": "0.0",
    "a = sum([n > 1])": "1",
    "a = sum([v])": "[1.0, 2.0]",
    "a = sum([v, v])": "[2.0, 4.0]",
    "a = sum([v > 1])": "[0, 1]",
    "a = [i + 1 for i in x.shape]": "[5]",
    "a = f'{PAIR} {qd.static(PAIR)}'": "[1, 2] [1, 2]",
    "a = qd.static(PAIR)": "[1, 2]",
    "a = qd.static(f.dtype)": "qd.f32",
    "a = qd.i64": "qd.i64",
    "a = max([n > 1])": "1",
    "a = max([v])": "[1.0, 2.0]",
    "a, c = b": "[0.0, 0.0]",
    "c, a = s[0]": "0.0",
    "c, a = p": "1.5",
    "a, *c = {7: n}": "7",
    "c, *a = [n, 3, 4]": "[3, 4]",
    "a = qd.f64(v)": "[1.0, 2.0]",
    "a = LIST": "[1, 2]",
    "a = list(v)": "[1.0, 2.0]",
    "a = list((1, n))": "[1, 2]",
    "a = tuple([1, n])": "(1, 2)",
    "a = sorted((2, 1))": "[1, 2]",
    "a = [n, 3, 4][1:]": "[3, 4]",
    "a = (n, 3, 4)[1:]": "(3, 4)",
    "a = [1, 2][:1]": "[1]",
    "a = [n] + [3]": "[2, 3]",
    "a = [n] * 2": "[2, 2]",
    "a = (v, v)": "([1.0, 2.0], [1.0, 2.0])",
    "a = [b]": "[{pos: [0.0, 0.0], mass: 0.0}]",
    "a = [n, 'q']": "[2, 'q']",
    "a = qd.static([1, 2])": "[1, 2]",
    "a = [i for i in LIST]": "[1, 2]",
    "a = qd.static([i for i in LIST])": "[1, 2]",
    "a = x[n > 1]": "2.0",
    "a = f[n > 1, 0]": "3.0",
    "c = x[1:3]; a = c[0] + c.size + c.offset": "5.0",
    "a = view.ndim": "1",
    "a = qd.math.dot((1, 2), v)": "5.0",
    "a = qd.math.length([3.0, 4.0])": "5.0",
    "c = x; c = y; a = c[1]": "2.0",
    "a = qd.static(x.dtype == qd.f32)": "True",
    "a = qd.Matrix([n, n])": "[2, 2]",
    "a = 1 if qd.static(f) else 2": "1",
    "a = first([n, 3])": "5",
    "a = first(LIST)": "3",
    "a = first(v)": "3.0",
    "c = [n, 3]; a = first(c)": "5",
    "a = qd.math.fns(0xAAAAAAAA, 3, 1)": "3",
    "a = qd.math.fns(0xAAAAAAAA, 3, -1)": "3",
    "a = qd.math.fns(0xAAAAAAAA, 2, 1)": "3",
    "a = qd.math.fns(0xAAAAAAAA, 2, -1)": "1",
    "a = qd.math.fns(n, 1, 0)": "1",
    "a = qd.math.fns(qd.Vector([1, 2, 4]), 0, 1)": "[0, 1, 2]",
}


BLOCKS = [
    "try:\n    pass\nexcept TypeError:\n    pass",
    "for i in range(3):\n    pass\nelse:\n    pass",
    "while n < 1:\n    pass\nelse:\n    pass",
    "async def g():\n    pass",
    "match n:\n    case 1:\n        pass",
    "for i in qd.static(range(3)):\n    if n > 1:\n        break",
    "for i in qd.static(range(3)):\n    if n > 1:\n        continue",
    "qd.loop_config(name='a')\nfor i in range(3):\n    if i == n:\n        break",
]


def write_module(folder: Path, statements: list[str]) -> tuple[Path, list[int]]:
    lines, places = HEADER.splitlines(), []
    for number, statement in enumerate(statements):
        lines += ["@qd.kernel", f"def k{number}({PARAMETERS}):"]
        places.append(len(lines) + 1)
        lines += ["    " + line for line in statement.split("\n")]
    file = folder / "odd.py"
    file.write_text("\n".join(lines) + "\n")
    return file, places


def loaded(file: Path) -> Any:
    spec = importlib.util.spec_from_file_location("odd", file)
    assert spec and spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def arguments(module: Any) -> list[Any]:
    x, w = np.arange(1, 5, dtype=np.float32), np.zeros((4, 2), np.float32)
    field, whole = qd.field(qd.f32, (2, 2)), qd.ndarray(qd.f32, 4)
    field.fill(3)
    return [x, x.copy(), [1, 2], 2, field, w, module.Body(), qd.ndarray(module.Body, 4), whole[0:3], module.Plain(x, 1.5)]


def test_refused(arch: str, tmp_path: Path) -> None:
    file, places = write_module(tmp_path, [*REFUSED, *BLOCKS])
    module, accepted = loaded(file), []
    for number, (statement, line) in enumerate(zip([*REFUSED, *BLOCKS], places)):
        try:
            getattr(module, f"k{number}")(*arguments(module))
            accepted.append(statement)
        except (TypeError, IndexError, AttributeError, qd.KernelCompilationError) as error:
            if arch != "python" and statement not in BLOCKS and f"{file}:{line}" not in str(error):
                accepted.append(f"{statement}: {error}")
    assert accepted == []


def test_accepted(arch: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, _ = write_module(tmp_path, [f"{statement}; print(a)" for statement in ACCEPTED])
    module, wrong = loaded(file), {}
    for number, (statement, text) in enumerate(ACCEPTED.items()):
        capfd.readouterr()
        getattr(module, f"k{number}")(*arguments(module))
        sys.stdout.flush()
        if (printed := capfd.readouterr().out.strip()) != text:
            wrong[statement] = printed
    assert wrong == {}
