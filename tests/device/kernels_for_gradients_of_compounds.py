"""Kernels of derivatives: vectors, matrices, local arrays, structs."""

import gradient_fields as f
import qd
from gradient_fields import N

vec2 = qd.types.vector(2, qd.f64)
Body = qd.types.struct(x=vec2, mass=qd.f64, number=qd.i32)


# --- vectors -----------------------------------------------------------------------------------------------------------


@qd.kernel
def products_of_vectors():
    for i in range(N):
        v = f.vectors[i]
        w = f.vectors[(i + 1) % N]
        f.out[i] = v.dot(w) * v.norm() + w.norm_sqr()
        f.forces[i] = v.cross(w) + v * w - w / v


@qd.kernel
def normalized_vectors():
    for i in range(N):
        v = f.vectors[i].normalized()
        f.forces[i] = v * f.a[i] + qd.math.normalize(f.vectors[(i + 2) % N])


@qd.kernel
def functions_of_vectors():
    for i in range(N):
        v = f.vectors[i]
        f.forces[i] = qd.sin(v) * qd.exp(v) + qd.max(v, 0.5) - abs(v - 0.5) + qd.math.mix(v, v * v, 0.3)
        f.out[i] = v.sum() * v.max() + v.min()


@qd.kernel
def components_of_vectors():
    for i in range(N):
        v = f.vectors[i]
        v[0] = v[1] * v[2]
        v.y += v.x * 2.0
        for k in qd.static(range(3)):
            f.forces[i][k] = v[k] * v[(k + 1) % 3]
        f.forces[i].x += v.zyx.y


@qd.kernel
def sums_of_vectors():
    for i in range(N):
        f.forces[f.order[i] // 2] += f.vectors[i] * f.a[i]
        f.forces[0] -= f.vectors[i] * f.vectors[i]


@qd.kernel
def vectors_chosen():
    for i in range(N):
        v = f.vectors[i] if f.a[i] > 0.5 else f.vectors[i] * f.vectors[i]
        f.forces[i] = qd.select(v > 0.4, v * v, f.b[i] * v)


@qd.kernel
def stencil_of_vectors():
    for i in range(N):
        s = qd.Vector([0.0, 0.0, 0.0])
        for j in range(f.counts[i]):
            d = f.vectors[j] - f.vectors[i]
            s += d * qd.exp(-d.norm_sqr())
        f.forces[i] = s


@qd.kernel
def complex_numbers():
    for i in range(N):
        z = qd.Vector([f.a[i], f.b[i]])
        c = z
        for _ in range(2):
            z = qd.math.cmul(z, z) + c
        f.out[i] = z.norm_sqr()


# --- matrices ----------------------------------------------------------------------------------------------------------


@qd.kernel
def products_of_matrices():
    for i in range(N):
        A = f.matrices[i]
        B = f.matrices[(i + 1) % N]
        v = A @ qd.Vector([f.a[i], f.b[i]])
        f.out[i] = (A @ B).trace() + v.dot(v) + (A.transpose() @ A)[0, 1] + A.determinant()


@qd.kernel
def inverses():
    for i in range(N):
        A = f.matrices[i] + qd.Matrix([[1.0, 0.0], [0.0, 1.0]])
        B = f.squares[i] + qd.Matrix([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
        v = A.inverse() @ qd.Vector([f.a[i], f.b[i]])
        w = B.inverse() @ f.vectors[i]
        f.out[i] = v.sum() * w.sum() + B.determinant()


@qd.kernel
def outer_products():
    for i in range(N):
        v = f.vectors[i]
        A = v.outer_product(v) @ f.squares[i]
        f.out[i] = A.trace() * A[0, 2] + A.norm()


@qd.kernel
def matrices_in_a_loop():
    for i in range(N):
        A = f.matrices[i]
        B = A
        for _ in range(f.counts[i]):
            B = B @ A * 0.5 + f.a[i]
        f.out[i] = B.determinant() + B[0, 0]


@qd.kernel
def rows_and_columns():
    for i in range(N):
        A = qd.Matrix.zero(qd.f64, 3, 3)
        for j, k in qd.static(qd.ndrange(3, 3)):
            A[j, k] = f.vectors[i][j] * f.squares[i][k, j]
        f.forces[i] = A @ f.vectors[i]
        f.matrices[i][0, 1] += A[1, 2] * A[0, 0]


@qd.kernel
def rotations():
    for i in range(N):
        s, c = qd.sin(f.a[i]), qd.cos(f.a[i])
        R = qd.Matrix([[c, -s], [s, c]])
        v = R @ R @ qd.Vector([f.b[i], 1.0])
        f.out[i] = v[0] * v[1]


@qd.kernel
def singular_values():
    for i in range(N):
        A = f.matrices[i] + qd.Matrix([[1.0, 0.0], [0.0, -0.5]])
        _U, sig, _V = qd.svd(A)
        f.out[i] = qd.log(sig[0, 0]) * sig[1, 1]


@qd.kernel
def polar_decomposition():
    for i in range(N):
        A = f.matrices[i] + qd.Matrix([[1.0, 0.0], [0.0, 1.0]])
        R, S = qd.polar_decompose(A)
        f.out[i] = (A - R).norm_sqr() + S.trace()


# --- local arrays and structs ------------------------------------------------------------------------------------------


@qd.kernel
def local_array_that_is_read():
    for i in range(N):
        v = qd.Vector([f.a[i], f.b[i], f.a[i] * f.b[i]])
        s = 0.0
        for j in range(f.counts[i]):
            s = s * v[j % 3] + v[(i + j) % 3]
        f.out[i] = s


@qd.kernel
def local_array_that_is_written():
    for i in range(N):
        v = qd.Vector([0.0, 0.0, 0.0, 1.0])
        for j in range(f.counts[i]):
            v[(i + j) % 4] += f.a[j] * v[3]
            v[j % 4] = v[(j + 1) % 4] * f.b[j] + f.a[i]
        f.out[i] = v[0] * v[1] + v[2] * v[3]


@qd.kernel
def slices_of_a_local_array():
    for i in range(N):
        v = qd.Vector([f.a[i], f.b[i], 0.5, f.a[i]])
        w = v[1:3] * v[0:2]
        f.out[i] = w.sum() * v[i % 4]


@qd.func
def moved(body: qd.template(), time):
    return Body(x=body.x * time + body.mass, mass=body.mass * time, number=body.number + 1)


@qd.kernel
def structs():
    for i in range(N):
        body = Body(x=vec2(f.a[i], f.b[i]), mass=f.a[i] * 2.0, number=i)
        body.mass *= f.b[i]
        next_one = moved(body, 0.5)
        next_one.x.y += next_one.x.x * next_one.number
        f.out[i] = next_one.x.dot(body.x) * next_one.mass


@qd.kernel
def structs_in_a_loop():
    for i in range(N):
        body = Body(x=vec2(f.a[i], f.b[i]), mass=1.0, number=0)
        for j in range(f.counts[i]):
            body.x = body.x * body.mass + f.b[j]
            if body.number % 2 == 0:
                body.mass = qd.sin(body.x.x)
            body.number += 1
        f.out[i] = body.x.norm_sqr() * body.mass
