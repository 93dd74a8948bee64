"""Generated kernels."""

import qd
from qd import kernel

LIMIT = 1
FLAG = True


def kept(function):
    return function



@qd.func()
def f0(a: qd.i32, b: qd.i32) -> qd.i32:
    t = a
    u = b % 7
    v1 = 0; t += 1
    while v1 < 2: v1 += 1; t = (t + u) % 1000
    return (t + u) % 1000


@kept

@qd.kernel
# a comment
def k0(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32, m: qd.template()):
    t = n
    u = n % 3
    if t >= 1:
        if u > 1:
            if 3 <= u < 3:
                if u != u:
                    v2 = 0
                    while v2 < u - 3 and u > 4:
                        v2 += 1
                        # a comment
                        v3 = 0; t += 1
                        while v3 < 0: v3 += 1
                        t = (t * 3 + u) % 1000
                    t += u
                    t = (t * 2 + u) % 1000
                else:  # otherwise
                    assert t % 8 != 1, \
                        "wrong value"
                if 0 <= u < 4:
                    t = qd.static(LIMIT) + u; u = u % 6
                    if 2 <= u < 6: u = 1
                    elif t % 5 == 1 or not (t < 368): t = (t + u) % 1000; pass
                    else: u = 1
            elif f0(t, u) % 2 == 1:
                "a bare string"
                t = t + \
                    1
                pass
            elif t % 2 == 4 and 1 <= u < 2:
                if qd.static(not FLAG):
                    u ^= 1
                    u = (u + 2) % 9
                    if t % 3 == 2: t = (t + u) % 1000; pass
                elif qd.static(m == 0):
                    u ^= 1
                    "a bare string"
                else:
                    if t % 2 == 0 or not (u != u): pass
                    else: t = (t + u) % 1000; pass
                    pass
                t = t + \
                    9
        else:  # otherwise
            v15: qd.i32 = t
            for v16 in qd.static(range(1)):
                if qd.static(LIMIT > 2):
                    assert t >= -7, "wrong value"
                    assert t >= 0 and u > 0
        t = (
            t + 8
            + f0(
                t,
                u,
            )
        ) % 1000
    y[0] = (t + u) % 1000



@qd.kernel


def k1(
    x: qd.types.ndarray(dtype=qd.i32, ndim=1),
    y: qd.types.ndarray(dtype=qd.i32, ndim=1),
    n: qd.i32,
):
    """A kernel
    with a docstring."""
    for i in range(LIMIT - 3):
        t = x[i]
        u = i % 5
        if t > 100000:
            if t % 4 == 3:
                if f0(t, u) % 2 == 1:
                    v17 = 0
                    while 1:
                        v17 += 1
                        if v17 > 0:
                            break
                        "a bare string"
                        if u > -1: pass
                        else: pass
                    u ^= 1
                    pass
                else:
                    u ^= 1
                    v22: qd.i32 = t
                t = (
                    t + 6  # more
                ) % 1000
            elif t < 404:
                t = f0(t, u)
        pass
        t = t if u > 2 else u
        y[i] = t + u
    for i in qd.ndrange(n):
        t = x[i]
        u = i % 5
        t = t if u > 2 else u
        assert t >= -4
        y[i] = t + u
    for i in qd.ndrange(n):
        t = x[i]
        u = i % 5
        t, u = t + 1, u % 5
        pass
        continue
