"""Kernels with an index of each type that an i32 would cut: their arrays have four elements, rows or components."""

import functools
from collections.abc import Callable
from typing import Any

import qd

TABLE = (10, 11, 12, 13)
V4 = qd.types.vector(4, qd.i32)
Point = qd.types.struct(v=V4, n=qd.i32)


class Memory:
    """Fields and arrays of the kernels."""

    def __init__(self) -> None:
        self.numbers = qd.field(qd.i32, shape=4)
        self.shifted = qd.field(qd.i32, shape=4, offset=-2)
        self.plane = qd.field(qd.i32, shape=(4, 4))
        self.vectors = qd.Vector.field(4, qd.i32, shape=4)
        self.matrices = qd.Matrix.field(4, 4, qd.i32, shape=4)
        self.points = Point.field(shape=4)
        self.array = qd.ndarray(qd.i32, shape=4)
        self.rows = qd.Vector.ndarray(4, qd.i32, shape=4)


@functools.cache
def kernels(index: str) -> dict[str, Callable[[Memory, int], Any]]:
    """Kernels by the memory that they use: each is called with the memory and an index."""
    k_type = getattr(qd, index)
    made: dict[str, Callable[[Memory, int], Any]] = {}

    def use(place: Callable[[Memory], Any]) -> Callable[[Any], Any]:
        def register(function: Any) -> Any:
            kernel = qd.kernel(function)
            made[function.__name__] = lambda memory, k: kernel(place(memory), k)
            return kernel

        return register

    def nothing(_: Memory) -> int:
        return 0

    numbers = qd.types.ndarray(dtype=qd.i32, ndim=1)
    vectors = qd.types.ndarray(dtype=V4, ndim=1)

    @use(nothing)
    def component(_: qd.i32, k: k_type) -> qd.i32:
        v = qd.Vector([1, 2, 3, 4])
        return v[k]

    @use(nothing)
    def changed_component(_: qd.i32, k: k_type) -> qd.i32:
        v = qd.Vector([1, 2, 3, 4])
        v[k] = 7
        return v[0]

    @use(nothing)
    def row(_: qd.i32, k: k_type) -> qd.i32:
        m = qd.Matrix([[1, 2], [3, 4], [5, 6], [7, 8]])
        return m[k, 1]

    @use(nothing)
    def column(_: qd.i32, k: k_type) -> qd.i32:
        m = qd.Matrix([[1, 3, 5, 7], [2, 4, 6, 8]])
        m[1, k] += 5
        return m[1, 1]

    @use(nothing)
    def table(_: qd.i32, k: k_type) -> qd.i32:
        return qd.Vector(TABLE)[k]

    @use(nothing)
    def member(_: qd.i32, k: k_type) -> qd.i32:
        p = Point(v=V4(1, 2, 3, 4), n=2)
        return p.v[k]

    @use(lambda memory: memory.numbers)
    def element(f: qd.template(), k: k_type) -> qd.i32:
        return f[k]

    @use(lambda memory: memory.numbers)
    def stored_element(f: qd.template(), k: k_type):
        f[k] = 3

    @use(lambda memory: memory.numbers)
    def atomic_element(f: qd.template(), k: k_type):
        for _ in range(2):
            f[k] += 3

    @use(lambda memory: memory.numbers)
    def atomic_call(f: qd.template(), k: k_type):
        for _ in range(2):
            qd.atomic_max(f[k], 3)

    @use(lambda memory: memory.shifted)
    def shifted_element(f: qd.template(), k: k_type) -> qd.i32:
        return f[k]

    @use(lambda memory: memory.plane)
    def first_axis(f: qd.template(), k: k_type) -> qd.i32:
        return f[k, 1]

    @use(lambda memory: memory.plane)
    def last_axis(f: qd.template(), k: k_type):
        f[1, k] = 2

    @use(lambda memory: memory.plane)
    def vector_of_indices(f: qd.template(), k: k_type) -> qd.i32:
        return f[qd.Vector([k, k - k])]

    @use(lambda memory: memory.plane)
    def tuple_of_indices(f: qd.template(), k: k_type) -> qd.i32:
        at = (1, k)
        return f[at]

    @use(lambda memory: memory.vectors)
    def component_of_element(f: qd.template(), k: k_type) -> qd.i32:
        return f[0][k]

    @use(lambda memory: memory.vectors)
    def stored_component(f: qd.template(), k: k_type):
        f[0][k] = 77

    @use(lambda memory: memory.vectors)
    def atomic_component(f: qd.template(), k: k_type):
        for i in range(2):
            f[i][k] += 5

    @use(lambda memory: memory.vectors)
    def swizzled(f: qd.template(), k: k_type) -> qd.i32:
        return f[1].wzyx[k]

    @use(lambda memory: memory.vectors)
    def element_of_vectors(f: qd.template(), k: k_type) -> qd.i32:
        return f[k][1]

    @use(lambda memory: memory.matrices)
    def row_of_element(f: qd.template(), k: k_type) -> qd.i32:
        return f[2][k, 0]

    @use(lambda memory: memory.matrices)
    def column_of_element(f: qd.template(), k: k_type):
        f[2][0, k] -= 1

    @use(lambda memory: memory.points)
    def struct_element(f: qd.template(), k: k_type) -> qd.i32:
        return f[k].n

    @use(lambda memory: memory.points)
    def member_component(f: qd.template(), k: k_type):
        f[3].v[k] = 1

    @use(lambda memory: memory.array)
    def array_element(x: numbers, k: k_type) -> qd.i32:
        return x[k]

    @use(lambda memory: memory.array)
    def stored_array_element(x: numbers, k: k_type):
        x[k] = 1

    @use(lambda memory: memory.rows)
    def array_component(x: vectors, k: k_type) -> qd.i32:
        return x[2][k]

    @use(lambda memory: memory.array)
    def view_element(x: numbers, k: k_type) -> qd.i32:
        view = qd.BufferView(x, 0, 4)
        return view[k]

    @use(lambda memory: memory.array)
    def view_end(x: numbers, k: k_type) -> qd.i32:
        return x[1:k].size

    @use(lambda memory: memory.array)
    def view_begin(x: numbers, k: k_type) -> qd.i32:
        return x[k:].size

    @use(lambda memory: memory.array)
    def view_offset(x: numbers, k: k_type) -> qd.i32:
        return qd.BufferView(x, k, 1).size

    @use(lambda memory: memory.array)
    def view_size(x: numbers, k: k_type) -> qd.i32:
        return qd.BufferView(x, 0, k).size

    @use(lambda memory: memory.array)
    def part_offset(x: numbers, k: k_type) -> qd.i32:
        return qd.BufferView(x, 0, 4).subview(k, 1).size

    @use(lambda memory: memory.array)
    def part_size(x: numbers, k: k_type) -> qd.i32:
        return qd.BufferView(x, 0, 4).subview(0, k).size

    @use(lambda memory: memory.array)
    def shared(x: numbers, k: k_type):
        numbers_of_block = qd.simt.block.SharedArray((4,), qd.i32)
        qd.loop_config(block_dim=4)
        for i in range(4):
            numbers_of_block[qd.simt.block.thread_idx()] = i
            qd.simt.block.sync()
            x[i] = numbers_of_block[k]

    @use(lambda memory: memory.array)
    def shared_plane(x: numbers, k: k_type):
        numbers_of_block = qd.simt.block.SharedArray((4, 4), qd.i32)
        qd.loop_config(block_dim=4)
        for i in range(4):
            numbers_of_block[1, k] = i
            qd.simt.block.sync()
            x[i] = numbers_of_block[1, 1]

    @use(lambda memory: memory.vectors)
    def loop_index(f: qd.template(), k: k_type):
        for i in range(k, k + 1):
            f[1][i] = 3

    return made
