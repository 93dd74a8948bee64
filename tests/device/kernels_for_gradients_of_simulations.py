"""Kernels of derivatives: steps of simulations."""

import gradient_fields as f
import qd
from gradient_fields import N


@qd.kernel
def many_bodies():
    for i in range(N):
        s = qd.Vector([0.0, 0.0, 0.0])
        for j in range(N):
            d = f.vectors[j] - f.vectors[i]
            r2 = d.norm_sqr() + 0.01
            s += d * (f.a[j] / (r2 * qd.sqrt(r2)))
        f.forces[i] = s


@qd.kernel
def springs():
    for i in range(N):
        j = f.order[i]
        d = f.vectors[i] - f.vectors[j]
        if i != j:
            length = d.norm() + 1e-4
            force = (length - f.a[i]) * f.b[i] * d / length
            f.forces[i] += -force
            f.forces[j] += force


@qd.kernel
def particles_to_grid():
    for p in range(N):
        x = qd.Vector([f.a[p], f.b[p]]) * (N - 3)
        base = qd.cast(x, qd.i32)
        d = x - qd.cast(base, qd.f64)
        w = [0.5 * (1.5 - d) ** 2, 0.75 - (d - 1.0) ** 2, 0.5 * (d - 0.5) ** 2]
        for i, j in qd.static(qd.ndrange(3, 3)):
            offset = qd.Vector([i, j])
            dpos = offset - d
            weight = w[i][0] * w[j][1]
            f.image[base + offset] += weight * (f.matrices[p] @ dpos + f.vectors[p].xy).sum()


@qd.kernel
def grid_to_particles():
    for p in range(N):
        x = qd.Vector([f.a[p], f.b[p]]) * (N - 3)
        base = qd.cast(x, qd.i32)
        d = x - qd.cast(base, qd.f64)
        w = [0.5 * (1.5 - d) ** 2, 0.75 - (d - 1.0) ** 2, 0.5 * (d - 0.5) ** 2]
        v = 0.0
        C = qd.Matrix([[0.0, 0.0], [0.0, 0.0]])
        for i, j in qd.static(qd.ndrange(3, 3)):
            offset = qd.Vector([i, j])
            dpos = qd.cast(offset, qd.f64) - d
            g = f.grid[base + offset]
            weight = w[i].x * w[j].y
            v += weight * g
            C += 4.0 * weight * g * dpos.outer_product(dpos)
        f.out[p] = v + C.trace()
        f.matrices[p] += C


@qd.kernel
def stress():
    for p in range(N):
        F = f.matrices[p] + qd.Matrix([[1.0, 0.0], [0.0, 1.0]])
        J = F.determinant()
        h = qd.exp(10.0 * (1.0 - J) * 0.1)
        cauchy = h * (F @ F.transpose()) + qd.Matrix([[1.0, 0.0], [0.0, 1.0]]) * (J * (J - 1.0) * f.a[p])
        f.out[p] = cauchy.norm()


@qd.kernel
def bouncing():
    for i in range(N):
        x = qd.Vector([f.a[i], f.b[i]])
        v = qd.Vector([1.0, -3.0 * f.a[i]])
        for _ in range(8):
            v[1] -= 0.3
            x += v * 0.1
            if x[1] < 0.0 and v[1] < 0.0:
                v[1] = -0.7 * v[1]
                x[1] = -x[1]
        f.out[i] = x[0] * x[1]


@qd.kernel
def contact_with_a_search():
    for i in range(N):
        depth = 0.0
        normal = qd.Vector([0.0, 0.0, 0.0])
        j = 0
        while j < N:
            if j != i:
                d = f.vectors[i] - f.vectors[j]
                r = d.norm()
                if r < 0.5 and 0.5 - r > depth:
                    depth = 0.5 - r
                    normal = d / r
            j += 1
        f.forces[i] = normal * depth * f.a[i]


@qd.kernel
def quaternions():
    for i in range(N):
        w, v = f.a[i], f.vectors[i]
        length = qd.sqrt(w * w + v.norm_sqr())
        w, v = w / length, v / length
        x = f.vectors[(i + 1) % N]
        f.forces[i] = x + 2.0 * v.cross(v.cross(x) + w * x)


@qd.kernel
def rays():
    for i in range(N):
        direction = (f.vectors[i] - 0.2).normalized()
        origin = qd.Vector([f.a[i] * 0.1, 0.0, 0.0])
        b = origin.dot(direction)
        c = origin.norm_sqr() - 1.0
        t = -b + qd.sqrt(b * b - c)
        hit = origin + t * direction
        f.out[i] = qd.max(hit.dot(qd.Vector([0.6, 0.8, 0.0])), 0.0) * f.b[i]
