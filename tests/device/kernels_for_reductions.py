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
