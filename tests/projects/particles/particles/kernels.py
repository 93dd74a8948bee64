"""The kernels of a time step: particles to grid, forces on the grid, grid to particles.

Vectors and matrices stand in the last axis of arrays: x[p, 0], x[p, 1] is a
position, f[p, 0] ... f[p, 3] a two by two matrix, row by row. The grid has
nodes at the corners of square cells; a particle reaches three nodes an axis.
"""

import qd

from particles.materials import JELLY, SNOW, WATER

WALL = 3
"""Nodes next to the walls through which nothing moves outwards."""
MAX_COMPRESSION = 0.025
MAX_STRETCH = 0.0045
"""Limits of snow's elastic deformation, as relative lengths: beyond them it flows."""

Numbers = qd.types.ndarray(dtype=qd.f32, ndim=1)
Vectors = qd.types.ndarray(dtype=qd.f32, ndim=2)
Kinds = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.func
def weight(offset, node):
    """Quadratic B-spline weight of node 0, 1 or 2 for a particle at `offset` cells from node 0."""
    w = 0.75 - (offset - 1.0) * (offset - 1.0)
    if node == 0:
        w = 0.5 * (1.5 - offset) * (1.5 - offset)
    elif node == 2:
        w = 0.5 * (offset - 0.5) * (offset - 0.5)
    return w


@qd.func
def clamp(value, low, high):
    return qd.max(low, qd.min(value, high))


@qd.func
def hardness(kind, plastic):
    """Factor of a particle over the stiffness of its material: snow hardens when it is compressed."""
    h = 1.0
    if kind == JELLY:
        h = 0.3
    elif kind == SNOW:
        h = clamp(qd.exp(10.0 * (1.0 - plastic)), 0.1, 5.0)
    return h


@qd.kernel
def clear_grid(grid_vx: qd.template(), grid_vy: qd.template(), grid_m: qd.template()):
    for i, j in grid_m:
        grid_vx[i, j] = 0.0
        grid_vy[i, j] = 0.0
        grid_m[i, j] = 0.0


@qd.kernel
def deform(c: Vectors, f: Vectors, plastic: Numbers, kind: Kinds, dt: qd.f32):
    """Particles deform with the flow around them; what water and snow do not remember is dropped."""
    for p in range(kind.shape[0]):
        f00 = f[p, 0] + dt * (c[p, 0] * f[p, 0] + c[p, 1] * f[p, 2])
        f01 = f[p, 1] + dt * (c[p, 0] * f[p, 1] + c[p, 1] * f[p, 3])
        f10 = f[p, 2] + dt * (c[p, 2] * f[p, 0] + c[p, 3] * f[p, 2])
        f11 = f[p, 3] + dt * (c[p, 2] * f[p, 1] + c[p, 3] * f[p, 3])
        if kind[p] == WATER:
            # Water keeps its volume and forgets its shape.
            side = qd.sqrt(qd.max(f00 * f11 - f01 * f10, 0.01))
            f00 = side
            f01 = 0.0
            f10 = 0.0
            f11 = side
        elif kind[p] == SNOW:
            # f = rotation · stretch, and stretch is symmetric: its eigenvalues are what snow limits.
            a = f00 + f11
            b = f10 - f01
            length = qd.sqrt(a * a + b * b)
            if length > 1e-9:
                a /= length
                b /= length
            else:
                a = 1.0
                b = 0.0
            s00 = a * f00 + b * f10
            s01 = a * f01 + b * f11
            s11 = a * f11 - b * f01
            angle = 0.5 * qd.atan2(2.0 * s01, s00 - s11)
            u = qd.cos(angle)
            w = qd.sin(angle)
            long = u * u * s00 + 2.0 * u * w * s01 + w * w * s11
            short = w * w * s00 - 2.0 * u * w * s01 + u * u * s11
            new_long = clamp(long, 1.0 - MAX_COMPRESSION, 1.0 + MAX_STRETCH)
            new_short = clamp(short, 1.0 - MAX_COMPRESSION, 1.0 + MAX_STRETCH)
            plastic[p] = clamp(plastic[p] * long * short / (new_long * new_short), 0.6, 20.0)
            s00 = u * u * new_long + w * w * new_short
            s01 = u * w * (new_long - new_short)
            s11 = w * w * new_long + u * u * new_short
            f00 = a * s00 - b * s01
            f01 = a * s01 - b * s11
            f10 = b * s00 + a * s01
            f11 = b * s01 + a * s11
        f[p, 0] = f00
        f[p, 1] = f01
        f[p, 2] = f10
        f[p, 3] = f11


@qd.kernel
def particles_to_grid(
    x: Vectors,
    v: Vectors,
    c: Vectors,
    f: Vectors,
    plastic: Numbers,
    kind: Kinds,
    grid_vx: qd.template(),
    grid_vy: qd.template(),
    grid_m: qd.template(),
    dt: qd.f32,
    dx: qd.f32,
    mass: qd.f32,
    volume: qd.f32,
    mu_0: qd.f32,
    lam_0: qd.f32,
):
    """Particles hand mass and momentum to the nodes around them, and push with their stress."""
    for p in range(kind.shape[0]):
        h = hardness(kind[p], plastic[p])
        mu = mu_0 * h
        lam = lam_0 * h
        if kind[p] == WATER:
            mu = 0.0
        f00 = f[p, 0]
        f01 = f[p, 1]
        f10 = f[p, 2]
        f11 = f[p, 3]
        det = f00 * f11 - f01 * f10
        # The rotation in f is (r, -s; s, r).
        length = qd.sqrt((f00 + f11) * (f00 + f11) + (f10 - f01) * (f10 - f01))
        r = 1.0
        s = 0.0
        if length > 1e-9:
            r = (f00 + f11) / length
            s = (f10 - f01) / length
        pressure = lam * det * (det - 1.0)
        scale = -dt * volume * 4.0 / (dx * dx)
        a00 = mass * c[p, 0] + scale * (2.0 * mu * ((f00 - r) * f00 + (f01 + s) * f01) + pressure)
        a01 = mass * c[p, 1] + scale * (2.0 * mu * ((f00 - r) * f10 + (f01 + s) * f11))
        a10 = mass * c[p, 2] + scale * (2.0 * mu * ((f10 - s) * f00 + (f11 - r) * f01))
        a11 = mass * c[p, 3] + scale * (2.0 * mu * ((f10 - s) * f10 + (f11 - r) * f11) + pressure)
        i0 = qd.cast(x[p, 0] / dx - 0.5, qd.i32)
        j0 = qd.cast(x[p, 1] / dx - 0.5, qd.i32)
        ox = x[p, 0] / dx - i0
        oy = x[p, 1] / dx - j0
        for i in range(3):
            for j in range(3):
                share = weight(ox, i) * weight(oy, j)
                rx = (i - ox) * dx
                ry = (j - oy) * dx
                grid_vx[i0 + i, j0 + j] += share * (mass * v[p, 0] + a00 * rx + a01 * ry)
                grid_vy[i0 + i, j0 + j] += share * (mass * v[p, 1] + a10 * rx + a11 * ry)
                grid_m[i0 + i, j0 + j] += share * mass


@qd.kernel
def update_grid(
    grid_vx: qd.template(),
    grid_vy: qd.template(),
    grid_m: qd.template(),
    dt: qd.f32,
    gravity: qd.f32,
    sticky_floor: qd.i32,
):
    """Momentum becomes velocity, gravity pulls, and walls stop what runs into them."""
    for i, j in grid_m:
        if grid_m[i, j] > 0.0:
            vx = grid_vx[i, j] / grid_m[i, j]
            vy = grid_vy[i, j] / grid_m[i, j] + dt * gravity
            if i < WALL and vx < 0.0:
                vx = 0.0
            elif i >= grid_m.shape[0] - WALL and vx > 0.0:
                vx = 0.0
            if j < WALL and vy < 0.0:
                vy = 0.0
                if sticky_floor == 1:
                    vx = 0.0
            elif j >= grid_m.shape[1] - WALL and vy > 0.0:
                vy = 0.0
            grid_vx[i, j] = vx
            grid_vy[i, j] = vy


@qd.kernel
def grid_to_particles(
    x: Vectors, v: Vectors, c: Vectors, grid_vx: qd.template(), grid_vy: qd.template(), dt: qd.f32, dx: qd.f32
):
    """Particles take the velocity of the nodes around them, how it changes from node to node, and move."""
    for p in range(x.shape[0]):
        i0 = qd.cast(x[p, 0] / dx - 0.5, qd.i32)
        j0 = qd.cast(x[p, 1] / dx - 0.5, qd.i32)
        ox = x[p, 0] / dx - i0
        oy = x[p, 1] / dx - j0
        vx = 0.0
        vy = 0.0
        c00 = 0.0
        c01 = 0.0
        c10 = 0.0
        c11 = 0.0
        for i in range(3):
            for j in range(3):
                share = weight(ox, i) * weight(oy, j)
                gx = grid_vx[i0 + i, j0 + j]
                gy = grid_vy[i0 + i, j0 + j]
                vx += share * gx
                vy += share * gy
                c00 += 4.0 / dx * share * gx * (i - ox)
                c01 += 4.0 / dx * share * gx * (j - oy)
                c10 += 4.0 / dx * share * gy * (i - ox)
                c11 += 4.0 / dx * share * gy * (j - oy)
        v[p, 0] = vx
        v[p, 1] = vy
        c[p, 0] = c00
        c[p, 1] = c01
        c[p, 2] = c10
        c[p, 3] = c11
        x[p, 0] += dt * vx
        x[p, 1] += dt * vy


@qd.kernel
def stable_step(v: Vectors, wish: qd.f32, dx: qd.f32, courant: qd.f32) -> qd.f32:
    """The longest step, `wish` halved as often as it takes, in which nothing crosses more than `courant` cells."""
    fastest = 0.0
    for p in range(v.shape[0]):
        qd.atomic_max(fastest, qd.sqrt(v[p, 0] * v[p, 0] + v[p, 1] * v[p, 1]))
    step = wish
    while step * fastest > courant * dx:
        step *= 0.5
    return step


@qd.kernel
def total(values: Vectors, axis: qd.i32) -> qd.f32:
    result = 0.0
    for p in range(values.shape[0]):
        result += values[p, axis]
    return result


@qd.kernel
def kinetic_energy(v: Vectors, mass: qd.f32) -> qd.f32:
    result = 0.0
    for p in range(v.shape[0]):
        result += 0.5 * mass * (v[p, 0] * v[p, 0] + v[p, 1] * v[p, 1])
    return result


@qd.kernel
def grid_mass(grid_m: qd.template()) -> qd.f32:
    result = 0.0
    for i, j in grid_m:
        result += grid_m[i, j]
    return result


@qd.kernel
def count_kinds(kind: Kinds, counts: Kinds):
    for p in range(kind.shape[0]):
        if 0 <= kind[p] < counts.shape[0]:
            counts[kind[p]] += 1


@qd.kernel
def first_outside(x: Vectors, low: qd.f32, high: qd.f32) -> qd.i32:
    """The first particle that is not between `low` and `high`, or -1."""
    found = -1
    qd.loop_config(serialize=True)
    for p in range(x.shape[0]):
        if x[p, 0] < low or x[p, 0] > high:
            found = p
            break
        if x[p, 1] < low or x[p, 1] > high:
            found = p
            break
    return found
