"""Kernels that debug mode stops, and some that it does not."""

import dataclasses

import qd

I1 = qd.types.ndarray(dtype=qd.i32, ndim=1)
F2 = qd.types.ndarray(dtype=qd.f32, ndim=2)


@qd.func
def element(x, i, j):
    return x[i, j]


@qd.func
def sum_of_row(x, i, m):
    total = 0.0
    for j in range(m):
        total += element(x, i, j)
    return total


@qd.kernel
def write(x: qd.template(), i: int, j: int):
    x[i, j] = 1


@qd.kernel
def write_in_a_loop(x: qd.template(), n: int, j: int):
    for i in range(n):
        x[i, j] += 1


@qd.kernel
def write_two_axes(x: qd.template(), n: int):
    for i, j in qd.ndrange((1, 3), n):
        x[i, j] = i + j


@qd.kernel
def write_in_series(x: qd.template(), n: int):
    qd.loop_config(serialize=True)
    for i in range(n):
        x[i, 0] = 1


@qd.kernel
def read_in_funcs(x: F2, i: int, m: int) -> qd.f32:
    return sum_of_row(x, i, m)


@qd.kernel
def of_the_second(x: I1, y: I1, at: int):
    for i in x:
        qd.atomic_max(y[i + at], x[i])


@qd.kernel
def exchange(x: I1, i: qd.i64):
    qd.atomic_exchange(x[i], 5)


@qd.kernel
def only_when_asked(x: I1, i: int) -> int:
    a = x[i] if i < x.shape[0] else -1
    b = 1 if i < x.shape[0] and x[i] > 0 else 0
    return a + b


@qd.kernel
def single(x: qd.template()):
    x[None] = x[None] + 2


@qd.kernel
def own_indices(x: qd.template(), y: I1):
    for i, j in x:
        x[i, j] = i
    for i in range(y.shape[0]):
        y[i] = y[y.shape[0] - 1 - i] + 1


@qd.kernel
def divide(x: I1, y: I1):
    for i in x:
        x[i] = 7 // y[i]


@qd.kernel
def remainder(a: int, b: int) -> int:
    return a % b


@qd.kernel
def divide_as_c(a: int, b: int) -> int:
    return qd.raw_div(a, b)


@qd.kernel
def remainder_as_c(a: int, b: int) -> int:
    return qd.raw_mod(a, b)


@qd.kernel
def power(a: int, b: int) -> int:
    return a**b


@qd.kernel
def divide_in_place(x: I1, a: int):
    x[0] //= a


@qd.kernel
def divide_floats(a: qd.f32, b: qd.f32) -> qd.f32:
    return a / b


@qd.kernel
def overflow(a: int) -> int:
    return a + 1


@qd.kernel
def hash_of(a: qd.u32) -> qd.u32:
    h = a
    for _i in range(4):
        h = h * qd.u32(747796405) + qd.u32(289133645)
        h ^= h >> qd.u32(16)
    return h


@qd.kernel
def shift(a: int, b: int) -> int:
    return a << b


@qd.kernel
def asserts(a: int, b: qd.f32, which: int):
    for i in range(10):
        if which == 0:
            assert i != a
        elif which == 1:
            assert i != a, "plain"
        elif which == 2:
            assert i != a, f"{i} is {a:03d}, {b:.2f} {b}"
        elif which == 3:
            assert i != a, "%d of %5.1f" % (i, b)
        elif which == 4:
            assert i != a, "{1} then {0:x}".format(i + 10, b)
        else:
            assert i < a and b > 0, "both"


@qd.kernel
def half_way(x: qd.template(), bad: int):
    x[0, 0] = 5
    for i in range(4):
        x[i, 1] = 6
    for i in range(4):
        x[i, bad] = 7
    x[0, 2] = 8


@qd.dataclass
class Body:
    pos: qd.types.vector(2, qd.f32)
    spin: qd.i32
    mass: qd.f32


@qd.kernel
def add_in_memory(x: I1, a: int):
    x[0] += a


@qd.kernel
def subtract_in_memory(x: I1, a: int):
    qd.atomic_sub(x[0], a)


@qd.kernel
def multiply_in_memory(x: I1, a: int):
    qd.atomic_mul(x[0], a)


@qd.kernel
def quotient(a: int, b: int) -> int:
    return a // b


@qd.kernel
def quotient_as_c(a: qd.i64, b: qd.i64) -> qd.i64:
    return qd.raw_div(a, b)


@qd.kernel
def power_of_64(a: qd.i64, b: qd.i64) -> qd.i64:
    return a**b


@qd.kernel
def square(a: int) -> int:
    return a**2


@qd.kernel
def two_on_a_line(a: int, b: int) -> int:
    return (a + 1) - (b + 1)


@qd.kernel
def vector_sum(v: qd.types.vector(3, qd.i32)) -> qd.types.vector(3, qd.i32):
    return v + 1


@qd.kernel
def vector_quotient(v: qd.types.vector(3, qd.i32), w: qd.types.vector(3, qd.i32)) -> qd.types.vector(3, qd.i32):
    return v // w


@qd.kernel
def dot_product(v: qd.types.vector(3, qd.i32)) -> int:
    return v.dot(v)


@qd.kernel
def matrix_product(m: qd.types.matrix(2, 2, qd.i32)) -> qd.types.matrix(2, 2, qd.i32):
    return m @ m


@qd.kernel
def element_of_structs(s: qd.types.ndarray(dtype=Body, ndim=1), i: int) -> qd.f32:
    return s[i].mass


@qd.kernel
def member_of_a_field(s: qd.template(), i: int):
    s[i].spin += 1


@qd.kernel
def asserts_what_is_no_condition(v: qd.types.vector(3, qd.i32)):
    assert v


@qd.kernel
def asserts_what_is_not_there(v: qd.types.vector(3, qd.i32)):
    assert v.x < 3, f"{w}"


@qd.kernel
def as_long_as_the_other(x: I1, y: I1):
    for i in range(x.shape[0]):
        y[i] = 1


@qd.kernel
def along_the_other_axis(x: F2):
    for i in range(x.shape[0]):
        x[0, i] = 1


@qd.kernel
def from_before_the_beginning(x: I1):
    for i in range(-1, x.shape[0]):
        x[i] = 1


@qd.kernel
def components_from(begin: qd.template(), end: qd.template()) -> int:
    m = qd.Matrix([[1, 2], [3, 4], [5, 6]])
    total = 0
    for i in range(begin, end):
        total += m[i, 0]
    return total


@qd.kernel
def divide_by_nothing(a: int) -> int:
    return a // 0


@qd.kernel
def shift_far(a: int) -> int:
    return a << 32


@qd.kernel
def wide_overflow(a: qd.i64) -> qd.i64:
    return a * 3


@qd.kernel
def difference_overflows(out: I1):
    for i in range(3):
        out[i] = -2147483647 - i


@dataclasses.dataclass
class Both:
    first: I1
    second: I1


@qd.kernel
def of_a_dataclass(n: int, both: Both, i: int):
    both.second[i] = n


@qd.func
def is_positive(f: qd.template(), i):
    return f[i] > 0


@qd.kernel
def asserts_of_a_field(x: I1, f: qd.template()):
    for i in x:
        assert is_positive(f, i), f"{f[i]} at {i}"
        x[i] += 1


@qd.kernel
def two_kinds_on_a_line(a: qd.i32, b: qd.i32) -> qd.i32:
    return (a + b << b) + (a + 2 << b + 1)


@qd.kernel
def shift_of_u8(a: qd.u8, b: qd.u8) -> qd.u8:
    return a << b


@qd.kernel
def sum_of_i8(a: qd.i8, b: qd.i8) -> qd.i8:
    return a + b


@qd.kernel
def product_of_i16(a: qd.i16, b: qd.i16) -> qd.i16:
    return a * b


@qd.kernel
def difference_of_u64(a: qd.u64, b: qd.u64) -> qd.u64:
    return a - b


@qd.kernel
def quotient_of_i8(a: qd.i8, b: qd.i8) -> qd.i8:
    return a // b


@qd.kernel
def power_of_u32(a: qd.u32, b: qd.u32) -> qd.u32:
    return a**b
