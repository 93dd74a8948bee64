"""Kernels that are wrong, as files of their own: names and parameters that they share, and the arguments of a call."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import qd

HEADER = """import dataclasses, numpy as np
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
VEC3 = qd.types.vector(3, qd.f32)
OUTSIDE = qd.ndarray(qd.f32, 4)
BODIES = Body.field(shape=4)
NUMBER = 3
@qd.kernel
def other(n: qd.i32): pass
"""
PARAMETERS = (
    "x: qd.types.ndarray(dtype=qd.f32, ndim=1), v: VEC, n: qd.i32, f: qd.template(), w: qd.types.ndarray(dtype=VEC, ndim=1), b: Body, "
    "s: qd.types.ndarray(dtype=Body, ndim=1)"
)


def load(file: Path, text: str) -> Any:
    """The module that the text is, in this file."""
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module  # Python looks there for the source of a class
    spec.loader.exec_module(module)
    return module


def arguments(module: Any) -> list[Any]:
    """Arguments for PARAMETERS; `module` begins with HEADER."""
    x, w = np.zeros(4, np.float32), np.zeros((4, 2), np.float32)
    return [x, [1, 2], 2, qd.field(qd.f32, (2, 2)), w, module.Body(), qd.ndarray(module.Body, 4)]
