"""Kernels of derivatives that read an element and overwrite it, as simulators do for boundaries and contacts.

Without a tape, `kernel.grad` refuses those whose gradient needs the old number."""

import gradient_fields as f
import qd
from gradient_fields import N


# --- the iteration has stored the old number itself ---------------------------------------------------------------------


@qd.kernel
def stored_and_clamped():
    for i in f.a:
        f.out[i] = f.a[i] + 0.3 * f.b[i]
        if f.out[i] < 0.5:
            f.out[i] = 0.5 * f.b[i]
        if f.out[i] > 0.8:
            f.out[i] = 0.8 * f.out[i] * f.out[i]


@qd.kernel
def stored_and_relaxed():
    for i in f.a:
        f.out[i] = f.a[i] + 1.0
        for _ in range(4):
            f.out[i] = 0.5 * (f.out[i] + f.b[i] / f.out[i])


@qd.kernel
def stored_in_a_loop_and_read():
    for i in f.a:
        s = 0.0
        for j in range(3):
            f.out[i] = f.a[i] * (j + 1)
            s += f.out[i] * f.out[i]
        f.results[i] = s * f.b[i]


@qd.kernel
def stored_components():
    for i in f.vectors:
        f.forces[i] = f.vectors[i] * f.a[i]
        for d in qd.static(range(3)):
            if f.forces[i][d] < 0.1:
                f.forces[i][d] = 0.1 * f.b[i]
            elif f.forces[i][d] > 0.3:
                f.forces[i][d] = f.forces[i][d] ** 2


@qd.kernel
def stored_neighbours():
    for i in range(N // 2):
        f.out[2 * i] = f.a[2 * i] * f.b[i]
        f.out[2 * i + 1] = f.a[2 * i + 1]
        if f.out[2 * i] < f.out[2 * i + 1]:
            old = f.out[2 * i]
            f.out[2 * i] = f.out[2 * i + 1] * f.out[2 * i]
            f.out[2 * i + 1] = old


@qd.kernel
def stored_scalar():
    f.total[None] = f.a[0] * f.a[1]
    if f.total[None] > 0.1:
        f.total[None] = f.total[None] * f.total[None]
    f.out[0] = f.total[None] * f.b[0]


# --- the old number comes from before the launch -------------------------------------------------------------------------


@qd.kernel
def clamped():
    for i in f.a:
        if f.a[i] < 0.5:
            f.a[i] = 0.5


@qd.kernel
def clamped_by_max():
    for i in f.a:
        f.a[i] = qd.max(f.a[i], f.b[i])


@qd.kernel
def clamped_components():
    for i in f.vectors:
        if f.vectors[i].y < 0.5:
            f.vectors[i].y = 0.2 * f.a[i]
        for d in range(3):
            if f.vectors[i][d] > 0.7:
                f.vectors[i][d] *= 0.7


@qd.kernel
def turned_round():
    for i in f.a:
        if f.a[i] > 0.5:
            f.a[i] *= -1.0
        else:
            f.b[i] = -f.b[i]


@qd.kernel
def squared_in_place():
    for i in f.a:
        f.a[i] = f.a[i] * f.a[i] * f.b[i]


@qd.kernel
def added_to_and_clamped():
    for i in f.a:
        f.a[i] += f.b[i] * 0.5
        if f.a[i] > 0.7:
            f.a[i] = 0.7 * f.a[i] * f.a[i]
            f.b[i] *= -0.5


@qd.kernel
def relaxed_in_place():
    for i in f.a:
        for _ in range(f.counts[i]):
            f.a[i] = 0.5 * (f.a[i] + f.b[i] / f.a[i])


@qd.kernel
def normalized_in_place():
    for i in f.vectors:
        f.vectors[i] = f.vectors[i] / f.vectors[i].norm() * f.a[i]


@qd.kernel
def swapped():
    for i in f.a:
        old = f.a[i]
        f.a[i] = f.b[i] * old
        f.b[i] = old * old


@qd.kernel
def grid_with_walls():
    for i, j in f.grid:
        if f.image[i, j] > 0.2:
            f.grid[i, j] = f.grid[i, j] / f.image[i, j]
            f.grid[i, j] -= 0.1
            if i < 2 and f.grid[i, j] < 0.8:
                f.grid[i, j] = 0.0
            if j > 3 and f.grid[i, j] > 0.5:
                f.grid[i, j] = f.a[j] * f.grid[i, j] ** 2


@qd.kernel
def columns_in_place():
    for i in range(N):
        for j in range(N):
            f.grid[i, j] = qd.sin(f.grid[i, j]) * f.a[i]


@qd.kernel
def products_along_a_line():
    qd.loop_config(serialize=True)
    for i in range(1, N):
        f.a[i] = f.a[i] * f.a[i - 1] + f.b[i]


@qd.kernel
def products_with_the_next():
    qd.loop_config(serialize=True)
    for i in range(N - 1):
        f.a[i] = f.a[i] * f.a[i + 1] + f.b[i]


@qd.kernel
def shifted_squares():
    for _ in range(1):
        for i in range(N - 1):
            f.a[i] = f.a[i + 1] * f.a[i + 1]


@qd.func
def pushed_out(i, low: float):
    if f.a[i] < low:
        f.b[i] = f.b[i] * f.a[i]
        f.a[i] = low


@qd.kernel
def clamped_in_a_func():
    for i in f.a:
        pushed_out(i, 0.3)
        pushed_out(i, 0.6)


@qd.kernel
def phases_of_one_kernel():
    for i in f.a:
        f.out[i] = f.a[i] ** 2
    for i in f.out:
        if f.out[i] > 0.3:
            f.out[i] = 0.3 + 0.1 * f.out[i] * f.out[i]


@qd.kernel
def read_in_a_loop_and_added_to():
    for i in f.a:
        for j in range(3):
            if j > 0:
                f.out[i] += f.b[0] * f.a[i] * f.a[i]
        f.a[i] += 1.0
