"""Kernels on fields, ndarrays and structs of vectors and matrices, in every layout: the catalogue of kernels_for_compound_memory.py."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_compound_memory as k

AOS, SOA = qd.Layout.AOS, qd.Layout.SOA
F = np.float32
CASES: dict[str, Callable[[], list[Any]]] = {}


def case(function: Callable[..., list[Any]], *given: Any) -> Callable[..., list[Any]]:
    """A function that runs kernels and gives pairs: memory afterwards, and its expected contents (None: those of arch=python)."""
    words = [word for g in given for word in (g if isinstance(g, tuple) else (g,)) if word is not None]
    name = "-".join([function.__name__, *(getattr(word, "name", str(word)) for word in words)])
    CASES[name] = lambda: function(*given)
    return function


def each(*given: Any) -> Callable[[Callable[..., list[Any]]], Callable[..., list[Any]]]:
    """A case for each of several arguments."""

    def declare(function: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        for one in given:
            case(function, one)
        return function

    return declare


def grid(*shape: int) -> np.ndarray:
    """Different numbers that f32 and sums of them hold exactly."""
    return (np.arange(np.prod(shape), dtype=F) - 3).reshape(shape) / 4


# --- vectors and matrices ---


@each(AOS, SOA)
def vector_field(layout: Any) -> list[Any]:
    x, y = (qd.Vector.field(3, qd.f32, shape=5, layout=layout) for _ in range(2))
    a = grid(5, 3)
    x.from_numpy(a)
    k.vector_field(x, y)
    after = a + [0, 10, 0]
    after[:, 2] = range(5)
    return [(x, after), (y, a * 2 + 1 + after[:, ::-1])]


@each(AOS, SOA)
def matrix_field(layout: Any) -> list[Any]:
    m = qd.Matrix.field(2, 2, qd.f32, shape=(3, 4), layout=layout)
    k.matrix_field(m)
    i, j = np.indices((3, 4), dtype=F)
    e = np.stack([i / 2, j / 2, 0.5 + i * j, 1 + 0 * i], axis=-1).reshape(3, 4, 2, 2)
    return [(m, e + e @ e)]


@case
def assigned_lists() -> list[Any]:
    x = qd.Vector.field(3, qd.f32, shape=4)
    k.assigned_lists(x)
    return [(x, [[0, 0, 0], [2, 3.5, 2], [2, 5, 4], [1, 2.5, 3]])]


@each(AOS, SOA)
def scattered(layout: Any) -> list[Any]:
    x, total = qd.Vector.field(3, qd.i32, shape=2, layout=layout), qd.Vector.field(3, qd.i32, shape=(), layout=layout)
    x.from_numpy(np.array([[1, 2, 3], [1, 5, 60]], dtype=np.int32))
    k.scattered(x, total)
    return [(total.to_numpy()[1:], None), (x.to_numpy()[:, 1:], [[2, 3], [5, 60]]), (x.to_numpy()[:, 0], [2, 2])]


@case
def old_values() -> list[Any]:
    x, y, a = qd.Vector.field(2, qd.i32, shape=3), qd.Vector.field(2, qd.i32, shape=3), np.arange(6).reshape(3, 2)
    x.from_numpy(a)
    y.fill(10)
    k.old_values(x, y)
    return [(y, a), (x, a + 10)]


@case
def passed_by_place() -> list[Any]:
    x = qd.Vector.field(2, qd.f32, shape=3)
    x.from_numpy(grid(3, 2))
    k.passed_by_place(x)
    return [(x, np.stack([grid(3, 2)[:, 0] * 2, grid(3, 2)[:, 1] + 2], axis=1))]


@case
def vector_ndarray() -> list[Any]:
    a = grid(4, 3)
    x, y = qd.Vector.ndarray(3, qd.f32, 4), qd.ndarray(k.VEC, shape=4)
    x.from_numpy(a)
    k.vector_ndarray(x, y)
    after = a * 2 + [0, 0, 4]
    return [(y, after), (x, after[:, [1, 2, 0]])]


@case
def foreign_vectors() -> list[Any]:
    a, y = grid(4, 3), np.zeros((4, 3), dtype=F)
    x = a.copy()
    k.vector_ndarray(x, y)
    after = a * 2 + [0, 0, 4]
    return [(y, after), (x, after[:, [1, 2, 0]])]


@case
def matrix_ndarray() -> list[Any]:
    a, by = grid(2, 3, 2, 2), np.array([[1, 2], [3, 4]], dtype=F)
    x = qd.Matrix.ndarray(2, 2, qd.f32, (2, 3))
    x.from_numpy(a)
    k.matrix_ndarray(x, by)
    after = a @ by
    after[:, :, 0, 1] = np.subtract.outer(range(2), range(3))
    return [(x, after)]


@case
def any_ndarray() -> list[Any]:
    made = []
    for x, y in [(qd.ndarray(k.MAT, (2, 2)), qd.ndarray(k.MAT, (2, 2))), (qd.ndarray(qd.i32, 4), qd.ndarray(qd.i32, 4)), (np.ones(3), np.ones(3))]:
        if not isinstance(x, np.ndarray):
            x.fill(3)
            y.fill(4)
        k.any_ndarray(x, y)
        made.append((np.array(x), np.full(np.array(x).shape, 3 if isinstance(x, np.ndarray) else 10)))
    return made


@case
def swapped() -> list[Any]:
    a = grid(4, 3)
    x = qd.ndarray(k.VEC, 4)
    x.from_numpy(a)
    k.swapped(x)
    return [(x, a[[1, 0, 3, 2]])]


@case
def element_shapes() -> list[Any]:
    x, m = qd.Vector.field(3, qd.f32, shape=7), qd.Matrix.field(2, 4, qd.f32, shape=1)
    return [(k.element_shapes(x, m, qd.ndarray(k.VEC, (2, 2))), 32472)]


@each("ij", "ji")
def ordered(order: str) -> list[Any]:
    x = qd.field(qd.f32, (2, 3), order=order)
    y = qd.Vector.field(2, qd.f32, (2, 3), order=order)
    k.ordered(x, y)
    i, j = np.indices((2, 3))
    return [(x, i * 10 + j), (y, np.stack([i * 11 + j, i * 10 + 2 * j], axis=-1))]


@case
def with_offset() -> list[Any]:
    x = qd.field(qd.i32, (3, 2), offset=(-2, 3))
    k.with_offset(x)
    return [(x, [[1000 - 17, -16], [-7, -6], [3, 4]])]


@each(AOS, SOA)
def with_gradient(layout: Any) -> list[Any]:
    a = grid(4, 3)
    x, s = qd.Vector.field(3, qd.f32, shape=4, needs_grad=True, layout=layout), qd.field(qd.f32, shape=4, needs_grad=True)
    x.from_numpy(a)
    s.from_numpy(a[:, 0].copy())
    for field in (x, s):
        field.grad.fill(1)
        k.with_gradient(field)
    return [(x.grad, 1 + 2 * a), (s.grad, 1 + 2 * a[:, 0]), (x, a)]


@each(AOS, SOA)
def with_dual(layout: Any) -> list[Any]:
    a = grid(4, 3)
    x, s = qd.Vector.field(3, qd.f32, shape=4, needs_grad=True, needs_dual=True, layout=layout), qd.field(qd.f32)
    qd.root.dense(qd.i, 4).place(s).place(s.dual, s.grad)
    x.from_numpy(a)
    s.from_numpy(a[:, 0].copy())
    for field in (x, s):
        field.dual.fill(1)
        k.with_dual(field)
    return [(x.dual, 1 + 2 * a), (x.grad, -1 - 2 * a), (s.dual, 1 + 2 * a[:, 0]), (s.grad, -1 - 2 * a[:, 0]), (x, a)]


@case
def ndarray_gradient() -> list[Any]:
    x = qd.ndarray(qd.f32, 5, needs_grad=True)
    x.fill(3)
    k.ndarray_gradient(x)
    k.ndarray_gradient(x)
    return [(x.grad, [12] * 5)]


@case
def half_precision() -> list[Any]:
    x, v, out = qd.ndarray(qd.f16, 4), qd.Vector.field(2, qd.f16, shape=4), np.zeros(4, dtype=F)
    x.from_numpy(grid(4).astype(np.float16) + 1)
    k.half_precision(x, v, out)
    expected = (grid(4) + 1).astype(np.float16) * np.float16(2) + np.float16(0.1)
    return [(x, expected), (v.to_numpy()[:, 0], expected), (out, 2 * expected)]


@case
def stencil() -> list[Any]:
    x, y = qd.Vector.field(2, qd.f32, (4, 5)), qd.Vector.field(2, qd.f32, (3, 4))
    a = grid(4, 5, 2)
    x.from_numpy(a)
    k.stencil(x, y)
    return [(y, a[1:, :-1] + a[:-1, 1:] - 2 * a[:-1, :-1])]


# --- structs ---


@case
def struct_values() -> list[Any]:
    out = np.zeros((5, 3), dtype=F)
    k.struct_values(out)
    return [(out, [[1.5, 0.5 * 2 * (1.5**2 + 2.5**2 + 3.5**2), 1], [10, 113, 5], [3, 5, 0], [20, -1, 3], [3, 20, 0]])]


@case
def struct_swaps() -> list[Any]:
    out = np.zeros((2, 2), dtype=F)
    k.struct_swaps(out)
    return [(out, [[20, 1], [4, 2]])]


@each(AOS, SOA)
def struct_field(layout: Any) -> list[Any]:
    s, out = k.Particle.field(4, layout=layout), np.zeros((4, 3), dtype=F)
    s.kind.fill(3)
    k.struct_field(s, out)
    i = np.arange(4, dtype=F)
    pos = np.outer(i, [1, 2, 3]) + (i % 2 == 0)[:, None]
    kind = np.where(i % 2 == 0, 10, 3)
    energy = 0.25 * i * (pos**2).sum(axis=1)
    return [(out, np.stack([energy, pos[:, 2], kind], axis=1)), (s.mass, i / 2 + 100), (s.pos, pos * [1, 2, 1]), (s.kind, kind)]


@each(AOS, SOA)
def struct_ndarray(layout: Any) -> list[Any]:
    s = k.Particle.ndarray(4, layout=layout)
    s.mass.fill(2)
    s.kind.fill(5)
    k.struct_ndarray(s, 0.5)
    i = np.arange(4, dtype=F)
    pos = np.outer(i, [0.5, 1, 0.5])
    return [(s.pos, pos), (s.kind, i + 5), (s.mass, 2 + (pos**2).sum(axis=1))]


@each(AOS, SOA)
def struct_of_structs(layout: Any) -> list[Any]:
    s = k.Pair.field(3, layout=layout)
    k.struct_of_structs(s)
    i = np.arange(3, dtype=F)
    return [
        (s.first.pos, np.stack([i, 2 * i, 0 * i + 3], axis=1)), (s.second.pos, [[5, 0, 0]] * 3), (s.spin, i[:, None, None] * np.eye(2)),
        (s.second.kind, i), (s.first.mass, [6] * 3), (s.second.mass, [0] * 3),
    ]  # fmt: skip


@each(AOS, SOA)
def struct_methods_in_place(layout: Any) -> list[Any]:
    s = k.Particle.field(3, layout=layout)
    k.struct_methods_in_place(s)
    return [(s.pos, [[1, 0, 0]] * 3), (s.kind, [1] * 3)]


@case
def structs_by_value() -> list[Any]:
    s, out = k.Particle.field(2), np.zeros((2, 3), dtype=F)
    k.structs_by_value(s, out)
    return [(out, [[100, 2, 2], [100, 0, 0]]), (s.mass, [0, 0])]


@case
def struct_argument() -> list[Any]:
    p = k.struct_argument(k.Particle(pos=(1, 2, 3), mass=0.5, kind=7), 3)
    assert isinstance(p, qd.Struct) and type(p.kind) is int
    return [(p.pos, [3, 6, 9]), (p.mass, 3.5), (p.kind, 7)]


# --- dataclasses, trees, tensors ---


@case
def flattened() -> list[Any]:
    a = grid(2, 3)
    counts = np.zeros(2, dtype=np.int32)
    world = k.World(k.Grid(a.copy(), qd.Vector([0.5, 1.0]), 2.0), counts, -8.0)
    k.flattened(world, 0.25)
    return [(world.grid.values, a * 2 - 1.5), (counts, [3, 3])]


@each(False, True)
def placed(together: bool) -> list[Any]:
    a, b, c = qd.field(qd.f32), qd.Vector.field(2, qd.i32), qd.field(qd.f64)
    block = qd.root.dense(qd.i, 2).dense(qd.ji, (3, 2))
    if together:
        block.place(a, b)
    else:
        block.place(a)
        block.place(b)
    qd.root.dense(qd.i, 4).place(c)
    k.placed(a, b, c)
    i, j = np.indices((4, 3))
    return [(a, i * 10 + j), (b, np.stack([i, j], axis=-1)), (c, np.arange(4) * 10 + 0.5)]


@each(*[(backend, layout) for backend in qd.Backend for layout in (None, "columns")])
def tensors(options: Any) -> list[Any]:
    backend, layout = options[0], (1, 0) if options[1] else None
    x, y = qd.tensor(qd.f32, (2, 3), backend=backend, layout=layout), qd.tensor(k.VEC2, (2, 3), backend=backend, layout=layout)
    x.fill(0.5)
    k.tensors(x, y)
    i, j = np.indices((2, 3))
    v = i * 10 + j + 0.5
    return [(x, v), (y, np.stack([v, v * 0 + 1], axis=-1))]


# --- views ---


@case
def view_everything() -> list[Any]:
    x, out = qd.ndarray(qd.f32, 10), np.zeros(4, dtype=F)
    x.fill(1)
    k.view_everything(x[2:8], out)
    return [(x, [1, 1, 1, 20, 3, 4, -5, 6, 1, 1]), (out, [2, 3, 3, 4])]


@case
def view_to_func() -> list[Any]:
    x = qd.ndarray(qd.f32, 6)
    x.from_numpy(np.arange(6, dtype=F))
    return [(k.view_to_func(x[1:3], x[2:6]), 3009)]


@case
def view_made_inside() -> list[Any]:
    x = qd.ndarray(qd.f32, 6)
    x.fill(2)
    return [(k.view_made_inside(x, 2, 3), 54), (x, [2, 2, 50, 2, 2, 2])]


@case
def view_of_any() -> list[Any]:
    x = qd.ndarray(qd.f32, 4)
    x.fill(2)
    return [(k.view_of_any(x), 4), (k.view_of_any(np.ones(4, dtype=F)), 2)]


@case
def view_of_vectors() -> list[Any]:
    x = qd.Vector.ndarray(2, qd.f32, 5)
    x.fill(1)
    k.view_of_vectors(x[1:4])
    return [(x, [[1, 1], [2, 2], [3, 2], [4, 2], [1, 1]])]


@case
def view_in_dataclass() -> list[Any]:
    x = qd.ndarray(qd.f32, 8)
    x.from_numpy(np.arange(8, dtype=F))
    for begin in (0, 2):  # another offset, the same array: nothing of the first launch may be left
        k.view_in_dataclass(k.Views(source=x[begin : begin + 2], target=x[begin + 4 : begin + 6]))
    k.view_in_dataclass(k.Views(source=x[0:1], target=x[1:2]))
    return [(x, [0, 0, 2, 3, 0, 2, 4, 6])]


@pytest.fixture(autouse=True)
def end() -> Iterator[None]:
    yield
    qd.reset()


def run(name: str, arch: str) -> list[tuple[np.ndarray, Any]]:
    qd.init(arch=arch, log_level="error", fast_math=False, cpu_max_num_threads=2)
    return [(np.array(got), expected) for got, expected in CASES[name]()]


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str) -> None:
    for got, expected in run(name, "python"):
        if expected is not None:
            np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_compiled_as_python(back_end: str, name: str) -> None:
    for (compiled, _), (python, _) in zip(run(name, back_end), run(name, "python"), strict=True):
        np.testing.assert_allclose(compiled, python, rtol=1e-6)
