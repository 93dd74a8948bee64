"""Kernels of a C++ program: no Python runs this file."""

import qd

SCALE = 2.0
TOO_LARGE = 1.0e30


@qd.func
def limited(v: qd.f32, top: qd.f32) -> qd.f32:
    result = v
    if v > top:
        result = top
    return result


@qd.kernel
def saxpy_limited(a: qd.f32, top: qd.f32, x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        y[i] = limited(a * x[i] + SCALE * y[i], top)


@qd.kernel
def sum_positive(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    total = 0.0
    for i in range(x.shape[0]):
        if 0.0 < x[i] < TOO_LARGE:
            total += x[i]
    return total
