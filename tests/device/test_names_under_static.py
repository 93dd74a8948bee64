"""Names of `qd.static`: arrays, members, funcs, shapes and classes that are known when a kernel is compiled."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import qd

pytestmark = pytest.mark.usefixtures("arch")


EXTENTS = np.array([2, 3], np.int32)


@qd.kernel
def unpacked_extents() -> qd.i32:
    n = 0
    for _i, _j in qd.ndrange(*EXTENTS):
        n += 1
    return n


def test_an_array_is_unpacked_as_extents() -> None:
    assert unpacked_extents() == 6


@dataclasses.dataclass
class Inner:
    weight: qd.types.ndarray(dtype=qd.f32, ndim=1)  # type: ignore[valid-type]


@dataclasses.dataclass
class Cloud:
    position: qd.types.ndarray(dtype=qd.f32, ndim=1)  # type: ignore[valid-type]
    inner: Inner


@qd.func
def second_of(cloud: Cloud, i):  # type: ignore[no-untyped-def]
    x = qd.static(cloud.position)
    y = qd.static(cloud.inner.weight)
    x[i] += y[i]
    return x[i]


@qd.kernel
def aliases(cloud: Cloud) -> qd.f32:
    inner = qd.static(cloud.inner.weight)
    return second_of(cloud, 1) * 10.0 + inner[0]


def test_static_names_arrays_of_arguments() -> None:
    position, weight = qd.ndarray(qd.f32, (3,)), qd.ndarray(qd.f32, (3,))
    position.fill(4)
    weight.fill(2)
    assert aliases(Cloud(position, Inner(weight))) == 62.0
    assert position.to_numpy().tolist() == [4.0, 6.0, 4.0]


Pair = qd.types.struct(a=qd.types.struct(b=qd.i32), c=qd.f32)


@qd.data_oriented
class Pairs:
    def __init__(self) -> None:
        self.pairs = Pair.field(shape=3)

    @qd.kernel
    def count(self) -> None:
        pairs = qd.static(self.pairs)
        a = qd.static(pairs.a)
        for i in pairs:
            a[i].b = i


def test_static_names_members_of_fields() -> None:
    pairs = Pairs()
    pairs.count()
    assert pairs.pairs.a.b.to_numpy().tolist() == [0, 1, 2]


@qd.kernel
def ranks(out: qd.types.ndarray(dtype=qd.i32, ndim=1)):  # type: ignore[valid-type]
    v = qd.Vector([1.0, 2.0, 3.0])
    m = qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
    out[0] = 1 if qd.static(len(m.get_shape()) == 2) else 0
    out[1] = qd.static(v.get_shape()[0])
    if qd.static(len(v.get_shape()) == 2):
        out[2] = 5


def test_shapes_of_locals_at_compile_time() -> None:
    out = np.zeros(3, np.int32)
    ranks(out)
    assert out.tolist() == [1, 3, 0]


@qd.func
def width(x: qd.template()):  # type: ignore[valid-type]
    found = 0
    if qd.static(x.element_shape() == [3]):
        found = 3
    elif qd.static(len(x.element_shape()) == 2):
        found = 10 * qd.static(x.element_shape()[0]) + qd.static(x.element_shape()[1])
    else:
        qd.static_assert(x.element_shape() == [])
    return found


@qd.kernel
def width_of(x: qd.types.ndarray(ndim=1)) -> qd.i32:  # type: ignore[valid-type]
    own = 0
    if qd.static(x.element_shape() == [3]):
        own = 100
    return own + width(x)


def test_element_shapes_at_compile_time() -> None:
    found = [width_of(x) for x in (qd.ndarray(qd.f32, 4), qd.Vector.ndarray(3, qd.f32, 4), qd.Matrix.ndarray(2, 5, qd.f32, 4))]
    assert found == [0, 103, 25]


def test_funcs_under_static() -> None:
    @qd.data_oriented
    class Grid:
        def __init__(self) -> None:
            self.n = 2

        @qd.func
        def stencil(self):  # type: ignore[no-untyped-def]
            return qd.ndrange(self.n, 3)

        @qd.func
        def size(self, k: qd.template()):  # type: ignore[no-untyped-def,valid-type]
            return self.n + k

        @qd.kernel
        def sums(self, x: qd.types.ndarray(qd.i32, 1)) -> qd.i32:
            for _ in range(1):
                for offset in qd.static(qd.grouped(self.stencil())):
                    x[offset[0]] += 1
                for i, j in qd.static(self.stencil()):
                    x[i] += j
            return qd.static(self.size(3))

    x = np.zeros(2, np.int32)
    assert Grid().sums(x) == 5
    assert list(x) == [6, 6]


def test_a_func_under_static_that_gives_a_value_of_the_run() -> None:
    if qd.cfg is None:
        pytest.skip("arch=python knows all values")

    @qd.func
    def twice(x):  # type: ignore[no-untyped-def]
        return x * 2

    @qd.kernel
    def k(n: qd.i32) -> qd.i32:
        return qd.static(twice(n))

    with pytest.raises(qd.KernelTypeError, match="func `twice` gives a value that is known only at run time"):
        k(3)


def test_static_of_a_tensor_in_an_argument() -> None:
    @dataclasses.dataclass
    class State:
        position: qd.Tensor
        speed: qd.Tensor

    @qd.func
    def add(state: State):  # type: ignore[no-untyped-def]
        speed = qd.static(state.speed)
        for i in range(3):
            speed[i] += state.position[i]

    @qd.kernel
    def k(state: State):
        add(state=state)

    for make in (qd.field, qd.ndarray, qd.tensor):
        state = State(make(qd.f32, 3), make(qd.f32, 3))
        state.position.fill(2)
        k(state)
        assert state.speed[1] == 2


@qd.kernel
def kinds(x: qd.template()) -> qd.i32:  # type: ignore[valid-type]
    found = 0
    if qd.static(isinstance(x, qd.Field)):
        found = 1
    if qd.static(isinstance(x, (qd.Matrix, qd.Field))):
        found += 2
    if qd.static(isinstance(x, int)):
        found += 4
    return found + (8 if qd.static(isinstance(x, qd.Matrix)) else 0)


@qd.kernel
def is_field(x: qd.template()) -> qd.i32:  # type: ignore[valid-type]
    found = 0
    if isinstance(x, qd.Field):
        found = 1
    return found


def test_classes_of_templates() -> None:
    field, vectors, placed = qd.field(qd.i32, 4), qd.Vector.field(2, qd.f32, ()), qd.field(qd.f64)
    qd.root.dense(qd.ij, (2, 3)).place(placed)
    assert [kinds(x) for x in (field, vectors, placed, vectors.get_scalar_field(1), 3, 2.5, qd.Vector([1, 2]))] == [3, 3, 3, 3, 4, 0, 10]
    assert [is_field(x) for x in (field, vectors, 3)] == [1, 1, 0]


mode = qd.types.struct(ring=qd.f32, damp=qd.types.vector(2, qd.f32))


modes = qd.types.struct(**{"21": mode, "33": mode, "gain": qd.f32})


one_mode = modes(mode(1.0, [2.0, 3.0]), mode(4.0, [5.0, 6.0]), 7.0)


@qd.func
def doubled(of: qd.template(), name: qd.template()):  # type: ignore[no-untyped-def, valid-type]
    of[name].ring *= 2.0


@qd.kernel
def members_by_name(x: qd.template(), out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    for i in x:
        x[i]["21"].ring = i + 1
        x[i]["33"]["damp"][1] = 2.5
        x[i]["gain"] = 0.5
        for name in qd.static(("21", "33")):
            doubled(x[i], name)
            out[i] += x[i][name].ring + x[i][name]["damp"][1]
    own = x[1]
    own["gain"] += one_mode["gain"]
    out[2] = own["gain"] + one_mode["33"]["damp"][0] + x[1].gain


def test_members_by_name() -> None:
    x, out = modes.field(shape=2), np.zeros(3, np.float32)
    members_by_name(x, out)
    assert out.tolist() == [4.5, 6.5, 13.0] and x[1]["21"]["ring"] == 4.0
