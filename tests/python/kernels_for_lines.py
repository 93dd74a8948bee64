"""Kernels of every kind of control flow, for comparing the lines and arcs that coverage.py sees. Plain Python runs them too."""

import math

import qd


def decorated(fn):
    return fn


@qd.kernel
def loops(n: qd.i32, a: qd.types.ndarray()):
    """A docstring."""
    qd.loop_config(serialize=True)
    for i in range(n):
        if i % 2 == 0:
            continue
        if i == 7: a[i] = 3
        if i > 100:
            break
        for j in range(i):
            a[i] += j
            if a[i] > 5:
                break
    for i in range(0):
        a[i] = 1
    k = 0
    while k < 5:
        k += 1
        if k == 9:
            break
    while True:
        k -= 1
        if not k > 0:
            break


@decorated
@qd.kernel
def expressions(
    n: qd.i32,
    a: qd.types.ndarray(),
) -> qd.f32:
    x = 0.5
    y: qd.f32 = 1
    total = (
        x
        + y
        * 2
    )
    a[
        0
    ] = n
    p = q = 3
    p, q = q, p
    b = n > 3 and x < 1.0 or y == 2.0
    if n > 3 and (
        x < 2.0
    ):
        total += 1.0
    elif not b:
        total -= 1.0
    else:
        total *= 2.0
    c = 1.0 if n > 3 else 2.0
    assert total > 0, \
        "positive"
    if qd.static(True):
        pass
    else:
        a[1] = 5
    for k in qd.static(range(3)):
        total += k
    total += math.sin(x)
    return total + c


@qd.real_func
def early(x: qd.i32) -> qd.i32:
    if x > 3:
        return x + 1
    while x < 2:
        x += 1
    return x


@qd.kernel
def falls_through(n: qd.i32, a: qd.types.ndarray()):
    for i in range(n):
        a[i] = max(a[i], i)
        if a[i] < 2:
            a[i] = 9
    if n > 50:
        a[0] = 0


@qd.real_func
def leaves_early(n: qd.i32, x: qd.template()) -> qd.i32:
    if n < 2:
        return 0
    for i in range(n):
        for j in qd.static(range(2)):
            if x[i] == 7 + j:
                return i
            if x[i] == 70:
                return i
        while True:
            n -= 1
            if n > 5: return 5
            if n < 3:
                break
    else_never = 2
    while n > 0:
        n -= 1
        if n > 100:
            return 1
    return else_never


@qd.kernel
def calls_what_leaves_early(n: qd.i32, a: qd.types.ndarray()):
    for i in range(n):
        a[i] += leaves_early(i, a)
    a[0] = leaves_early(1, a)


@qd.kernel
def vectors(n: qd.i32, a: qd.types.ndarray()):
    v = qd.Vector([1.0, 2.0])
    w = v.copy()
    qd.loop_config(serialize=True)
    for i in range(n):
        v = qd.Vector([
            v.y,
            v.x,
        ]) * 1.5
        if (v > 2).all():
            v.x = 0.5
            v[1] = 1
            continue
        a[i], a[0] = v.x, v.y
        v.xy = v.yx
        if i > 4: w.x += v.dot(w); break
    while w.x > 1:
        w /= 2
    m = w.outer_product(v)
    m[0, 1] -= 1
    a[0] = (m @ v).norm() if v.x < 3 else m.trace()
