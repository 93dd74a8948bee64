import qd
VEC = qd.types.vector(2, qd.f32)
Ball = qd.types.struct(pos=VEC, mass=qd.f32, kind=qd.i32)
Pair = qd.types.struct(a=Ball, b=Ball, m=qd.types.matrix(2, 2, qd.f32))


@qd.func
def heavier(b, by: qd.f32):
    c = b
    c.mass += by
    return c


@qd.func
def moved(b: Ball, by: qd.template()) -> Ball:
    b.pos += by
    return b


@qd.real_func
def first(p: Pair, n: qd.i32) -> Ball:
    if n > p.a.kind:
        return p.a
    return p.b


@qd.kernel
def structs(b: Ball, n: qd.i32, x: qd.types.ndarray(dtype=Ball, ndim=1)) -> Ball:
    c = Ball(pos=VEC(1, 2), mass=3)
    c.pos.x = n
    c.pos[n % 2] += 1
    d = heavier(c, b.mass)
    p = Pair(c, d, [[1, 2], [3, 4]])
    p.a, p.b = p.b, p.a
    p.b.pos.yx = p.m @ b.pos
    s = qd.Struct(a=n, v=b.pos, ball=b)
    s.a += 1
    s.ball.kind = s.a
    for i in x:
        x[i] = moved(x[i], c.pos)
        x[i].pos += p.a.pos
        x[i].mass *= 2
        x.kind[i] = i
        q, r, t = x[i]
    e = first(p, n)
    if e.mass > 2 and e.pos.x > 1:
        e = c
    return e


@qd.kernel
def templates(f: qd.template(), g: qd.template()):
    for i in qd.grouped(f):
        f[i] = f[i] + 1
        f[i][0, 1] += 1
    for i in qd.static(range(2)):
        v = f[i, i]
        v[i, 0] = g if qd.static(g is None) else 2
