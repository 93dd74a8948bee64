import qd
VEC = qd.types.vector(3, qd.f32)
MAT = qd.types.matrix(2, 2, qd.f32)
IVEC = qd.types.vector(2, qd.i32)


@qd.func
def turned(v, angle: qd.f32):
    c, s = qd.cos(angle), qd.sin(angle)
    return qd.Matrix([[c, -s], [s, c]]) @ v


@qd.func
def bumped(v: VEC) -> VEC:
    v[0] += 1
    v = v * 2
    return v


@qd.real_func
def early(v: VEC, n: qd.i32) -> VEC:
    for i in range(n):
        if v[i % 3] > 2:
            return v.zyx
        v.xy = v.yx
    return VEC(0)


@qd.kernel
def values(a: qd.f32, n: qd.i32, v: VEC, out: qd.types.ndarray(dtype=VEC, ndim=1)) -> VEC:
    w = qd.Vector([a, 1, 2.5])
    m = qd.Matrix([[a, 1], [n, 2]])
    w[n % 3] += a
    w.xy += w.zx
    w.z *= 2
    m[0, n % 2] = w.dot(v)
    m[1, :] = w.xy
    k = (m @ m.transpose()).inverse()
    for i in out:
        out[i] = bumped(w) + early(v, n).cross(w) * k.determinant()
        out[i].x = k.trace()
        out[i][n % 3] -= w.norm() + w.normalized().max()
    p = w if (v > w).all() else v
    if (q := p % 2).x > 1 and any(q < 1):
        p, q = q, p
    t = turned(v.xy, a)
    return VEC(t, p.sum())


@qd.kernel
def matrices(m: MAT, x: qd.types.ndarray(), f: qd.template()):
    a, b = m, MAT(1, 2, 3, 4)
    total = MAT(0)
    for i, j in qd.static(qd.ndrange(2, 2)):
        a[i, j] = b[j, i] ** 2
    for I in qd.grouped(x):
        J = I + 1
        total += a @ b
        x[I] = x[I] * J[0]
    b @= a
    b += qd.Vector([1.0, 2.0]).outer_product(b[0, :])
    c = qd.Matrix.identity(qd.f32, 2) - qd.Matrix.rows([b[:, 0], [1, 2]]) // 2
    print(c, b[0, 0], c.n if b.m == 3 else 5)
    assert (c == b).any(), "no"
    c = qd.select(c > b, c, 0.0)
    c.fill(3)
    e = abs(min(c, b, 1)) + qd.max(c, 2) + qd.math.mix(c, b, 0.5)
    s = sum([c[i, 0] for i in range(2)])
    r = qd.cast(e, qd.i32) << 2 & ~IVEC(1, 2).outer_product(IVEC(s, 2))
