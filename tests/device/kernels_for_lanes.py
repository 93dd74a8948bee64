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
        (skips, [random.integers(0, 20, (7, 41)).astype(np.int32), 9]),
        (skips, [random.integers(0, 20, (7, 41)).astype(np.int32), 4]),
    ]
