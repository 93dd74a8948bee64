"""qd.Vector, qd.Matrix and qd.Struct on the host: making, reading and changing them, and their errors."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import qd


@qd.dataclass
class Body:
    pos: qd.types.vector(3, qd.f32)
    mass: float
    tag: qd.u8

    @qd.func
    def heavy(self):
        return self.mass > 5

    def label(self) -> str:
        return f"{self.tag}: {self.pos.x}"


@pytest.fixture(autouse=True)
def program() -> Iterator[None]:
    qd.init(arch=qd.python, log_level="error")
    yield
    qd.reset()


def test_types_of_components() -> None:
    assert qd.Vector([1, 2]).dtype is qd.i32
    assert qd.Vector([1, 2.5]).dtype is qd.f32
    assert qd.Vector([True, False]).dtype is qd.u1
    assert qd.Vector([1, 2], dt=qd.f64).dtype is qd.f64
    assert qd.Vector([np.int8(1), np.uint8(2)]).dtype is qd.u8
    assert qd.Vector(np.arange(3)).dtype is qd.i64
    assert qd.Vector([300, -1], dt=qd.u8).to_list() == [44, 255]
    qd.init(arch=qd.python, log_level="error", default_fp=qd.f64, default_ip=qd.i64)
    assert qd.Vector([1, 2.5]).dtype is qd.f64 and qd.Vector([1]).dtype is qd.i64
    assert qd.math.vec3(0.1).dtype is qd.f64 and qd.Vector([0.1])[0] == 0.1


def test_shapes() -> None:
    v, m = qd.Vector([1, 2, 3]), qd.Matrix([[1, 2, 3], [4, 5, 6]])
    assert (v.n, v.m, v.ndim, v.shape, len(v)) == (3, 1, 1, (3,), 3)
    assert (m.n, m.m, m.ndim, m.shape, len(m)) == (2, 3, 2, (2, 3), 2)
    assert isinstance(v, qd.Vector) and isinstance(v, qd.Matrix) and not isinstance(m, qd.Vector)
    assert m.to_list() == [[1, 2, 3], [4, 5, 6]] and m.to_numpy().tolist() == m.to_list()
    assert repr(v) == "qd.Vector([1, 2, 3], dt=qd.i32)" and str(m) == "[[1, 2, 3], [4, 5, 6]]"
    assert f"{qd.Vector([0.1, 2.0])} {m[0:1] / 3:.2f} {Body(1, 0.5)}" == "[0.1, 2.0] [[0.33, 0.67, 1.00]] {pos: [1.0, 1.0, 1.0], mass: 0.5, tag: 0}"


def test_reading_and_changing() -> None:
    v, m = qd.Vector([1, 2, 3]), qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
    assert v[1] == 2 and type(v[1]) is int and type(m[1, 0]) is float and v[0:2].to_list() == [1, 2] and list(v) == [1, 2, 3]
    assert m[1].to_list() == [3, 4] and m[:, 1].to_list() == [2, 4]
    v[1] = 7.9
    v.x = -1
    v.yz = v.zy
    assert v.to_list() == [-1, 3, 7]
    m[0] = [8, 9]
    m[:, 0] = 0
    assert m.to_list() == [[0, 9], [0, 4]]
    v.fill(4)
    assert v.xxz.to_list() == [4, 4, 4]


def test_operators_are_those_of_kernels() -> None:
    a = qd.Vector([7, -7])
    assert (a // 2).to_list() == [3, -4] and (a / 2).dtype is qd.f32 and (a % 4).to_list() == [3, 1]
    assert (a << 1).to_list() == [14, -14] and (2**a.yx).to_list() == [0, 128]
    assert (a > 0).dtype is qd.u1 and (a == [7, 0]).to_list() == [True, False] and (a != a).any() is False
    assert (np.float32(2) * a).to_list() == [14, -14] and ([1, 2] + a).to_list() == [8, -5]
    assert qd.max(a, 0).to_list() == [7, 0] and qd.sin(qd.Vector([0.0, 0.0])).to_list() == [0, 0]
    assert (qd.Matrix([[1, 2], [3, 4]]) @ [1, 1]).to_list() == [3, 7]
    assert qd.Vector([3.0, 4.0]).norm() == 5 and type(qd.Vector([3.0, 4.0]).norm()) is float


def test_values_are_copies_of_what_they_are_made_of() -> None:
    a = qd.Vector([1, 2])
    for other in (qd.Vector(a), a.copy(), copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), a.cast(qd.i32), +a):
        other[0] = 9
        assert a.to_list() == [1, 2] and other.to_list() == [9, 2] and other.dtype is qd.i32


def test_special_values() -> None:
    assert qd.Vector.zero(float, 2).dtype is qd.f32 and qd.Matrix.one(int, 1, 2).to_list() == [[1, 1]]
    assert qd.Vector.unit(3, 1).to_list() == [0, 1, 0] and qd.Matrix.identity(qd.f64, 2).to_list() == [[1, 0], [0, 1]]
    assert qd.Matrix.diag(2, 3).to_list() == [[3, 0], [0, 3]]
    assert qd.Matrix.cols([[1, 2], [3, 4]]).to_list() == [[1, 3], [2, 4]] and qd.Matrix.zero(qd.f32, 3).shape == (3,)


def test_types_as_functions() -> None:
    vec, mat = qd.types.vector(3, qd.i32), qd.types.matrix(2, 2, qd.f32)
    assert vec(2.5).to_list() == [2, 2, 2] and vec(qd.Vector([1, 2]), 3).to_list() == [1, 2, 3]
    assert mat(1, 2, 3, 4) @ mat([[1, 0], [0, 1]]) is not None and mat(qd.Vector([1, 2]), qd.Vector([3, 4]))[1, 0] == 3
    assert vec == qd.types.vector(3, qd.i32) != qd.types.vector(3, qd.f32) and hash(vec) == hash(qd.types.vector(3, int))
    assert repr(mat) == "qd.types.matrix(2, 2, qd.f32)"


def test_structs() -> None:
    b = Body([1, 2, 3], mass=2)
    assert b.pos.to_list() == [1, 2, 3] and b.mass == 2.0 and type(b.mass) is float and b.tag == 0
    b.tag = 300
    b.pos.x = 5
    b.pos = b.pos * 2
    assert b.tag == 44 and b["pos"].to_list() == [10, 4, 6] and b.label() == "44: 10.0"
    c = b.copy()
    c.pos[0] = 0
    assert b.pos.x == 10 and repr(c) == "Body(pos=qd.Vector([0.0, 4.0, 6.0], dt=qd.f32), mass=2.0, tag=44)"
    s = qd.Struct(a=1, inner={"v": [1.0, 2.0]})
    assert s.inner.v.dtype is qd.f32 and s.to_dict()["a"] == 1 and s.keys == ["a", "inner"]
    assert qd.types.struct(a=int, b=qd.math.vec2)(b=1).b.to_list() == [1, 1]
    nested = qd.types.struct(body=Body, n=int)(b, 3)
    nested.body.mass = 7
    assert nested.body.mass == 7 and b.mass == 2


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: qd.Vector([1, "a"]), TypeError, "a component of a vector or a matrix is a number, not 'a'"),
        (lambda: qd.Matrix([[1, 2], [3]]), TypeError, "the rows of a matrix have one length, not 2, 1"),
        (lambda: qd.Vector([[1, 2]]), TypeError, r"not of rows \(a 1x2 matrix\): use qd.Matrix"),
        (lambda: qd.Vector(3), TypeError, "made of a list of numbers"),
        (lambda: qd.Vector([1, 2]) + qd.Vector([1, 2, 3]), TypeError, "one shape, not a vector of 2 and a vector of 3"),
        (lambda: qd.Vector([1, 2]).z, AttributeError, "a vector of 2 has no attribute 'z'"),
        (lambda: qd.Vector([1, 2]).xg, AttributeError, "no attribute 'xg'"),
        (lambda: setattr(qd.Vector([1, 2]), "xx", 3), TypeError, "a component occurs twice"),
        (lambda: setattr(qd.Vector([1, 2]), "w", 3), AttributeError, "no attribute 'w'"),
        (lambda: qd.Vector([1, 2])[2], IndexError, r"Out of bound access to a \[2\] matrix with index \[2\]"),
        (lambda: qd.Vector([1, 2])[0, 1], IndexError, "has 1 axis, but 2 indices"),
        (lambda: bool(qd.Vector([1, 2]) == [1, 2]), TypeError, r"neither true nor false: use .all\(\) or .any\(\)"),
        (lambda: qd.Vector([1, 2]) @ qd.Vector([1, 2, 3]), TypeError, "@ needs as many columns"),
        (lambda: qd.Vector([1, 2]).dot(3), TypeError, "`dot` takes a vector or a matrix, not int"),
        (lambda: qd.Matrix([[1, 2]]).trace(), TypeError, "`trace` takes a square matrix, not a 1x2 matrix"),
        (lambda: qd.Matrix.identity(int, 5).inverse(), TypeError, "`inverse` takes a square matrix of at most 4 rows, not a 5x5 matrix"),
        (lambda: qd.types.vector(0, int), TypeError, "at least 1, not 0"),
        (lambda: qd.types.vector(2, str), TypeError, "is not a scalar type"),
        (lambda: qd.math.vec2(1, 2, 3), TypeError, "has 2 components, 3 given"),
        (lambda: Body(1, 2, 3, 4), TypeError, "Body has 3 members, but 4 values are given"),
        (lambda: Body(weight=1), TypeError, "Body has no member 'weight'; it has pos, mass, tag"),
        (lambda: Body(mass=qd.Vector([1, 2])), TypeError, "is no number"),
        (lambda: Body().weight, AttributeError, "Body has no member 'weight'"),
        (lambda: Body() + 1, TypeError, "unsupported operand"),
        (lambda: Body().heavy(), qd.KernelSyntaxError, "cannot be called from Python-scope"),
        (lambda: qd.types.struct(a=str), TypeError, "Struct.a: <class 'str'> is no type of a member"),
        (lambda: qd.Struct(3), TypeError, "takes its members by name"),
    ],
)
def test_errors(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_defaults_of_members() -> None:
    @qd.dataclass
    class WithDefault:
        a: qd.i32 = 3
        b: qd.f32

    assert (WithDefault().a, WithDefault().b, WithDefault(4).a) == (3, 0, 4)
    with pytest.raises(qd.KernelSyntaxError, match="@qd.dataclass Wrong: .*'a' is no number|@qd.dataclass Wrong: .* is not a number"):

        @qd.dataclass
        class Wrong:
            a: qd.i32 = "a"
