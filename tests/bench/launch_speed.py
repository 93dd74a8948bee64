"""Time of a call of a kernel from Python, and of its compilation. Prints; asserts nothing."""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
import qd

Array = qd.types.ndarray(dtype=qd.f32, ndim=1)


@qd.kernel
def four_arrays(a: Array, b: Array, c: Array, d: Array):
    a[0] = b[0] + c[0] + d[0]


@qd.kernel
def nothing():
    pass


def ten_lines() -> Any:
    """A new kernel at each call: it is compiled anew."""

    @qd.kernel
    def relax(x: Array, y: Array, weight: qd.f32):
        for i in range(1, x.shape[0] - 1):
            left = x[i - 1]
            right = x[i + 1]
            mean = (left + right) * 0.5
            change = (mean - x[i]) * weight
            if change > 1.0:
                change = 1.0
            y[i] = x[i] + change

    return relax


def microseconds(call: Callable[[], Any]) -> float:
    """The best of some rounds."""
    call()
    return min(timeit.repeat(call, number=5000, repeat=7)) / 5000 * 1e6


def main() -> None:
    qd.init(log_level="error")
    numpy = [np.ones(16, dtype=np.float32) for _ in range(4)]
    own = [qd.ndarray(qd.f32, 16) for _ in range(4)]
    print(f"no arguments            {microseconds(lambda: nothing()):6.2f} us")
    print(f"four ndarrays           {microseconds(lambda: four_arrays(*own)):6.2f} us")
    print(f"four numpy arrays       {microseconds(lambda: four_arrays(*numpy)):6.2f} us")
    print(f"four arguments by name  {microseconds(lambda: four_arrays(a=own[0], b=own[1], c=own[2], d=own[3])):6.2f} us")
    times = []
    for _ in range(12):
        kernel = ten_lines()
        start = time.perf_counter()
        kernel(numpy[0], numpy[1], 0.5)
        times.append((time.perf_counter() - start) * 1e3)
    print(f"compile, first          {times[0]:6.2f} ms")
    print(f"compile, later (median) {statistics.median(times[1:]):6.2f} ms")


if __name__ == "__main__":
    main()
