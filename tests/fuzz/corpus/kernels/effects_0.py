from __future__ import annotations
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any
import numpy as np
import qd
import kernels_for_results as k
FLOATS = qd.types.ndarray(dtype=qd.f32, ndim=1)
if __name__ == "__main__":
    for debug in (False, True):
        for fast_math in (False, True):
            qd.init(arch=qd.cpu, log_level="error", debug=debug, fast_math=fast_math, cpu_max_num_threads=1)
            print("debug", debug, "fast_math", fast_math, flush=True)
            everything(exact=not fast_math)


@qd.func
def curve(v):
    r = v
    if v > 0.5:
        r = qd.sin(v) * 1.7
    elif v > 0.25:
        r = v * v - 0.1
    return r


@qd.kernel
def sum_with_branches(x: FLOATS) -> qd.f32:
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.3:
            total += x[i] * 1.1
        else:
            total -= curve(x[i])
    return total


@qd.kernel
def stencil(x: FLOATS, y: FLOATS):
    for i in x:
        left = 0.0
        right = 0.0
        if i > 0:
            left = x[i - 1]
        if i < x.shape[0] - 1:
            right = x[i + 1]
        y[i] = (left + 2.0 * x[i] + right) / 4.0


@qd.kernel
def iterated(x: FLOATS, y: FLOATS):
    for i in x:
        v = x[i]
        steps = 0
        while v < 2.0 and steps < 50:
            v = v * v + 0.3
            steps += 1
            if v < 0.01:
                break
        y[i] = v + steps * 0.001


@qd.kernel
def serial_sum(x: FLOATS) -> qd.f32:
    qd.loop_config(serialize=True)
    total = 0.0
    count = 0
    for i in x:
        if x[i] < 0.1:
            continue
        total += x[i] / 3.0
        count += 1
    return total / count


@qd.kernel
def draws(y: FLOATS):
    for i in y:
        v = qd.random(qd.f32)
        if v > 0.5:
            v += qd.random(qd.f32)
        y[i] = v


@qd.func
def checked(v):
    assert v < 3, "v is {}".format(v)
    return v + 1


@qd.kernel
def fails(n: qd.i32, y: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    y[0] = n
    if n > 1:
        y[1] = checked(n)
    y[2] = 7


@qd.kernel
def wrong(n: qd.i32, y: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    """Two errors, one in a branch."""
    if n > 1:
        y[0] = nowhere  # noqa: F821
    y["text"] = 3
