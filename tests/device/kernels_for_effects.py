"""Kernels whose results, errors and printed compilation must not depend on coverage, and a program that prints all of these.

The program prints floats to the last bit. With fast_math the compiler may add up in any order, and does so in another one when it counts: sums are rounded then."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_results as k

FLOATS = qd.types.ndarray(dtype=qd.f32, ndim=1)


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


@qd.kernel
def prints(n: qd.i32):
    if n > 1:
        print("n is", n)
    else:
        print("small", n * 1.5)


def show(name: str, call: Callable[[], Any]) -> None:
    try:
        result = call()
    except Exception:
        result = traceback.format_exc()
    print(f"{name}: {result.tobytes().hex() if isinstance(result, np.ndarray) else result}", flush=True)


def filled(kernel: Any, size: int, dtype: Any, *before: Any) -> np.ndarray:
    out = np.zeros(size, dtype=dtype)
    kernel(*before, out)
    return out


def sum_text(value: float, exact: bool) -> str:
    return np.float32(value).tobytes().hex() if exact else f"{value:.5g}"


def everything(exact: bool) -> None:
    """Three times, as kernels change to clean code when all of them was seen."""
    for _ in range(3):
        show("integers", lambda: filled(k.integer_operators, 25, np.int32, -7, 3))
        show("floats", lambda: filled(k.float_operators, 17, np.float32, 2.5, -0.75))
        show("mathematics", lambda: filled(k.mathematics, 12, np.float64, 0.75))
        show("types", lambda: filled(k.types, 14, np.float64))
        show("control flow", lambda: filled(k.control_flow, 64, np.int32, 40))
        show("results", k.results)
        for size in (0, 1, 7, 64, 1000):
            x = np.random.default_rng(size).random(size, dtype=np.float32)
            in_order = exact and size <= 7  # more is added in any order where groups of iterations (8 on lavapipe) run at the same time
            show("sum", lambda: sum_text(sum_with_branches(x), in_order))  # noqa: B023
            show("serial sum", lambda: sum_text(serial_sum(x), exact))  # noqa: B023
            show("stencil", lambda: filled(stencil, size, np.float32, x))  # noqa: B023
            show("iterated", lambda: filled(iterated, size, np.float32, x))  # noqa: B023
        show("draws", lambda: filled(draws, 100, np.float32))
        for n in (0, 2, 5):
            y = np.zeros(3, dtype=np.int32)
            show("fails", lambda: fails(n, y))  # noqa: B023
            show("y", lambda: y)  # noqa: B023
            show("prints", lambda: prints(n))  # noqa: B023
        show("wrong", lambda: wrong(1, np.zeros(3, dtype=np.int32)))
        show("not an array", lambda: stencil(1, 2))
        show("too few", lambda: stencil())


if __name__ == "__main__":
    for debug in (False, True):
        for fast_math in (False, True):
            qd.init(arch=sys.argv[1], log_level="error", debug=debug, fast_math=fast_math, cpu_max_num_threads=1)
            print("debug", debug, "fast_math", fast_math, flush=True)
            everything(exact=not fast_math)
