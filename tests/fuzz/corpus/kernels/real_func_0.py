import qd
N = 3


@qd.real_func
def find(x: qd.template(), n: qd.i32) -> tuple[qd.i32, qd.f32]:
    for i in range(n):
        for j in qd.static(range(N)):
            if x[i] == j:
                return i, 0.5
        while True:
            n -= 1
            if n < 3:
                break
            if n == 7:
                return n, x[n]
    return -1, 2.0


@qd.real_func
def nothing(x: qd.template()):
    if x[0] > 3:
        return
    x[0] += 1


@qd.kernel
def calls(x: qd.types.ndarray(dtype=qd.f32, ndim=1), n: qd.i32) -> qd.i32:
    for i in x:
        where, value = find(x, i)
        nothing(x)
        x[i] = value + (find(x, n)[0] if where > 1 else 3)
    return find(x, n)[0]
