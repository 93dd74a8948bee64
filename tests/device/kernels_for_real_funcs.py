"""Funcs that are really called: recursion, everything that can be passed and returned, and their writes to memory."""

import qd

I1 = qd.types.ndarray(dtype=qd.i32, ndim=1)
F1 = qd.types.ndarray(dtype=qd.f32, ndim=1)
F2 = qd.types.ndarray(dtype=qd.f32, ndim=2)
VEC = qd.types.vector(3, qd.f32)
MAT = qd.types.matrix(2, 2, qd.f32)
Item = qd.types.struct(v=VEC, k=qd.i32, deep=qd.types.struct(a=qd.f32, b=qd.u1))


@qd.real_func
def fibonacci(n: qd.i32) -> qd.i32:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@qd.real_func
def ackermann(m: qd.i32, n: qd.i32) -> qd.i32:
    if m == 0:
        return n + 1
    while n >= 0:
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))
    return -1


@qd.real_func
def is_even(n: qd.i32) -> qd.u1:
    if n == 0:
        return True
    return is_odd(n - 1)


@qd.real_func
def is_odd(n: qd.i32) -> qd.u1:
    if n == 0:
        return False
    return not is_odd_by_func(n - 1)


@qd.func
def is_odd_by_func(n):
    return is_odd(n)


@qd.kernel
def recursion(x: I1, out: F2):
    for i in range(x.shape[0]):
        out[i, 0] = fibonacci(x[i])
        out[i, 1] = ackermann(i % 3, i % 4)
        out[i, 2] = is_even(x[i]) + 2 * is_odd(x[i])
    out[0, 3] = fibonacci(9) + fibonacci(fibonacci(5))


@qd.real_func
def tree_sum(value: qd.template(), left: qd.template(), right: qd.template(), node: qd.i32, scale: VEC) -> tuple[VEC, qd.i32]:
    if node < 0:
        return VEC(0), 0
    a, n = tree_sum(value, left, right, left[node], scale * 0.5)
    b, m = tree_sum(value, left, right, right[node], scale.yzx)
    scale[1] += 1
    return a + b + scale * value[node], n + m + 1


@qd.kernel
def trees(value: F1, left: I1, right: I1, out: F2):
    for i in range(out.shape[0]):
        v, n = tree_sum(value, left, right, i, VEC(1, 2, i))
        for j in qd.static(range(3)):
            out[i, j] = v[j]
        out[i, 3] = n


@qd.real_func
def quicksort(x: qd.template(), begin: qd.i32, end: qd.i32):
    if end - begin < 2:
        return
    pivot = x[(begin + end) // 2]
    i, j = begin, end - 1
    while i <= j:
        while x[i] < pivot:
            i += 1
        while x[j] > pivot:
            j -= 1
        if i <= j:
            kept = x[i]
            x[i] = x[j]
            x[j] = kept
            i += 1
            j -= 1
    quicksort(x, begin, j + 1)
    quicksort(x, i, end)


@qd.kernel
def sorts(x: I1, y: F1, n: qd.i32):
    quicksort(x, 0, n)
    quicksort(y, 0, n)


@qd.real_func
def changed(
    item: Item, by: MAT, times: qd.i32, half: qd.f16, small: qd.u8, yes: qd.u1, wide: qd.f64, big=2**40
) -> tuple[Item, MAT, qd.u8, qd.f16, qd.i64]:
    if times == 0:
        return item, by, small, half, big
    item.k += times
    item.v = item.v + wide
    item.deep.b = not yes
    if yes:
        return changed(item, by @ by, times - 1, half / 2, small * 3, item.deep.b, wide * 2, big + 1)
    item.deep.a += by[0, 1]
    return changed(Item(v=item.v.zyx, k=item.k, deep=item.deep), by.transpose(), times - 1, half, small + 200, True, wide, big)


@qd.kernel
def compounds(out: F2):
    for i in range(out.shape[0]):
        first = Item(v=VEC(i, 2, 3), k=7)
        item, m, small, half, big = changed(first, MAT([[0.5, 1], [i, 0.25]]), i, half=1.5, small=i, yes=i % 2 == 0, wide=0.1)
        out[i, 0] = item.v[0]
        out[i, 1] = item.v[2] + item.k
        out[i, 2] = item.deep.a + item.deep.b
        out[i, 3] = m.sum()
        out[i, 4] = small
        out[i, 5] = half
        out[i, 6] = big % 1000
        out[i, 7] = first.k


@qd.real_func
def counted(x: qd.template(), total: qd.template(), i: qd.i32, power: qd.template()) -> qd.i32:
    """Adds to elements that the caller's loop adds to as well."""
    x[i] += 1
    qd.atomic_add(total[0], i)
    if qd.static(power > 0):
        return counted(x, total, (i * 7) % x.shape[0], qd.static(power - 1)) + power
    return i


@qd.kernel
def adds(x: I1, y: I1, total: I1, out: I1):
    for i in range(x.shape[0]):
        x[i] += 2
        total[0] += 1
        total[1] += i
        out[i] = counted(x, total, i, 2) + counted(y, total, i, 0)


@qd.real_func
def first_of(x: qd.template()) -> qd.i32:
    return x[0]


@qd.kernel
def reads_back(x: I1, out: I1):
    for i in range(1):
        x[0] += 5
        out[i] = first_of(x)


@qd.real_func
def bin_of(counts: qd.template(), i: qd.i32):
    if i % 3 == 0:
        return
    counts[i % 4] += 1


@qd.kernel
def histogram(counts: I1, n: qd.i32):
    for i in range(n):
        counts[i % 2] += 1
        bin_of(counts, i)


@qd.real_func
def part_sum(part: qd.BufferView, values: qd.types.ndarray(), pair, depth: qd.i32) -> qd.f32:
    a, (b, c) = pair
    if depth == 0 or part.size < 2:
        return a + b * c + (part[0] if part.size > 0 else 0.0)
    middle = part.size // 2
    return part_sum(part[:middle], values, (a + 1, (b, c)), depth - 1) + part_sum(part[middle:], values, (a, (b, values[depth])), depth - 1)


@qd.kernel
def parts(x: qd.BufferView[qd.f32], y: F1) -> qd.f32:
    return part_sum(x, y, (1, (2.5, y[0])), 3)


@qd.real_func
def bump(x: qd.template(), i: qd.i32) -> qd.u1:
    x[i] += 1
    if x[i] > 3:
        return True
    return False


@qd.kernel
def lazily(x: I1):
    """Short circuits: an operand that is not needed is not called."""
    if x[0] > 0 and bump(x, 1) or bump(x, 2):
        x[3] += 10
    x[4] = 1 if bump(x, 5) else (2 if bump(x, 6) else 3)
    while bump(x, 7) == False and x[7] < 3:
        x[8] += 1
    for i in range(4):
        if i > 1 and bump(x, 9):
            x[10] += i


@qd.real_func
def in_place(x: qd.template(), by: qd.i32) -> qd.i32:
    """With a variable of the caller as a template, it is inlined."""
    if by > 2:
        return x + by
    return x


@qd.kernel
def inlined(n: qd.i32) -> qd.i32:
    a = n * 2
    return in_place(a, n) + in_place(a + 1, 1)


@qd.data_oriented
class Solver:
    def __init__(self, limit, n):
        self.limit = limit
        self.memory = qd.field(qd.i32, shape=n)

    @qd.real_func
    def steps(self, n: qd.i32) -> qd.i32:
        if n == 1:
            return 0
        if n >= self.limit:
            return -1000
        self.memory[n] += 1
        return self.steps(n // 2 if n % 2 == 0 else 3 * n + 1) + 1

    @qd.kernel
    def run(self, out: I1):
        for i in range(out.shape[0]):
            out[i] = self.steps(i + 1)


@qd.real_func
def says(n: qd.i32, what: qd.template()) -> qd.i32:
    print(what, n)
    if n == 0:
        return 1
    return says(n - 1, what) * 2


@qd.kernel
def talks(n: qd.i32) -> qd.i32:
    return says(n, "down") + says(1, "again")


@qd.real_func
def draws(n: qd.i32) -> qd.f32:
    if n == 0:
        return 0.0
    return qd.random(qd.f32) + draws(n - 1)


@qd.kernel
def randoms(out: F1):
    for i in range(out.shape[0]):
        out[i] = draws(10)


@qd.real_func
def endless(n: qd.i32) -> qd.i32:
    return endless(n + 1) + 1


@qd.kernel
def never_ends(n: qd.i32) -> qd.i32:
    return endless(n)


@qd.kernel
def never_ends_in_parallel(x: I1):
    for i in range(x.shape[0]):
        x[i] = 1
        if i > 5000:
            x[i] = endless(i)


@qd.real_func
def deep(n: qd.i32) -> qd.i32:
    if n == 0:
        return 0
    return deep(n - 1) + 1


@qd.kernel
def goes_deep(n: qd.i32) -> qd.i32:
    return deep(n)


@qd.func
def checked(x, i):
    assert i != 13, f"unlucky {i}"
    return x[i]


@qd.real_func
def walk(x: qd.template(), i: qd.i32, left: qd.i32) -> qd.i32:
    total = checked(x, i)
    if left > 0:
        total += walk(x, i + 1, left - 1)
    return total


@qd.kernel
def walks(x: I1, n: qd.i32):
    for i in range(4):
        x[0] += walk(x, i, n)


@qd.real_func
def asked(n: qd.i32) -> qd.u1:
    if n > 2:
        return asked(n - 1)
    return n == 2


@qd.kernel
def asserts(n: qd.i32) -> qd.i32:
    """A call that only an assert makes happens in debug mode alone."""
    assert asked(n), f"{fibonacci(n)}"
    r = fibonacci(n)
    assert asked(n)
    return r + asked(n)


@qd.real_func
def nearest(x: qd.template(), i: qd.i32) -> qd.f32:
    if i < 0:
        return nearest(x, i + 100)
    return x[i]


@qd.kernel
def clamped(x: qd.types.ndarray(dtype=qd.f32, ndim=1, boundary="clamp"), y: F1) -> qd.f32:
    return nearest(x, -3) * 100 + nearest(y, 1)


@qd.real_func
def wraps(a: qd.i32) -> qd.i32:
    return a * 65536


@qd.kernel
def warns(a: qd.i32) -> qd.i32:
    return wraps(a)
