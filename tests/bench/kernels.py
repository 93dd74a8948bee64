"""The benchmark's kernels; reference.cpp has the same computations in C++."""

import qd


@qd.kernel
def saxpy(a: qd.f32, x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]


@qd.kernel
def saxpy_branch(a: qd.f32, x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            y[i] = y[i] + a * x[i]
        else:
            y[i] = y[i] - x[i]


@qd.kernel
def stencil(x: qd.types.ndarray(dtype=qd.f32, ndim=2), y: qd.types.ndarray(dtype=qd.f32, ndim=2)):
    for i, j in qd.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1)):
        y[i, j] = 0.5 * x[i, j] + 0.125 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


@qd.kernel
def nbody(
    x: qd.types.ndarray(dtype=qd.f32, ndim=1),
    y: qd.types.ndarray(dtype=qd.f32, ndim=1),
    z: qd.types.ndarray(dtype=qd.f32, ndim=1),
    ax: qd.types.ndarray(dtype=qd.f32, ndim=1),
    ay: qd.types.ndarray(dtype=qd.f32, ndim=1),
    az: qd.types.ndarray(dtype=qd.f32, ndim=1),
):
    for i in range(x.shape[0]):
        sx = 0.0
        sy = 0.0
        sz = 0.0
        for j in range(x.shape[0]):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            dz = z[j] - z[i]
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            inverse = 1.0 / qd.sqrt(r2)
            strength = inverse * inverse * inverse
            sx += dx * strength
            sy += dy * strength
            sz += dz * strength
        ax[i] = sx
        ay[i] = sy
        az[i] = sz


@qd.kernel
def mandelbrot(out: qd.types.ndarray(dtype=qd.i32, ndim=2), limit: qd.i32):
    for i, j in out:
        cx = -2.0 + 3.0 * j / out.shape[1]
        cy = -1.5 + 3.0 * i / out.shape[0]
        zx = 0.0
        zy = 0.0
        n = 0
        while n < limit and zx * zx + zy * zy < 4.0:
            next_x = zx * zx - zy * zy + cx
            zy = 2.0 * zx * zy + cy
            zx = next_x
            n += 1
        out[i, j] = n


@qd.kernel
def four_arrays(
    a: qd.types.ndarray(dtype=qd.f32, ndim=1),
    b: qd.types.ndarray(dtype=qd.f32, ndim=1),
    c: qd.types.ndarray(dtype=qd.f32, ndim=1),
    d: qd.types.ndarray(dtype=qd.f32, ndim=1),
):
    for i in range(a.shape[0]):
        a[i] = b[i] + c[i] * d[i]


@qd.kernel
def total(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


@qd.kernel
def total_f64(x: qd.types.ndarray(dtype=qd.f64, ndim=1)) -> qd.f64:
    s = qd.f64(0.0)
    for i in range(x.shape[0]):
        s += x[i]
    return s


@qd.kernel
def total_i32(x: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    s = 0
    for i in x:
        s += x[i]
    return s


@qd.kernel
def total_i64(x: qd.types.ndarray(dtype=qd.i64, ndim=1)) -> qd.i64:
    s = qd.i64(0)
    for i in x:
        s += x[i]
    return s


@qd.kernel
def total_element(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        out[0] += x[i]


@qd.kernel
def extrema(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        qd.atomic_min(out[0], x[i])
        qd.atomic_max(out[1], x[i])


@qd.kernel
def bits(x: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        out[0] &= x[i]
        out[1] |= x[i]
        out[2] ^= x[i]


@qd.kernel
def count_above(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        if x[i] > 0.25:
            out[0] += 1


@qd.kernel
def histogram(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        out[int(x[i] * 256)] += 1


@qd.kernel
def prefix_sum(x: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=1), sums: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for b in range(sums.shape[0]):
        s = 0
        for i in range(b * 4096, min((b + 1) * 4096, x.shape[0])):
            s += x[i]
        sums[b] = s
    before = 0
    qd.loop_config(serialize=True)
    for b in range(sums.shape[0]):
        own = sums[b]
        sums[b] = before
        before += own
    for b in range(sums.shape[0]):
        s = sums[b]
        for i in range(b * 4096, min((b + 1) * 4096, x.shape[0])):
            s += x[i]
            out[i] = s


@qd.kernel
def set_total(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    out[0] = 0.0
    for i in range(x.shape[0]):
        out[0] += x[i]


matrix = qd.types.ndarray(dtype=qd.f32, ndim=2)


@qd.kernel
def matrix_product(a: matrix, b: matrix, c: matrix, elements: qd.i32):
    qd.loop_config(block_dim=256)
    for i in range(elements):
        tile_a = qd.simt.block.SharedArray((16, 16), qd.f32)
        tile_b = qd.simt.block.SharedArray((16, 16), qd.f32)
        tiles = a.shape[1] // 16
        thread = qd.simt.block.thread_idx()
        tile = i // 256
        ty = thread // 16
        tx = thread % 16
        row = tile // tiles * 16 + ty
        column = tile % tiles * 16 + tx
        s = 0.0
        for k in range(tiles):
            tile_a[ty, tx] = a[row, k * 16 + tx]
            tile_b[ty, tx] = b[k * 16 + ty, column]
            qd.simt.block.sync()
            for m in range(16):
                s += tile_a[ty, m] * tile_b[m, tx]
            qd.simt.block.sync()
        c[row, column] = s
