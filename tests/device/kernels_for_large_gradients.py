"""Kernels of derivatives for many iterations, which have stacks of different depths."""

import qd

Array = qd.types.ndarray(dtype=qd.f64, ndim=1)
Integers = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def powers(n: qd.i32, x: Array, exponents: Integers, y: Array):
    for i in range(n):
        p = 1.0
        for _ in range(exponents[i]):
            p = p * x[i]
        y[i] = p


@qd.kernel
def logistic(x: Array, n: qd.i32, y: Array):
    for i in y:
        s = x[i] * 0.1
        k = 0
        while k < n:
            s = x[i] * s * (1.0 - s)
            k += 1
        y[i] = s


@qd.kernel
def sums(n: qd.i32, x: Array, at: Integers, y: Array):
    for i in range(n):
        y[at[i]] += x[i] * x[i] * x[0]
