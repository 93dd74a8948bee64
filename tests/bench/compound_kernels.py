"""Kernels with vectors and matrices, loaded by compound_speed without Python."""

import qd

vec3 = qd.types.vector(3, qd.f32)
mat3 = qd.types.matrix(3, 3, qd.f32)
mat16 = qd.types.matrix(16, 16, qd.f32)

GRID = 64
DX = 1.0 / GRID
INV_DX = 64.0
DT = 2e-4
MASS = (DX * 0.5) ** 3
VOLUME = (DX * 0.5) ** 3
STIFFNESS = 1000.0
GRAVITY = 9.8
BOUND = 3


@qd.func
def weights(fx):
    """Quadratic B-splines of the three nodes around a particle, for each axis."""
    return [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1.0) ** 2, 0.5 * (fx - 0.5) ** 2]


@qd.kernel
def mpm(
    x: qd.types.ndarray(vec3, 1),
    v: qd.types.ndarray(vec3, 1),
    C: qd.types.ndarray(mat3, 1),
    J: qd.types.ndarray(qd.f32, 1),
    grid_v: qd.types.ndarray(vec3, 3),
    grid_m: qd.types.ndarray(qd.f32, 3),
):
    """A substep of the material point method: particles to grid, grid, grid to particles."""
    for node in qd.grouped(grid_m):
        grid_v[node] = vec3(0.0)
        grid_m[node] = 0.0
    for p in x:
        base = int(x[p] * INV_DX - 0.5)
        fx = x[p] * INV_DX - base
        w = weights(fx)
        stress = -DT * 4 * STIFFNESS * VOLUME * (J[p] - 1) * INV_DX * INV_DX
        affine = qd.Matrix.diag(3, stress) + MASS * C[p]
        momentum = MASS * v[p]
        for offset in qd.static(qd.ndrange(3, 3, 3)):
            dpos = (qd.Vector(offset) - fx) * DX
            weight = w[offset[0]].x * w[offset[1]].y * w[offset[2]].z
            node = base + qd.Vector(offset)
            grid_v[node] += weight * (momentum + affine @ dpos)
            grid_m[node] += weight * MASS
    for i, j, k in grid_m:
        if grid_m[i, j, k] > 0:
            node_v = grid_v[i, j, k] / grid_m[i, j, k]
            node_v.y -= DT * GRAVITY
            if (i < BOUND and node_v.x < 0) or (i > GRID - BOUND and node_v.x > 0):
                node_v.x = 0.0
            if (j < BOUND and node_v.y < 0) or (j > GRID - BOUND and node_v.y > 0):
                node_v.y = 0.0
            if (k < BOUND and node_v.z < 0) or (k > GRID - BOUND and node_v.z > 0):
                node_v.z = 0.0
            grid_v[i, j, k] = node_v
    for p in x:
        base = int(x[p] * INV_DX - 0.5)
        fx = x[p] * INV_DX - base
        w = weights(fx)
        new_v = vec3(0.0)
        new_C = mat3(0.0)
        for offset in qd.static(qd.ndrange(3, 3, 3)):
            dpos = (qd.Vector(offset) - fx) * DX
            weight = w[offset[0]].x * w[offset[1]].y * w[offset[2]].z
            node_v = grid_v[base + qd.Vector(offset)]
            new_v += weight * node_v
            new_C += (4 * INV_DX * INV_DX * weight) * node_v.outer_product(dpos)
        v[p] = new_v
        x[p] += DT * new_v
        J[p] *= 1 + DT * new_C.trace()
        C[p] = new_C


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
