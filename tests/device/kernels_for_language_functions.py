"""Functions of the language that are written in it: types, shapes and places of their calls."""

import qd
from qd.math import clamp, cross, determinant, distance, dot, fract, inverse, length, mix, normalize, reflect, refract, smoothstep, step

OUT = qd.types.ndarray(dtype=qd.f64, ndim=1)


@qd.pyfunc
def host_too(v):
    return v.norm() + mix(1.0, 3.0, 0.5)


@qd.real_func
def called(x: qd.f32, y: qd.f32) -> qd.f32:
    if x < 0:
        return length([x, y])
    return clamp(x, 0.25, y)


@qd.kernel
def types(out: OUT, a: qd.i32, b: qd.f64):
    big = qd.Vector([50000 * a, 50000 * a])
    out[0] = big.norm()
    out[1] = qd.Vector([3 * a, 4 * a]).norm_sqr()
    out[2] = qd.Vector([3 * a, 4 * a]).normalized()[1]
    half = qd.cast(qd.Vector([3 * a, 4 * a]), qd.f16)
    out[3] = half.norm() / 3
    out[4] = half.norm(b) / 3
    out[5] = mix(half, 1, 0.1)[0]
    out[6] = mix(a, b, 0.5)
    out[7] = (qd.Vector([a, 2]) > 1).norm()
    out[8] = (qd.Vector([a, 2]) > 0).dot(qd.Vector([a, 2]) > 0)
    out[9] = qd.Matrix([[a > 0, False], [False, True]]).determinant()
    out[10] = clamp(qd.u8(200), 0, 100) + clamp(True, False, 5)
    out[11] = step(1, a) + step(b, 1) + fract(a)
    out[12] = smoothstep(0, 2, a)
    out[13] = qd.cast(qd.Vector([a, a]), qd.u8).cross(qd.cast(qd.Vector([2 * a, a]), qd.u8))
    out[14] = qd.Vector([3 * a, 4]).norm_inv(b) * qd.Vector([0.5 * b, b]).norm(1)


@qd.kernel
def shapes(out: OUT, x: qd.f64, y: qd.f64):
    one = qd.Matrix([[x]])
    out[0] = one.determinant() + one.inverse()[0, 0] * 10 + one.trace() * 100
    wide = qd.Matrix([[x, y, 1.0], [2.0, x, 3.0]])
    out[1] = wide.norm() + wide.norm_sqr() + dot(wide, wide)
    out[2] = qd.Matrix([[x, y], [1.0, 2.0]]).outer_product(x)[0, 0] if qd.static(False) else 7.0
    out[3] = qd.Vector([x, y]).outer(qd.Vector([1.0, x, y]))[1, 2]
    five = qd.Matrix([[x if i == j else 0.25 * i for j in range(5)] for i in range(5)])
    out[4] = five.trace()
    out[5] = mix([x, y], qd.Vector([1.0, 2.0]), [0.5, 0.25])[1]
    out[6] = clamp(qd.Matrix([[x, y], [1.0, 2.0]]), 0.5, qd.Matrix([[1.0, 1.5], [0.5, 1.0]])).sum()
    out[7] = step(qd.Vector([0.0, 1.0]), x).sum() + distance([x, y], [0.0, 0.0])
    out[8] = qd.math.transpose(wide)[2, 1]
    four = qd.Matrix([[x, y, 1.0, 2.0], [0.5, x, y, 1.0], [1.0, 2.0, x, 0.0], [0.0, y, 0.25, x]])
    out[9] = (inverse(four) @ four - qd.Matrix.identity(qd.f64, 4)).norm()
    out[10] = determinant(four) + inverse(mat=four)[3, 0]


@qd.kernel
def places(out: OUT, x: qd.f64, n: qd.i32):
    v = qd.Vector([x, 2 * x, 3.0])
    out[0] = qd.Vector([x, v.norm(), v[n]]).norm(eps=mix(x, y=2.0, a=0.5))
    if x > 100 and 1 / v.norm_inv() > 0 or not v.norm() > 0:
        out[1] = 1.0
    out[2] = v.norm() if x > 0 else v.normalized()[n]
    for i in range(3):
        out[3 + i] = normalize(v)[i]
    for i in qd.static(range(3)):
        out[6] += cross(v, qd.Vector([1.0, 0.0, 0.5]))[i] * (i + 1)
    while v.norm() > 1:
        v *= 0.5
        out[7] += 1.0
    out[8] = host_too(v)
    out[9] = called(qd.f32(-x), 2.0) + called(qd.f32(x), 2.0)
    norm = v.norm()
    out[10] = norm + [u.norm() for u in (v, 2 * v)][1]
    out[11] = reflect(v, qd.Vector([0.0, 1.0, 0.0]))[1] + refract(v, qd.Vector([0.0, 1.0, 0.0]), eta=0.5)[0]
    v.x = v.norm()
    v[1] += v.norm_sqr()
    out[12] = v.x + v.y


@qd.kernel
def evaluated_once(count: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.f32:
    a = mix(qd.atomic_add(count[0], 1), 2.0, 0.5)
    b = qd.math.cmul(qd.Vector([qd.atomic_add(count[0], 1), 0.0]), qd.Vector([1.0, 0.0]))
    c = clamp(qd.atomic_add(count[0], 1), 0, 9) + length([qd.atomic_add(count[0], 1), 0])
    return a + b.x + c


@qd.kernel
def overflow(a: qd.i32) -> qd.i32:
    v = qd.Vector([a, 2])
    return v.norm_sqr()
