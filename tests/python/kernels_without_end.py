"""Endless kernels, which an interruption ends, each in another place of compiled code."""

from __future__ import annotations

import qd


@qd.kernel
def serial(x: qd.types.ndarray()):
    k = 0
    while True:
        x[k % 8] = k
        k += 1


@qd.kernel
def parallel(x: qd.types.ndarray()):
    for i in range(100_000):
        k = 0
        while True:
            x[(i + k) % 8] = k
            k += 1


@qd.kernel
def nested(x: qd.types.ndarray()):
    k = 0
    while k >= 0:
        for i in range(1000):
            for j in range(1000):
                x[(i + j) % 8] += 1


@qd.kernel
def counted(x: qd.types.ndarray()):
    for _ in range(1):
        for i in range(2_000_000_000):
            for j in range(2_000_000_000):
                x[j % 8] ^= i


@qd.real_func
def tree(depth: qd.i32) -> qd.i32:
    if depth == 0:
        return 1
    return tree(depth - 1) ^ tree(depth - 1) + 1


@qd.kernel
def recursive(x: qd.types.ndarray()):
    x[0] = tree(60)


@qd.kernel
def mathematics(x: qd.types.ndarray()):
    total = 0.0
    while total >= 0.0:
        total = qd.abs(qd.sin(total) + qd.pow(total + 1.5, 1.7) * 1e-3)
        x[0] = 1


@qd.kernel
def printing(x: qd.types.ndarray()):
    for _ in range(1):
        while True:
            x[0] += 1
            if x[0] % 100 == 0:
                print("")


@qd.kernel
def atomics(x: qd.types.ndarray()):
    for i in range(100_000):
        while True:
            x[0] += 1
            qd.atomic_max(x[1], i)


ALL = [serial, parallel, nested, counted, recursive, mathematics, printing, atomics]


@qd.kernel
def branches(x: qd.i32, forever: qd.i32) -> qd.i32:
    result = 0
    if x > 0:
        result = 1
    else:
        result = 2
    while forever > 0:
        result += 1
    return result
