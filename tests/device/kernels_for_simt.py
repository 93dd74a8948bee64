"""Kernels for the tests of qd.simt: one for each function, and programs as they are written with blocks."""

# mypy: ignore-errors
from __future__ import annotations

import functools
from typing import Any

import qd

block, subgroup, warp = qd.simt.block, qd.simt.subgroup, qd.simt.warp
Array = qd.types.ndarray()


@functools.cache
def of_value(function: Any) -> Any:
    """A kernel that calls a function of the thread's value."""

    @qd.kernel
    def run(x: Array, out: Array, block_dim: qd.template()):
        qd.loop_config(block_dim=block_dim)
        for i in range(x.shape[0]):
            out[i] = function(x[i])

    return run


@functools.cache
def of_tile(function: Any) -> Any:
    """A kernel as `of_value`, with the logarithm of a tile's size."""

    @qd.kernel
    def run(x: Array, out: Array, block_dim: qd.template(), log2_size: qd.template()):
        qd.loop_config(block_dim=block_dim)
        for i in range(x.shape[0]):
            out[i] = function(x[i], log2_size)

    return run


@functools.cache
def of_two(function: Any) -> Any:
    """A kernel that calls a function of two values of the thread."""

    @qd.kernel
    def run(x: Array, y: Array, out: Array, block_dim: qd.template()):
        qd.loop_config(block_dim=block_dim)
        for i in range(x.shape[0]):
            out[i] = function(x[i], y[i])

    return run


@functools.cache
def of_two_and_tile(function: Any) -> Any:
    @qd.kernel
    def run(x: Array, y: Array, out: Array, block_dim: qd.template(), log2_size: qd.template()):
        qd.loop_config(block_dim=block_dim)
        for i in range(x.shape[0]):
            out[i] = function(x[i], y[i], log2_size)

    return run


@functools.cache
def of_block(function: Any) -> Any:
    """A kernel that calls a function of the thread's value, the block's size and a type."""

    @qd.kernel
    def run(x: Array, out: Array, block_dim: qd.template(), dtype: qd.template()):
        qd.loop_config(block_dim=block_dim)
        for i in range(x.shape[0]):
            out[i] = function(x[i], block_dim, dtype)

    return run


@qd.kernel
def places(thread: Array, lane: Array, iteration: Array, elected: Array, block_dim: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(thread.shape[0]):
        thread[i] = block.thread_idx()
        lane[i] = subgroup.invocation_id()
        iteration[i] = block.global_thread_idx()
        elected[i] = subgroup.elect()


@qd.kernel
def sizes(out: Array):
    for i in range(2):
        out[i] = subgroup.group_size() if i == 0 else subgroup.log2_group_size()


@qd.kernel
def sort(keys: Array, values: Array, block_dim: qd.template(), log2_size: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(keys.shape[0]):
        key, value = subgroup.bitonic_sort_kv_tiled(keys[i], values[i], log2_size)
        keys[i] = key
        values[i] = value


@qd.kernel
def sort_whole(keys: Array, values: Array, block_dim: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(keys.shape[0]):
        key, value = subgroup.bitonic_sort_kv(keys[i], values[i])
        keys[i] = key
        values[i] = value


@qd.kernel
def first_lanes(x: Array, out: Array, block_dim: qd.template(), n: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(x.shape[0]):
        out[i] = subgroup.ballot_first_n(x[i], n)


@qd.kernel
def ranks(keys: Array, out: Array, counts: Array, before: Array, bits: qd.template(), begin: qd.template(), width: qd.template()):
    qd.loop_config(block_dim=1 << bits)
    for i in range(keys.shape[0]):
        bins = block.SharedArray(1 << bits, qd.i32)
        lower = block.SharedArray((1 << bits,), qd.i32)
        for _ in range(2):  # the second time with the same arrays
            out[i] = block.radix_rank_match_atomic_or(keys[i], 1 << bits, bits, begin, width, bins, lower)
        counts[i] = bins[block.thread_idx()]
        before[i] = lower[block.thread_idx()]


# --- programs ---


@qd.kernel
def transpose(x: qd.types.ndarray(ndim=2), out: qd.types.ndarray(ndim=2)):
    """Tiles of 8x8, one a block."""
    qd.loop_config(block_dim=64)
    for i in range(x.shape[0] * x.shape[1]):
        tile = block.SharedArray((8, 8), qd.f32)
        across = x.shape[1] // 8
        row, column = i // 64 // across, i // 64 % across
        r, c = block.thread_idx() // 8, block.thread_idx() % 8
        tile[r, c] = x[8 * row + r, 8 * column + c]
        block.sync()
        out[8 * column + r, 8 * row + c] = tile[c, r]


@qd.kernel
def tree_sums(x: Array, out: Array, block_dim: qd.template(), dtype: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(x.shape[0]):
        parts = block.SharedArray(block_dim, dtype)
        t = block.thread_idx()
        parts[t] = x[i]
        block.sync()
        stride = block_dim // 2
        while stride > 0:
            if t < stride:
                parts[t] += parts[t + stride]
            block.sync()
            stride //= 2
        if t == 0:
            out[i // block_dim] = parts[0]


@qd.kernel
def scan(x: Array, out: Array, block_dim: qd.template()):
    """Hillis and Steele's scan, with two buffers."""
    qd.loop_config(block_dim=block_dim)
    for i in range(x.shape[0]):
        buffer = block.SharedArray((2, block_dim), qd.i32)
        t = block.thread_idx()
        now = 0
        buffer[now, t] = x[i]
        block.sync()
        step = 1
        while step < block_dim:
            value = buffer[now, t]
            if t >= step:
                value += buffer[now, t - step]
            buffer[1 - now, t] = value
            block.sync()
            now = 1 - now
            step *= 2
        out[i] = buffer[now, t]


@qd.kernel
def histogram(x: Array, out: Array, block_dim: qd.template()):
    qd.loop_config(block_dim=block_dim)
    for i in range(x.shape[0]):
        bins = block.SharedArray(16, qd.i32)
        t = block.thread_idx()
        if t < 16:
            bins[t] = 0
        block.sync()
        qd.atomic_add(bins[x[i] & 15], 1)
        block.sync()
        if t < 16 and bins[t] > 0:
            qd.atomic_add(out[t], bins[t])


@qd.func
def load_tiles(a: qd.template(), b: qd.template(), tile_a: qd.template(), tile_b: qd.template(), row, column, k, r, c):
    tile_a[r, c] = a[8 * row + r, 8 * k + c]
    tile_b[r, c] = b[8 * k + r, 8 * column + c]
    block.sync()


@qd.kernel
def product(a: qd.types.ndarray(ndim=2), b: qd.types.ndarray(ndim=2), out: qd.types.ndarray(ndim=2)):
    qd.loop_config(block_dim=64)
    for i in range(out.shape[0] * out.shape[1]):
        tile_a = block.SharedArray((8, 8), qd.f64)
        tile_b = block.SharedArray((8, 8), qd.f64)
        across = out.shape[1] // 8
        row, column = i // 64 // across, i // 64 % across
        r, c = block.thread_idx() // 8, block.thread_idx() % 8
        total = qd.f64(0)
        for k in range(a.shape[1] // 8):
            load_tiles(a, b, tile_a, tile_b, row, column, k, r, c)
            for j in range(8):
                total += tile_a[r, j] * tile_b[j, c]
            block.sync()
        out[8 * row + r, 8 * column + c] = total


vec3 = qd.types.vector(3, qd.f64)


@qd.kernel
def bodies(position: qd.types.ndarray(dtype=vec3, ndim=1), force: qd.types.ndarray(dtype=vec3, ndim=1)):
    qd.loop_config(block_dim=16)
    for i in position:
        tile = block.SharedArray(16, vec3)
        total = vec3(0.0)
        for begin in range(position.shape[0] // 16):
            tile[block.thread_idx()] = position[16 * begin + block.thread_idx()]
            block.sync()
            for j in range(16):
                apart = tile[j] - position[i]
                total += apart / (apart.norm_sqr() + 0.25) ** 1.5
            block.sync()
        force[i] = total


@qd.dataclass
class Particle:
    mass: qd.f32
    place: qd.types.vector(2, qd.f32)

    @qd.func
    def heaviest(self):
        return subgroup.reduce_all_max(self.mass)


@qd.kernel
def particles(x: qd.template(), out: qd.template()):
    qd.loop_config(block_dim=64)
    for i in x:
        particle = x[i]
        moved = Particle(mass=particle.mass / block.reduce_all_add(particle.mass, 64, qd.f32), place=particle.place)
        moved.place[0] += particle.heaviest()
        out[i] = moved


@qd.data_oriented
class Smoother:
    def __init__(self, n: int) -> None:
        self.x = qd.field(qd.f32, n)
        self.width = 3

    @qd.func
    def shared_mean(self, value):
        row = block.SharedArray(32, qd.f32)
        t = block.thread_idx()
        row[t] = value
        block.sync()
        total = 0.0
        for k in range(self.width):
            total += row[(t + k) % 32]
        block.sync()
        return total / self.width

    @qd.kernel
    def smooth(self):
        qd.loop_config(block_dim=32)
        for i in self.x:
            self.x[i] = self.shared_mean(self.x[i])


@qd.func
def swapped(value, k: qd.template()):
    """A shared array for each place that calls it."""
    pair = block.SharedArray(8, qd.i32)
    pair[block.thread_idx()] = value
    block.sync()
    return pair[block.thread_idx() ^ (1 << k)]


@qd.kernel
def swaps(x: Array, out: Array):
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        total = 0
        for k in qd.static(range(3)):
            total = total * 100 + swapped(x[i], k)
        out[i] = total * 100 + swapped(x[i], 0)


@qd.kernel
def several(x: Array, y: Array, total: Array):
    """Loops with and without blocks in one kernel, and a variable of the kernel that a block loop adds to."""
    count = 0
    for i in x:
        x[i] += 1
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        if subgroup.any_true(x[i] > 3):
            count += 1
        y[i] = block.reduce_all_add(x[i], 8, qd.i32)
    qd.loop_config(block_dim=4)
    for i in range(x.shape[0]):
        y[i] += block.sync_count_nonzero(x[i] & 1) * 1000
    total[0] = count


@qd.kernel
def axes(out: qd.types.ndarray(ndim=2)):
    qd.loop_config(block_dim=4)
    for i, j in qd.ndrange(out.shape[0], out.shape[1]):
        row = block.SharedArray(4, qd.i32)
        row[block.thread_idx()] = 10 * i + j
        block.sync()
        out[i, j] = row[3 - block.thread_idx()]


@qd.kernel
def nested(x: Array, out: Array):
    """Barriers in loops in loops, under conditions that are alike."""
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        row = block.SharedArray(8, qd.i32)
        t = block.thread_idx()
        row[t] = x[i]
        block.sync()
        for outer in range(3):
            for inner in range(outer + 1):
                value = row[(t + 1) % 8]
                block.sync()
                row[t] = value + inner
                block.sync()
            if outer == 1:
                value = row[7 - t]
                block.sync()
                row[t] = value
                block.sync()
        out[i] = row[t]


@qd.kernel
def some_end_early(x: Array, out: Array):
    qd.loop_config(block_dim=16)
    for i in range(x.shape[0]):
        row = block.SharedArray(16, qd.i32)
        t = block.thread_idx()
        row[t] = x[i]
        block.sync()
        if x[i] < 0:
            continue
        row[t] += 100
        block.sync()
        out[i] = row[(t + 1) % 16]


@qd.kernel
def default_blocks(out: Array):
    for i in range(out.shape[0]):
        out[i] = block.thread_idx()


@qd.kernel
def before_the_loops(x: Array, out: Array):
    row = block.SharedArray(8, qd.i32)
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        row[block.thread_idx()] = x[i]
        block.sync()
        out[i] = row[7 - block.thread_idx()]
    qd.loop_config(block_dim=4)
    for i in range(x.shape[0]):
        row[block.thread_idx()] = out[i]
        block.sync()
        out[i] = row[block.thread_idx() ^ 1]


@qd.kernel
def fences(x: Array, out: Array):
    qd.loop_config(block_dim=8)
    for i in range(x.shape[0]):
        row = block.SharedArray(8, qd.i32)
        row[block.thread_idx()] = x[i]
        block.mem_fence()
        subgroup.mem_fence()
        qd.simt.grid.mem_fence()
        subgroup.sync()
        block.sync()
        out[i] = row[block.thread_idx() ^ 1]


@qd.kernel
def group_by_group(x: Array, out: Array, block_dim: qd.template()):
    """Only the first subgroup of a block joins the subgroups' results."""
    qd.loop_config(block_dim=block_dim)
    for i in range(x.shape[0]):
        parts = block.SharedArray(subgroup.group_size(), qd.i32)
        t = block.thread_idx()
        part = subgroup.reduce_add(x[i])
        if t < subgroup.group_size():
            parts[t] = 0
        block.sync()
        if subgroup.elect():
            parts[t // subgroup.group_size()] = part
        block.sync()
        if t < subgroup.group_size():
            joint = subgroup.reduce_add(parts[t])
            if t == 0:
                out[i // block_dim] = joint


@qd.kernel
def random_numbers(out: Array):
    qd.loop_config(block_dim=32)
    for i in range(out.shape[0]):
        out[i] = subgroup.shuffle_xor(qd.random(qd.f32), 1)


@functools.cache
def of_warp(function: Any) -> Any:
    """A kernel that calls a function of qd.simt.warp with a mask and the thread's value."""

    @qd.kernel
    def run(mask: qd.u32, x: Array, out: Array):
        qd.loop_config(block_dim=subgroup.group_size())
        for i in range(x.shape[0]):
            out[i] = function(mask, x[i])

    return run


@functools.cache
def of_warp_shift(function: Any) -> Any:
    @qd.kernel
    def run(offset: qd.i32, x: Array, out: Array):
        qd.loop_config(block_dim=subgroup.group_size())
        for i in range(x.shape[0]):
            out[i] = function(qd.u32(0xFFFFFFFF), x[i], offset)

    return run


@qd.kernel
def warp_masks(x: Array, ballots: Array, active: Array):
    qd.loop_config(block_dim=subgroup.group_size())
    for i in range(x.shape[0]):
        ballots[i] = warp.ballot(x[i])
        active[i] = warp.active_mask()
        warp.sync(qd.u32(0xFFFFFFFF))
