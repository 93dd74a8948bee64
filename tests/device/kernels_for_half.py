"""Kernels on f16, whose results must be the same on every architecture."""

import qd

THIRD = 1 / 3
ABOVE_A_TIE = 1 + 2**-11 + 2**-40


@qd.kernel
def arithmetic(x: qd.types.ndarray(dtype=qd.f16, ndim=1), y: qd.types.ndarray(dtype=qd.f16, ndim=1), out: qd.types.ndarray(dtype=qd.f16, ndim=2)):
    for i in range(x.shape[0]):
        out[i, 0] = x[i] + y[i]
        out[i, 1] = x[i] - y[i]
        out[i, 2] = x[i] * y[i]
        out[i, 3] = x[i] / y[i]
        out[i, 4] = -x[i]
        out[i, 5] = abs(x[i])
        out[i, 6] = min(x[i], y[i])
        out[i, 7] = max(x[i], y[i])
        out[i, 8] = qd.sqrt(abs(x[i]))
        out[i, 9] = qd.floor(x[i])
        out[i, 10] = qd.ceil(x[i])
        out[i, 11] = round(x[i])
        out[i, 12] = qd.sign(x[i])
        out[i, 13] = x[i] * 3
        out[i, 14] = qd.select(x[i] < y[i], x[i], 1)
        out[i, 15] = x[i] if x[i] == x[i] and not x[i] > y[i] else y[i]


@qd.kernel
def in_vectors(
    x: qd.types.ndarray(dtype=qd.f16, ndim=1),
    y: qd.types.ndarray(dtype=qd.f16, ndim=1),
    root: qd.types.ndarray(dtype=qd.f16, ndim=1),
    whole: qd.types.ndarray(dtype=qd.f16, ndim=1),
    smaller: qd.types.ndarray(dtype=qd.f16, ndim=1),
):
    for i in range(x.shape[0]):
        root[i] = qd.sqrt(abs(x[i]))
        whole[i] = qd.floor(x[i]) + 2 * qd.ceil(y[i]) + round(x[i])
        smaller[i] = min(x[i], y[i]) - max(x[i], y[i])


@qd.kernel
def divisions(x: qd.types.ndarray(dtype=qd.f16, ndim=1), y: qd.types.ndarray(dtype=qd.f16, ndim=1), out: qd.types.ndarray(dtype=qd.f16, ndim=2)):
    for i in range(x.shape[0]):
        out[i, 0] = x[i] // y[i]
        out[i, 1] = x[i] % y[i]
        out[i, 2] = qd.raw_mod(x[i], y[i])


@qd.kernel
def comparisons(x: qd.types.ndarray(dtype=qd.f16, ndim=1), y: qd.types.ndarray(dtype=qd.f16, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=2)):
    for i in range(x.shape[0]):
        out[i, 0] = x[i] < y[i]
        out[i, 1] = x[i] <= y[i]
        out[i, 2] = x[i] > y[i]
        out[i, 3] = x[i] >= y[i]
        out[i, 4] = x[i] == y[i]
        out[i, 5] = x[i] != y[i]
        out[i, 6] = qd.isnan(x[i])
        out[i, 7] = qd.isinf(x[i])
        out[i, 8] = bool(x[i])
        out[i, 9] = not x[i]


@qd.kernel
def functions(x: qd.types.ndarray(dtype=qd.f16, ndim=1), out: qd.types.ndarray(dtype=qd.f16, ndim=2)):
    for i in range(x.shape[0]):
        out[i, 0] = qd.sin(x[i])
        out[i, 1] = qd.cos(x[i])
        out[i, 2] = qd.tan(x[i])
        out[i, 3] = qd.asin(x[i])
        out[i, 4] = qd.acos(x[i])
        out[i, 5] = qd.atan2(x[i], qd.f16(0.5))
        out[i, 6] = qd.sinh(x[i])
        out[i, 7] = qd.cosh(x[i])
        out[i, 8] = qd.tanh(x[i])
        out[i, 9] = qd.exp(x[i])
        out[i, 10] = qd.log(x[i])
        out[i, 11] = x[i] ** qd.f16(1.5)
        out[i, 12] = x[i] ** 3
        out[i, 13] = qd.rsqrt(x[i])
        out[i, 14] = qd.math.mix(x[i], qd.f16(2), qd.f16(0.25))


@qd.kernel
def from_doubles(x: qd.types.ndarray(dtype=qd.f64, ndim=1), out: qd.types.ndarray(dtype=qd.f16, ndim=1)):
    for i in range(x.shape[0]):
        out[i] = qd.f16(x[i])


@qd.kernel
def from_singles(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.f16, ndim=1)):
    for i in range(x.shape[0]):
        out[i] = qd.f16(x[i])


@qd.kernel
def from_integers(a: qd.types.ndarray(dtype=qd.i64, ndim=1), b: qd.types.ndarray(dtype=qd.u64, ndim=1), out: qd.types.ndarray(dtype=qd.f16, ndim=2)):
    for i in range(a.shape[0]):
        out[i, 0] = qd.cast(a[i], qd.f16)
        out[i, 1] = qd.cast(b[i], qd.f16)
        out[i, 2] = qd.cast(qd.i32(a[i]), qd.f16)
        out[i, 3] = qd.cast(qd.u16(a[i]), qd.f16)
        out[i, 4] = qd.cast(a[i] > 5, qd.f16)


@qd.kernel
def to_others(x: qd.types.ndarray(dtype=qd.f16, ndim=1), wide: qd.types.ndarray(dtype=qd.f64, ndim=2), whole: qd.types.ndarray(dtype=qd.i64, ndim=2)):
    for i in range(x.shape[0]):
        wide[i, 0] = x[i]
        wide[i, 1] = qd.f32(x[i])
        whole[i, 0] = qd.bit_cast(x[i], qd.i16)
        whole[i, 1] = qd.bit_cast(x[i], qd.u16)
        if abs(x[i]) < 100:
            whole[i, 2] = qd.i64(x[i])
            whole[i, 3] = qd.i8(x[i])
            whole[i, 4] = qd.u64(abs(x[i]))
            whole[i, 5] = qd.i32(x[i])
        whole[i, 6] = qd.cast(x[i], qd.u1)


@qd.kernel
def types_of_operations(h: qd.f16, out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    local = h
    local = 1 / 3
    out[0] = local
    out[1] = h + 2049
    out[2] = h * THIRD
    out[3] = h + qd.i64(1)
    out[4] = h / 3
    out[5] = -h
    annotated: qd.f16 = 0.1
    out[6] = annotated
    out[7] = qd.f16(THIRD)
    out[8] = qd.float16(2049)
    local += 1
    out[9] = local
    out[10] = qd.f16(1.0009765625 + 0.00048828125)
    out[11] = qd.f16(ABOVE_A_TIE)


@qd.kernel
def results(a: qd.f16, b: float) -> (qd.f16, qd.f16, float):
    return a, b, a + b


@qd.kernel
def atomics(n: int, places: qd.types.ndarray(dtype=qd.f16, ndim=1)) -> qd.f16:
    total = qd.f16(0)
    for i in range(n):
        qd.atomic_add(places[0], qd.f16(i % 3))
        qd.atomic_sub(places[1], qd.f16(i % 3))
        qd.atomic_min(places[2], qd.f16(-i))
        qd.atomic_max(places[3], qd.f16(i))
        places[4 + i % 4] += qd.f16(1)
        total += qd.f16(1)
    places[8] = qd.atomic_exchange(places[9], qd.f16(7.5))
    places[10] *= 3
    qd.atomic_mul(places[10], qd.f16(2))
    return total


@qd.kernel
def show(x: qd.types.ndarray(dtype=qd.f16, ndim=1)):
    qd.loop_config(serialize=True)
    for i in range(x.shape[0]):
        print(x[i], f"{x[i]:.3f}", "%g" % x[i])


@qd.func
def halved(x: qd.f16):
    return x / 2


@qd.kernel
def funcs(x: qd.template(), n: int):
    for i in range(n):
        x[i] = halved(x[i] + i)


@qd.kernel
def draw(out: qd.types.ndarray(dtype=qd.f16, ndim=1)):
    for i in range(out.shape[0]):
        out[i] = qd.random(qd.f16)
