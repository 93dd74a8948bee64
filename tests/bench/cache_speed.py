"""Cost of a start from the offline cache: the time of first calls, in processes that find everything there. Prints; asserts nothing.

Each row is a kernel's first call less a later call: reading the source, the front end, passes, the key, the file, loading. The first kernel of a
file pays for the work that all of them share: reading and parsing it."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import qd
from launch_speed import ten_lines

Grid = qd.types.ndarray(dtype=qd.f32, ndim=2)
Row = qd.types.ndarray(dtype=qd.f32, ndim=1)
SIDE, PARTICLES = 64, 4096


def large(fastcache: bool) -> Any:
    """A particle step of some fifty lines with unrolled loops: some hundred instructions."""

    @qd.func
    def weight(f: qd.f32, k: qd.template()):
        w = 0.0
        if qd.static(k == 0):
            w = 0.5 * (1.5 - f) * (1.5 - f)
        elif qd.static(k == 1):
            w = 0.75 - (f - 1.0) * (f - 1.0)
        else:
            w = 0.5 * (f - 0.5) * (f - 0.5)
        return w

    @qd.kernel(fastcache=fastcache)
    def step(x: Row, y: Row, u: Row, v: Row, mass: Grid, flow: Grid, dt: qd.f32):
        for i, j in mass:
            mass[i, j] = 0.0
            flow[i, j] = 0.0
        for p in x:
            gx = x[p] * SIDE
            gy = y[p] * SIDE
            bx = qd.cast(gx - 0.5, qd.i32)
            by = qd.cast(gy - 0.5, qd.i32)
            fx = gx - bx
            fy = gy - by
            for a in qd.static(range(3)):
                for b in qd.static(range(3)):
                    w = weight(fx, a) * weight(fy, b)
                    mass[bx + a, by + b] += w
                    flow[bx + a, by + b] += w * (u[p] + (a - fx) * v[p])
        for i, j in mass:
            if mass[i, j] > 0.0:
                flow[i, j] = flow[i, j] / mass[i, j] - dt * 9.8
                if i < 3 and flow[i, j] < 0.0:
                    flow[i, j] = 0.0
                elif i > SIDE - 3 and flow[i, j] > 0.0:
                    flow[i, j] = 0.0
        for p in x:
            gx = x[p] * SIDE
            gy = y[p] * SIDE
            bx = qd.cast(gx - 0.5, qd.i32)
            by = qd.cast(gy - 0.5, qd.i32)
            fx = gx - bx
            fy = gy - by
            new = 0.0
            for a in qd.static(range(3)):
                for b in qd.static(range(3)):
                    new += weight(fx, a) * weight(fy, b) * flow[bx + a, by + b]
            u[p] = new
            x[p] = qd.min(qd.max(x[p] + dt * u[p], 0.1), 0.9)
            y[p] = qd.min(qd.max(y[p] + dt * v[p], 0.1), 0.9)

    return step


def first_call(kernel: Any, arguments: Callable[[], tuple[Any, ...]]) -> float:
    """Milliseconds of the first call beyond a later one."""
    times = []
    for _ in range(3):
        given = arguments()
        start = time.perf_counter()
        kernel(*given)
        times.append((time.perf_counter() - start) * 1e3)
    return times[0] - min(times[1:])


def child() -> None:
    """One process."""
    start = time.perf_counter()
    qd.init(log_level="error", coverage_switch=0)
    found = {"qd.init": (time.perf_counter() - start) * 1e3}
    x = np.ones(64, dtype=np.float32)

    def particles() -> tuple[Any, ...]:
        rows = [np.linspace(0.2, 0.8, PARTICLES, dtype=np.float32) for _ in range(4)]
        grids = [np.zeros((SIDE, SIDE), dtype=np.float32) for _ in range(2)]
        return (*rows, *grids, 1e-4)

    found["the first, small"] = first_call(ten_lines(), lambda: (x, x.copy(), 0.5))
    found["small"] = first_call(ten_lines(), lambda: (x, x.copy(), 0.5))
    many = np.ones(1 << 20, dtype=np.float32)
    ten_lines()(many, many.copy(), 0.5)  # starts the threads, which is no part of a kernel's start
    found["large"] = first_call(large(False), particles)
    found["large, fastcache"] = first_call(large(True), particles)
    print(json.dumps(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--child", action="store_true")
    parser.add_argument("--processes", type=int, default=10)
    options = parser.parse_args()
    if options.child:
        child()
        return
    with tempfile.TemporaryDirectory() as cache:
        for title, coverage in (("without coverage", "0"), ("with coverage", "1")):
            env = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": cache, "QD_KERNEL_COVERAGE": coverage, "QD_KERNEL_COVERAGE_DIR": cache}
            runs = [
                json.loads(subprocess.run([sys.executable, __file__, "--child"], env=env, check=True, capture_output=True, text=True).stdout)
                for _ in range(options.processes + 1)
            ]
            print(f"{title:24} {'compiled':>10} {'from the cache: median':>24} {'best':>8}   ms")
            for name, cold in runs[0].items():
                warm = [run[name] for run in runs[1:]]
                print(f"  {name:22} {cold:10.2f} {statistics.median(warm):24.2f} {min(warm):8.2f}")


if __name__ == "__main__":
    main()
