"""Kernels whose iterations run as lanes of vectors, with the divergent control flow that this is for."""

from __future__ import annotations

from typing import Any

import qd


@qd.kernel
def collatz(x: qd.types.ndarray(dtype=qd.i64, ndim=1), steps: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in x:
        n = x[i]
        count = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            count += 1
            if count >= 90:
                break
        steps[i] = count


@qd.kernel
def nested(x: qd.types.ndarray(dtype=qd.f32, ndim=2), out: qd.types.ndarray(dtype=qd.f32, ndim=2)):
    qd.loop_config(vectorize=True)
    for i, j in x:
        total = 0.0
        left = 7
        for k in range(i % 3, j):
            if k % 4 == 1:
                continue
            step = 0.5
            for m in range(k, 2 * k):
                if x[i, m % x.shape[1]] > 0.75:
                    break
                if m % 5 == i:
                    continue
                step += x[i, m % x.shape[1]]
            total += step
            left -= 1
            if left < 0 and total > 3.0:
                break
        out[i, j] = total + left


@qd.kernel
def local_arrays(x: qd.types.ndarray(dtype=qd.f64, ndim=1), out: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in x:
        v = qd.Vector([0.0, 1.0, 2.0, 3.0], dt=qd.f64)
        for k in range(int(x[i] * 10.0) + 2):
            v[(k + i) % 4] += v[(k * 3 + i) % 4] * 0.25
            if v.norm() > 4.0:
                v[k % 4] = x[i]
        out[i] = v[0] * v[1] - v[2] * v[3]


@qd.kernel
def bytes_and_flags(x: qd.types.ndarray(dtype=qd.u8, ndim=1), seen: qd.types.ndarray(dtype=qd.u1, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in x:
        n = x[i]
        found = False
        while n > qd.u8(3) and not found:
            n -= qd.u8(7)
            found = n == qd.u8(5)
            if i % 7 == 2:
                continue
            x[i] += qd.u8(1)
        seen[i] = found


@qd.kernel
def halves(x: qd.types.ndarray(dtype=qd.f16, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in x:
        while x[i] > qd.f16(2.5):
            x[i] = x[i] * qd.f16(0.625) - qd.f16(i % 3)
        if i % 5 == 0:
            x[i] = qd.sqrt(qd.abs(x[i]))


@qd.kernel
def scatter(x: qd.types.ndarray(dtype=qd.i32, ndim=1), bins: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    total = 0
    qd.loop_config(vectorize=True)
    for i in x:
        n = x[i]
        while n > 0:
            bins[n % bins.shape[0]] += n
            n = n // 3
            if n % 7 == 6:
                bins[0] += 1
                break
            total += 1
        total += x[i]
    return total


@qd.kernel
def several_atomics(
    x: qd.types.ndarray(dtype=qd.i32, ndim=1),
    bins: qd.types.ndarray(dtype=qd.i32, ndim=1),
    largest: qd.types.ndarray(dtype=qd.i32, ndim=1),
    own: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=1),
    apart: qd.types.ndarray(dtype=qd.i32, ndim=1),
):
    qd.loop_config(vectorize=True)
    for i in x:
        n = x[i]
        while n > 0:
            bins[n % 11] += n
            bins[(n + i) % 7] += x[(i * 7) % x.shape[0]]
            qd.atomic_max(largest[n % 5], n - i)
            qd.atomic_max(largest[5], n + i)
            if n % 2 == 1:
                bins[n % 3] -= 5
                bins[n % 4] += i
            n = n // 3
            own[i] += qd.Vector([n, 0.5 * i, n % 2])
            apart[2 * i] += n + 1
            apart[2 * i + 1] = apart[2 * i] // 2
        own[i].y *= 2.0


@qd.kernel
def skips(x: qd.types.ndarray(dtype=qd.i32, ndim=2), limit: qd.i32):
    qd.loop_config(vectorize=True)
    for i, j in qd.ndrange((1, x.shape[0]), (2, x.shape[1])):
        if x[i, j] > limit:
            continue
        if limit > 5:
            for k in range(limit):
                if k == 6:
                    break
                x[i, j] += k
        same = 3
        if j % 2 == 0:
            same = 4
            if x[i, j] % 3 == 0:
                x[i, j] = -x[i, j]
                continue
        x[i, j] += same


@qd.kernel
def records(
    x: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=1),
    y: qd.types.ndarray(dtype=qd.types.vector(2, qd.f64), ndim=1),
    m: qd.types.ndarray(dtype=qd.types.matrix(2, 2, qd.i32), ndim=1),
    h: qd.types.ndarray(dtype=qd.types.vector(4, qd.u8), ndim=1),
    wide: qd.types.ndarray(dtype=qd.types.vector(7, qd.f32), ndim=1),
    other: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=1),
):
    last = x.shape[0] - 1
    qd.loop_config(vectorize=True)
    for i in x:
        n = m[i][0, 1] % 7
        while n > 0:
            n -= 1
            x[i] = x[i].yzx * 0.75 + 1.0
            if n % 3 == 1 and i < last:
                y[i] += y[i].yx * other[i + 1].x
                x[i].y = other[i + 1].z
                m[i][1, 0] = m[i][0, 0] - n
                continue
            h[i] += h[i].wzyx
            wide[i][n] = x[i].x + wide[i][6]
            x[i].z = x[i].x
            x[i].x = wide[i][2]
            if x[i].norm_sqr() > 6.5:
                y[i].y = 0.5
                break
        m[i] -= qd.Matrix([[n, 1], [2, 3]])


@qd.kernel
def every_second(x: qd.types.ndarray(dtype=qd.i16, ndim=1), y: qd.types.ndarray(dtype=qd.f16, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in range(x.shape[0] // 3):
        while x[3 * i + 1] > qd.i16(5):
            x[3 * i + 1] -= x[3 * i + 2] + qd.i16(1)
            y[2 * i + 1] = y[2 * i] + qd.f16(1.0)
            y[2 * i] = y[2 * i + 1] * qd.f16(0.5)


@qd.real_func
def powers(base: qd.f64, count: qd.i32, seen: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> tuple[qd.f64, qd.u1]:
    power, odd = qd.f64(1.0), False
    for _ in range(count):
        power *= base
        odd = not odd
    seen[count] += 1
    return power, odd


@qd.kernel
def calls(
    x: qd.types.ndarray(dtype=qd.f64, ndim=1), counts: qd.types.ndarray(dtype=qd.i32, ndim=1), seen: qd.types.ndarray(dtype=qd.i32, ndim=1)
) -> qd.i32:
    total = 0
    qd.loop_config(vectorize=True)
    for i in x:
        n = counts[i] % 6
        while n > 0:
            power, odd = powers(x[i], n, seen)
            if odd:
                x[i] = power * 0.5
                total += n
            n -= 2
    return total


@qd.kernel
def orbits(x: qd.types.ndarray(dtype=qd.f32, ndim=1), y: qd.types.ndarray(dtype=qd.f64, ndim=1), turns: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in x:
        z = x[i]
        n = 0
        while z * z < 4.0:
            z = z * z + x[i] - 0.75
            n += 1
            if n > 40:
                break
            if z < 0.0:
                continue
            x[i] *= 0.875
        turns[i] += n
    qd.loop_config(vectorize=True)
    for i in y:
        for n in range(30):
            if y[i] > 0.25:
                y[i] = y[i] * y[i] - 0.5
                turns[i] += n


@qd.func
def noted(last: qd.template(), out: qd.template(), i, value):
    if i == 9:
        last[1] = value
    out[i] += 2 * value


@qd.kernel
def one_writer(x: qd.types.ndarray(dtype=qd.i32, ndim=1), last: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in x:
        n = x[i]
        while n > 3:
            n -= 4
        if i >= 5 and x[i] >= 0:
            if i < 6:
                last[0] = out[i] = i + 1
        noted(last, out, i, i - 5)
        out[i] += n


def runs(random: Any) -> list[tuple[Any, list[Any]]]:
    """Kernels with their arguments; arrays are numpy's."""
    import numpy as np

    length = 53
    return [
        (collatz, [random.integers(1, 1000, length), np.zeros(length, np.int32)]),
        (nested, [random.random((5, 37)).astype(np.float32), np.zeros((5, 37), np.float32)]),
        (nested, [random.random((3, 5)).astype(np.float32), np.zeros((3, 5), np.float32)]),
        (local_arrays, [random.random(length), np.zeros(length)]),
        (bytes_and_flags, [random.integers(0, 255, length).astype(np.uint8), np.zeros(length, np.bool_)]),
        (halves, [(random.random(length) * 50).astype(np.float16)]),
        (scatter, [random.integers(0, 5000, length).astype(np.int32), np.zeros(11, np.int32)]),
        (
            records,
            [
                random.random((length, 3)).astype(np.float32),
                random.random((length, 2)),
                random.integers(0, 100, (length, 2, 2)).astype(np.int32),
                random.integers(0, 255, (length, 4)).astype(np.uint8),
                random.random((length, 7)).astype(np.float32),
                random.random((length, 3)).astype(np.float32),
            ],
        ),
        (calls, [random.random(length) * 1.5, random.integers(0, 50, length).astype(np.int32), np.zeros(8, np.int32)]),
        (every_second, [random.integers(0, 50, 3 * length).astype(np.int16), random.random(2 * length).astype(np.float16)]),
        (
            several_atomics,
            [
                random.integers(0, 5000, length).astype(np.int32),
                np.zeros(11, np.int32),
                np.zeros(6, np.int32),
                random.integers(0, 9, (length, 3)).astype(np.float32),
                np.zeros(2 * length, np.int32),
            ],
        ),
        (orbits, [(random.random(length) * 3 - 1.5).astype(np.float32), random.random(length) * 3, np.zeros(length, np.int32)]),
        (one_writer, [random.integers(0, 20, length).astype(np.int32), np.zeros(2, np.int32), np.zeros(length, np.int32)]),
        (skips, [random.integers(0, 20, (7, 41)).astype(np.int32), 9]),
        (skips, [random.integers(0, 20, (7, 41)).astype(np.int32), 4]),
    ]
