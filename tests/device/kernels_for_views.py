"""Kernels on BufferViews."""

import dataclasses

import qd

F1 = qd.types.ndarray(dtype=qd.f32, ndim=1)


@qd.kernel
def fill(v: qd.BufferView[qd.f32], value: qd.f32):
    for i in range(v.size):
        v[i] = value + i


@qd.kernel
def fill_any(v: qd.BufferView, value: int):
    for i in v:
        v[i] = value


@qd.kernel
def attributes(v: qd.BufferView[qd.f32], out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    out[0] = v.size
    out[1] = v.shape[0]
    out[2] = v.offset
    out[3] = len(v)
    part = v[1:]
    out[4] = part.offset
    out[5] = part.size
    out[6] = part[: part.size - 1].size
    out[7] = v[:].size


@qd.kernel
def updates(v: qd.BufferView[qd.f32]):
    for i in range(v.size):
        v[i] += 1
        v[i] *= 2
        qd.atomic_max(v[i], i * 3)
    v[0] -= 1


@qd.func
def leaf(v: qd.BufferView[qd.f32], i):
    return v[i]


@qd.func
def branch(v: qd.BufferView, i):
    return leaf(v[1:], i)


@qd.kernel
def deep(v: qd.BufferView[qd.f32], n: int) -> qd.f32:
    total = 0.0
    for i in range(n):
        total += branch(v, i)
    return total


@qd.kernel
def write_far(v: qd.BufferView[qd.f32], i: int):
    v[i] = 7


@qd.kernel
def part_of(v: qd.BufferView[qd.f32], offset: int, size: int) -> int:
    w = v.subview(offset, size=size)
    return w.size


@qd.kernel
def slice_of(v: qd.BufferView[qd.f32], a: int, b: int) -> int:
    return v[a:b].size


@qd.kernel
def made_of(x: F1, offset: int, size: int) -> int:
    return qd.BufferView(x, offset, size).size


@qd.kernel
def slice_of_array(x: F1, a: int, b: int) -> qd.f32:
    total = 0.0
    w = x[a:b]
    for i in range(w.size):
        total += w[i]
    return total


@dataclasses.dataclass(frozen=True)
class Pair:
    a: qd.BufferView[qd.f32]
    b: qd.BufferView[qd.f32]


@qd.kernel
def copy_pair(pair: Pair):
    for i in range(pair.a.size):
        pair.b[i] = pair.a[i]


@qd.kernel
def matrices(v: qd.BufferView[qd.types.matrix(2, 2, qd.f32)]):
    for i in range(v.size):
        m = v[i]
        v[i] = m @ m
        v[i][0, 1] += i


@qd.kernel
def with_step(v: qd.BufferView[qd.f32]) -> int:
    return v[0:4:2].size


@qd.kernel
def view_of_a_view(v: qd.BufferView[qd.f32]) -> int:
    return qd.BufferView(v, 0, 1).size


@qd.kernel
def two_indices(v: qd.BufferView[qd.f32]):
    v[0, 1] = 2


@qd.kernel
def component(k: int, i: int) -> qd.f32:
    v = qd.Vector([1.0, 2.0, 3.0])
    m = qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
    return v[k] + m[i, 1]
