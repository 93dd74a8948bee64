"""Kernel of watch_test.cpp."""

import qd


@qd.real_func
def scaled(v: qd.i32) -> qd.i32:
    return v * 3


@qd.kernel
def watched(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        if x[i] > -100:
            y[i] = scaled(x[i]) * 5
