"""Kernels that test_forward_mode and test_reverse_mode differentiate, with fields `a`, `b` and `out`, and `cut` without a gradient and a dual."""

from __future__ import annotations

from typing import Any

import qd

N = 5
Pair = qd.types.struct(x=qd.f64, n=qd.i32)

a: Any = None
b: Any = None
out: Any = None
cut: Any = None


def place(real: Any) -> None:
    """Makes the fields anew, for a program that has just been started."""
    global a, b, out, cut
    a = qd.field(real, N, needs_grad=True, needs_dual=True)
    b = qd.field(real, N, needs_grad=True, needs_dual=True)
    out = qd.field(real, 64, needs_grad=True, needs_dual=True)
    cut = qd.field(real, N)


@qd.kernel
def unary_functions(i: qd.i32):
    x = a[i]
    out[0] = -x
    out[1] = abs(x)
    out[2] = qd.sqrt(x)
    out[3] = qd.rsqrt(x)
    out[4] = qd.sin(x)
    out[5] = qd.cos(x)
    out[6] = qd.tan(x)
    out[7] = qd.asin(x)
    out[8] = qd.acos(x)
    out[9] = qd.atan2(x, 1.0)
    out[10] = qd.sinh(x)
    out[11] = qd.cosh(x)
    out[12] = qd.tanh(x)
    out[13] = qd.exp(x)
    out[14] = qd.log(x)
    out[15] = qd.floor(x) + qd.ceil(x) + qd.round(x)
    out[16] = qd.atan(x)
    out[17] = x**3
    out[18] = x**-1.5
    out[19] = 2.0**x
    out[20] = qd.math.mix(x, x * x, 0.25)
    out[21] = qd.math.clamp(x, 0.0, 0.5)
    out[22] = 1.0 / x
    out[23] = qd.expm1(x)
    out[24] = qd.log1p(x)


@qd.kernel
def binary_functions(i: qd.i32):
    x = a[i]
    y = b[i]
    out[0] = x + y
    out[1] = x - y
    out[2] = x * y
    out[3] = x / y
    out[4] = x // y
    out[5] = x % y
    out[6] = qd.raw_div(x, y)
    out[7] = qd.raw_mod(x, y)
    out[8] = x**y
    out[9] = qd.min(x, y)
    out[10] = qd.max(x, y)
    out[11] = qd.atan2(x, y)
    out[12] = qd.select(x > y, x * x, y * x)
    out[13] = x * x if x < y else y
    out[14] = qd.math.dot(qd.Vector([x, y]), qd.Vector([y, x * y]))
    out[15] = qd.Vector([x, y, x * y]).norm()


@qd.func
def squared(x):
    return x * x


@qd.kernel
def funcs_and_locals(n: qd.i32):
    total = 0.0
    for i in range(n):
        total += squared(a[i]) * b[i]
    out[0] = total
    out[1] = qd.cast(total, qd.f64) * 2.0
    out[2] = qd.cast(qd.cast(total, qd.i32), qd.f64)


@qd.kernel
def stopped(i: qd.i32):
    x = a[i]
    out[0] = x * qd.stop_grad(x)
    v = qd.stop_grad(qd.Vector([x, x * x])) * x
    out[1] = v[0] + v[1]
    cut[i] = x
    out[2] = cut[i] * x
    out[3] = qd.stop_grad(3.0) * x
    out[4] = qd.stop_grad(a[i]) + qd.stop_grad(x * x)
    pair = qd.stop_grad(Pair(x=x, n=3))
    out[5] = pair.x * pair.n * x


@qd.kernel
def in_place(n: qd.i32):
    for i in range(n):
        a[i] = a[i] * a[i] + b[i]
        b[i] = 2.0


@qd.kernel
def exchanged(i: qd.i32):
    out[0] = qd.atomic_add(a[i], b[i]) * 3.0


@qd.kernel
def largest(n: qd.i32):
    for i in range(n):
        qd.atomic_max(out[0], a[i])


@qd.kernel
def bits_of(i: qd.i32):
    out[0] = qd.cast(qd.bit_cast(a[i] * 2.0, qd.i64), qd.f64)


@qd.real_func
def doubled(x: qd.f64) -> qd.f64:
    return x * 2.0


@qd.kernel
def calls(i: qd.i32):
    out[0] = doubled(a[i])


@qd.real_func
def recursive(x: qd.f64, n: qd.i32) -> qd.f64:
    if n > 0:
        return x * recursive(x, n - 1)
    return x


@qd.kernel
def calls_itself(i: qd.i32):
    out[0] = recursive(a[i], 3)


@qd.real_func
def stores(i: qd.i32):
    out[i] = a[i]


@qd.kernel
def calls_that_store(i: qd.i32):
    stores(i)
