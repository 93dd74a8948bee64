import qd
VEC = qd.types.vector(3, qd.f32)


@qd.func
def total(v: qd.BufferView[qd.f32]):
    s = 0.0
    for i in range(v.size):
        s += v[i]
    return s


@qd.func
def clear(v: qd.BufferView, i: qd.i32):
    v[i] = 0


@qd.kernel
def views(v: qd.BufferView[qd.f32], w: qd.BufferView[VEC], x: qd.types.ndarray(dtype=qd.f32, ndim=1), n: qd.i32) -> qd.f32:
    for i in range(v.size):
        v[i] += x[i]
        w[i].x = v[i]
        w[i] += [1, 2, 3]
        clear(v, i)
    part = v[1:n]
    rest = x[n : n + 2]
    sub = part.subview(0, 2).subview(1, 1)
    made = qd.BufferView(x, n, 3)
    sub[0] = rest[0] + made[n] + part.offset + w[0:2].shape[0]
    return total(part) + total(made[0:2])
