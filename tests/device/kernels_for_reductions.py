"""Sums, minima and the like into one place, and histograms."""

import qd


@qd.kernel
def into_elements(x: qd.types.ndarray(), out: qd.types.ndarray()):
    for i in x:
        out[0] += x[i]
        out[1] -= x[i]
        qd.atomic_min(out[2], x[i])
        qd.atomic_max(out[3], x[i])


@qd.kernel
def bits(x: qd.types.ndarray(ndim=1), out: qd.template()):
    for i in x:
        out[0] &= x[i]
        out[1] |= x[i]
        if x[i] % 3 == 0:
            out[2] ^= x[i]


@qd.kernel
def extremes(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> tuple[qd.f32, qd.f32]:
    low = 1e30
    high = -1e30
    for i in x:
        qd.atomic_min(low, x[i])
        qd.atomic_max(high, x[i])
    return low, high


@qd.kernel
def guarded(x: qd.types.ndarray(ndim=1), out: qd.types.ndarray(ndim=1), on: qd.i32):
    for i in x:
        if on:
            out[1000000] += x[i]
        out[0] += 1


@qd.kernel
def histogram(x: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.types.ndarray(ndim=1)):
    for i in x:
        out[x[i]] += 1


@qd.kernel
def joint_histogram(x: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.template(), low: qd.template()):
    for i in x:
        out[x[i] % 7, x[i] % 5] -= x[i]
        if x[i] % 2 == 1:
            qd.atomic_min(low[x[i] % 16], x[i])


@qd.kernel
def reads_what_it_adds(
    k: qd.types.ndarray(dtype=qd.i32, ndim=1),
    h: qd.types.ndarray(dtype=qd.i32, ndim=1),
    g: qd.types.ndarray(dtype=qd.i32, ndim=1),
    y: qd.types.ndarray(ndim=1),
):
    for i in k:
        h[k[i]] += 5
        y[i] = g[k[i]]


@qd.kernel
def one_iteration(a: qd.types.ndarray(dtype=qd.i32, ndim=1), b: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for _ in range(1):
        a[0] += 3
        b[0] = b[0] * 2


@qd.kernel
def scattered(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1), bins: qd.template(), low: qd.template()):
    """A sum whose numbers take many operations, and their places few."""
    for i in x:
        h = x[i]
        for step in qd.static(range(16)):
            h = h * 1103 + y[i] * step
            h ^= h >> 9
        y[i] += h
        at = x[i] & 31
        bins[at] += h
        bins[at + 1] += 3 * h
        bins[31 - at] += 1
        qd.atomic_min(low[at], h)


@qd.kernel
def scattered_rows(x: qd.types.ndarray(dtype=qd.i32, ndim=2), bins: qd.types.ndarray(dtype=qd.i32, ndim=2), by: qd.i32):
    for i, j in qd.ndrange((1, x.shape[0]), x.shape[1]):
        h = x[i, j] + by
        for step in qd.static(range(16)):
            h = h * 1103 + i * step
            h ^= h >> 9
        bins[i & 3, x[i, j] & 31] += h
        bins[x[i, j] & 3, (i + j) & 31] += by


@qd.kernel
def scattered_into(x: qd.types.ndarray(dtype=qd.i32, ndim=1), bins: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in range(40):
        h = x[40 + i]
        for step in qd.static(range(16)):
            h = h * 1103 + i * step
            h ^= h >> 9
        bins[39 - i] += h
        x[40 + i] = x[39 - i]
