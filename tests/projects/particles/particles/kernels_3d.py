"""The time step in three dimensions, with vectors and matrices: one kernel of four parallel loops.

Jelly is neo-Hookean: its stress needs no rotation taken out of the deformation.
A particle that does not resist shear is water, which keeps its volume alone.
"""

import qd

WALL = 3
"""Nodes next to the walls through which nothing moves outwards."""

vec3 = qd.types.vector(3, qd.f32)
mat3 = qd.types.matrix(3, 3, qd.f32)
Numbers = qd.types.ndarray(qd.f32, 1)
Vectors = qd.types.ndarray(vec3, 1)
Matrices = qd.types.ndarray(mat3, 1)


@qd.func
def weights(offset):
    """Quadratic B-spline weights of the three nodes around a particle, for each axis."""
    return [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1.0) ** 2, 0.5 * (offset - 0.5) ** 2]


@qd.func
def inside_walls(velocity, node, nodes):
    """A velocity without what would lead out of the box."""
    result = velocity
    for axis in qd.static(range(3)):
        if node[axis] < WALL and result[axis] < 0:
            result[axis] = 0.0
        elif node[axis] > nodes - WALL and result[axis] > 0:
            result[axis] = 0.0
    return result


@qd.kernel
def step(
    x: Vectors,
    v: Vectors,
    c: Matrices,
    f: Matrices,
    shear: Numbers,
    grid_v: qd.types.ndarray(vec3, 3),
    grid_m: qd.types.ndarray(qd.f32, 3),
    dt: qd.f32,
    mass: qd.f32,
    volume: qd.f32,
    lam: qd.f32,
    gravity: qd.f32,
):
    """Particles to grid, forces on the grid, grid to particles. The box has sides of 1."""
    for node in qd.grouped(grid_m):
        grid_v[node] = vec3(0.0)
        grid_m[node] = 0.0
    for p in x:
        cells = grid_m.shape[0]
        dx = 1.0 / cells
        now = f[p] + dt * (c[p] @ f[p])
        det = now.determinant()
        stress = qd.Matrix.diag(3, lam * det * (det - 1.0))
        if shear[p] == 0.0:
            now = qd.Matrix.diag(3, qd.max(det, 0.01) ** (1.0 / 3.0))
        else:
            stress += shear[p] * (now @ now.transpose() - qd.Matrix.identity(qd.f32, 3))
        f[p] = now
        affine = mass * c[p] - (dt * volume * 4.0 * cells * cells) * stress
        momentum = mass * v[p]
        base = int(x[p] * cells - 0.5)
        offset = x[p] * cells - base
        w = weights(offset)
        for i, j, k in qd.static(qd.ndrange(3, 3, 3)):
            node = qd.Vector([i, j, k])
            share = w[i].x * w[j].y * w[k].z
            grid_v[base + node] += share * (momentum + affine @ ((node - offset) * dx))
            grid_m[base + node] += share * mass
    for i, j, k in grid_m:
        if grid_m[i, j, k] > 0:
            velocity = grid_v[i, j, k] / grid_m[i, j, k]
            velocity.y += dt * gravity
            grid_v[i, j, k] = inside_walls(velocity, qd.Vector([i, j, k]), grid_m.shape[0])
    for p in x:
        cells = grid_m.shape[0]
        base = int(x[p] * cells - 0.5)
        offset = x[p] * cells - base
        w = weights(offset)
        velocity = vec3(0.0)
        change = mat3(0.0)
        for i, j, k in qd.static(qd.ndrange(3, 3, 3)):
            node = qd.Vector([i, j, k])
            share = w[i].x * w[j].y * w[k].z
            there = grid_v[base + node]
            velocity += share * there
            change += (4.0 * cells * share) * there.outer_product(node - offset)
        v[p] = velocity
        c[p] = change
        x[p] += dt * velocity
