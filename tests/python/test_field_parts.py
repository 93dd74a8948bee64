"""Fields of one component, nodes of fields, tensors of vectors, pickled tensors, arrays of many axes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import qd


@qd.kernel
def both(whole: qd.template(), part: qd.template()):
    for i in part:
        part[i] += 10
        whole[i][0] = part[i] + whole[i][1]
        part[i] *= 2


@qd.kernel
def numbers(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    total = 0.0
    for i in x:
        total += x[i]
    return total


@pytest.mark.parametrize("layout", [qd.Layout.AOS, qd.Layout.SOA])
@pytest.mark.parametrize("options", [{}, {"order": "ji"}, {"offset": (-1, 3)}])
def test_a_component_is_a_field(arch: str, layout: qd.Layout, options: dict[str, Any]) -> None:
    m = qd.Matrix.field(2, 3, qd.f32, shape=(2, 4), layout=layout, needs_grad=True, **options)
    m.from_numpy(np.arange(48, dtype=np.float32).reshape(2, 4, 2, 3))
    part = m.get_scalar_field(1, 2)
    assert (part.shape, part.dtype, part.element_shape, part.layout) == (m.shape, qd.f32, (), m.layout)
    assert np.array_equal(part.to_numpy(), m.to_numpy()[:, :, 1, 2])
    first = options.get("offset", (0, 0))
    part[first[0] + 1, first[1] + 2] = -1
    assert m.to_numpy()[1, 2, 1, 2] == -1
    part.fill(3)
    assert np.array_equal(m.to_numpy()[:, :, 1, 2], np.full((2, 4), 3)) and m.to_numpy()[:, :, 1, 1].min() > 3
    m.grad.fill(2)
    part.grad.fill(5)
    assert m.grad.to_numpy().sum() == 48 * 2 + 8 * 3


def test_the_component_and_the_whole_in_one_kernel(arch: str) -> None:
    """Reads and writes of one are seen through the other, in the order of the source."""
    v = qd.Vector.field(2, qd.f32, shape=100)
    v.fill(1)
    both(v, v.get_scalar_field(1))
    assert v.to_numpy().tolist() == [[22, 22]] * 100
    both(v, v.get_scalar_field(0))
    assert v.to_numpy().tolist() == [[(32 + 22) * 2, 22]] * 100
    assert qd.field(qd.i32, shape=3).get_scalar_field().shape == (3,)


def test_a_component_of_a_placed_field_and_its_errors(arch: str) -> None:
    v = qd.Vector.field(3, qd.f32)
    n = qd.field(qd.i32)
    qd.root.dense(qd.i, 4).place(v, n)
    part = v.get_scalar_field(2, 0)
    part.fill(7)
    n.fill(1)
    assert v.to_numpy().tolist() == [[0, 0, 7]] * 4
    if arch == "python":
        assert numbers(part.to_numpy()) == 28
    for wrong in ((), (1, 1), (3,), (-1,)):
        with pytest.raises(IndexError):
            v.get_scalar_field(*wrong)
    with pytest.raises(qd.KernelRuntimeError, match="is not placed"):
        qd.Vector.field(2, qd.f32).get_scalar_field(0)


def test_nodes(arch: str) -> None:
    x, y, z = qd.field(qd.f32), qd.field(qd.f32), qd.field(qd.f32, shape=(2, 3))
    outer = qd.root.dense(qd.i, 4)
    inner = outer.dense(qd.ij, (2, 8))
    inner.place(x)
    inner.place(y)
    assert x.parent() is inner is y.parent() and x.parent(2) is outer and x.parent(3) is qd.root and x.parent(4) is None
    assert x.snode.parent() is inner and inner.parent() is outer and outer.parent() is qd.root and qd.root.parent() is None
    assert x.snode == x.snode != y.snode and x.snode.shape == x.shape == (8, 8) and outer.shape == (4,)
    assert z.parent().shape == (2, 3) and z.parent() is z.parent() and z.parent(2).parent() is None
    extra = qd.field(qd.i32)
    x.parent().place(extra)
    assert extra.shape == (8, 8)
    pair = qd.types.struct(a=qd.f32, parent=qd.i32).field(shape=3)
    assert pair.snode.shape == (3,) and pair.parent.shape == (3,)  # a member of that name
    with pytest.raises(qd.KernelRuntimeError, match="is not placed"):
        qd.field(qd.f32).parent()


def test_layouts(arch: str) -> None:
    assert qd.field(qd.f32, shape=(2, 3)).layout is None
    assert qd.field(qd.f32, shape=(2, 3), order="ji").layout == (1, 0)
    assert qd.ndarray(qd.f32, shape=4).layout is None
    for backend in qd.Backend:
        assert qd.tensor(qd.f32, (2, 3, 4), backend=backend, layout=(2, 0, 1)).layout == (2, 0, 1)
        assert qd.tensor(qd.f32, (2, 3), backend=backend, layout=(0, 1)).layout is None


def test_tensors_of_vectors(arch: str) -> None:
    v = qd.Vector.tensor(3, qd.f32, shape=(4,))
    m = qd.Matrix.tensor(2, 3, qd.f64, (4, 5), backend=qd.Backend.FIELD, needs_grad=True)
    assert isinstance(v, qd.VectorTensor) and isinstance(v._unwrap(), qd.Ndarray) and v.to_numpy().shape == (4, 3)
    assert isinstance(m, qd.MatrixTensor) and isinstance(m._unwrap(), qd.Field) and m.grad.to_numpy().shape == (4, 5, 2, 3)
    assert [(b.name, int(b)) for b in qd.Backend] == [("FIELD", 0), ("NDARRAY", 1)]
    assert isinstance(qd.tensor(qd.i32, 3, backend=0)._unwrap(), qd.Field)  # type: ignore[arg-type]
    for wrong in (2, "field", None):
        with pytest.raises(ValueError, match="backend is"):
            qd.tensor(qd.f32, 3, backend=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", qd.Backend)
def test_tensors_are_pickled(arch: str, backend: qd.Backend) -> None:
    made = qd.tensor(qd.types.vector(2, qd.f32), (2, 3), backend=backend, layout=(1, 0), needs_grad=True)
    made.from_numpy(np.arange(12, dtype=np.float32).reshape(2, 3, 2))
    made.grad.fill(4)
    again = pickle.loads(pickle.dumps(made))
    made.fill(0)
    assert type(again) is qd.VectorTensor and type(again._unwrap()) is type(made._unwrap()) and again.layout == (1, 0)
    assert again.to_numpy().ravel().tolist() == list(range(12)) and again.grad.to_numpy().min() == 4


def test_a_pickled_field_keeps_its_offset_and_name(arch: str) -> None:
    made = qd.wrap(qd.field(qd.i32, shape=3, offset=-1, name="shifted"))
    made[-1] = 5
    again = pickle.loads(pickle.dumps(made))
    assert again[-1] == 5 and again.name == "shifted" and again.grad is None
    with pytest.raises(qd.KernelRuntimeError, match="cannot be copied"):
        copy.copy(made)


@qd.kernel
def twelve(x: qd.types.ndarray[qd.i32, 12], f: qd.template()) -> qd.i32:
    x[1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3] += f[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0] + x.shape[11]
    return x[1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3]


def test_twelve_axes(arch: str, on_each: Callable[[Callable[[], Any]], list[Any]]) -> None:
    shape = (2, 1, 3, *(1,) * 8, 4)

    def call() -> Any:
        f = qd.field(qd.i32, shape=(1,) * 10 + (2, 1))
        f[(0,) * 10 + (1, 0)] = 7
        found = []
        for x in (np.ones(shape, np.int32), qd.ndarray(qd.i32, shape)):
            found.append(twelve(x, f))
        g = qd.field(qd.f32, shape=shape, order="tsrqponmlkji")
        g[1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3] = 2
        return found, g.to_numpy().sum(), g.layout, g.shape

    compiled, python = on_each(call)
    assert compiled == python == ([1 + 7 + 4, 7 + 4], 2, tuple(range(11, -1, -1)), shape)
    with pytest.raises(ValueError, match="at most 12"):
        qd.field(qd.f32, shape=(1,) * 13)
