"""Kernels of launch_test.cpp."""

import qd


@qd.kernel
def saxpy(a: qd.f32, x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        y[i] += a * x[i]


@qd.kernel
def fill(x: qd.types.ndarray(), value: qd.i32):
    for I in range(x.shape[0]):
        x[I] = value


@qd.kernel
def set_template(f: qd.template(), value: qd.template()):
    for i in range(f.shape[0]):
        f[i] = value


@qd.kernel
def total(x: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    s = 0
    for i in x:
        s += x[i]
    return s


@qd.kernel
def echo(a: qd.i8, b: qd.u16, c: qd.f64, d: qd.u1) -> (qd.i8, qd.u16, qd.f64, qd.u1):
    return a, b, c, d


@qd.kernel
def positive(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        assert x[i] > 0, "x[{}] is {}".format(i, x[i])
    for i in x:
        x[i] = 100


@qd.kernel
def speak(n: qd.i32, f: qd.f32):
    print("n is", n, f, sep="|")
    print(f"{f:.2f} and {n:4d}")


@qd.kernel
def draw(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        x[i] = qd.random(qd.f32)


@qd.func
def twice(a):
    if a > 100:
        a = 0
    return a * 2


@qd.kernel
def decide(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    s = 0
    for i in x:
        assert x[i] < 1000, "x[{}] is {}".format(i, x[i])
        if x[i] > 0:
            y[i] = twice(x[i])
        elif x[i] < -5 and i > 0:
            n = 0
            while n < i:
                n += 3
                if n == 9:
                    break
            y[i] = n
        for k in range(3):
            if k == x[i]:
                continue
            s += 1
    if s > 0:
        s += 1
    return s


@qd.kernel
def draw_decided(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        if qd.random(qd.f32) > 0.5:
            x[i] += qd.random(qd.f32)


@qd.kernel
def turned(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in range(y.shape[0] // 16):
        for k in qd.static(range(16)):
            y[16 * i + k] = x[16 * i + 15 - k] * x[16 * i + k]


@qd.func
def is_small(v):
    return v.norm() < 10.0


@qd.kernel
def asserting(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=2), n: qd.i32):
    for i in x:
        assert is_small(qd.Vector([n, x[i]])), f"{x[i]} of {n}"
        v = qd.Vector([x[i], n, 3])
        x[i] = v[n] // n + n**2
        assert x[i] != 7 or y[i, n] < 0 or i < x.shape[0], "never"
        y[i, n] += x[i + n]


@qd.kernel
def quiet(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=2), n: qd.i32):
    for i in x:
        v = qd.Vector([x[i], n, 3])
        x[i] = v[n] // n + n**2
        y[i, n] += x[i + n]


@qd.kernel
def endless(x: qd.types.ndarray(dtype=qd.i32, ndim=1), parallel: qd.i32):
    if parallel == 0:
        while True:
            x[0] += 1
    for i in range(100000):
        while parallel > 0:
            x[i % 8] += 1


@qd.kernel
def chain(x: qd.types.ndarray(dtype=qd.i32, ndim=1), rounds: qd.i32) -> qd.i32:
    v = 0
    k = 0
    while k < rounds:
        v = v * 1664525 + 1013904223
        x[k % 8] = v
        k += 1
    return v


@qd.kernel
def chains(x: qd.types.ndarray(dtype=qd.i32, ndim=1), rounds: qd.i32):
    for i in x:
        v = 0
        for k in range(rounds):
            v = v * 1664525 + 1013904223
        x[i] = v


@qd.kernel
def sides(x: qd.i32) -> qd.i32:
    result = 0
    if x > 0:
        result = 1
    elif x < 0:
        result = -1
    return result


@qd.kernel
def count_down(n: qd.i32):
    for _ in range(1):
        k = n
        while k >= 0:
            print(k)
            k -= 1


@qd.kernel
def add(x: qd.types.ndarray(dtype=qd.i32, ndim=1), value: qd.i32):
    for i in x:
        x[i] += value


@qd.kernel
def append_digit(x: qd.types.ndarray(dtype=qd.i32, ndim=1), digit: qd.i32):
    x[0] = (x[0] * 3 + digit) % 1000003


@qd.kernel
def three_ways(x: qd.types.ndarray(dtype=qd.i32, ndim=1), way: qd.i32):
    if way == 1:
        x[0] = 1001
    elif way == 2:
        x[0] = 1002
    else:
        x[0] = 1003


@qd.kernel
def wait_for_flag(flag: qd.types.ndarray(dtype=qd.i32, ndim=1), x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for _ in range(1):
        while qd.atomic_add(flag[0], 0) == 0:
            pass
        x[0] += 1


@qd.kernel
def meet(own: qd.types.ndarray(dtype=qd.i32, ndim=1), other: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in own:
        own[i] = 1
        while qd.atomic_add(other[0], 0) == 0:
            pass


@qd.kernel
def sines(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1), steps: qd.i32):
    for i in x:
        value = x[i]
        step = 0
        while step < steps and value < 100:
            value = qd.sin(value) + x[i]
            step += 1
        y[i] = value


@qd.kernel
def logarithms(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f32, ndim=1), steps: qd.i32):
    for i in x:
        value = x[i]
        step = 0
        while step < steps and value < 100:
            value = qd.log(value) + x[i]
            step += 1
        y[i] = value
