"""Tuples, lists, dicts and comprehensions, which exist while a kernel is compiled; and unpacking, slices, walruses, formats."""

import qd

NAMES = ("one", "two", "three")
TABLE = {"a": 1, "b": 2.5, "c": (3, 4)}


@qd.kernel
def comprehensions(n: qd.i32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    squares = [i * i for i in range(4)]
    out[0] = squares[2] + len(squares)
    scaled = [n * s for s in squares if s % 2 == 1]
    out[1] = scaled[0] + scaled[1]
    out[2] = sum([x + n for x in scaled])
    out[3] = sum(a * b for a in range(3) for b in range(a))
    out[4] = max([n, 3, 7]) - min(x + n for x in squares)
    out[5] = any(s == n for s in squares) + 2 * all([s < n for s in squares])
    pairs = {name: i + n for i, name in enumerate(NAMES)}
    out[6] = pairs["two"] * 10 + len(pairs)
    for key, value in qd.static(pairs.items()):
        if qd.static(key != "one"):
            out[7] += value
    nested = [[i + j * n for i in range(2)] for j in range(3)]
    out[8] = nested[2][1]
    for row in qd.static(nested):
        for x in qd.static(row):
            out[9] += x
    out[10] = sum(len(name) for name in NAMES)
    out[11] = sum([1.5, 2])


@qd.kernel
def displays(n: qd.i32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    numbers = (1, n, 3.5, n + 1)
    first, *middle, last = numbers
    out[0] = first + last * 10
    out[1] = middle[0] + middle[1]
    out[2] = sum(numbers[1:3]) + numbers[-1]
    out[3] = numbers[::-1][0]
    joined = [*numbers, *middle, 7] + [n]
    out[4] = len(joined) * 100 + joined[-1]
    (a, b), [c, (d, e)] = (n, 2), (3, (n * 2, 5))
    out[5] = a + 10 * b + 100 * c + 1000 * d + 10000 * e
    x = y = n + 1
    y += 1
    out[6] = x * 10 + y
    doubled = [n] * 3
    out[7] = sum(doubled)
    mixed = {"a": n, **TABLE, "z": n * 2}
    out[8] = mixed["b"] + mixed["z"] + mixed["a"]
    *rest, end = [n, n + 1]
    out[9] = rest[0] * 10 + end
    out[10] = sum(reversed((n, 2)), 5)
    out[11] = sorted([3, 1, 2], reverse=True)[0] * 10 + tuple([1, 2])[1]


@qd.kernel
def compile_time(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    if qd.static("two" in NAMES and "four" not in NAMES and TABLE.get("q") is None):
        out[0] = 1
    for i, name in qd.static(enumerate(sorted(TABLE))):
        out[1] += i * len(name)
    for i, j in qd.static(qd.ndrange(2, (1, 3))):
        out[2] += 10 * i + j
    for name, k in qd.static(zip(NAMES, reversed(range(3)))):
        out[3] += k * len(name)
    out[4] = qd.static(sum([x * x for x in range(5) if x != 2]))
    out[5] = qd.static({x: x + 1 for x in range(3)}[2])
    out[6] = qd.static(len(NAMES[1:]) * 10 + len("abc"[::2]))
    if qd.static(any(len(name) > 4 for name in NAMES) and all([])):
        out[7] = 5
    out[8] = qd.static(len(f"{NAMES[0]}-{2 + 3:03d}"))
    out[9] = TABLE["c"][1] + qd.static(max(TABLE["c"]))
    text = "a" + "b"
    out[10] = qd.static(len(text * 3)) if qd.static(text == "ab") else 0


@qd.func
def third(a, b, c):
    return c * 100 + b * 10 + a


@qd.kernel
def calls(n: qd.i32) -> qd.i32:
    parts = (1, n)
    return third(*parts, 3) + third(n, *[5, 6])


@qd.kernel
def walruses(n: qd.i32) -> qd.i32:
    total = (a := n * 2) + a
    while (rest := n - total // 3) > 1:
        total += rest
    if (b := total) > 3 and (b := b + 1) > 0:
        total += b
    return total + (c := 4) * c


@qd.kernel
def orders(out: qd.types.ndarray(dtype=qd.i32, ndim=2)):
    qd.loop_config(serialize=True)
    for i, j in qd.ndrange(2, 3, axes=(1, 0)):
        out[i, j] = out[0, 0] + i * 10 + j
        out[0, 0] += 1
    for I in qd.grouped(qd.ndrange(2, (1, 3), axes=(1, 0))):
        out[I] += 100 * I[1]


@qd.kernel
def functions(a: qd.f64, n: qd.i32, out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    m, e = qd.frexp(a)
    out[0] = m
    out[1] = e
    out[2] = qd.math.log2(abs(a) + 1)
    out[3] = qd.exp2(a)
    out[4] = qd.zero(n) + qd.one(a)
    out[5] = qd.stop_grad(a) + qd.loop_unique(n) + qd.assume_in_range(n, 0, 0, 100) + qd.volatile_load(out[4])
    out[6] = qd.math.clamp(a, 0.0, 1.0) + qd.math.fract(a) + qd.math.mod(a, 3.0) + qd.math.sign(a)


@qd.kernel
def normal(out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in out:
        out[i] = qd.randn()


@qd.kernel
def prints(n: qd.i32, x: qd.f32):
    print(f"{n=} {n!r:>4} {x:.2f} {NAMES[0]!r} {'s'}", [n, 2], sep="|", end=";\n")
    print("%d-%5.1f%%" % (n, x), "{1} {0:04d}".format(n, x))
    print("{a}/{b:.1f} {a}".format(a=n, b=x))
    print(*[i * n for i in range(3)], sep=", ")
