import math
import qd
SCALE = 0.25
COUNT = 3


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
