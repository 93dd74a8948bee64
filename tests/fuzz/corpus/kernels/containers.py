import qd
TABLE = {"a": 1, "b": 2.5}
ROWS = [(0, 1), (1, 2), (2, 0)]


@qd.func
def pairs(a, b, c=3):
    return {"x": a, "y": [b, c]}, (a + b, *(c, 1))


@qd.kernel
def containers(n: qd.i32, x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    v = qd.Vector([x[k] * k for k in range(3) if k != 1])
    d, (s, *rest) = pairs(n, 2)
    for i, j in qd.static(ROWS):
        x[i] += d["y"][1] + j + len(rest)
    for k, o in qd.static(enumerate(ROWS)):
        v += qd.Vector(o) * k
    for key, value in qd.static(TABLE.items()):
        x[0] += value
    for a, b in qd.static(zip([n, 2], (v, v.yx))):
        v = a * b
    first, *middle, last = [n, 2, *ROWS[1], 4][1:]
    total = sum([i * j for i, j in ROWS]) + max([n, first, *middle]) + min(ROWS[0]) + sorted([3, 1, 2])[0]
    x[1] = total + {c: 2 * c for c in range(3)}[2] + {**TABLE, "c": last}["c"]
    b = [[x[i + j] for i in range(2)] for j in range(2)]
    m = qd.Matrix(b)
    x[2] = m.sum() + all([n > 1, True]) + len(tuple(reversed(b))) + [1, 2, 3][::-1][0]
