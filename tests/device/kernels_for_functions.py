"""Funcs of every kind, their arguments and results."""

import qd


@qd.func
def power(x, n: qd.template()):
    result = qd.cast(1, qd.f32)
    if qd.static(n > 0):
        result = x * power(x, n - 1)
    return result


@qd.func
def tree(x: qd.template(), depth: qd.template()):
    """Adds 1 to an array in each of its leaves."""
    if qd.static(depth > 0):
        tree(x, depth - 1)
        tree(x, depth - 1)
    else:
        x[0] += 1.0


@qd.kernel
def recurses_at_compile_time(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    tree(x, 3)
    return power(x[1], 4) + power(2.0, 0)


@qd.func
def endless_tree(x, n: qd.template()):
    return endless_tree(x, n + 1) + endless_tree(x, n + 2)


@qd.kernel
def recurses_without_end(x: qd.f32) -> qd.f32:
    return endless_tree(x, 0)


@qd.pyfunc
def both_worlds(a, b=3):
    return a * 2 + b


@qd.kernel
def calls_pyfunc(n: qd.i32) -> qd.i32:
    return both_worlds(n) + both_worlds(b=n, a=1)


@qd.func
def typed(a: qd.f32, b: qd.i32 = 4) -> qd.i32:
    return a + b


@qd.func
def pair(a, b) -> tuple[qd.i32, qd.f32]:
    return b, a


@qd.func
def nested(a, b):
    return (a, (b, a + b)), 5


@qd.kernel
def returns_tuples(a: qd.f32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> (qd.i32, qd.f32):
    out[0] = typed(a)
    out[1] = typed(b=1, a=a) / 2
    i, f = pair(a, a + 0.75)
    out[2] = i / 2
    out[3] = f
    (x, (y, z)), five = nested(a, 2)
    out[4] = x + y * z + five
    out[5] = nested(1, 2)[0][1][1]
    return pair(a, 2.5)


@qd.real_func
def first_above(limit: qd.i32, x: qd.template()) -> qd.i32:
    for i in range(x.shape[0]):
        if x[i] > limit:
            return i
    return -1


@qd.real_func
def search(a: qd.i32, b: qd.i32) -> tuple[qd.i32, qd.f32]:
    if a < 0:
        return -1, 0.5
    k = 0
    while True:
        for j in range(b):
            if j * j == a:
                return j, k
            if j > a:
                break
            k += 1
        k += 100
        if k > 500:
            if a == 7:
                return a, 1.5
            else:
                break
    for j in qd.static(range(3)):
        if a == 20 + j:
            return j, 2
    return a + b, k


@qd.real_func
def effects(x: qd.template(), n: qd.i32):
    if n < 2:
        return
    for i in range(n):
        if i == 3:
            return
        x[i] += 1
    x[0] += 10


@qd.real_func
def endless(n: qd.i32) -> qd.i32:
    while True:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        if n == 1:
            return n


@qd.real_func
def calls_another(n: qd.i32) -> qd.i32:
    total = 0
    for i in range(n):
        a, _ = search(i, 5)
        if a < 0:
            return total
        total += a
    return total + endless(n + 1)


@qd.kernel
def uses_real_funcs(x: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.types.ndarray(dtype=qd.f32, ndim=2)):
    for i in range(out.shape[0]):
        a, b = search(i - 1, 6)
        out[i, 0] = a
        out[i, 1] = b
        out[i, 2] = first_above(i, x)
        out[i, 3] = calls_another(i)
    effects(x, x[0])
    effects(x, 1)


@qd.kernel
def many_arguments(
    # fmt: off
    a0: qd.i32,
    a1: qd.i32,
    a2: qd.i32,
    a3: qd.i32,
    a4: qd.i32,
    a5: qd.i32,
    a6: qd.i32,
    a7: qd.i32,
    # fmt: on
) -> qd.i32:
    return a0 + 2 * a1 + 4 * a2 + 8 * a3 + 16 * a4 + 32 * a5 + 64 * a6 + 128 * a7


LIMIT = 3


@qd.kernel
def captures(n: qd.i32) -> qd.i32:
    return n * LIMIT


@qd.func
def changes(a: qd.template(), b):
    a += b
    b += 1
    return b


@qd.kernel
def by_reference(n: qd.i32) -> qd.i32:
    x = n
    y = 5
    z = changes(x, y)
    return x * 100 + y * 10 + z


@qd.func
def own_number() -> qd.i32:
    return qd.global_thread_idx()


@qd.kernel
def numbers_of_iterations(x: qd.types.ndarray(dtype=qd.i32, ndim=2), y: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    y[0] = qd.global_thread_idx() + 7
    for i, j in x:
        x[i, j] = own_number()
    for i in range(1, 4):
        for j in range(2):
            y[i] += qd.global_thread_idx()


@qd.func
def own_block() -> qd.i32:
    return qd.block_idx()


@qd.kernel
def numbers_of_blocks(x: qd.types.ndarray(dtype=qd.i32, ndim=2), block_dim: qd.template()) -> qd.i32:
    qd.loop_config(block_dim=block_dim)
    for i, j in x:
        for _ in range(2):
            x[i, j] += own_block()
    return qd.block_idx()


@qd.kernel
def numbers_of_default_blocks(x: qd.types.ndarray(dtype=qd.i32, ndim=1), begin: qd.i32, end: qd.i32):
    for i in range(begin, end):
        x[i - begin] = qd.block_idx()


@qd.kernel
def numbers_of_serial_blocks(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(serialize=True)
    for i in range(x.shape[0]):
        x[i] = qd.block_idx()


@qd.kernel
def blocks_and_threads(x: qd.types.ndarray(dtype=qd.i32, ndim=1), block_dim: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(x.shape[0]):
        x[i] = qd.block_idx() * 1000 + qd.simt.block.thread_idx()


@qd.real_func
def block_in_routine(n: qd.i32) -> qd.i32:
    return n + own_block()


@qd.kernel
def block_of_routine(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        x[i] = block_in_routine(i)


@qd.func
def vector_by_annotation(n) -> qd.types.vector(4, qd.i32):
    return qd.Vector([n, 2.5]), n + 1


@qd.func
def vector_of_four(n) -> qd.types.vector(4, qd.f32):
    return qd.Vector([n, 2])


@qd.func
def number_by_annotation(n) -> qd.f32:
    return n, 2 * n


@qd.func
def vector_for_a_number(n) -> qd.types.vector(3, qd.f32):
    return n / 2


@qd.kernel
def returns_other_forms_than_annotated(n: qd.i32, out: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    vector, more = vector_by_annotation(n)
    one, two = number_by_annotation(n)
    short = vector_of_four(n)
    out[0] = vector.x
    out[1] = vector.y
    out[2] = more
    out[3] = one
    out[4] = two
    out[5] = short.sum()
    out[6] = vector_for_a_number(n)
