"""Generated kernels."""

import qd
from qd import kernel

LIMIT = 4
FLAG = False


def kept(function):
    return function


@kept
@qd.func
def f0(a, b): return (a + b) % 1000

def make_k0(captured):

    @qd.kernel(
    )
    def k0(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32, m: qd.template()):
        for i in x:
            t = x[i]
            u = i % 5
            if t > 100000:
                if u > 5:
                    if t > 100000:
                        if (v1 := t % 2) > 1:
                            t = f0(t, u)
                            if t > 100000: u = 1
                            else: pass
                            t = (t * 2 + u) % 1000
                        else:
                            t = (t * 5 + u) % 1000
                            for v5 in range(u): u = 1
                            assert t >= -2
                        assert t >= -1
                    elif t < 226:
                        t = f0(t, u)
                        t = qd.static(captured) + u; u = u % 4
                    elif not (u != u and (u > 3 or t < 343)):
                        "a bare string"
                        assert t >= -7
                    else:
                        "a bare string"
                    u = (u + 1) % 9
                elif f0(t, u) % 2 == 0:

                    t = f0(t, u)
                    t = (
                        t + 2
                        + f0(
                            t,
                            u,
                        )
                    ) % 1000
                for v12 in range(
                        1,
                        u,
                ):
                    t += u
                continue
            elif u != u or not (u != u):
                "a bare string"
                if u != u and u > -1: t += 1; continue
            y[i] = t + u
        for i, one in qd.ndrange(n, (1, 2)):
            t = x[i]
            u = i % 5
            if (v15 := t % 5) > 1:
                if u > -1 or not (t % 5 == 0):
                    v16: qd.i32 = t
                if (v17 := t % 4) > 1:
                    t, u = t + 1, u % 5
                elif t > 100000:
                    u ^= 1
                elif t > 100000:
                    t = qd.static(captured) + u; u = u % 6
                    t = t if u > 2 else u
            elif t < 20:
                if f0(t, u) % 2 == 1:
                    v22: qd.i32 = t
                if u != u:
                    t = t + \
                        1
                elif t % 4 == 1:
                    assert t >= -9, "wrong value"
                    u = (u + 4) % 9
                    t = (t * 2 + u) % 1000
                elif t % 5 == 3:
                    t = t if u > 2 else u
                else:
                    # a comment
                    t += u
            elif u > 4:
                for v27 in range(u): t = (t + u) % 1000; pass
            if u > 2:
                assert t >= -2, \
                    "wrong value"
            elif u != u:
                if u > 4:
                    t = qd.static(captured) + u; u = u % 6
                    t = t if u > 2 else u
                elif t % 5 == 4 \
                        and u != u:
                    t = (t * 2 + u) % 1000
                    u ^= 1
                for v32 in range(u):
                    # a comment
                    u = (u + 1) % 9
                    t = qd.static(captured) + u; u = u % 4
            else:  # otherwise
                for v35 in range(1, 3):
                    v36: qd.i32 = t
                if qd.static(not FLAG):
                    t, u = t + 1, u % 5
                    assert t >= -9, "wrong value"
                else:
                    pass
                    t = f0(t, u)
            y[i] = t + u
        qd.loop_config(serialize=True)
        for i, one in qd.ndrange(n, (1, 2)):
            t = x[i]
            u = i % 5
            if t % 4 == 2 \
                    and 1 <= u < 4:
                t = (
                    t + 3
                    + f0(
                        t,
                        u,
                    )
                ) % 1000
            elif u > 5:
                # a comment
                if t % 2 == 4: t += 1; continue
            y[i] = t + u

    return k0


k0 = make_k0(LIMIT + 1)


@(
    qd.kernel
)
def k1(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32) -> qd.i32:
    t = n
    u = n % 3
    if t >= 0:
        if t % 3 == 3:
            # a comment
            if t > 100000:
                if t % 5 == 0:
                    if u > 1:
                        t = qd.static(LIMIT) + u; u = u % 6
                        u = (u + 3) % 9
                        for v42 in range(u): t += 1; u = 2
                    elif (v43 := t % 4) > 1:
                        t = f0(t, u)
                    pass
                    for v46 in range(u): t += 1; u = 2
                else:
                    v47 = 0; t += 1
                    while v47 < u: v47 += 1
                    t = f0(t, u)
            elif t % 2 == 4 or not (t < 506):
                u ^= 1
            elif 1 <= u < 4:
                t = f0(t, u)
                t = t if u > 2 else u
                t = f0(t, u)
            pass
        elif f0(t, u) % 2 == 0:
            t = f0(t, u)
            t = t + \
                2
    y[0] = (t + u) % 1000
    return n % 5
