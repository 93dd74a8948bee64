"""Kernels on fields, ndarrays and structs of vectors and matrices: the same results on every architecture and in every layout."""

import dataclasses

import qd

VEC2 = qd.types.vector(2, qd.f32)
VEC = qd.types.vector(3, qd.f32)
MAT = qd.types.matrix(2, 2, qd.f32)

OUT = qd.types.ndarray(dtype=qd.f32, ndim=2)


@qd.dataclass
class Particle:
    pos: VEC
    mass: qd.f32
    kind: qd.i32

    @qd.func
    def energy(self):
        return 0.5 * self.mass * self.pos.norm_sqr()

    @qd.func
    def move(self, by):
        self.pos += by
        self.kind += 1


Pair = qd.types.struct(first=Particle, second=Particle, spin=MAT)


# --- vectors and matrices in memory ---


@qd.kernel
def vector_field(x: qd.template(), y: qd.template()):
    for i in x:
        v = x[i]
        y[i] = v * 2 + 1
        v[0] = 77
        x[i][1] += 10
        x[i].z = i
    for I in qd.grouped(y):
        y[I] += x[I].zyx


@qd.kernel
def matrix_field(m: qd.template()):
    for i, j in m:
        m[i, j] = qd.Matrix([[i, j], [1, 2]]) * 0.5
        m[i, j][1, 0] += i * j
        m[i, j] += m[i, j] @ m[i, j]


@qd.kernel
def assigned_lists(x: qd.template()):
    for i in x:
        x[i] = [1, 2.5, i]
    x[0] = 0
    x[1] += 1
    x[2] *= 2


@qd.kernel
def scattered(x: qd.template(), total: qd.template()):
    for i in x:
        total[None] += x[i]
        qd.atomic_max(total[None][2], x[i][2])
        old = qd.atomic_add(x[(i + 1) % 2], qd.Vector([1.0, 0.0, 0.0]))
        x[i][1] += old[1] * 0


@qd.kernel
def old_values(x: qd.template(), y: qd.template()):
    for i in x:
        y[i] = qd.atomic_add(x[i], y[i])


@qd.func
def scale_in_place(v: qd.template(), by):
    v[0] *= by
    v.y += by


@qd.kernel
def passed_by_place(x: qd.template()):
    for i in x:
        scale_in_place(x[i], 2.0)


@qd.kernel
def vector_ndarray(x: qd.types.ndarray(dtype=VEC, ndim=1), y: qd.types.NDArray[VEC, 1]):
    for i in x:
        y[i] = x[i] * 2
        y[i][2] += x.shape[0]
    for i in range(y.shape[0]):
        x[i] = y[i].yzx


@qd.kernel
def matrix_ndarray(x: qd.types.ndarray(dtype=MAT, ndim=2), by: MAT):
    for i, j in x:
        x[i, j] = x[i, j] @ by
        x[i, j][0, 1] = i - j


@qd.kernel
def any_ndarray(x: qd.types.ndarray(), y: qd.types.ndarray()):
    for I in qd.grouped(x):
        x[I] = x[I] * 2 + y[I]


@qd.kernel
def swapped(x: qd.types.ndarray(dtype=VEC, ndim=1)):
    x[0], x[1] = x[1], x[0]
    a = x[2]
    x[2] = x[3]
    x[3] = a


@qd.kernel
def element_shapes(x: qd.template(), m: qd.template(), a: qd.types.ndarray()) -> qd.i32:
    return x.n * 10000 + m.n * 1000 + m.m * 100 + x.shape[0] * 10 + len(a.shape)


@qd.kernel
def ordered(x: qd.template(), y: qd.template()):
    for i, j in x:
        x[i, j] = i * 10 + j
    for i, j in qd.ndrange(2, 3):
        y[i, j] = qd.Vector([i, j]) + x[i, j]


@qd.kernel
def with_offset(x: qd.template()):
    for i, j in x:
        x[i, j] = i * 10 + j
    x[-2, 3] += 1000


@qd.kernel
def with_gradient(x: qd.template()):
    for i in x:
        x.grad[i] += x[i] * 2


@qd.kernel
def with_dual(x: qd.template()):
    for i in x:
        x.dual[i] += x[i] * 2
        x.grad[i] -= x.dual[i]


@qd.kernel
def ndarray_gradient(x: qd.types.ndarray(dtype=qd.f32, ndim=1, needs_grad=True)):
    for i in x:
        x.grad[i] += x[i] * 2


@qd.kernel
def half_precision(x: qd.types.ndarray(dtype=qd.f16, ndim=1), v: qd.template(), out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(x.shape[0]):
        x[i] = x[i] * 2 + 0.1
        v[i] += qd.Vector([x[i], qd.sqrt(x[i])])
        out[i] = x[i] + v[i].x


@qd.kernel
def stencil(x: qd.template(), y: qd.template()):
    for I in qd.grouped(y):
        total = qd.Vector([0.0, 0.0])
        for k in qd.static(range(2)):
            step = qd.Vector.unit(2, k)
            total += x[I + step] - x[I]
        y[I] = total


# --- structs ---


@qd.kernel
def struct_values(out: OUT):
    p = Particle(pos=VEC(1, 2, 3), mass=2)
    q = p
    q.pos.x = 10
    q.kind += 5
    p.move(qd.Vector([0.5, 0.5, 0.5]))
    out[0, 0] = p.pos.x
    out[0, 1] = p.energy()
    out[0, 2] = p.kind
    out[1, 0] = q.pos.x
    out[1, 1] = q.energy()
    out[1, 2] = q.kind
    s = qd.Struct(a=1, b=qd.Vector([1.5, 2.5]))
    s.b *= 2
    s.a = 3.7
    out[2, 0] = s.a
    out[2, 1] = s.b.y
    pair = Pair(p, q, MAT(1, 2, 3, 4))
    pair.first.pos = pair.second.pos * 2
    pair.second.mass = -1
    out[3, 0] = pair.first.pos.x
    out[3, 1] = pair.second.mass
    out[3, 2] = pair.spin[1, 0]
    positional = Particle(VEC(1), 4, 5)
    out[4, 0] = positional.pos.sum()
    out[4, 1] = positional.mass * positional.kind


@qd.kernel
def struct_swaps(out: OUT):
    pair = Pair(Particle(VEC(1), 10), Particle(VEC(2), 20))
    pair.first, pair.second = pair.second, pair.first
    out[0, 0] = pair.first.mass
    out[0, 1] = pair.second.pos.y
    m = MAT(1, 2, 3, 4)
    m[0, 0], m[1, 1] = m[1, 1], m[0, 0]
    pair.spin = m
    m[0, 1] = 50
    out[1, 0] = pair.spin[0, 0]
    out[1, 1] = pair.spin[0, 1]


@qd.kernel
def struct_field(s: qd.template(), out: OUT):
    for i in s:
        s[i].pos += qd.Vector([1.0, 2.0, 3.0]) * i
        s[i].mass = i * 0.5
        p = s[i]
        p.kind = 9
        if i % 2 == 0:
            p.move(1.0)
            s[i] = p
        out[i, 0] = s[i].energy()
        out[i, 1] = s.pos[i].z
        out[i, 2] = s[i].kind
    for i in s.mass:
        s.mass[i] += 100
        s[i].pos[1] *= 2


@qd.kernel
def struct_ndarray(s: qd.types.ndarray(dtype=Particle, ndim=1), step: qd.f32):
    for i in range(s.shape[0]):
        s[i].pos += step * i
        s[i].pos.y *= 2
        p = s[i]
        p.kind += i
        s[i] = p
        s[i].mass += s[i].energy()


@qd.kernel
def struct_of_structs(s: qd.template()):
    for i in s:
        s[i].first.pos = [i, 2 * i, 3]
        s[i].second.pos.x = 5
        s[i].spin = qd.Matrix.identity(qd.f32, 2) * i
        s[i].second.kind += i
        s[i].first.mass = s[i].second.pos.x + 1


@qd.kernel
def struct_methods_in_place(s: qd.template()):
    for i in s:
        s[i].move(qd.Vector([1.0, 0.0, 0.0]))


@qd.func
def heavier(p, by: qd.f32):
    q = p
    q.mass += by
    return q


@qd.func
def changes_its_own(p, v):
    p.mass = 50
    p.pos.x = 50
    v[1] = 50
    return p.mass + v[1]


@qd.kernel
def structs_by_value(s: qd.template(), out: OUT):
    p = Particle(VEC(1), 2)
    out[0, 0] = changes_its_own(p, p.pos)
    out[0, 1] = p.mass
    out[0, 2] = p.pos.x + p.pos.y
    for i in range(1):
        out[1, 0] = changes_its_own(s[i], s[i].pos)
        out[1, 1] = s[i].mass
        out[1, 2] = s[i].pos.x + s[i].pos.y


@qd.kernel
def struct_argument(p: Particle, n: qd.i32) -> Particle:
    q = heavier(p, n)
    q.pos = p.pos * n
    return q


# --- plain dataclasses as arguments ---


@dataclasses.dataclass
class Grid:
    values: qd.types.NDArray[qd.f32, 2]
    origin: VEC2
    scale: qd.f32


@dataclasses.dataclass
class World:
    grid: Grid
    counts: qd.types.NDArray[qd.i32, 1]
    gravity: qd.f32


@qd.func
def scaled(grid: Grid, i, j):
    return grid.values[i, j] * grid.scale + grid.origin.x


@qd.kernel
def flattened(world: World, step: qd.f32):
    for i, j in world.grid.values:
        world.grid.values[i, j] = scaled(world.grid, i, j) + world.gravity * step
        world.counts[i] += j


# --- placed by hand ---


@qd.kernel
def placed(a: qd.template(), b: qd.template(), c: qd.template()):
    for i, j in a:
        a[i, j] = i * 10 + j
        b[i, j] = qd.Vector([i, j])
    for i in c:
        c[i] = a[i, 0] + 0.5


# --- qd.tensor ---


@qd.kernel
def tensors(x: qd.Tensor, y: qd.Tensor):
    for i, j in qd.ndrange(x.shape[0], x.shape[1]):
        x[i, j] += i * 10 + j
        y[i, j] = qd.Vector([x[i, j], 1])


# --- buffer views ---


@qd.kernel
def view_everything(v: qd.BufferView[qd.f32], out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(v.size):
        v[i] += i
    part = v[1:3]
    part[0] *= 10
    inner = v.subview(2, 3)
    inner[inner.size - 1] = -5
    out[0] = part.size
    out[1] = inner.shape[0]
    out[2] = part[1]
    out[3] = inner[1:][0]


@qd.func
def total_of(v: qd.BufferView[qd.f32]):
    total = 0.0
    for i in range(v.size):
        total += v[i]
    return total


@qd.kernel
def view_to_func(a: qd.BufferView, b: qd.BufferView[qd.f32]) -> qd.f32:
    return total_of(a) * 1000 + total_of(b[: b.size - 1])


@qd.kernel
def view_made_inside(x: qd.types.ndarray(dtype=qd.f32, ndim=1), o: qd.i32, s: qd.i32) -> qd.f32:
    view = qd.BufferView(x, o, s)
    view[0] = 50
    return total_of(view)


@qd.kernel
def view_of_any(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    return total_of(qd.BufferView(x, 1, 2))


@qd.kernel
def view_of_vectors(v: qd.BufferView[VEC2]):
    for i in range(v.size):
        v[i] *= 2
        v[i].x += i


@dataclasses.dataclass(frozen=True)
class Views:
    source: qd.BufferView[qd.f32]
    target: qd.BufferView[qd.f32]


@qd.kernel
def view_in_dataclass(views: Views):
    for i in range(views.source.size):
        views.target[i] = views.source[i] * 2
