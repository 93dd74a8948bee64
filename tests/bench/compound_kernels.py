"""Kernels with vectors and matrices, loaded by compound_speed without Python; the material point method is the sample project's."""

import qd

vec3 = qd.types.vector(3, qd.f32)
mat3 = qd.types.matrix(3, 3, qd.f32)
mat16 = qd.types.matrix(16, 16, qd.f32)


@qd.kernel
def nbody(x: qd.types.ndarray(vec3, 1), a: qd.types.ndarray(vec3, 1)):
    """Accelerations of bodies that attract one another."""
    for i in x:
        acceleration = vec3(0.0)
        here = x[i]
        for j in range(x.shape[0]):
            d = x[j] - here
            r2 = d.norm_sqr() + 1e-6
            acceleration += d * (1.0 / (r2 * qd.sqrt(r2)))
        a[i] = acceleration


@qd.kernel
def cholesky(a: qd.types.ndarray(mat16, 1), out: qd.types.ndarray(mat16, 1)):
    """The lower triangular L with L L^T = A, for many matrices of 16 x 16; each in the registers of a thread."""
    for b in a:
        m = a[b]
        for j in qd.static(range(16)):
            for k in qd.static(range(j)):
                m[j, j] -= m[j, k] * m[j, k]
            m[j, j] = qd.sqrt(m[j, j])
            inverse = 1.0 / m[j, j]
            for i in qd.static(range(j + 1, 16)):
                for k in qd.static(range(j)):
                    m[i, j] -= m[i, k] * m[j, k]
                m[i, j] *= inverse
        for i in qd.static(range(16)):
            for j in qd.static(range(i + 1, 16)):
                m[i, j] = 0.0
        out[b] = m


@qd.kernel
def polar(a: qd.types.ndarray(mat3, 1), out: qd.types.ndarray(mat3, 1)):
    """The rotation of a deformation, by five steps of Higham's iteration: R = (R + R^-T) / 2."""
    for i in a:
        r = a[i]
        for _ in range(5):
            r = 0.5 * (r + r.inverse().transpose())
        out[i] = r
