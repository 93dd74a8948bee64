"""Kernels of derivatives: operations, ifs, funcs. None reads an element that it overwrites behind the read.

The fields hold numbers between 0.1 and 0.9."""

import gradient_fields as f
import qd
from gradient_fields import N

LIMIT = 3
FLAG = True


# --- operations --------------------------------------------------------------------------------------------------------


@qd.kernel
def functions_of_one():
    f.results[0] = -f.many[0]
    f.results[1] = abs(f.many[1] - 0.5)
    f.results[2] = qd.sqrt(f.many[2])
    f.results[3] = qd.rsqrt(f.many[3])
    f.results[4] = qd.sin(f.many[4])
    f.results[5] = qd.cos(f.many[5])
    f.results[6] = qd.asin(f.many[6])
    f.results[7] = qd.acos(f.many[7])
    f.results[8] = qd.tanh(f.many[8])
    f.results[9] = qd.exp(f.many[9])
    f.results[10] = qd.log(f.many[10])
    f.results[11] = qd.floor(f.many[11] * 3.0) * f.many[11]
    f.results[12] = qd.ceil(f.many[12] * 3.0) * f.many[12]
    f.results[13] = f.many[13] ** 2
    f.results[14] = f.many[14] ** 3
    f.results[15] = f.many[15] ** -1.5
    f.results[16] = 2.0 ** f.many[16]
    f.results[17] = 1 / f.many[17]
    f.results[18] = 3 * f.many[18] - f.many[18] / 4
    f.results[19] = qd.math.clamp(f.many[19], 0.3, 0.6)
    f.results[20] = qd.math.mix(f.many[20], f.many[20] * f.many[20], 0.25)
    f.results[21] = qd.math.smoothstep(0.0, 1.0, f.many[21])
    f.results[22] = qd.math.fract(f.many[22] * 3.0)
    f.results[23] = f.many[23]
    f.results[24] = 5.0
    f.results[25] = qd.tan(f.many[25])
    f.results[26] += qd.sin(f.many[26]) * qd.sin(f.many[26])
    f.results[27] -= qd.exp(qd.sin(qd.sqrt(f.many[27])))


@qd.kernel
def functions_of_two():
    f.results[0] = f.many[0] + f.many[20]
    f.results[1] = f.many[1] - f.many[21]
    f.results[2] = f.many[2] * f.many[22]
    f.results[3] = f.many[3] / f.many[23]
    f.results[4] = f.many[4] // f.many[24] + f.many[4]
    f.results[5] = f.many[5] % f.many[25]
    f.results[6] = f.many[6] ** f.many[26]
    f.results[7] = qd.min(f.many[7], f.many[27])
    f.results[8] = qd.max(f.many[8], f.many[28])
    f.results[9] = qd.atan2(f.many[9], f.many[29])
    f.results[10] = qd.select(f.many[10] > f.many[30], f.many[10] * f.many[10], f.many[30])
    f.results[11] = f.many[11] * f.many[11] if f.many[11] < f.many[31] else f.many[31] * 2.0
    f.results[12] = qd.min(f.many[12], f.many[32], 0.5)
    f.results[13] = f.many[13] * f.many[13] + f.many[13] * f.many[33]
    f.results[14] = (f.many[14] + 1) * (f.many[34] + 2) / ((f.many[14] + 3) * (f.many[34] - 4))
    f.results[15] = qd.atan2(f.many[15], 0.4) + qd.atan2(0.4, f.many[35])


@qd.kernel
def functions_of_ours():
    f.results[0] = qd.sinh(f.many[0])
    f.results[1] = qd.cosh(f.many[1])
    f.results[2] = qd.atan(f.many[2])
    f.results[3] = qd.raw_div(f.many[3], f.many[23])
    f.results[4] = qd.raw_mod(f.many[4], f.many[24])
    f.results[5] = qd.expm1(f.many[5])
    f.results[6] = qd.log1p(f.many[6])


@qd.kernel
def rounded():
    for i in range(N):
        f.out[i] = qd.round(f.a[i] * 3.0) * f.a[i]


@qd.kernel
def casts_to_integers():
    for i in range(N):
        k = qd.cast(f.a[i] * 4.0, qd.i32)
        f.out[i] = f.a[i] * k + qd.cast(qd.cast(f.b[i] * 9.0, qd.i32), qd.f64) * f.b[i]


@qd.kernel
def numbers_used_often():
    for i in range(N):
        x = f.a[i]
        y = x * x
        z = y * x + y
        f.out[i] = z * y + x * z - qd.sin(z) * y


@qd.kernel
def numbers_assigned_again():
    for i in range(N):
        x = f.a[i]
        x = x * x
        x = qd.sin(x) + x * f.b[i]
        x *= 3.0
        x -= f.b[i]
        x /= 2.0 + f.a[i]
        f.out[i] = x


@qd.kernel
def logic_of_conditions():
    for i in range(N):
        x = 0.0
        if f.a[i] > 0.3 and f.b[i] > 0.3:
            x = f.a[i] * f.b[i]
        if f.a[i] < 0.4 or not f.b[i] < 0.6:
            x += qd.exp(f.a[i])
        f.out[i] = x if 0.2 < x < 1.5 else x * x


@qd.kernel
def stopped():
    for i in range(N):
        f.out[i] = f.a[i] * qd.stop_grad(f.a[i]) + qd.stop_grad(f.b[i] * f.a[i]) * f.b[i]


@qd.kernel
def parameters(scale: qd.f64, n: qd.i32):
    for i in range(n):
        f.out[i] = f.a[i] * f.a[i] * scale + n * f.b[i]


# --- ifs ---------------------------------------------------------------------------------------------------------------


@qd.kernel
def one_if():
    for i in range(N):
        if f.a[i] > 0.5:
            f.out[i] = f.a[i] * f.b[i]


@qd.kernel
def if_and_else():
    for i in range(N):
        if i % 2 == 0:
            f.out[i] = f.a[i] * f.a[i]
        else:
            f.out[i] += 2 * f.a[i] * f.b[i]


@qd.kernel
def if_of_a_local():
    for i in range(N):
        t = f.a[i] * f.b[i]
        y = 0.0
        if t > 0.25:
            y = 1.0 / t
            t = qd.sin(t)
        f.out[i] = y + t * t


@qd.kernel
def elifs():
    for i in range(N):
        x = f.a[i]
        if x < 0.25:
            x = x * x
        elif x < 0.5:
            x = qd.exp(x) * f.b[i]
        elif x < 0.75:
            f.total[None] += x * 3.0
        else:
            x -= f.b[i] * x
        f.out[i] = x * x


@qd.kernel
def ifs_within_ifs():
    for i in range(N):
        x = f.b[i]
        if f.counts[i] > 1:
            x *= f.a[i]
            if f.counts[i] > 3:
                x = x * x
                if f.a[i] > 0.5:
                    x += qd.cos(x)
            else:
                x = x + f.a[i]
            x = qd.sin(x)
        f.out[i] = x


@qd.kernel
def static_code():
    for i in range(N):
        x = f.a[i]
        if qd.static(FLAG):
            x = x * x
        else:
            x = x * 100.0
        for k in qd.static(range(LIMIT)):
            if qd.static(k != 1):
                x = x * f.b[i] + k
        f.out[i] = x


@qd.kernel
def one_statement():
    f.total[None] += f.a[0] * f.a[1]


@qd.kernel
def chain_of_numbers():
    f.out[0] = f.a[0] * f.a[0]
    f.out[1] = f.out[0] * 2.0
    f.out[2] = f.out[1] * f.out[0] * 3.0
    f.out[3] = qd.sin(f.out[2])
    f.total[None] = f.out[3] * f.out[2]


# --- funcs -------------------------------------------------------------------------------------------------------------


@qd.func
def squared(x):
    return x * x


@qd.func
def summed(x, n):
    s = 0.0
    for j in range(n):
        s += squared(x) * f.b[j]
        x = x * s
    return s


@qd.func
def both(x, y):
    return x * y, squared(x + y)


@qd.func
def adds_to(k, x):
    f.out[k] += x * x


@qd.kernel
def funcs():
    for i in range(N):
        p, q = both(f.a[i], f.b[i])
        f.image[0, i] = summed(p, f.counts[i]) + q
        adds_to(i // 2, q)


@qd.func
def early(x):
    r = x * x
    if x > 0.5:
        r = qd.sin(x)
    return r


@qd.kernel
def func_with_a_condition():
    for i in range(N):
        f.out[i] = early(early(f.a[i]) * f.b[i])


@qd.real_func
def folded(x: qd.f64, n: qd.i32) -> qd.f64:
    for j in range(n):
        x = x * x + 0.25 * f.b[j]
    return x


@qd.real_func
def folded_twice(x: qd.f64, n: qd.i32) -> qd.f64:
    if n % 2 == 0:
        return folded(x, n) * x
    return folded(folded(x, n), 1)


@qd.real_func
def returns_within(x: qd.f64, y: qd.f64) -> qd.f64:
    for j in range(4):
        x = x * x + y
        if x > 1.0:
            return x * j
    return x * y


@qd.kernel
def real_funcs():
    for i in range(N):
        f.out[i] = folded_twice(f.a[i], f.counts[i])


@qd.kernel
def return_within():
    for i in range(N):
        f.out[i] = returns_within(f.a[i], f.b[i])
