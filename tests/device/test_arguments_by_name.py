"""Arguments by name, in calls of the language's functions by kernels and by the host."""

from __future__ import annotations

import numpy as np
import pytest
import qd

pytestmark = pytest.mark.usefixtures("arch")


@qd.kernel
def by_name(out: qd.types.ndarray(qd.f32, 1), x: qd.f32):  # type: ignore[valid-type]
    v = qd.math.vec2(3.0, 4.0)
    out[0] = qd.cast(obj=x, dtype=qd.i32) + qd.select(cond=x > 2.0, x2=10, x1=20)
    out[1] = qd.pow(exponent=2, base=x) + qd.sqrt(x=4.0) + qd.atan2(x1=0.0, x2=1.0)
    out[2] = qd.raw_div(x1=7, x2=2) + qd.floor(x=2.5, dtype=qd.i32) + qd.bit_cast(obj=qd.f32(0.0), dtype=qd.i32)
    out[3] = qd.math.clamp(x=x, xmin=0.0, xmax=1.0) + qd.math.smoothstep(edge0=0.0, edge1=1.0, x=2.0) + qd.math.mod(x=7.0, y=4.0)
    out[4] = qd.math.dot(x=v, y=v) + qd.math.length(x=v) + qd.math.distance(x=v, y=v) + qd.math.inverse(mat=qd.Matrix([[2.0, 0.0], [0.0, 4.0]]))[1, 1]
    out[5] = qd.assume_in_range(val=2, base=0, low=0, high=3) + qd.loop_unique(val=3) + qd.zero(x=x) + qd.one(x=x)
    out[6] = qd.randn(dt=qd.f32) * 0.0 + qd.static(qd.max(1, qd.cast(obj=2.5, dtype=qd.i32)))
    qd.static_assert(cond=True, msg="true")
    v.fill(val=6.0)
    out[7] = v.sum() + qd.Matrix.rows(rows=[[1.0, 2.0], [3.0, 4.0]])[1, 0] + qd.Matrix.cols(cols=[[1.0, 2.0], [3.0, 4.0]])[1, 0]


def test_arguments_by_the_names_of_parameters() -> None:
    out = np.zeros(8, np.float32)
    by_name(out, 2.5)
    assert out.tolist() == [22.0, 8.25, 5.0, 5.0, 30.25, 6.0, 2.0, 17.0]


@qd.kernel
def twice_by_name() -> qd.i32:
    return qd.cast(1.5, qd.i32, obj=2)


@qd.kernel
def unknown_by_name() -> qd.i32:
    return qd.pow(base=2, exp=3)


@qd.kernel
def fails_by_name() -> qd.i32:
    qd.static_assert(msg="by name", cond=1 > 2)
    return 1


def test_wrong_names_of_parameters(arch: str) -> None:
    wrong = (TypeError, qd.KernelSyntaxError)
    with pytest.raises(wrong, match="`obj`|'obj'"):
        twice_by_name()
    with pytest.raises(wrong, match="[`']exp"):
        unknown_by_name()
    with pytest.raises(qd.KernelCompilationError, match="static assertion failed: by name"):
        fails_by_name()


def test_arguments_of_the_host_by_name() -> None:
    x, v, tree = qd.field(qd.f32), qd.Vector.field(n=2, dtype=qd.f32, shape=2, name="v"), qd.FieldsBuilder()
    tree.dense(indices=qd.i, dimensions=3).place(x)
    x.fill(val=2)
    v.fill(val=[1, 2])
    x.from_numpy(arr=x.to_numpy() + 1)
    assert x.to_numpy().tolist() == [3, 3, 3] and v.to_numpy().tolist() == [[1, 2], [1, 2]]
    assert (v._name, v.snode._name) == ("v", "v")
    assert qd.Matrix.field(2, 1, qd.f32, shape=3, ndim=1).element_shape == (2,)
    assert qd.Struct.field(members={"a": qd.f32}, methods={"twice": lambda s: 2 * s.a}, shape=2)[1].twice() == 0
    assert qd.cast(obj=2.5, dtype=qd.i32) == 2 and qd.select(cond=0, x1=1, x2=3) == 3 and qd.pow(exponent=3, base=2) == 8
    assert qd.sqrt(x=qd.Vector([4.0, 9.0])).to_list() == [2, 3] and qd.round(x=2.6, dtype=qd.i32) == 3
    assert qd.Vector.zero(dt=qd.f32, n=2, m=3).shape == (2, 3)
    assert isinstance(qd.template(element_type=qd.f32, ndim=2), type(qd.Template(tensor=x, dim=1)))
    assert isinstance(qd.func(lambda a: a, is_real_function=False), qd.Func)
    with pytest.raises(ValueError, match="Please use ndim instead"):
        qd.types.ndarray(qd.f32, field_dim=1)  # type: ignore[arg-type]
