"""Kernels whose results must be the same on every architecture."""

import math

import qd

SCALE = 0.25
COUNT = 3


@qd.kernel
def saxpy(a: qd.f32, x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]


@qd.kernel
def integer_operators(a: qd.i32, b: qd.i32, out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a // b
    out[4] = a % b
    out[5] = a & b
    out[6] = a | b
    out[7] = a ^ b
    out[8] = a << 3
    out[9] = a >> 2
    out[10] = ~a
    out[11] = -a
    out[12] = abs(a)
    out[13] = min(a, b, 5)
    out[14] = max(a, b, -5)
    out[15] = qd.raw_div(a, b)
    out[16] = qd.raw_mod(a, b)
    out[17] = a * 1000003 + b
    out[18] = int(a > b) + int(a == b) * 2
    out[19] = (a < b) + (b < a)
    out[20] = qd.popcnt(a)
    out[21] = qd.clz(b)
    out[22] = qd.select(a > b, a, b)
    out[23] = 1 if -10 < a < 10 else 2
    out[24] = qd.bit_shr(a, 1)


@qd.kernel
def float_operators(a: qd.f32, b: qd.f32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    out[0] = a + b * SCALE
    out[1] = a / b
    out[2] = a // b
    out[3] = a % b
    out[4] = a**2
    out[5] = 7 / 2
    out[6] = 1 / 3 + a
    out[7] = qd.floor(a)
    out[8] = qd.ceil(a)
    out[9] = round(a)
    out[10] = abs(b)
    out[11] = min(a, 1)
    out[12] = qd.cast(a, qd.i32)
    out[13] = int(b)
    out[14] = a if b > 0 else 3
    out[15] = qd.clamp(a, 0.0, 1.0)
    out[16] = qd.bit_cast(a, qd.i32) % 1000


@qd.kernel
def mathematics(a: qd.f64, out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    out[0] = qd.sin(a)
    out[1] = math.cos(a)
    out[2] = qd.tan(a)
    out[3] = qd.exp(a)
    out[4] = qd.log(a + 1.0)
    out[5] = qd.sqrt(a)
    out[6] = qd.atan2(a, 2.0)
    out[7] = qd.tanh(a)
    out[8] = a**1.5
    out[9] = math.pi * a
    out[10] = qd.rsqrt(a)
    out[11] = qd.asin(a * 0.25)


@qd.kernel
def types(out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    i = 7
    i = 2.9
    out[0] = i
    f = 1.5
    f = 3
    out[1] = f / 2
    s: qd.i8 = 127
    s += 1
    out[2] = s
    u: qd.u8 = 250
    u = u + 10
    out[3] = u
    big = qd.i64(3000000000)
    out[4] = big * 2
    d: qd.f64 = 0.1
    out[5] = d
    g = 0.1
    out[6] = g
    out[7] = d * g
    out[8] = qd.u32(3) - qd.u32(5)
    n = 5
    n *= 1.5
    out[9] = n
    n += 1.75
    out[10] = n
    n /= 2
    out[11] = n
    a, b = 1, 2.5
    a, b = b, a
    out[12] = a
    out[13] = b


@qd.kernel
def control_flow(n: qd.i32, out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in range(n):
        total = 0
        for j in range(i, 2 * i):
            if j % 3 == 0:
                continue
            if j > 12:
                break
            total += j
        k = i
        while k > 0:
            k //= 2
            total += 1
            if total > 40:
                break
        if i == 1 or (i > 3 and total % 2 == 0):
            total = -total
        elif not i:
            total = 99
        else:
            total += 1000
        out[i] = total
    for i in qd.static(range(COUNT)):
        out[i] += i


@qd.func
def square_or_zero(x, limit: qd.f32):
    result = 0.0
    if x <= limit:
        result = x * x
    return result


@qd.kernel
def calls(n: qd.i32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    total = 0.0
    for i in range(n):
        out[i] = square_or_zero(i * 0.5, limit=2.0)
        total += out[i]
    return total


@qd.kernel
def over_indices(a: qd.types.ndarray(dtype=qd.i32, ndim=2)):
    for i, j in a:
        a[i, j] = 10 * i + j
    for i, j in qd.ndrange(2, (1, 3)):
        a[i, j] += 100
    for I in qd.grouped(a):
        a[I] += I[0]


@qd.kernel
def atomics(n: qd.i32, a: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    s = 0
    for i in range(n):
        qd.atomic_add(a[0], i)
        a[1] -= i
        qd.atomic_max(a[2], i)
        qd.atomic_min(a[3], -i)
        qd.atomic_or(a[4], i)
        a[5] ^= i
        s += i
    old = qd.atomic_add(a[6], 5)
    a[7] = old
    t = 4
    a[8] = qd.atomic_sub(t, 1)
    a[9] = t
    return s


@qd.kernel
def results() -> tuple[qd.i32, qd.f32, qd.u1]:
    return 2.75, 3, 1 > 0


@qd.kernel
def templates(x: qd.template(), factor: qd.template(), name: qd.Template, f: qd.template(), nothing: qd.template()):
    for i in x:
        if qd.static(name == "double"):
            x[i] = x[i] * 2
        else:
            x[i] = f(x[i]) * factor
        if qd.static(nothing is None):
            x[i] += 1


@qd.func
def halve(v):
    return v * 0.5


@qd.kernel
def shape_of(x: qd.template(), a: qd.types.ndarray()) -> qd.i32:
    return x.shape[0] * 100 + a.shape[0]
