"""Complex numbers and transforms of qd.math."""

import qd
from qd.math import cconj, cdiv, cexp, cinv, clog, cmul, cpow, csqrt

Pairs = qd.types.ndarray(dtype=qd.types.vector(2, qd.f64), ndim=1)
Transforms = qd.types.ndarray(dtype=qd.types.matrix(4, 4, qd.f64), ndim=1)


@qd.kernel
def complex_numbers(z: Pairs, w: Pairs, n: qd.f64, out: qd.types.ndarray(dtype=qd.types.vector(2, qd.f64), ndim=2)):
    for i in z:
        out[i, 0] = cmul(z[i], w[i])
        out[i, 1] = cconj(z[i])
        out[i, 2] = cdiv(z[i], w[i])
        out[i, 3] = csqrt(z[i])
        out[i, 4] = cinv(z[i])
        out[i, 5] = cpow(z[i], n)
        out[i, 6] = cexp(z[i])
        out[i, 7] = clog(z[i])


@qd.kernel
def transforms(a: qd.f64, b: qd.f64, c: qd.f64, out: Transforms):
    out[0] = qd.math.translate(a, b, c)
    out[1] = qd.math.scale(a, b, c)
    out[2] = qd.math.rot_by_axis(qd.math.vec3(a, b, c), 0.7)
    out[3] = qd.math.rot_yaw_pitch_roll(a, b, c)
    out[4] = qd.math.rotation3d(a, b, c)
    turn = qd.math.rotation2d(a)
    along = qd.math.vdir(b)
    for i, j in qd.static(qd.ndrange(2, 2)):
        out[5][i, j] = turn[i, j]
    for i in qd.static(range(2)):
        out[5][i, 2] = along[i]


@qd.kernel
def roots(x: qd.f32, y: qd.f32) -> qd.types.vector(2, qd.f32):
    return csqrt(qd.Vector([x, y]))


@qd.kernel
def of_integers() -> qd.types.vector(2, qd.f32):
    return cmul(qd.Vector([1, 2]), qd.math.ivec2(3, 4)) + cpow(qd.math.vec2(0, 2), 2)


@qd.func
def extrema(x, y):
    return qd.Vector([qd.max(qd.max(x, y), x**y), qd.min(x**y, qd.min(y, x)), qd.max(qd.min(x, y), y**x), qd.max(x, y)])


@qd.kernel
def extrema_of_powers(x: qd.types.ndarray(dtype=qd.f64, ndim=1), out: qd.types.ndarray(dtype=qd.f64, ndim=2)):
    for _ in range(1):
        doubles, singles = extrema(x[0], x[1]), extrema(qd.f32(x[0]), qd.f32(x[1]))
        for j in range(4):
            out[0, j], out[1, j] = doubles[j], qd.f64(singles[j])
