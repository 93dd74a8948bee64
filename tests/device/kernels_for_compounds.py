"""Kernels with vectors, matrices and structs as values: the result of each operation must be the same on every architecture.

Numbers come in and go out through plain arrays, so that nothing here needs compound arguments; kernels_for_compound_memory.py has those."""

import qd

VEC = qd.types.vector(3, qd.f32)
GRAVITY = qd.Vector([0.0, -9.8, 0.0])
CAPTURED = qd.Matrix([[1.0, 2.0], [3.0, 4.0]])
OFFSETS = (qd.Vector([1, 0]), qd.Vector([0, -1]))

IN = qd.types.ndarray(dtype=qd.f32, ndim=2)
OUT = qd.types.ndarray(dtype=qd.f32, ndim=2)
OUT_INT = qd.types.ndarray(dtype=qd.i32, ndim=2)


@qd.func
def put(out: qd.template(), row: qd.template(), v):
    for k in qd.static(range(v.n)):
        out[row, k] = v[k]


@qd.func
def put_matrix(out: qd.template(), row: qd.template(), m):
    for i in qd.static(range(m.n)):
        for j in qd.static(range(m.m)):
            out[row, i * m.m + j] = m[i, j]


@qd.func
def vector_of(x: qd.template(), row: qd.template()):
    return qd.Vector([x[row, 0], x[row, 1], x[row, 2]])


@qd.func
def matrix_of(x: qd.template(), row: qd.template()):
    return qd.Matrix([[x[row, 0], x[row, 1], x[row, 2]], [x[row, 3], x[row, 4], x[row, 5]], [x[row, 6], x[row, 7], x[row, 8]]])


@qd.kernel
def build(x: IN, out: OUT):
    put(out, 0, qd.Vector([x[0, 0], x[0, 1]]))
    put(out, 1, VEC(x[0, 0], x[0, 1], x[0, 2]))
    put(out, 2, VEC(x[0, 3]))
    put(out, 3, qd.math.vec3(x[0, 0], 2, 3.5))
    put(out, 4, qd.math.vec4(qd.math.vec2(x[0, 0], x[0, 1]), 5, x[0, 2]))
    put(out, 5, qd.Vector.zero(qd.f32, 3))
    put(out, 6, qd.Vector.one(qd.f32, 2))
    put(out, 7, qd.Vector.unit(4, 2, qd.f32))
    put(out, 8, qd.Vector([1, 2.5, x[0, 0]]))
    put(out, 9, GRAVITY)
    put(out, 10, qd.Vector([x[0, k] * k for k in range(4)]))


@qd.kernel
def build_matrices(x: IN, out: OUT):
    put_matrix(out, 0, qd.Matrix([[x[0, 0], x[0, 1]], [x[0, 2], x[0, 3]]]))
    put_matrix(out, 1, qd.Matrix.identity(qd.f32, 3))
    put_matrix(out, 2, qd.Matrix.zero(qd.f32, 2, 3))
    put_matrix(out, 3, qd.Matrix.one(qd.f32, 3, 1))
    put_matrix(out, 4, qd.Matrix.identity(qd.f32, 2) * 3)
    put_matrix(out, 5, qd.Matrix.diag(3, x[0, 4]))
    put_matrix(out, 6, qd.Matrix.rows([vector_of(x, 0), vector_of(x, 1)]))
    put_matrix(out, 7, qd.Matrix.cols([vector_of(x, 0), vector_of(x, 1)]))
    put_matrix(out, 8, qd.math.mat2(x[0, 0], 1, 2, x[0, 1]))
    put_matrix(out, 9, qd.math.mat2([[x[0, 0], 1], [2, x[0, 1]]]))
    put_matrix(out, 10, qd.types.matrix(2, 3, qd.f32)(x[0, 5]))
    put_matrix(out, 11, CAPTURED)
    put_matrix(out, 12, qd.math.eye(3))


@qd.kernel
def arithmetic(x: IN, out: OUT):
    a, b = vector_of(x, 0), vector_of(x, 1)
    put(out, 0, a + b)
    put(out, 1, a - b)
    put(out, 2, a * b)
    put(out, 3, a / b)
    put(out, 4, a // b)
    put(out, 5, a % b)
    put(out, 6, -a)
    put(out, 7, a + 1)
    put(out, 8, 2 * a)
    put(out, 9, 1 / b)
    put(out, 10, a - x[0, 3])
    put(out, 11, abs(a) ** b)
    put(out, 12, a**2)
    put(out, 13, +a)
    put(out, 14, a * 0.5 + b * GRAVITY)
    put(out, 15, a + [1, 2.5, 3])


@qd.kernel
def matrix_arithmetic(x: IN, out: OUT):
    a, b = matrix_of(x, 2), matrix_of(x, 3)
    put_matrix(out, 0, a + b)
    put_matrix(out, 1, a - b * 2)
    put_matrix(out, 2, a * b)
    put_matrix(out, 3, a / b)
    put_matrix(out, 4, -a)
    put_matrix(out, 5, 1 - a)
    put_matrix(out, 6, [[1, 0, 0], [0, 1, 0], [0, 0, 1]] + a)


@qd.kernel
def integers(x: qd.types.ndarray(dtype=qd.i32, ndim=2), out: OUT_INT):
    a = qd.Vector([x[0, 0], x[0, 1], x[0, 2]])
    b = qd.Vector([x[1, 0], x[1, 1], x[1, 2]])
    put(out, 0, a // b)
    put(out, 1, a % b)
    put(out, 2, a & b)
    put(out, 3, a | b)
    put(out, 4, a ^ b)
    put(out, 5, ~a)
    put(out, 6, a << 2)
    put(out, 7, a >> 1)
    put(out, 8, qd.raw_div(a, b))
    put(out, 9, qd.raw_mod(a, b))
    put(out, 10, (a < b) + (a == b) * 2)
    put(out, 11, qd.popcnt(a))
    put(out, 12, min(a, b, 3))
    put(out, 13, max(a, 0))
    put(out, 14, OFFSETS[1])
    put(out, 15, qd.Vector([a.dot(b), a.sum(), a.max()]))
    put(out, 16, abs(a))
    put(out, 17, qd.select(a > b, a, b))
    put(out, 18, a.cross(b))


@qd.kernel
def element_types(x: IN, out: OUT):
    i = qd.Vector([1, 2, 3])
    put(out, 0, i / 2)  # integers become floats
    put(out, 1, i // 2)
    i += qd.Vector([0.75, 1.75, -0.75])  # stays a vector of integers
    put(out, 2, i)
    i = qd.Vector([2.9, -2.9, 0.5])
    put(out, 3, i)
    m = qd.Vector([1, x[0, 0], 3])
    put(out, 4, m / 2)
    put(out, 5, qd.Vector([1.5, 2.5, 3.5], dt=qd.i32))
    small = qd.Vector([100, 50, 1], dt=qd.i8)
    small += 100
    put(out, 6, small)
    put(out, 7, vector_of(x, 0).cast(qd.i32))
    put(out, 8, vector_of(x, 0).cast(int) * 0.5)
    put(out, 9, qd.cast(vector_of(x, 0) * 10, qd.i32))
    v: VEC = qd.Vector([1, 2, 3])
    v /= 2
    put(out, 10, v)
    d = qd.Vector([0.1, 0.2, 0.3], dt=qd.f64)
    put(out, 11, d * 10)


@qd.kernel
def components(x: IN, out: OUT, at: qd.i32):
    v = vector_of(x, 0)
    v[0] = 10
    v[1] += 2.5
    v[at] *= 3
    put(out, 0, v)
    out[1, 0] = v[at]
    out[1, 1] = v.x + v.y * v.z
    m = matrix_of(x, 2)
    m[0, 1] = 7
    m[at, at] -= 1
    m[2, at] = m[at, 0]
    put_matrix(out, 2, m)
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += m[i, j] * v[j]
    out[3, 0] = total
    put(out, 4, m[1, :])
    put(out, 5, m[:, at])
    put(out, 6, v[0:2])
    a, b, c = v
    out[7, 0] = a
    out[7, 1] = b
    out[7, 2] = c


@qd.kernel
def swizzles(x: IN, out: OUT):
    v = qd.Vector([x[0, 0], x[0, 1], x[0, 2], x[0, 3]])
    put(out, 0, v.xyz)
    put(out, 1, v.wzyx)
    put(out, 2, v.rg)
    put(out, 3, v.bbb)
    put(out, 4, v.stpq)
    v.x = 5
    v.zw = v.yx
    put(out, 5, v)
    v.yx += qd.Vector([1.0, 100.0])
    put(out, 6, v)
    v.rgb = qd.Vector([1, 2, 3])
    v.a *= 2
    put(out, 7, v)
    v.xy = v.yx
    put(out, 8, v)


@qd.kernel
def copies(x: IN, out: OUT):
    a = vector_of(x, 0)
    b = a
    b[0] = 100
    put(out, 0, a)
    put(out, 1, b)
    a, b = b, a
    put(out, 2, a)
    put(out, 3, b)
    m = matrix_of(x, 2)
    t = m
    t[0, 0] = -1
    put_matrix(out, 4, m)
    put_matrix(out, 5, t)
    t.fill(2.5)
    put_matrix(out, 6, t)
    c = d = a
    c[1] = 50
    put(out, 7, c)
    put(out, 8, d)


@qd.kernel
def products(x: IN, out: OUT):
    a, b = vector_of(x, 0), vector_of(x, 1)
    m, k = matrix_of(x, 2), matrix_of(x, 3)
    put_matrix(out, 0, m @ k)
    put(out, 1, m @ a)
    out[2, 0] = a.dot(b)
    out[2, 1] = qd.math.dot(a, b)
    put(out, 3, a.cross(b))
    put(out, 4, qd.math.cross(b, a))
    put_matrix(out, 5, a.outer_product(b))
    put_matrix(out, 6, m.transpose())
    out[7, 0] = m.trace()
    out[7, 1] = a.xy.cross(b.xy)
    wide = qd.Matrix.rows([a, b])
    put_matrix(out, 8, wide @ wide.transpose())
    put(out, 9, wide @ a)
    put_matrix(out, 10, a.outer(b.xy))
    put(out, 11, a @ m)


@qd.kernel
def norms(x: IN, out: OUT):
    a = vector_of(x, 0)
    m = matrix_of(x, 2)
    out[0, 0] = a.norm()
    out[0, 1] = a.norm_sqr()
    out[0, 2] = a.norm_inv()
    out[0, 3] = a.norm(1e-2)
    put(out, 1, a.normalized())
    put(out, 2, a.normalized(1e-3))
    put(out, 3, qd.math.normalize(a))
    out[4, 0] = qd.math.length(a)
    out[4, 1] = qd.math.distance(a, vector_of(x, 1))
    out[4, 2] = m.norm()
    put(out, 5, qd.math.reflect(a, qd.Vector([0.0, 1.0, 0.0])))


@qd.kernel
def reductions(x: IN, out: OUT):
    a = vector_of(x, 0)
    m = matrix_of(x, 2)
    out[0, 0] = a.sum()
    out[0, 1] = a.max()
    out[0, 2] = a.min()
    out[0, 3] = m.sum()
    out[0, 4] = m.max()
    out[0, 5] = m.min()
    out[1, 0] = int((a > 0).all())
    out[1, 1] = int((a > 0).any())
    out[1, 2] = int(any(a < -100))
    out[1, 3] = int(all(a == a))
    out[1, 4] = 1 if (a == vector_of(x, 0)).all() else 2
    out[1, 5] = len(a)


@qd.kernel
def inverses(x: IN, out: OUT):
    m = matrix_of(x, 2)
    two = qd.Matrix([[x[2, 0], x[2, 1]], [x[2, 2], x[2, 3]]])
    four = qd.Matrix([[x[2, 0], x[2, 1], x[2, 2], 1.0], [x[2, 3], x[2, 4], x[2, 5], 0.0], [x[2, 6], x[2, 7], x[2, 8], 2.0], [0.5, 0.0, 1.0, 3.0]])
    one = qd.Matrix([[x[2, 0]]])
    out[0, 0] = m.determinant()
    out[0, 1] = two.determinant()
    out[0, 2] = four.determinant()
    out[0, 3] = one.determinant()
    put_matrix(out, 1, m.inverse())
    put_matrix(out, 2, two.inverse())
    put_matrix(out, 3, four.inverse())
    put_matrix(out, 4, one.inverse())
    put_matrix(out, 5, qd.math.inverse(m) @ m)


@qd.kernel
def functions(x: IN, out: OUT):
    a, b = vector_of(x, 0), vector_of(x, 1)
    put(out, 0, qd.sin(a))
    put(out, 1, qd.sqrt(abs(a)))
    put(out, 2, qd.atan2(a, b))
    put(out, 3, qd.exp(a * 0.1))
    put(out, 4, qd.floor(a))
    put(out, 5, qd.ceil(a, qd.i32))
    put(out, 6, round(a))
    put(out, 7, min(a, b))
    put(out, 8, max(a, 0.5))
    put(out, 9, qd.math.clamp(a, -0.5, b))
    put(out, 10, qd.math.mix(a, b, 0.25))
    put(out, 11, qd.math.fract(a))
    put(out, 12, qd.math.step(0.0, a))
    put(out, 13, qd.math.smoothstep(-1.0, 2.0, a))
    put(out, 14, qd.math.sign(a))
    put(out, 15, pow(abs(a), 1.5))
    put(out, 16, qd.select(a > b, a, 0.0))
    put(out, 17, qd.abs(a) + qd.tanh(b))


@qd.kernel
def comparisons(x: IN, out: OUT_INT):
    a, b = vector_of(x, 0), vector_of(x, 1)
    put(out, 0, a < b)
    put(out, 1, a <= 1)
    put(out, 2, a > b)
    put(out, 3, 0 >= a)
    put(out, 4, a == b)
    put(out, 5, a != b)
    put(out, 6, (a < b) & (a > 0))
    put(out, 7, (a < b) | (a > 0))
    put(out, 8, a if x[0, 0] > x[0, 1] else b)


@qd.func
def turned(v, angle: qd.f32):
    c, s = qd.cos(angle), qd.sin(angle)
    return qd.Matrix([[c, -s], [s, c]]) @ v


@qd.func
def bumped(v: VEC):
    v[0] += 1000
    v = v * 2
    return v


@qd.func
def lifted_in_place(v: qd.template()):
    v[1] += 5


@qd.func
def both_ways(v):
    return v * 2, v.sum()


@qd.kernel
def calls(x: IN, out: OUT):
    v = vector_of(x, 0)
    put(out, 0, turned(v.xy, 0.5))
    put(out, 1, bumped(v))
    put(out, 2, v)
    lifted_in_place(v)
    put(out, 3, v)
    twice, total = both_ways(v)
    put(out, 4, twice)
    out[5, 0] = total
    out[5, 1] = turned(turned(v.xy, 1.0), -1.0)[0]


Pair = qd.types.struct(v=VEC, k=qd.i32)


@qd.real_func
def first_large(v: VEC, limit: qd.f32) -> VEC:
    for i in range(3):
        if v[i] > limit:
            return VEC(v[i], i, limit)
        v = v.yzx
    return [0, v.x, 5]


@qd.real_func
def several(v: VEC, i: qd.i32) -> tuple[qd.types.matrix(2, 2, qd.i32), Pair]:
    if i == 0:
        return [[1.5, 2], [3, 4]], Pair(v, 7)
    while True:
        i += 1
        if v.x * i > 3:
            return qd.Matrix([[i, 1.9], [v.y, 2]]), Pair(k=i)


@qd.kernel
def compound_results_of_real_funcs(x: IN, out: OUT):
    v = vector_of(x, 0)
    for row in range(3):
        put(out, row, first_large(v, row * 1.5))
        m, p = several(v, row)
        out[row, 3] = m.sum()
        out[row, 4] = p.v.sum() * p.k
        out[row, 5] = p.k
    put(out, 3, v)


@qd.kernel
def in_loops(x: IN, out: OUT):
    for i in range(x.shape[0]):
        v = qd.Vector([x[i, 0], x[i, 1], x[i, 2]])
        best = v
        for r in range(3):
            v = qd.Vector([v.z, v.x, v.y]) * 1.5
            if v.norm_sqr() > 50:
                v /= v.norm()
                continue
            if v.x > best.x:
                best = v
        for k in range(3):
            out[i, k] = best[k] + v[2 - k]


@qd.kernel
def sums(x: IN, out: OUT):
    total = qd.Vector.zero(qd.f32, 3)
    spread = qd.Matrix.zero(qd.f32, 2, 2)
    for i in range(x.shape[0]):
        v = qd.Vector([x[i, 0], x[i, 1], x[i, 2]])
        total += v
        spread += v.xy.outer_product(v.yz)
    put(out, 0, total)
    put_matrix(out, 1, spread)


@qd.kernel
def static_indices(x: IN, out: OUT):
    weights = [vector_of(x, 0), vector_of(x, 1) * 0.5, 1 - vector_of(x, 0)]
    total = qd.Vector([0.0, 0.0])
    for i, j in qd.static(qd.ndrange(3, 3)):
        offset = qd.Vector([i, j])
        total += weights[i][0] * weights[j][1] * (offset - 0.5)
    put(out, 0, total)
    for k in qd.static(range(3)):
        out[1, k] = weights[k].sum()
    base = (vector_of(x, 0) * 3 - 0.5).cast(int)
    fx = vector_of(x, 0) * 3 - base.cast(float)
    put(out, 2, base)
    put(out, 3, fx)


@qd.kernel
def cholesky(n: qd.template(), x: IN, out: OUT):
    for row in range(x.shape[0]):
        a = qd.Matrix.zero(qd.f32, n, n)
        for i in qd.static(range(n)):
            for j in qd.static(range(n)):
                a[i, j] = x[row, i] * x[row, j] + (n if i == j else 0)
        low = qd.Matrix.zero(qd.f32, n, n)
        for j in qd.static(range(n)):
            s = a[j, j]
            for k in qd.static(range(j)):
                s -= low[j, k] * low[j, k]
            low[j, j] = qd.sqrt(s)
            for i in qd.static(range(j + 1, n)):
                t = a[i, j]
                for k in qd.static(range(j)):
                    t -= low[i, k] * low[j, k]
                low[i, j] = t / low[j, j]
        for i in qd.static(range(n)):
            out[row, i] = low[n - 1, i]


@qd.kernel
def vector_argument(v: VEC, m: qd.types.matrix(2, 2, qd.f32), i: qd.math.ivec2, out: OUT):
    put(out, 0, v * 2)
    put_matrix(out, 1, m @ m)
    put(out, 2, i + 1)


@qd.kernel
def vector_result(x: IN) -> qd.types.vector(3, qd.f32):
    return vector_of(x, 0) + 1


@qd.kernel
def matrix_result(x: IN) -> qd.types.matrix(2, 2, qd.f32):
    return qd.Matrix([[x[0, 0], 1], [2, x[0, 1]]])


@qd.kernel
def several_results(x: IN) -> tuple[qd.types.vector(2, qd.i32), qd.f32]:
    return qd.Vector([x[0, 0], 7.9]), x[0, 1]


@qd.kernel
def grouped_indices(out: OUT_INT):
    for I in qd.grouped(out):
        J = I + 1
        out[I] = I[0] * 100 + I.y + J.sum() * 1000
    for I in qd.grouped(qd.ndrange((1, 3), 2)):
        out[I] += I.dot(qd.Vector([1, 1])) * 1000000
        out[I - qd.Vector([1, 0])] += 5


Named = qd.types.struct(place=qd.types.vector(2, qd.f32), weight=qd.f32)
Named.parts = qd.types.vector(3, qd.f32)
Named.half = 0.5


@qd.func
def named_of(parts: Named.parts):
    return Named(parts.xy, parts.z * Named.half)


Named.of = named_of


@qd.kernel
def reads_attributes_of_a_struct_type(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    made = Named.of(Named.parts(1, 2, 3))
    out[0] = made.place.sum()
    out[1] = made.weight
