"""Generated kernels."""

import qd
from qd import kernel

LIMIT = 2
FLAG = True


def kept(function):
    return function




@qd.func
@kept
def f0(a, b):
    t = a
    u = b % 7
    if qd.static(LIMIT == 0):
        if (v1 := t % 2) > 1:
            "a bare string"
        elif 0 <= u < 3:
            t = (
                t + 7
            ) % 1000
            v3: qd.i32 = t
        elif t % 4 == 4:
            t = (t * 5 + u) % 1000
        else:
            u ^= 1
            t = t if u > 2 else u
            t = (t * 4 + u) % 1000
        t += u
        t = qd.static(LIMIT) + u; u = u % 6
        return (t + u) % 1000
    t = t if u > 2 else u
    t = qd.static(LIMIT) + u; u = u % 5
    for v12 in range(u):
        t = (t * 2 + u) % 1000
        pass
        if u != u: break
    return (t + u) % 1000


@kept
@qd.kernel
def k0(
    x: qd.types.ndarray(dtype=qd.i32, ndim=1),
    y: qd.types.ndarray(dtype=qd.i32, ndim=1),
    n: qd.i32,
    m: qd.template(),
) -> qd.i32:
    for i in range(LIMIT - 3):
        t = x[i]
        u = i % 5
        if u > 4:
            if u > 4:
                if u != u:
                    for v15 in qd.static(range(2)):
                        if qd.static(v15 == 0): break
                        t, u = t + 1, u % 5
                        assert t >= -2, \
                            "wrong value"
                        t = (
                            t + 4
                        ) % 1000
                elif t < 258 \
                        and u > 0:

                    u ^= 1
                    if t % 5 == 2 and t > 100000: t += 1; u = 2
                    else: pass
                    pass
                elif (
                        not (t % 3 == 2
                        and (t > 100000 or u != u))
                ):
                    v19: qd.i32 = t
                    t = (t * 5 + u) % 1000
                t = f0(t, u)
                v22: qd.i32 = t
        else:  # otherwise
            # a comment
            for v23 in range(0): t += 1; u = 2
        y[i] = t + u
    qd.loop_config(serialize=True)
    for i in x:
        t = x[i]
        u = i % 5
        if t > 100000:
            t, u = t + 1, u % 5
        elif not (3 <= u < 2 \
                and (u != u or u != u)):
            t = qd.static(LIMIT) + u; u = u % 5
            u ^= 1
        elif t < 205 and u != u:
            t = (t * 2 + u) % 1000
            u ^= 1
            v29: qd.i32 = t
        else:  # otherwise

            u ^= 1
        y[i] = t + u
    return n % 5



@kernel
def k1(
    x: qd.types.ndarray(dtype=qd.i32, ndim=1),
    y: qd.types.ndarray(dtype=qd.i32, ndim=1),
    n: qd.i32,
):
    """A kernel
    with a docstring."""
    for i, one in qd.ndrange(n, (1, 2)):
        t = x[i]
        u = i % 5
        if u != u:
            if t > 100000:
                if 2 <= u < 3:
                    if qd.static(LIMIT == 0):
                        t = (t * 4 + u) % 1000
                    t = qd.static(LIMIT) + u; u = u % 6
                    t += u
                elif 1 <= u < 6:
                    t = (t * 3 + u) % 1000
                    t = qd.static(LIMIT) + u; u = u % 6
                    t = (t * 4 + u) % 1000
                else:
                    # a comment
                    t = qd.static(LIMIT) + u; u = u % 4
                if t % 5 == 0 and t > 100000:
                    u = (u + 2) % 9
                    assert t >= -6, \
                        "wrong value"
                else:
                    u = (u + 1) % 9
            else:  # otherwise
                t = (
                    t + 4  # more
                ) % 1000
            if t < 466:
                if 1 <= u < 6:
                    "a bare string"
                elif t % 2 == 1 \
                        and u > 0:
                    for v41 in range(0): pass
                t = qd.static(LIMIT) + u; u = u % 6
            elif t % 4 == 2 and t > 100000:
                if u != u:
                    t = (
                        t + 9  # more
                    ) % 1000
                elif f0(t, u) % 2 == 1:
                    # a comment
                    assert t >= -1
                elif u != u or not (t % 4 == 2):
                    t = t if u > 2 else u
                    assert t >= -1, \
                        "wrong value"
                    u ^= 1
                else:
                    v45: qd.i32 = t
                    t = t if u > 2 else u
                    "a bare string"
            else:
                for v48 in qd.static(range(2)):
                    t = qd.static(LIMIT) + u; u = u % 4
                if not (t > 100000 and (t < 531 or t < 441)):
                    assert t >= -4
                elif 3 <= u < 5:
                    t = (
                        t + 1  # more
                        + f0(
                            t,
                            u,
                        )
                    ) % 1000
                    assert t >= -4, "wrong value"
                elif t % 2 == 2:
                    t, u = t + 1, u % 5
                    t = (t * 3 + u) % 1000
        elif u > -1:
            if f0(t, u) % 2 == 1:
                # a comment
                if u > 5:

                    t = (
                        t + 9  # more
                    ) % 1000
                    t = (
                        t + 3  # more
                        + f0(
                            t,
                            u,
                        )
                    ) % 1000
                else:  # otherwise
                    v52: qd.i32 = t
                    t = t if u > 2 else u
                v54: qd.i32 = t
            if (
                    not (t > 100000
                    and (u != u or t % 5 == 3))
            ):
                t = (
                    t + 1
                ) % 1000
                for v55 in range(
                        1,
                        u,
                ):
                    assert t >= -2
            elif 2 <= u < 5 or not (u > -1):
                t += u
            if f0(t, u) % 2 == 0:
                if (
                        not (t < 78
                        and (2 <= u < 6 or u != u))
                ):
                    t = (
                        t + 8
                    ) % 1000
                    u ^= 1
                    t += u
                elif (
                        t % 2 == 3
                        and 2 <= u < 2
                ):
                    v59 = 0; t += 1
                    while v59 < 2: v59 += 1; t = (t + u) % 1000
                    t = (
                        t + 6  # more
                    ) % 1000
                    u ^= 1
                else:
                    assert t >= -4, "wrong value"
                    t = qd.static(LIMIT) + u; u = u % 6
        else:
            "a bare string"
            if 3 <= u < 2 or not (t > 100000):
                if qd.static(LIMIT > 2):
                    if t % 3 == 0: t = (t + u) % 1000; pass
                assert t >= -6
            elif t < 230:
                t += u
            elif u != u:
                if 1:
                    pass
                    t = qd.static(LIMIT) + u; u = u % 3
                else:
                    t = t if u > 2 else u
                    if t > 100000: continue
                    t = t if u > 2 else u
                v68 = 0
                while 1:
                    v68 += 1
                    if v68 > 3:
                        break
                    "a bare string"
            else:
                v70 = 0
                while 1:
                    v70 += 1
                    if v70 > 0:
                        break
                    v71: qd.i32 = t
                if (v72 := t % 2) > 1:
                    u ^= 1
                    t = (
                        t + 8
                    ) % 1000
                    t += u
                elif t < 597 or not (t < 552):
                    if (v75 := t % 4) > 1: continue
                else:  # otherwise
                    assert t >= -2
                    t = t if u > 2 else u
            v77: qd.i32 = t
        y[i] = t + u
    for I in qd.grouped(x):
        i = I[0]
        t = x[i]
        u = i % 5
        t = (
            t + 3
            + f0(
                t,
                u,
            )
        ) % 1000
        y[i] = t + u
