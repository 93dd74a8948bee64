"""Statements that are wrong: each is an error of the user's, with its place in the file, and never one of the compiler's.

broken_statements.txt has one in a line, mostly about vectors, matrices, structs, views and containers."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import qd

STATEMENTS = Path(__file__).with_name("broken_statements.txt").read_text().splitlines()

HEADER = """import dataclasses
import qd
VEC = qd.types.vector(2, qd.f32)
MAT = qd.types.matrix(2, 2, qd.f32)
PAIR = qd.Vector([1, 2])
@qd.dataclass
class Body:
    pos: VEC
    mass: qd.f32
    @qd.func
    def again(self, n):
        return self.again(n)
    @qd.func
    def weight(self):
        return self.mass
@dataclasses.dataclass
class Plain:
    x: qd.types.NDArray[qd.f32, 1]
    s: qd.f32
@qd.func
def takes(a: VEC, b: MAT, c: Body): return a
@qd.func
def half(a): return a.x
@qd.real_func
def vec_real(a: VEC) -> VEC:
    if a.x > 0: return MAT(1)
    return a
@qd.real_func
def odd_real(a) -> "what": return a
@qd.real_func
def body_real(a) -> Body:
    if a > 0: return 3
    return Body()
@qd.real_func
def pair_real(a) -> tuple[VEC, qd.i32]:
    if a > 0: return VEC(1)
    return VEC(1), VEC(2)
@qd.real_func
def wants_template(a) -> qd.template(): return a
"""
PARAMETERS = (
    "x: qd.types.ndarray(dtype=qd.f32, ndim=1), v: VEC, n: qd.i32, f: qd.template(), w: qd.types.ndarray(dtype=VEC, ndim=1), b: Body, "
    "s: qd.types.ndarray(dtype=Body, ndim=1)"
)


def test_wrong_statements_are_errors_with_a_place(tmp_path: Path, back_end: str) -> None:
    lines = HEADER.splitlines()
    places = []
    for number, statement in enumerate(STATEMENTS):
        lines += ["@qd.kernel", f"def k{number}({PARAMETERS}):", "    " + statement]
        places.append(len(lines))
    file = tmp_path / "broken.py"
    file.write_text("\n".join(lines) + "\n")
    qd.init(arch=back_end, log_level="error", offline_cache=False)
    spec = importlib.util.spec_from_file_location("broken", file)
    assert spec and spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x, w = np.zeros(4, np.float32), np.zeros((4, 2), np.float32)
    arguments = [x, [1, 2], 2, qd.field(qd.f32, (2, 2)), w, module.Body(), qd.ndarray(module.Body, 4)]
    wrong = []
    for number, (statement, line) in enumerate(zip(STATEMENTS, places)):
        try:
            getattr(module, f"k{number}")(*arguments)
            wrong.append(f"{statement}: no error")
        except qd.KernelCompilationError as error:
            head = rf"{re.escape(str(file))}:\d+:\d+: (Kernel\w*Error: )?.+ \(in \w+\)\n"
            here = re.search(rf"{re.escape(str(file))}:{line - 1}|{re.escape(str(file))}:{line}", str(error))
            if not (re.match(head, str(error)) and here) or "``" in str(error):  # a name that is not there
                wrong.append(f"{statement}: {error}")
        except Exception as error:
            wrong.append(f"{statement}: {type(error).__name__}: {error}")
    assert wrong == []
