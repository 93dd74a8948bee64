"""Values of all kinds that live from one barrier to the next, and shared arrays of all kinds."""

# mypy: ignore-errors
from __future__ import annotations

import qd

block, subgroup = qd.simt.block, qd.simt.subgroup
Array = qd.types.ndarray()
vec2 = qd.types.vector(2, qd.f32)
mat2 = qd.types.matrix(2, 2, qd.i32)


@qd.dataclass
class Pair:
    count: qd.i32
    sum: vec2


@qd.func
def both(x, row: qd.template()):
    """Two results of a func that waits."""
    row[block.thread_idx()] = x
    block.sync()
    other = row[block.thread_idx() ^ 1]
    block.sync()
    return x + other, x - other


@qd.kernel
def kept(x: Array, out: Array):
    """Vectors, matrices, structs and tuples that are made before a barrier and used behind it."""
    qd.loop_config(block_dim=12)
    for i in range(x.shape[0]):
        row = block.SharedArray(12, qd.f32)
        t = block.thread_idx()
        v = qd.Vector([x[i], 2 * x[i], 3 * x[i]])
        m = mat2(t, 1, 2, 3)
        pair = Pair(count=t, sum=vec2(x[i], 1.0))
        plus, minus = both(x[i], row)
        several = (plus, minus, t)
        block.sync()
        v[t % 3] += 1
        m[1, 0] += t
        pair.count += 1
        pair.sum.y = plus
        block.sync()
        total = several[0] - several[1] + several[2]
        for k in qd.static(range(3)):
            total += v[k]
        out[i] = total + m.sum() + pair.count + pair.sum.sum()


@qd.kernel
def vectors(x: Array, out: Array):
    """A shared array of vectors, changed as a whole, by component and atomically."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        row = block.SharedArray(8, vec2)
        sums = block.SharedArray((1, 2), mat2)
        t = block.thread_idx()
        row[t] = vec2(x[i], -x[i])
        sums[0, t % 2] = mat2(0, 0, 0, 0)
        block.sync()
        row[t] += 1.0
        row[t].x = row[t].x * 2
        row[t][1] -= 3.0
        qd.atomic_add(sums[0, t % 2][0, 1], t)
        block.sync()
        other = row[7 - t]
        out[i] = other.x * 100 + other.y + sums[0, 0][0, 1] + 10 * sums[0, 1][0, 1]


def of_type(dtype):
    @qd.kernel
    def run(x: Array, out: Array):
        qd.loop_config(block_dim=10)
        for i in range(x.shape[0]):
            row = block.SharedArray((2, 5), dtype)
            t = block.thread_idx()
            row[t // 5, t % 5] = x[i]
            block.sync()
            out[i] = row[1 - t // 5, 4 - t % 5]

    return run


@qd.kernel
def grouped(x: qd.template(), out: qd.template()):
    qd.loop_config(block_dim=6)
    for index in qd.grouped(x):
        row = block.SharedArray(6, qd.i32)
        row[block.thread_idx()] = x[index]
        block.sync()
        out[index] = row[5 - block.thread_idx()] + index[0]


@qd.kernel
def own_lengths(x: Array, out: Array):
    """Loops without a barrier may be of another length in each thread; those with one leave together."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        row = block.SharedArray(8, qd.i32)
        t = block.thread_idx()
        total = 0
        for k in range(t):
            if k == 5:
                break
            total += x[i] + k
        row[t] = total
        block.sync()
        rounds = 0
        while True:
            value = row[(t + 1) % 8]
            block.sync()
            row[t] = value
            block.sync()
            rounds += 1
            if rounds == 3:
                break
        out[i] = row[t] + total


@qd.kernel
def many_blocks(x: Array, total: Array):
    qd.loop_config(block_dim=64)
    for i in range(x.shape[0]):
        joint = block.reduce_add(x[i], 64, qd.i64)
        if block.thread_idx() == 0:
            total[0] += joint


@qd.kernel
def words(x: Array):
    qd.loop_config(block_dim=4)
    for i in range(4):
        row = block.SharedArray(4, qd.i32)
        row[block.thread_idx()] = x[i]
        block.sync()
        if block.thread_idx() == 0:
            print("first", row[3])
        block.sync()
        if block.thread_idx() == 3:
            print("last", row[0], f"{row[1]:03d}")
