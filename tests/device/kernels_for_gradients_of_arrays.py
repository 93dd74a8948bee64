"""Kernels of derivatives: loops over arrays, and the order of stores and reads. None reads an element that it overwrites behind the read."""

import gradient_fields as f
import qd
from gradient_fields import STEPS, N


# --- the outermost loops -----------------------------------------------------------------------------------------------


@qd.kernel
def elements_of_a_field():
    for i in f.a:
        f.out[i] = f.a[i] * f.b[i]


@qd.kernel
def elements_of_two_axes():
    for i, j in f.grid:
        f.image[i, j] = f.grid[i, j] * f.grid[j, i]


@qd.kernel
def grouped_elements():
    for I in qd.grouped(f.grid):
        f.image[I] += qd.exp(f.grid[I]) * f.a[I[0]]


@qd.kernel
def ranges_of_two_axes():
    for i, j in qd.ndrange(N, (1, N)):
        f.image[i, j] = f.grid[i, j - 1] * f.grid[i, j]


@qd.kernel
def loops_one_after_the_other():
    for i in range(N):
        f.out[i] = f.a[i] * f.b[i]
    for i in range(N):
        f.total[None] += f.out[i] * f.out[(i + 1) % N]


@qd.kernel
def three_loops():
    for i in f.a:
        f.out[i] = f.a[i] * f.a[i]
    for i, j in f.image:
        f.image[i, j] = f.out[i] * f.b[j]
    for i, j in f.image:
        f.total[None] += qd.sin(f.image[i, j])


@qd.kernel
def serial_loop():
    qd.loop_config(serialize=True)
    for i in range(N):
        f.total[None] += f.a[i] * f.b[i] * i


@qd.kernel
def serial_code_and_loops():
    scale = f.a[0] * f.a[1]
    for i in range(N):
        f.out[i] = f.b[i] * scale
    top = scale * f.out[2]
    f.total[None] = top
    for i in range(N):
        f.grid[0, i] += top * f.out[i]


@qd.kernel
def number_of_a_serial_loop():
    s = 0.0
    for i in range(N):
        s += f.a[i] * f.a[i]
    f.total[None] = qd.sqrt(s)


# --- arrays ------------------------------------------------------------------------------------------------------------


@qd.kernel
def gathered():
    for i in range(N):
        f.out[i] = f.a[f.order[i]] * f.b[i] + f.a[i]


@qd.kernel
def scattered():
    for i in range(N):
        f.out[f.order[i]] = f.a[i] * f.b[i]


@qd.kernel
def scattered_sums():
    for i in range(N):
        f.out[f.order[i] // 2] += f.a[i] * f.a[i]
        qd.atomic_add(f.out[f.counts[i]], f.b[i] * f.a[i])


@qd.kernel
def differences():
    for i in range(N):
        f.out[i % 2] -= f.a[i] * f.b[i]
        qd.atomic_sub(f.total[None], f.a[i] ** 2)


@qd.kernel
def stored_twice():
    for i in range(N):
        f.out[i] = f.a[i] * 100.0
        f.out[i] = f.a[i] * f.b[i]


@qd.kernel
def stored_then_added_to():
    for i in range(N):
        f.out[i] = f.a[i] * f.a[i]
        f.out[i] += f.b[i]
        f.out[i] -= f.a[i] * f.b[i]


@qd.kernel
def added_to_then_stored():
    for i in range(N):
        f.out[i] += f.a[i]
        if f.counts[i] > 2:
            f.out[i] = f.b[i] * f.b[i]


@qd.kernel
def constants_that_are_stored():
    for i in range(N):
        f.out[i] = 3.0
        f.total[None] += f.a[i]


@qd.kernel
def sums_read_behind():
    for i in range(N):
        for j in range(N):
            f.out[i] += f.grid[i, j] * f.a[j]
        f.total[None] += f.out[i] * f.out[i]


@qd.kernel
def read_as_written():
    for i in range(N):
        f.out[i] = f.a[i] * f.b[i]
        x = f.out[i]
        f.image[0, i] = x * x + f.out[i]


@qd.kernel
def stencil():
    for i, j in f.grid:
        s = -4.0 * f.grid[i, j] * f.grid[i, j]
        for k in qd.static(range(4)):
            di, dj = qd.static(((0, 1), (1, 0), (0, -1), (-1, 0))[k])
            if 0 <= i + di < N and 0 <= j + dj < N:
                s += f.grid[i + di, j + dj] * f.grid[i, j]
        f.image[i, j] = s


@qd.kernel
def convolution():
    for i in range(N):
        s = 0.0
        for k in range(3):
            if i + k < N:
                s += f.a[i + k] * f.b[k]
        f.out[i] = qd.tanh(s)


@qd.kernel
def product_of_matrices():
    for i, j in f.image:
        s = 0.0
        for k in range(N):
            s += f.grid[i, k] * f.grid[k, j]
        f.image[i, j] = s


@qd.kernel
def layer_of_neurons():
    for i in range(N):
        s = f.b[i]
        for j in range(N):
            s += f.grid[i, j] * f.a[j]
        f.out[i] = qd.max(s - 1.0, 0.0) + 0.1 * qd.min(s - 1.0, 0.0)


@qd.kernel
def softmax():
    for i in range(N):
        s = 0.0
        for j in range(N):
            s += qd.exp(f.grid[i, j])
        for j in range(N):
            f.image[i, j] = qd.exp(f.grid[i, j]) / s


@qd.kernel
def steps_of_time():
    qd.loop_config(serialize=True)
    for t in range(STEPS):
        for i in range(N):
            left, right = f.steps[t, (i + N - 1) % N], f.steps[t, (i + 1) % N]
            f.steps[t + 1, i] = f.steps[t, i] + 0.1 * (left + right - 2.0 * f.steps[t, i]) * f.a[i]


@qd.kernel
def one_step_of_time(t: qd.i32):
    for i in range(N):
        f.steps[t + 1, i] = qd.sin(f.steps[t, i]) * f.a[i] + f.steps[t, (i + 1) % N]


@qd.kernel
def interpolation():
    for i in range(N):
        x = f.a[i] * (N - 2)
        k = qd.cast(qd.floor(x), qd.i32)
        w = x - k
        f.out[i] = f.b[k] * (1.0 - w) + f.b[k + 1] * w


@qd.kernel
def newtons_method():
    for i in range(N):
        x = 1.0 + f.a[i]
        for _ in range(6):
            x = x - (x * x - f.b[i] - 1.0) / (2.0 * x)
        f.out[i] = x


@qd.kernel
def pairs_with_distances():
    for i in range(N):
        for j in range(N):
            if i != j:
                r = qd.sqrt((f.a[i] - f.a[j]) ** 2 + (f.b[i] - f.b[j]) ** 2 + 0.01)
                f.out[i] += (f.a[j] - f.a[i]) / (r * r * r)


@qd.kernel
def explicit_and_implicit_steps():
    for i in range(N):
        x = f.a[i]
        v = f.b[i]
        for _ in range(f.counts[i]):
            k1 = v
            l1 = -qd.sin(x)
            k2 = v + 0.05 * l1
            l2 = -qd.sin(x + 0.05 * k1)
            x += 0.1 * k2
            v += 0.1 * l2
        f.out[i] = x * v
