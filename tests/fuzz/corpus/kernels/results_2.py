import math
import qd
SCALE = 0.25
COUNT = 3


@qd.kernel
def over_indices(a: qd.types.ndarray(dtype=qd.i32, ndim=2)):
    for i, j in a:
        a[i, j] = 10 * i + j
    for i, j in qd.ndrange(2, (1, 3)):
        a[i, j] += 100
    for I in qd.grouped(a):
        a[I] += I[0]


@qd.kernel
def atomics(n: qd.i32, a: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    s = 0
    for i in range(n):
        qd.atomic_add(a[0], i)
        a[1] -= i
        qd.atomic_max(a[2], i)
        qd.atomic_min(a[3], -i)
        qd.atomic_or(a[4], i)
        a[5] ^= i
        s += i
    old = qd.atomic_add(a[6], 5)
    a[7] = old
    t = 4
    a[8] = qd.atomic_sub(t, 1)
    a[9] = t
    return s


@qd.kernel
def results() -> tuple[qd.i32, qd.f32, qd.u1]:
    return 2.75, 3, 1 > 0


@qd.kernel
def templates(x: qd.template(), factor: qd.template(), name: qd.Template, f: qd.template(), nothing: qd.template()):
    for i in x:
        if qd.static(name == "double"):
            x[i] = x[i] * 2
        else:
            x[i] = f(x[i]) * factor
        if qd.static(nothing is None):
            x[i] += 1


@qd.func
def halve(v):
    return v * 0.5


@qd.kernel
def shape_of(x: qd.template(), a: qd.types.ndarray()) -> qd.i32:
    return x.shape[0] * 100 + a.shape[0]
