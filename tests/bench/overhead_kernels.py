"""Kernels of coverage_overhead.cpp: their branches depend on arrays that they only read, so that every launch takes the same ones."""

import qd

f32s = qd.types.ndarray(dtype=qd.f32, ndim=1)
i32s = qd.types.ndarray(dtype=qd.i32, ndim=1)
image = qd.types.ndarray(dtype=qd.f32, ndim=2)


@qd.kernel
def saxpy_branch(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            y[i] = 0.5 * y[i] + 0.1 * x[i]
        else:
            y[i] = 0.5 * y[i] - x[i]


@qd.kernel
def update_with_continue(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        if x[i] < 0.25:
            continue
        v = y[i] + x[i]
        if v > 1.0:
            v -= 1.0
        y[i] = v


@qd.kernel
def stencil_edges(x: image, y: image):
    for i, j in x:
        left = x[i, j]
        right = x[i, j]
        if j > 0:
            left = x[i, j - 1]
        if j < x.shape[1] - 1:
            right = x[i, j + 1]
        v = x[i, j] + 0.25 * (left - 2.0 * x[i, j] + right)
        if v > 0.9:
            v = 0.9
        y[i, j] = v


@qd.kernel
def mandelbrot(x: image, y: image):
    for i, j in y:
        cx = -2.0 + 3.0 * j / y.shape[1]
        cy = -1.5 + 3.0 * i / y.shape[0]
        zx = 0.0
        zy = 0.0
        n = 0
        while n < 60 and zx * zx + zy * zy < 4.0:
            next_x = zx * zx - zy * zy + cx
            zy = 2.0 * zx * zy + cy
            zx = next_x
            n += 1
        if n == 60:
            y[i, j] = 0.0
        else:
            y[i, j] = n


@qd.kernel
def bilateral(x: image, y: image):
    """A bilateral filter: neighbours count the more the nearer and the more alike they are."""
    for i, j in x:
        own = x[i, j]
        weights = 0.0
        total = 0.0
        for di in range(-3, 4):
            for dj in range(-3, 4):
                row = i + di
                column = j + dj
                if row >= 0 and row < x.shape[0] and column >= 0 and column < x.shape[1]:
                    other = x[row, column]
                    far = (di * di + dj * dj) * 0.05 + (other - own) * (other - own) * 8.0
                    if far < 4.0:
                        weight = qd.exp(-far)
                        weights += weight
                        total += weight * other
        y[i, j] = total / weights


@qd.kernel
def nbody(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[0]):
            d = x[j] - x[i]
            r2 = d * d + 0.01
            if r2 < 0.5:
                s += d / (r2 * qd.sqrt(r2))
        y[i] = s


@qd.kernel
def particle_to_grid(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        at = (1.1 * x[i] - 0.05) * y.shape[0]
        cell = qd.cast(qd.floor(at), qd.i32)
        w = at - cell
        if cell < 0:
            cell = 0
            w = 0.0
        elif cell > y.shape[0] - 2:
            cell = y.shape[0] - 2
            w = 1.0
        y[cell] += 1.0 - w
        y[cell + 1] += w


@qd.kernel
def histogram(x: f32s, y: i32s):
    for i in range(x.shape[0]):
        if x[i] > 0.1 and x[i] < 0.9:
            y[qd.cast(x[i] * 256.0, qd.i32)] += 1


@qd.kernel
def sort_network(x: f32s, y: f32s):
    for i in range(x.shape[0] // 8):
        for k in qd.static(range(8)):
            y[i * 8 + k] = x[i * 8 + k]
        for step in qd.static(range(8)):
            for k in qd.static(range(step % 2, 7, 2)):
                if y[i * 8 + k] > y[i * 8 + k + 1]:
                    t = y[i * 8 + k]
                    y[i * 8 + k] = y[i * 8 + k + 1]
                    y[i * 8 + k + 1] = t


@qd.kernel
def collatz(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        n = qd.cast(x[i] * 1000.0, qd.i32) + 1
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        y[i] = steps


@qd.kernel
def decisions(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        v = x[i]
        s = 0.5 if 0.1 < v < 0.4 else v
        if v > 0.9 or v > 0.2 and not v > 0.6:
            s = s * 2.0 + v
        y[i] = s


@qd.kernel
def nested_ifs(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        v = x[i]
        if v > 0.5:
            if v > 0.75:
                if v > 0.9:
                    v *= 2.0
                else:
                    v *= 3.0
            else:
                v += 1.0
        else:
            if v > 0.25:
                v -= 1.0
            elif v > 0.1:
                v -= 2.0
            else:
                v = 0.0
        y[i] = v


@qd.kernel
def sum_of_some(x: f32s, y: f32s) -> qd.f32:
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            s += x[i]
    return s


@qd.kernel
def search(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        found = -1
        for k in range(32):
            if x[(i + k) % x.shape[0]] > 0.97:
                found = k
                break
        y[i] = found


@qd.func
def smooth(v, low, high):
    if v < low:
        v = low
    elif v > high:
        v = high
    return v * v * (3.0 - 2.0 * v)


@qd.kernel
def inlined_funcs(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        y[i] = smooth(x[i], 0.2, 0.8) + smooth(1.0 - x[i], 0.1, 0.7)


@qd.kernel
def tiny(x: f32s, y: f32s):
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            y[i] = x[i]
        else:
            y[i] = 0.0
