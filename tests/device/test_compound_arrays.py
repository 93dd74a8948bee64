"""Fields, ndarrays, tensors and views of vectors, matrices and structs, as the host uses them, on every architecture."""

from __future__ import annotations

import copy
import functools
import pickle
import sys
from typing import Any

import in_place
import numpy as np
import pytest
import qd

VEC = qd.types.vector(3, qd.f32)


@qd.dataclass
class Body:
    pos: VEC
    mass: qd.f64
    tag: qd.u8


Pair = qd.types.struct(a=Body, b=Body, n=int)


def makers() -> list[Any]:
    return [
        lambda: qd.Vector.field(3, qd.f32, shape=(2, 4)),
        lambda: qd.Vector.field(3, qd.f32, (2, 4), layout=qd.Layout.SOA),
        lambda: qd.field(VEC, (2, 4), order="ji"),
        lambda: VEC.field((2, 4), layout=qd.Layout.SOA, order="ji"),
        lambda: qd.Vector.ndarray(3, qd.f32, (2, 4)),
        lambda: qd.ndarray(VEC, (2, 4)),
        lambda: qd.tensor(VEC, (2, 4), layout=(1, 0)),
        lambda: qd.tensor(VEC, (2, 4), backend=qd.Backend.FIELD, layout=(1, 0)),
    ]


@pytest.mark.parametrize("number", range(len(makers())))
def test_elements(arch: Any, number: int) -> None:
    x = makers()[number]()
    assert x.shape == (2, 4) and x.element_shape == (3,) and x.dtype is qd.f32 and (x.n, x.m) == (3, 1)
    assert x.to_numpy().shape == (2, 4, 3) and not x.to_numpy().any()
    x[1, 2] = [1, 2.5, 3]
    assert x[1, 2].to_list() == [1, 2.5, 3] and x[1, 2].y == 2.5
    x[1, 2][0] = 7  # an element shares the memory
    x[1, 2].yz += qd.Vector([1.0, 1.0])
    kept = x[1, 2].copy()
    x[1, 2] = 0
    assert kept.to_list() == [7, 3.5, 4] and x[1, 2].to_list() == [0, 0, 0]
    a = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    x.from_numpy(a)
    assert (x.to_numpy() == a).all() and x[1, 3].to_list() == [21, 22, 23] and x.to_numpy().flags.c_contiguous
    x.fill(qd.Vector([1, 2, 3]))
    assert x.to_numpy()[1, 3].tolist() == [1, 2, 3]
    if in_place.is_true():
        x.to_numpy(copy=False)[0, 0] = 5
        assert x[0, 0].to_list() == [5, 5, 5]
        assert np.from_dlpack(x)[0, 0].tolist() == [5, 5, 5] and x.to_dlpack() is not None
    y = makers()[number]()
    y.copy_from(x)
    assert (y.to_numpy() == x.to_numpy()).all()
    with pytest.raises(ValueError, match=r"Mismatch shape: \(2, 4, 3\) expected, but \(2, 4\) provided"):
        x.from_numpy(np.zeros((2, 4)))
    with pytest.raises(TypeError, match="cannot assign a vector of 2 to a vector of 3"):
        x[0, 0] = qd.Vector([1, 2])
    with pytest.raises(IndexError, match=r"with indices \(2, 0\)"):
        x[2, 0]


def test_torch(arch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = qd.ndarray(VEC, 2)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(qd.KernelRuntimeError, match="needs torch, which is not installed"):
        x.to_torch()

    class Tensor:
        """The part of a tensor that from_torch needs."""

        def detach(self) -> Tensor:
            return self

        cpu = contiguous = detach

        def numpy(self) -> np.ndarray:
            return np.ones((2, 3))

    x.from_torch(Tensor())
    assert x[1].to_list() == [1, 1, 1]


def test_matrices(arch: Any) -> None:
    for x in (qd.Matrix.field(2, 3, qd.i32, 4, layout=qd.Layout.SOA), qd.Matrix.ndarray(2, 3, qd.i32, 4)):
        x[1] = [[1, 2, 3], [4, 5, 6]]
        x[1][1, 2] += 10
        assert x.element_shape == (2, 3) and (x.n, x.m) == (2, 3) and x[1].to_list() == [[1, 2, 3], [4, 5, 16]]
        assert x.to_numpy().shape == (4, 2, 3)
    single = qd.Matrix.field(2, 2, qd.f32, shape=())
    single[None] = qd.Matrix.identity(qd.f32, 2)
    assert single[()][0, 0] == 1


def test_ndarrays_can_be_copied_and_pickled(arch: Any) -> None:
    x = qd.ndarray(VEC, 2, needs_grad=True)
    x[1] = 4
    x.grad[0] = [1, 2, 3]
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), copy.copy(qd.wrap(x))._unwrap(), pickle.loads(pickle.dumps(qd.wrap(x)))):
        assert y[1].to_list() == [4, 4, 4] and y.grad[0].to_list() == [1, 2, 3] and y.element_shape == (3,)
        y[1] = 0
    assert x[1].x == 4 and qd.ndarray(VEC, 2).grad is None


@pytest.mark.parametrize("layout", qd.Layout)
@pytest.mark.parametrize("make", ["field", "ndarray"])
def test_structs(arch: Any, layout: Any, make: str) -> None:
    s = getattr(Pair, make)((2, 3), layout=layout)
    assert s.shape == (2, 3) and s.keys == ["a", "b", "n"] and s.a.pos.shape == (2, 3) and s.a.pos.element_shape == (3,)
    s[1, 2].a.pos = [1, 2, 3]
    s[1, 2].a.pos.x = 5
    s[0, 0].b.tag = 300
    s[0, 0].n = 7
    s.b.mass[1, 1] = 0.1
    assert s.a.pos[1, 2].to_list() == [5, 2, 3] and s.b.tag[0, 0] == 44 and s[1, 1].b.mass == 0.1 and s[0, 0].n == 7
    s[1, 0] = s[1, 2]
    s[1, 1] = Pair(Body([9, 8, 7], 0.5, 3), n=2)
    s[1, 2].a.pos = 0
    assert s[1, 0].a.pos.to_list() == [5, 2, 3] and s[1, 1].a.mass == 0.5 and s[1, 1].b.mass == 0 and s[1, 1].n == 2
    found = s.to_numpy()
    assert found["a"]["pos"].shape == (2, 3, 3) and found["n"][1, 1] == 2
    found["a"]["tag"][:] = 9
    s.from_numpy(found)
    other = getattr(Pair, make)((2, 3))
    other.copy_from(s)
    assert other.a.tag[0, 1] == 9 and other.a.pos[1, 0].x == 5
    other.a.fill(Body(1, 2, 3))
    assert other[0, 0].a.pos.to_list() == [1, 1, 1] and other[0, 0].n == 7
    with pytest.raises(AttributeError, match="no attribute 'c'; its members are a, b, n"):
        _ = s.c
    with pytest.raises(ValueError, match="a dict with an array for each of a, b, n"):
        s.from_numpy({"a": found["a"]})
    with pytest.raises(IndexError):
        _ = s[2, 0]


def test_members_of_aos_structs_stand_together(arch: Any) -> None:
    in_place.needed()
    s, t = Body.field(4), Body.field(4, layout=qd.Layout.SOA)
    assert s.pos.to_numpy(copy=False).strides == (32, 4) and s.mass.to_numpy(copy=False).strides == (32,)
    assert s.mass.to_numpy(copy=False).ctypes.data - s.pos.to_numpy(copy=False).ctypes.data == 16
    assert t.pos.to_numpy(copy=False).strides == (12, 4) and t.mass.to_numpy(copy=False).strides == (8,)
    v = qd.Vector.field(3, qd.f32, shape=(2, 5), layout=qd.Layout.SOA, order="ji")
    assert v.to_numpy(copy=False).strides == (4, 8, 40)


def test_offsets_and_orders(arch: Any) -> None:
    x = qd.field(qd.i32, shape=(3, 2), offset=(-1, 10), order="ji", name="x")
    x[-1, 10], x[1, 11] = 5, 6
    assert x.to_numpy().tolist() == [[5, 0], [0, 0], [0, 6]] and x.shape == (3, 2)
    with pytest.raises(IndexError, match=r"size \(3, 2\) offset \(-1, 10\) with indices \(0, 0\)"):
        x[0, 0]
    with pytest.raises(qd.KernelSyntaxError, match="must name each of the 2 axes"):
        qd.field(qd.f32, (2, 2), order="ii")
    for make in (qd.field, functools.partial(qd.Vector.field, 3)):  # the words of Taichi's and Quadrants' tests
        with pytest.raises(qd.KernelCompilationError, match="The dimensionality of shape and offset must be the same"):
            make(qd.f32, shape=(2, 2), offset=3)
        with pytest.raises(qd.KernelCompilationError, match="The dimensionality of shape and order must be the same"):
            make(qd.f32, shape=3, order="ij")
        with pytest.raises(qd.KernelCompilationError, match="The axes in order must be different"):
            make(qd.f32, shape=(3, 4, 3), order="iji")
        with pytest.raises(qd.KernelCompilationError, match="Invalid axis"):
            make(qd.f32, shape=(3, 4, 3), order="ijl")
        with pytest.raises(qd.KernelCompilationError, match="shape cannot be None when offset is set"):
            make(qd.f32, shape=None, offset=(3, 4))


def test_elements_of_one_column(arch: Any) -> None:
    """Shapes as in Taichi 1.7.4: fields of n x 1 matrices are arrays of vectors for numpy, ndarrays are not."""
    m, v, a = qd.Matrix.field(2, 1, qd.f32, shape=3, name="m"), qd.Vector.field(2, qd.f32, shape=3), qd.Matrix.ndarray(2, 1, qd.f32, 3)
    numbers = np.arange(6, dtype=np.float32)
    for array in (m, v, a):
        for shape in ((3, 2), (3, 2, 1)):
            array.fill(0)
            array.from_numpy(numbers.reshape(shape))
            assert array.to_numpy().ravel().tolist() == numbers.tolist()
    assert [x.to_numpy().shape for x in (m, v, a)] == [(3, 2), (3, 2), (3, 2, 1)]
    assert [x.to_numpy(keep_dims=True).shape for x in (m, v)] == [(3, 2, 1), (3, 2, 1)]
    assert m[1][1, 0] == 3 and qd.Matrix.field(2, 2, qd.f32, shape=3).to_numpy(keep_dims=True).shape == (3, 2, 2)
    assert pickle.loads(pickle.dumps(qd.wrap(m)))[2][1, 0] == 5
    assert np.asarray(m).shape == (3, 2)
    with pytest.raises(ValueError, match=r"Mismatch shape: \(3, 2, 1\) expected, but \(2, 3\) provided"):
        m.from_numpy(numbers.reshape(2, 3))


def test_text_of_a_field(arch: Any) -> None:
    x = qd.field(qd.i32, (2, 2), name="x")
    x.fill(3)
    assert (str(x), f"{x}", repr(x)) == ("[[3 3]\n [3 3]]",) * 2 + ("qd.field(qd.i32, shape=(2, 2))",)
    assert str(qd.Vector.field(2, qd.f32, shape=1)) == "[[0. 0.]]"
    assert str(qd.field(qd.i32)).startswith("qd.field(qd.i32")


def test_gradients(arch: Any) -> None:
    x, v = qd.field(qd.f32, (2, 2), needs_grad=True), qd.Vector.field(2, qd.f32, 3, needs_grad=True, layout=qd.Layout.SOA)
    x.grad[1, 1], v.grad[1] = 3, [4, 5]
    assert x.grad.shape == (2, 2) and v.grad[1].y == 5 and x[1, 1] == 0 and qd.field(qd.f32, 2).grad is None
    s = Body.field(3, needs_grad=True)
    s.grad.pos[1] = 2
    assert s.pos.grad[1].to_list() == [2, 2, 2] and s.grad.keys == ["pos", "mass"]
    with pytest.raises(qd.KernelRuntimeTypeError, match="qd.i32 is not supported for field with `needs_grad=True` or `needs_dual=True`"):
        qd.field(qd.i32, 3, needs_grad=True)


def test_duals(arch: Any) -> None:
    x, v = qd.field(qd.f32, (2, 2), name="x", needs_dual=True, needs_grad=True), qd.Vector.field(2, qd.f32, 3, needs_dual=True)
    x.dual[1, 1], x.grad[1, 1], v.dual[1] = 3, 2, [4, 5]
    assert (x[1, 1], x.grad[1, 1], x.dual[1, 1]) == (0, 2, 3) and v.dual[1].y == 5 and x.dual.name == "x.dual"
    assert qd.field(qd.f32, 2).dual is None and v.grad is None and x.dual.dual is None
    s = Body.field(3, needs_dual=True)
    s.dual.pos[1] = 2
    assert s.pos.dual[1].to_list() == [2, 2, 2] and s.dual.keys == ["pos", "mass"] and s.grad is None
    assert qd.wrap(x).has_dual() and not qd.wrap(qd.field(qd.f32, 2)).has_dual() and not qd.tensor(qd.f32, 2).has_dual()
    with pytest.raises(qd.KernelRuntimeTypeError, match="qd.i32 is not supported for field with `needs_grad=True` or `needs_dual=True`"):
        qd.field(qd.i32, 3, needs_dual=True)


# --- qd.root ---


def test_placing(arch: Any) -> None:
    x, y, v, s = qd.field(qd.f32), qd.field(qd.f32, name="y"), qd.Vector.field(2, qd.i32), Body.field()
    with pytest.raises(qd.KernelRuntimeError, match="Field 'y' is not placed: give qd.field a shape="):
        y[0, 0]
    block = qd.root.dense(qd.i, 2).dense(qd.ij, (2, 3))
    block.place(x, x.grad, y).place(v)
    qd.root.dense(qd.i, 5).place(s)
    assert x.shape == y.shape == v.shape == x.grad.shape == (4, 3) and s.shape == s.pos.shape == (5,)
    x[3, 2], x.grad[3, 2], v[3, 2], s[4] = 1, 2, [3, 4], Body(mass=5)
    assert (x[3, 2], x.grad[3, 2], y[3, 2]) == (1, 2, 0) and v[3, 2].y == 4 and s.mass[4] == 5
    columns = qd.field(qd.i32)
    qd.root.dense(qd.ji, (2, 3)).place(columns)
    assert columns.shape == (3, 2)
    assert not in_place.is_true() or columns.to_numpy(copy=False).strides == (4, 12)
    single = qd.field(qd.i64)
    qd.root.place(single)
    single[None] = 7
    assert single.shape == () and single[None] == 7
    with pytest.raises(qd.KernelRuntimeError, match="has its place already"):
        block.place(x)
    with pytest.raises(TypeError, match="place"):
        block.place(3)
    only_k = qd.field(qd.f32)
    qd.root.dense(qd.k, 3).place(only_k)
    assert only_k.shape == (3,)
    square = qd.field(qd.f32)
    qd.root.dense(qd.ij, (4,)).place(square)
    assert square.shape == (4, 4)


def test_builders_and_lazy_gradients(arch: Any) -> None:
    builder = qd.FieldsBuilder()
    x, y, n, other = qd.field(qd.f32, needs_grad=True), qd.field(qd.f32), qd.field(qd.i32), qd.field(qd.f32)
    builder.dense(qd.ji, (2, 3)).place(x, y, n, offset=(1, 1))
    qd.root.place(other)
    builder.lazy_grad()
    x[1, 1], x.grad[3, 2], y.grad[1, 1] = 2, 3, 4
    assert x.shape == (3, 2) and x.grad.to_numpy()[2, 1] == 3 and y.grad.to_numpy()[0, 0] == 4 and n.grad is None
    with pytest.raises(qd.KernelRuntimeError, match="not placed"):
        other.grad[None]
    builder.finalize().destroy()
    with pytest.raises(qd.KernelRuntimeError, match="is gone"):
        x[1, 1]


def test_lazy_duals(arch: Any) -> None:
    builder = qd.FieldsBuilder()
    x, y, z = qd.field(qd.f32, needs_dual=True), qd.field(qd.f32), qd.field(qd.f32)
    builder.dense(qd.i, 3).place(x, y, z, z.dual)
    z.dual[1] = 4
    builder.lazy_dual()
    x.dual[2], y.dual[0] = 3, 5
    assert x.dual.to_numpy().tolist() == [0, 0, 3] and y.dual[0] == 5 and z.dual[1] == 4
    with pytest.raises(qd.KernelRuntimeError, match="not placed"):
        x.grad[1]


def test_lazy_gradients_of_fields_with_a_shape(arch: Any) -> None:
    x, n, has_one = qd.Vector.field(2, qd.f32, (2, 3), order="ji", offset=(1, 1)), qd.field(qd.i32, 3), qd.field(qd.f32, 2, needs_grad=True)
    s = qd.types.struct(a=qd.f32, b=qd.i32).field(4)
    before = has_one.grad
    qd.root.lazy_grad()
    qd.root.lazy_grad()
    x.grad[2, 3] = [1, 2]
    assert x.grad.to_numpy()[1, 2].tolist() == [1, 2] and x.grad.shape == (2, 3) and x.grad.grad is None
    assert n.grad is None and has_one.grad is before and s.a.grad.shape == (4,) and s.b.grad is None


@pytest.mark.parametrize("name", ["pointer", "bitmasked", "dynamic", "hash", "quant_array"])
def test_sparse_nodes(arch: Any, name: str) -> None:
    what = "quantised types are" if name == "quant_array" else "sparse fields are"
    with pytest.raises(qd.KernelRuntimeError, match=rf"qd.root.{name}\(...\) is not supported: {what} not implemented yet. Fields are dense here"):
        getattr(qd.root.dense(qd.i, 3), name)(qd.i, 3)


# --- tensors ---


def test_tensors(arch: Any) -> None:
    x = qd.tensor(qd.f32, (2, 3), layout=(1, 0), needs_grad=True)
    assert type(x) is qd.Tensor and isinstance(x._unwrap(), qd.Ndarray) and x.has_grad() and not x.has_dual() and isinstance(x.grad, qd.Tensor)
    f = qd.tensor(VEC, 3, backend=qd.Backend.FIELD)
    assert type(f) is qd.VectorTensor and isinstance(f._unwrap(), qd.Field) and not f.has_grad() and len(f) == 3
    assert type(qd.tensor(qd.types.matrix(2, 2, int), 1)) is qd.MatrixTensor and qd.wrap(f) is f
    x[1, 2] = 5
    assert x[1, 2] == 5 and x.to_numpy()[1, 2] == 5
    assert not in_place.is_true() or x._unwrap().to_numpy(copy=False).strides == (4, 8)
    with pytest.raises(ValueError, match="each of the 2 axes"):
        qd.tensor(qd.f32, (2, 3), layout=(0,))
    with pytest.raises(TypeError, match="wraps a field or an ndarray"):
        qd.wrap(np.zeros(3))
    with pytest.raises(qd.KernelRuntimeError, match="cannot be copied"):
        copy.copy(f)


# --- buffer views ---


def test_views(arch: Any) -> None:
    x = qd.ndarray(qd.f32, 10)
    v = x[2:8]
    assert (v.offset, v.size, v.shape, v.arr, v.get_ndarray()) == (2, 6, (6,), x, x) and len(v) == 6
    w = v[1:4]
    assert (w.offset, w.size) == (3, 3) and (w[1:].offset, w[1:].size) == (4, 2) and (w.subview(1, 2).offset, x[:].size) == (4, 10)
    assert qd.tensor(qd.f32, 4)[1:3].size == qd.BufferView(qd.tensor(qd.f32, 4), 1, 2).size == 2
    b = qd.BufferView(qd.Vector.ndarray(3, qd.f32, 4), 1, 2)
    assert b.size == 2 and b.element_shape == (3,) and qd.BufferView(x, 10, 0).size == 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x[1:5:2], ValueError, "step=1"),
        (lambda x: x[1:5][0:2:3], ValueError, "step=1"),
        (lambda x: qd.ndarray(qd.f32, (2, 3))[0:1], TypeError, "1D"),
        (lambda x: qd.BufferView(qd.ndarray(qd.f32, (2, 3)), 0, 1), TypeError, "1D"),
        (lambda x: qd.BufferView(x, 8, 3), ValueError, "^BufferView out of range: offset=8, size=3, ndarray length=10$"),
        (lambda x: qd.BufferView(x, -1, 3), ValueError, "BufferView out of range: offset=-1"),
        (lambda x: x[2:8].subview(4, 3), ValueError, "^subview out of range: offset=4, size=3, parent size=6$"),
        (lambda x: x[2:8][0], TypeError, "requires a slice"),
        (lambda x: qd.BufferView(x[2:8], 0, 1), TypeError, "not another BufferView"),
        (lambda x: qd.BufferView(qd.ndarray(qd.f32, 3, needs_grad=True), 0, 1), TypeError, "needs_grad"),
        (lambda x: qd.BufferView(qd.field(qd.f32, 3), 0, 1), TypeError, "takes an ndarray, not Field"),
        (lambda x: qd.BufferView(np.zeros(3), 0, 1), TypeError, "takes an ndarray, not ndarray"),
    ],
)
def test_errors_of_views(arch: Any, call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(qd.ndarray(qd.f32, 10))


def test_views_are_gone_after_reset(arch: Any) -> None:
    x = qd.ndarray(qd.f32, 10)
    v = x[1:3]
    qd.reset()
    qd.init(arch=arch, log_level="error")
    with pytest.raises(qd.KernelRuntimeError, match="is gone"):
        v.get_ndarray().to_numpy()


@qd.kernel
def one_more(x: qd.template()):
    for i in x:
        x[i] += 1


def test_an_element_that_is_kept(arch: Any) -> None:
    x = qd.Vector.field(3, qd.f32, shape=4)
    x[1] = [1, 2, -3]
    kept = x[1]
    assert abs(kept).to_list() == [1, 2, 3] and (kept * 2).to_list() == [2, 4, -6] and (-kept).y == -2
    one_more(x)
    assert kept.to_list() == [2, 3, -2] and kept.norm_sqr() == 17
    kept[0] = 9
    one_more(x)
    assert x[1].to_list() == [10, 4, -1]
