"""Ways of writing that programs for Quadrants and Taichi use: the same results compiled and on arch=qd.python."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import qd


@pytest.fixture(autouse=True)
def runtime(arch: str) -> None:
    qd.init(arch=arch, log_level="error")


@qd.func
def first_of(v: qd.types.vector(3), m: qd.types.matrix(2, 2)):  # type: ignore[valid-type]
    return v[0] + m[0, 0]


@qd.kernel
def untyped_of_integers() -> qd.i32:
    return first_of(qd.Vector([1, 2, 3]), qd.Matrix([[1, 2], [3, 4]]))


@qd.kernel
def untyped_of_floats(x: qd.f64) -> qd.f64:
    return first_of(qd.Vector([x, 2.0, 3.0]), qd.Matrix([[0.25, 2.0], [3.0, 4.0]]))


def test_types_without_a_dtype_keep_that_of_the_value() -> None:
    assert untyped_of_integers() == 2
    assert untyped_of_floats(1.0 + 2.0**-40) == 1.25 + 2.0**-40


def test_types_without_a_dtype_on_the_host() -> None:
    vec2 = qd.types.vector(2)
    assert repr(vec2) == "qd.types.vector(2)"
    assert vec2 == qd.types.vector(2)
    assert vec2 != qd.types.vector(2, qd.f32)
    assert vec2(1, 2).dtype == qd.i32
    assert vec2(1, 2.5).to_numpy().tolist() == [1.0, 2.5]
    assert vec2(3.0).to_numpy().tolist() == [3.0, 3.0]
    with pytest.raises(qd.KernelTypeError, match=r"qd\.types\.vector\(2\) does not tell the type of its components"):
        vec2.field(shape=3)


@qd.kernel
def products(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    v = qd.Vector([1.0, 2.0])
    m = qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
    out[0] = v @ qd.Vector([3.0, 4.0])
    out[1] = v @ m @ v
    out[2] = qd.Vector([2]) @ qd.Vector([3])


def test_the_product_of_two_vectors_is_their_dot_product() -> None:
    out = np.zeros(3, np.float32)
    products(out)
    v, m = np.array([1.0, 2.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert out.tolist() == [v @ np.array([3.0, 4.0]), v @ m @ v, 6.0]
    assert qd.Vector([1, 2]) @ qd.Vector([3, 4]) == 11


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_shapes_are_arrays(kind: Any) -> None:
    shape = np.array([2, 3], kind)
    assert qd.field(qd.i32, shape=shape).shape == (2, 3)
    assert qd.ndarray(qd.i32, shape).shape == (2, 3)
    assert qd.Vector.field(2, qd.f32, shape=shape[:1]).shape == (2,)
    assert qd.field(qd.i32, shape=shape[0]).shape == (2,)
    for wrong in (np.array([2.0]), np.array([[2]]), np.array([2.5, 1])):
        with pytest.raises(TypeError, match="shape must be an integer or a tuple of integers"):
            qd.field(qd.i32, shape=wrong)


@qd.func
def counted(calls: qd.template(), n):  # type: ignore[no-untyped-def, valid-type]
    calls[0] += 1.0
    return n


@qd.kernel
def chosen_indices(x: qd.types.ndarray(), a: qd.i32, b: qd.i32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    out[1] = x[(b, a) if a > b else (a, b)]
    pair = [a, b] if a < b else [b, a]
    out[2] = x[pair]
    out[3] = x[[a, b]]
    first, second = (1, 2.5) if a > b else (0.5, b)
    out[4] = first + second
    i, j = (a, counted(out, b)) if b > 5 else (counted(out, b), counted(out, a))
    out[5] = x[i, j]


def test_a_choice_between_tuples() -> None:
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    for a, b in ((2, 1), (0, 2)):
        out = np.zeros(6, np.float32)
        chosen_indices(x, a, b, out)
        first, second = (1, 2.5) if a > b else (0.5, b)
        assert out.tolist() == [2.0, x[(b, a) if a > b else (a, b)], x[min(a, b), max(a, b)], x[a, b], first + second, x[b, a]]


@qd.kernel
def unequal_choice(a: qd.i32) -> qd.i32:
    pair = (a, 1) if a > 2 else (a, 2, 3)
    return pair[0]


def test_a_choice_between_tuples_of_other_lengths(arch: str) -> None:
    if arch == "python":
        assert unequal_choice(1) == 1
    else:
        with pytest.raises(qd.KernelTypeError, match="a tuple is not a number"):
            unequal_choice(1)


@qd.func
def several(x: qd.f32):
    return qd.Vector([x, 2.0]), qd.Vector([3.0, 4.0, 5.0]), 5, 2.5


@qd.kernel
def unread(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    for i in range(2):
        _, w, _, _ = several(2.0 + i)
        _, _, n, _ = several(0.5)
        out[i] = w[2] + n
    v, _, _, _ = several(1.0)
    _ = qd.Vector([7.0, 8.0])
    out[2] = v[0] + _[1]


def test_a_name_for_what_nobody_reads() -> None:
    out = np.zeros(3, np.float32)
    unread(out)
    assert out.tolist() == [10.0, 10.0, 9.0]


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


def test_elements_of_any_length() -> None:
    @qd.kernel
    def total(x: qd.types.ndarray(element_dim=1), m: qd.types.ndarray(qd.f32, element_dim=2)) -> qd.f32:
        return x[0][1] + (m[0] @ x[0]).sum()

    assert total(np.ones((4, 3), np.float32), np.ones((4, 11, 3), np.float32)) == 34
    assert total(np.ones((4, 2), np.float32), np.ones((4, 2, 2), np.float32)) == 5
    x = qd.Vector.ndarray(3, qd.f32, 4)
    x.fill(2)
    assert total(x, np.ones((4, 1, 3), np.float32)) == 8
    with pytest.raises(
        qd.KernelRuntimeTypeError, match="expected ndarray of vectors, got f32 ndarray of 0 dimensions|got f32 ndarray of 1 dimension"
    ):
        total(qd.ndarray(qd.f32, 4), np.ones((4, 1, 3), np.float32))
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected ndarray of f32 matrices, got ndarray of f64 1x3 matrix"):
        total(x, np.ones((4, 1, 3)))


@qd.kernel
def scaled(x: qd.types.ndarray(dtype=qd.math.vec3, ndim=1), m: qd.types.ndarray(dtype=qd.types.matrix(2, 2, qd.f32))) -> qd.f64:  # type: ignore[valid-type]
    for i in x:
        x[i] = x[i] * 2.5
    m[0, 1] = x[1][1] * m[0, 1]
    return x[1][2] + m[0, 1][1, 0]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.float16])
def test_vectors_of_other_libraries_have_numbers_of_any_type(kind: Any) -> None:
    x, m = np.arange(6).reshape(2, 3).astype(kind), np.arange(8).reshape(1, 2, 2, 2).astype(kind)
    by_numpy = (x * 2.5).astype(kind)
    product = (m[0, 1] * by_numpy[1, 1]).astype(kind)
    assert scaled(x, m) == by_numpy[1, 2] + product[1, 0]
    assert x.tolist() == by_numpy.tolist() and m[0, 1].tolist() == product.tolist()
    own = qd.Vector.ndarray(3, qd.f64, 2)
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected ndarray of f32 vector of 3 with 1 dimension, got ndarray of f64 vector of 3"):
        scaled(own, m)
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected ndarray of f32 vector of 3 with 1 dimension"):
        scaled(np.ones((2, 4), kind), m)


@pytest.mark.parametrize(
    "arguments", [{"element_dim": 3}, {"element_dim": 1, "element_shape": (2, 2)}, {"dtype": qd.types.vector(3, qd.f32), "element_dim": 2}]
)
def test_shapes_of_elements_that_do_not_fit(arguments: dict[str, Any]) -> None:
    with pytest.raises(qd.KernelTypeError, match="element_dim"):
        qd.types.ndarray(**arguments)


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


def test_attributes_of_the_program_on_arrays() -> None:
    @qd.kernel
    def fill(x: qd.Tensor):
        for i in x:
            x[i] = i

    for x in (qd.field(qd.i32, 3), qd.ndarray(qd.i32, 3), qd.tensor(qd.i32, 3)):
        x.view = "kept"
        fill(x)
        assert x.view == "kept" and x[2] == 2


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
def precise(n: qd.i32, m: qd.u8, wide: qd.i64):
    print(f"{n:.4d}|{m:.5}|{n:7.4d}|{n:<7.4d}|{wide:.2d}|{m:u}")
    print("{:.3d} {:.1}".format(5, 7))  # noqa: UP032
    v = qd.Vector([n, 3])
    print(f"{v:.2d}")


@qd.kernel
def integer_of_float(x: qd.f32):
    print(f"{x:.2d}")


@qd.kernel
def unsigned_of_signed(n: qd.i32):
    print("{:u}".format(n))  # noqa: UP032


@qd.kernel
def hexadecimal_of_vector(x: qd.f64):
    print(f"{qd.Vector([x, x]):x}")


def test_formats_of_integers_with_a_precision(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    if arch == "python":
        with pytest.raises(ValueError, match="Precision not allowed in integer format specifier"):
            precise(-5, 200, 123)
        return
    precise(-5, 200, 123)
    qd.sync()
    assert capfd.readouterr().out == "-0005|00200|  -0005|-0005  |123|200\n005 7\n[-05, 03]\n"


@pytest.mark.parametrize(
    ("kernel", "value", "text"),
    [(integer_of_float, 1.5, "'.2d' doesn't match 'f32'"), (unsigned_of_signed, 3, "'u' doesn't match 'i32'"),
     (hexadecimal_of_vector, 1.5, "'x' doesn't match 'f64'")],
)  # fmt: skip
def test_formats_that_do_not_match(arch: str, kernel: Any, value: float, text: str) -> None:
    if arch == "python":
        with pytest.raises((ValueError, TypeError)):
            kernel(value)
    else:
        with pytest.raises(qd.KernelTypeError, match=text):
            kernel(value)


Segment = qd.types.struct(direction=qd.types.vector(3, qd.f32), length=qd.f32)
Arm = qd.types.struct(segment=Segment, index=qd.i32)
arm_values = qd.types.ndarray(dtype=qd.f32, ndim=1)


@qd.kernel
def arms_of_numbers(out: arm_values, n: qd.i32):  # type: ignore[valid-type]
    a = Arm(1)
    b = Arm(index=3, segment=n)
    c = Segment(2.5, n)
    out[0] = a.segment.direction.sum() + a.segment.length + a.index
    out[1] = b.segment.direction.sum() + b.segment.length + b.index
    out[2] = c.direction.sum() + c.length


def test_a_number_for_a_member_with_parts() -> None:
    out = np.zeros(3, np.float32)
    arms_of_numbers(out, 2)
    assert out.tolist() == [3.0, 9.0, 9.5]
    arm = Arm(3)
    assert list(arm.segment.direction) == [3.0, 3.0, 3.0] and (arm.segment.length, arm.index) == (0.0, 0)
    assert list(Segment(2.5, 1).direction) == [2.5] * 3


def test_copies_are_of_fields() -> None:
    for array in (qd.field(qd.f32, 3), qd.ndarray(qd.f32, 3), qd.tensor(qd.f32, 3)):
        with pytest.raises(TypeError, match=r"copy_from takes a field or ndarray, not ndarray: from_numpy\(\) copies arrays of numpy"):
            array.copy_from(np.zeros(3, np.float32))


@qd.func
def truncated(v: qd.i32, scale: qd.f32 = 2.0) -> float:  # type: ignore[assignment]
    return v * scale


@qd.func
def halved(v) -> qd.i32:  # type: ignore[no-untyped-def]
    return v / 2


@qd.kernel
def annotated_by_numbers(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):  # type: ignore[valid-type]
    a = truncated(qd.Vector([1.75, -2.75]))
    out[0], out[1] = a[0], a[1]
    b = halved(qd.Matrix([[5, 6], [7, 9]]))
    out[2] = (b * b).sum()
    out[3] = truncated(7.9) + halved(9)


def test_the_annotation_of_a_number_is_the_type_of_components() -> None:
    out = np.zeros(4, np.float32)
    annotated_by_numbers(out)
    assert out.tolist() == [2.0, -4.0, 4.0 + 9.0 + 9.0 + 16.0, 14.0 + 4.0]


def test_a_kernel_returns_what_it_says() -> None:
    @qd.kernel
    def returns() -> qd.i32:
        return qd.Vector([1, 2])

    if qd.cfg is not None:
        with pytest.raises(qd.KernelTypeError, match="a vector of 2 i32 is not a number"):
            returns()


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


def test_a_func_that_is_a_real_function(arch: str) -> None:
    @qd.func(is_real_function=True)
    def sign_of(a: qd.i32) -> qd.i32:
        if a < 0:
            return -1
        return 1

    @qd.kernel
    def k(a: qd.i32) -> qd.i32:
        return sign_of(a)

    assert (k(-3), k(3)) == (-1, 1)


@qd.func
def plus_unknown(n):  # type: ignore[no-untyped-def]
    return n + nowhere  # type: ignore[name-defined]  # noqa: F821


def test_an_unknown_name() -> None:
    @qd.kernel
    def of_kernel(n: qd.i32) -> qd.i32:
        return n + nowhere  # type: ignore[name-defined]  # noqa: F821

    @qd.kernel
    def of_func(n: qd.i32) -> qd.i32:
        return plus_unknown(n)

    for kernel in (of_kernel, of_func):
        with pytest.raises(qd.KernelNameError, match=r'test_words_of_peers\.py:\d+:.*Name "nowhere" is not defined'):
            kernel(1)


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
