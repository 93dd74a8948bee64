"""Expressions of vectors and matrices, one by one: compiled, each gives the value and shape of arch=qd.python, or both refuse it."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import qd

EXPRESSIONS = """
v.transpose() @ v
v @ v.transpose()
m[0]
m[1][0]
m[0, :]
m[:, 1]
v[1:3]
v[0:3:2]
v.sum() / 2
m.max()
i.norm()
i.normalized()
i / i
i // 2
i.dot(v)
i @ v.outer_product(v)
m @ m @ v.xy
v * i
v + 1.5
i + 1.5
i << i
v.cross(i)
v.xy.cross(v.yz)
m.inverse()
m.determinant()
mi.determinant()
mi.inverse()
mi @ m
qd.Vector([i, v])
qd.Matrix([v, v])
qd.Matrix.rows([v, i])
qd.Matrix.cols([v.xy, i.xy]) @ m
v == i
(v == i).all()
(v > 0) & (i > 1)
not (v > 100).any()
-(v > 0)
~i
v ** i
i ** 2
i ** -1
2 ** i
abs(-i)
max(v, i)
min(v, 2.0, i)
qd.select(v > 0.5, v, i)
qd.select(True, v, i)
v if b else i
qd.cast(v, qd.i8)
v.cast(qd.u8)
qd.floor(v)
qd.floor(v, qd.i32)
round(v)
qd.sqrt(i)
qd.atan2(v, i)
qd.math.mix(v, i, 0.5)
qd.math.clamp(v, 0, 1)
qd.math.clamp(i, 0, 2)
qd.math.length(i)
qd.math.normalize(v)
qd.math.reflect(v, qd.Vector([0, 1, 0]))
qd.math.refract(v, qd.Vector([0.0, 1.0, 0.0]), 0.9)
qd.math.eye(2) @ m
qd.math.vec2(1, 2).yx
qd.math.ivec2(1.7, 2.2)
qd.math.uvec3(i)
qd.math.dvec2(0.1, 0.2)
qd.math.mat3(1.5)
qd.Vector.unit(3, 1)
qd.Vector.unit(3, 1) * 0.5
qd.Vector.zero(int, 3)
qd.Vector.one(float, 2)
qd.Vector.one(int, 100).sum() + qd.Matrix.one(int, 70, 3).sum()
qd.Matrix.diag(2, 3)
qd.Matrix.identity(qd.i32, 2) * 0.5
v.xyzx
v.rgb
v.min()
m.trace()
m.norm()
m.norm_sqr()
v.norm_inv(0.1)
v.any()
v.all()
len(m)
m.n + m.m
v.outer(i)
[1, 2, 3] + v
v - [1, 2, 3]
v * (1, 2, 3)
qd.u8(200) * i
qd.Vector([qd.u8(200), 100]) + 100
qd.Vector([True, False])
qd.Vector([True, 2])
qd.Vector([1, 2], dt=qd.f64) / 3
v.w
v.xg
v @ v
v.dot(m)
v + m
m + 1
m.transpose() - m
qd.Vector([1.0, 2.0, 3.0, 4.0, 5.0]).norm()
qd.Struct(a=v, b=1).a
qd.isnan(v)
v % 0.5
-i % 2
-v // 2
qd.raw_mod(-i, 2)
i > v
bool(v.x)
int(v.x) + i.x
float(i.x) / 2
""".strip().splitlines()
PIECES = 4  # of the expressions: tests that run side by side

KERNEL = """
import qd

@qd.kernel
def kernel(out: qd.types.ndarray(dtype=qd.f64, ndim=1), b: qd.i32, x: qd.f32, j: qd.i32):
    v = qd.Vector([x, 2 * x, -1.5])
    i = qd.Vector([j, j + 1, 3])
    m = qd.Matrix([[x, 2.0], [3.0, 4.5]])
    mi = qd.Matrix([[j, 2], [3, j + 4]])
    r = {expression}
"""
NUMBER = "    out[0] = r\n"
VECTOR = "    for q in qd.static(range(r.n)):\n        out[q] = r[q]\n    out[60] = r.n\n"
MATRIX = "    for q, w in qd.static(qd.ndrange(r.n, r.m)):\n        out[q * r.m + w] = r[q, w]\n    out[60] = r.n * 10 + r.m\n"


@pytest.fixture(autouse=True)
def end() -> Iterator[None]:
    yield
    qd.reset()


def launched(expression: str, ending: str) -> np.ndarray | None:
    """The array after a kernel with the expression; None when it is refused."""
    source = KERNEL.format(expression=expression) + ending
    name = f"<{expression} {len(ending)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(source, name, "exec"), names)
    out = np.full(64, -77.0)
    try:
        names["kernel"](out, 1, 0.75, 2)
    except (qd.KernelCompilationError, AttributeError, IndexError, TypeError):
        return None
    return out


def results(arch: str, tried: dict[str, list[str]]) -> dict[str, tuple[str, np.ndarray] | None]:
    """The first fitting ending of each expression, and the array that it gives."""
    qd.init(arch=arch, log_level="error", fast_math=False, offline_cache=False)
    found: dict[str, tuple[str, np.ndarray] | None] = {}
    for expression, endings in tried.items():
        made = ((ending, launched(expression, ending)) for ending in endings)
        found[expression] = next(((ending, out) for ending, out in made if out is not None), None)
    return found


@pytest.mark.parametrize("piece", range(PIECES))
def test_compiled_as_python(back_end: str, piece: int) -> None:
    expressions = EXPRESSIONS[piece::PIECES]
    python = results("python", {e: [NUMBER, VECTOR, MATRIX] for e in expressions})
    compiled = results(back_end, {e: [NUMBER] if found is None else [found[0]] for e, found in python.items()})
    assert sum(found is None for found in python.values()) < 5
    for expression in expressions:
        expected, got = python[expression], compiled[expression]
        assert (expected is None) == (got is None), expression
        if expected is not None and got is not None:
            np.testing.assert_allclose(got[1], expected[1], rtol=1e-5, err_msg=expression)
