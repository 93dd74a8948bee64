"""Decompositions of many matrices at once, for each size and type."""

import qd


def decompositions(n, dt):
    """Kernels by name; each takes arrays of matrices, its input first."""
    mat = qd.types.matrix(n, n, dt)
    vec = qd.types.vector(n, dt)

    @qd.kernel
    def svd(
        a: qd.types.ndarray(dtype=mat, ndim=1),
        u: qd.types.ndarray(dtype=mat, ndim=1),
        s: qd.types.ndarray(dtype=mat, ndim=1),
        v: qd.types.ndarray(dtype=mat, ndim=1),
    ):
        for i in a:
            u[i], s[i], v[i] = qd.svd(a[i], dt)

    @qd.kernel
    def polar(a: qd.types.ndarray(dtype=mat, ndim=1), u: qd.types.ndarray(dtype=mat, ndim=1), p: qd.types.ndarray(dtype=mat, ndim=1)):
        for i in a:
            u[i], p[i] = qd.polar_decompose(a[i], dt)

    @qd.kernel
    def sym_eig(a: qd.types.ndarray(dtype=mat, ndim=1), w: qd.types.ndarray(dtype=vec, ndim=1), v: qd.types.ndarray(dtype=mat, ndim=1)):
        for i in a:
            w[i], v[i] = qd.sym_eig(a[i], dt)

    @qd.kernel
    def make_spd(a: qd.types.ndarray(dtype=mat, ndim=1), p: qd.types.ndarray(dtype=mat, ndim=1)):
        for i in a:
            p[i] = qd.make_spd(a[i], dt)

    @qd.kernel
    def solve(a: qd.types.ndarray(dtype=mat, ndim=1), b: qd.types.ndarray(dtype=vec, ndim=1), x: qd.types.ndarray(dtype=vec, ndim=1)):
        for i in a:
            x[i] = qd.solve(a[i], b[i], dt=dt)

    return {"svd": svd, "polar": polar, "sym_eig": sym_eig, "make_spd": make_spd, "solve": solve}


def eigen(dt):
    mat = qd.types.matrix(2, 2, dt)
    tall = qd.types.matrix(4, 2, dt)

    @qd.kernel
    def eig(a: qd.types.ndarray(dtype=mat, ndim=1), w: qd.types.ndarray(dtype=mat, ndim=1), v: qd.types.ndarray(dtype=tall, ndim=1)):
        for i in a:
            w[i], v[i] = qd.eig(a[i], dt)

    return eig


@qd.kernel
def at_top_level() -> qd.f32:
    u, s, v = qd.svd(qd.Matrix([[3, 0], [0, 4]]))
    total = s[0, 0] * 10 + s[1, 1]
    w, e = qd.sym_eig([[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]])
    x = qd.solve(A=qd.Matrix([[2.0, 0.0], [0.0, 4.0]]), b=[1, 1])
    return total + 100 * w[0] + 1000 * w[2] + x[1]


@qd.kernel
def keeps_its_arguments() -> qd.f32:
    a = qd.Matrix([[0.0, 2.0], [4.0, 1.0]])
    b = qd.Vector([2.0, 5.0])
    x = qd.solve(a, b)
    return a[0, 0] + 10 * a[1, 0] + 100 * b[0] + 1000 * x[0]


@qd.kernel
def not_square() -> qd.f32:
    u, s, v = qd.svd(qd.Matrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    return u[0, 0]


@qd.kernel
def too_large() -> qd.f32:
    values, vectors = qd.eig(qd.Matrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]))
    return values[0, 0]


@qd.kernel
def no_matrix() -> qd.f32:
    u, p = qd.polar_decompose(3.0)
    return u[0, 0]


@qd.kernel
def half_precision() -> qd.f32:
    u, p = qd.polar_decompose(qd.Matrix([[1.0, 2.0], [3.0, 4.0]]), qd.f16)
    return u[0, 0]


@qd.kernel
def wrong_vector() -> qd.f32:
    return qd.solve(qd.Matrix([[1.0, 2.0], [3.0, 4.0]]), qd.Vector([1.0, 2.0, 3.0]))[0]


@qd.kernel
def singular(a: qd.f32) -> qd.f32:
    m = qd.Matrix([[a, a], [a, a]])
    return qd.solve(m, qd.Vector([1.0, 2.0]))[0]
