"""Generated kernels."""

import qd
from qd import kernel

LIMIT = 2
FLAG = True


def kept(function):
    return function


@qd.func
@kept
def f0(a: qd.i32, b: qd.i32) -> qd.i32:
    t = a
    u = b % 7
    if qd.static(FLAG):
        for v1 in range(0): t += 1; u = 2
        t = (t * 3 + u) % 1000
    elif qd.static(FLAG):
        t = (t * 5 + u) % 1000
        t = t + \
            8
        t = t if u > 2 else u
    return (t + u) % 1000


@kept

@qd.kernel
# a comment
def k0(
    x: qd.types.ndarray(dtype=qd.i32, ndim=1),
    y: qd.types.ndarray(dtype=qd.i32, ndim=1),
    n: qd.i32,
    m: qd.template(),
) -> qd.i32:
    for i in qd.ndrange(n):
        t = x[i]
        u = i % 5
        if t % 3 == 2:
            if 3 <= u < 2:
                # a comment
                if (v5 := t % 5) > 1:
                    if (v6 := t % 3) > 1:
                        t = (t * 4 + u) % 1000
                        u = (u + 3) % 9
                        t += u
                    else:  # otherwise
                        t, u = t + 1, u % 5
                        "a bare string"
                    t = qd.static(LIMIT) + u; u = u % 3
                    "a bare string"
                else:
                    t = qd.static(LIMIT) + u; u = u % 6
                    t = (t * 2 + u) % 1000
                    assert t >= -5, \
                        "wrong value"
                u ^= 1
                t += u
            else:
                t = t + \
                    7
                v18: qd.i32 = t
                t = qd.static(LIMIT) + u; u = u % 6
            t = (t * 2 + u) % 1000
        else:  # otherwise
            t = f0(t, u)
            t = (
                t + 9
                + f0(
                    t,
                    u,
                )
            ) % 1000
        u ^= 1
        pass
        y[i] = t + u
    if qd.static(m == 0):
        return n + 1
    return (
        n
        + y[0]
    )



@kept

@qd.kernel
# a comment
def k1(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32) -> qd.i32:
    """A kernel
    with a docstring."""
    for i, one in qd.ndrange(n, (1, 2)):
        t = x[i]
        u = i % 5
        if t < 579:
            if True:
                if (v24 := t % 4) > 1:
                    for v25, v26 in qd.ndrange(u, (1, 3)):
                        # a comment
                        pass
                    u = (u + 1) % 9
                elif (v29 := t % 4) > 1:
                    v30: qd.i32 = t
                    t = qd.static(LIMIT) + u; u = u % 5
                else:
                    # a comment
                    t = f0(t, u)
                    t += u
        else:
            t += u
            t = (
                t + 1  # more
            ) % 1000
        t = qd.static(LIMIT) + u; u = u % 5
        y[i] = t + u
    return n % 5
    y[0] = 5
