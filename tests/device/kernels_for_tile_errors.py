"""Kernels that use tiles (qd.simt.Tile16x16) wrongly. The line of the error ends in `# here`."""

# mypy: ignore-errors
from __future__ import annotations

import qd

block = qd.simt.block
Tile = qd.simt.Tile16x16
Array = qd.types.ndarray()
vec2 = qd.types.vector(2, qd.f32)


@qd.kernel
def outside(x: Array):
    t = Tile.zeros(qd.f32)  # here
    x[0:16, 0:16] = t


@qd.kernel
def in_a_serial_loop(x: Array):
    qd.loop_config(serialize=True, block_dim=16)
    for _ in range(16):
        x[0:16, 0:16] = Tile.eye(qd.f32)  # here


@qd.real_func
def really_called(n: qd.i32) -> qd.i32:
    Tile.zeros(qd.f32)  # here
    return n


@qd.kernel
def in_a_real_func(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        really_called(1)


@qd.kernel
def default_block(x: Array):
    for _ in range(128):
        x[0:16, 0:16] = Tile.zeros(qd.f32)  # here


@qd.kernel
def block_too_large(x: Array):
    qd.loop_config(block_dim=32)
    for _ in range(32):
        t = Tile.eye(qd.f32)  # here
        x[0:16, 0:16] = t


@qd.func
def made():
    return qd.simt.Tile32x32.zeros(qd.f32)  # here


@qd.kernel
def block_too_small(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        x[0:16, 0:16] = made()


@qd.kernel
def not_whole(x: Array, n: qd.i32):
    qd.loop_config(block_dim=16)
    for _ in range(n):
        t = Tile.eye(qd.f32)
        t.cholesky_(0.5)
        x[0:16, 0:16] = t


@qd.kernel
def no_type(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        x[0:16, 0:16] = Tile.zeros("f32")  # here


@qd.kernel
def truth_values(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        x[0:16, 0:16] = Tile.zeros(qd.u1)  # here


@qd.kernel
def factor_of_integers(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.eye(qd.i32)
        t.cholesky_(1)  # here


@qd.kernel
def solves_integers(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.eye(qd.i32)
        t.solve_triangular_(t)  # here


@qd.kernel
def solves_upper(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.eye(qd.f32)
        b = Tile.eye(qd.f32)
        t.solve_triangular_(b, lower=False)  # here


@qd.kernel
def solves_for_a_number(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.eye(qd.f32)
        t.solve_triangular_(x[0, 0])  # here


@qd.kernel
def solves_for_another_type(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.eye(qd.f32)
        b = Tile.eye(qd.f64)
        t.solve_triangular_(b)  # here


@qd.kernel
def no_end(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[0:, 0:16]  # here


@qd.kernel
def no_begin(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        x[0:16, :16] = t  # here


@qd.kernel
def with_a_step(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[0:16, 0:16:2]  # here


@qd.kernel
def negative(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[-1:15, 0:16]  # here


@qd.kernel
def floats_as_bounds(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[0:16, 0 : 1.5 * x[0, 0]]  # here


@qd.kernel
def columns_of_a_row(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        x[0, 0:16] = t  # here


@qd.kernel
def three_slices(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[0:16, 0:16, 0:16]  # here


@qd.kernel
def loads_a_column(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[0:16, 0]  # here


@qd.kernel
def too_many_axes(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = x[0, 0:16, 0:16]  # here


@qd.kernel
def column_of_a_vector(y: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        v = y[0:16, 0]  # here
        t -= qd.outer(v, v)


@qd.kernel
def of_vectors(vectors: qd.types.ndarray(dtype=vec2, ndim=2)):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = vectors[0:16, 0:16]  # here


@qd.kernel
def with_an_offset(field: qd.template()):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        field[0:16, 0:16] = t  # here


@qd.kernel
def part_as_a_value(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t = x[0:16, 0:16]  # here


@qd.kernel
def loads_a_tile(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t[:] = Tile.eye(qd.f32)  # here


@qd.kernel
def stores_a_number(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        Tile.zeros(qd.f32)
        x[0:16, 0:16] = 1.5 * x[0, 0]  # here


@qd.kernel
def column_in_a_large_block(x: Array):
    qd.loop_config(block_dim=64)
    for i in range(64):
        block.sync()
        x[i, 0] = x[0:16, 1]  # here


@qd.kernel
def outer_as_a_value(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        v = qd.outer(1.0, 2.0)  # here
        t -= v


@qd.kernel
def outer_of_a_number(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        Tile.zeros(qd.f32)
        s = 1.0
        s -= qd.outer(1.0, 2.0)  # here


@qd.kernel
def outer_times(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t *= qd.outer(1.0, 2.0)  # here


@qd.kernel
def subtracts_a_number(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t -= 1.0  # here


@qd.kernel
def outer_of_vectors(x: Array):
    qd.loop_config(block_dim=16)
    for _ in range(16):
        t = Tile.zeros(qd.f32)
        t -= qd.outer(vec2(1, 2), 2.0)  # here


@qd.kernel
def under_a_condition(x: Array):
    qd.loop_config(block_dim=16)
    for i in range(16):
        t = Tile.eye(qd.f32)
        if i > 3:
            t.cholesky_(1e-6)  # here
        x[0:16, 0:16] = t


@qd.kernel
def no_such_column(x: Array, column: qd.i32):
    qd.loop_config(block_dim=16)
    for i in range(16):
        t = Tile.eye(qd.f32)
        t -= qd.outer(x[0:16, column], 1)  # here
        x[0:16, 0:16] = t
