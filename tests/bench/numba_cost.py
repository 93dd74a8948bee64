"""Cost of coverage for Numba: ratios of processor times of programs with coverage, and with conditions too, to those without.

    numba_cost.py [--rounds 30] [--processes 5]

"ratio" is that of the minima of interleaved runs. "compile" is that of the first calls, each in fresh processes: one of each kind, side by side in
time, and the median of their ratios counts. All have compiled another function before."""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = """\
import math
import numpy as np
from numba import njit


@njit
def saxpy(a, x, y):
    for i in range(x.size):
        if x[i] > 0.0:
            y[i] += a * x[i]
        else:
            y[i] -= x[i]


@njit
def stencil(a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            if i == 0 or j == 0 or i == n - 1 or j == m - 1:
                b[i, j] = a[i, j]
            else:
                b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


@njit
def mandelbrot(out):
    n = out.shape[0]
    for i in range(n):
        for j in range(n):
            c = complex(-2 + 3 * i / n, -1.5 + 3 * j / n)
            z = 0j
            k = 0
            while k < 50:
                z = z * z + c
                if z.real * z.real + z.imag * z.imag > 4:
                    break
                k += 1
            out[i, j] = k


@njit
def length(x, y):
    return math.sqrt(x * x + y * y)


@njit
def pull(d, rest):
    if d > rest:
        return (d - rest) * 3.0
    return 0.0


@njit
def springs(x, y, v):
    n = x.size
    for i in range(n):
        f = 0.0
        for j in range(max(0, i - 40), i):
            d = length(x[i] - x[j], y[i] - y[j])
            f += pull(d, 0.5)
        v[i] += f


@njit
def clamp(v, low, high):
    if v < low:
        return low
    if v > high:
        return high
    return v


@njit
def clamps(x, y):
    for i in range(x.size):
        y[i] = clamp(x[i], -1.0, 1.0)


@njit
def weight(d):
    if d < 1.0:
        return 1.0 - 1.5 * d * d + 0.75 * d * d * d
    elif d < 2.0:
        return 0.25 * (2.0 - d) * (2.0 - d) * (2.0 - d)
    else:
        return 0.0


@njit
def weights(x):
    total = 0.0
    for i in range(x.size):
        total += weight(abs(x[i]))
    return total


@njit
def minmod(a, b):
    if a * b <= 0.0:
        return 0.0
    if abs(a) < abs(b):
        return a
    return b


@njit
def slope(left, mid, right):
    return minmod(minmod(mid - left, right - mid), clamp(right - left, -1.0, 1.0))


@njit
def limiter(x, y):
    for i in range(1, x.size - 1):
        y[i] = slope(x[i - 1], x[i], x[i + 1])


@njit
def inside(x, y, low, high):
    n = 0
    for i in range(x.size):
        if (x[i] > low and x[i] < high) or (y[i] > low and not y[i] > high):
            n += 1
    return n


@njit
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@njit
def reduction(x, low):
    total = 0.0
    count = 0
    for i in range(x.size):
        v = x[i]
        if v < low:
            continue
        total += v * v
        count += 1
    return total / max(count, 1)


chance = np.random.default_rng(1)
x = chance.standard_normal(200_000)
y = np.zeros_like(x)
grid = chance.random((500, 500))
other = np.zeros_like(grid)
out = np.zeros((120, 120), np.int64)
small = chance.random(5000)
CALLS = {
    "saxpy": lambda: saxpy(1e-9, x, y),
    "stencil": lambda: stencil(grid, other),
    "mandelbrot": lambda: mandelbrot(out),
    "springs, with helpers": lambda: springs(small, small[::-1].copy(), y),
    "clamp": lambda: clamps(x, y),
    "weight": lambda: weights(x),
    "minmod, nested": lambda: limiter(x, y),
    "and, or": lambda: inside(x, x[::-1], -0.5, 0.5),
    "reduction": lambda: reduction(x, -0.5),
    "recursion": lambda: fibonacci(22),
}
"""
WORKER = """\
import gc, sys, time
gc.disable()
sys.path.insert(0, sys.argv[1])
if sys.argv[2] != "plain":
    import qd_numba
    qd_numba.watch()
from numba import njit
njit(lambda x: x + 1)(1)
from numba_programs import CALLS
for line in sys.stdin:
    start = time.process_time()
    CALLS[line.strip()]()
    print(time.process_time() - start, flush=True)
"""


KINDS = ("plain", "covered", "conditions")


class Worker:
    """A process that runs the programs when it is told to."""

    def __init__(self, folder: Path, kind: str) -> None:
        env = os.environ | {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_DIR": str(folder / kind), "PYTHONPATH": str(folder)}
        env["QD_KERNEL_COVERAGE_CONDITIONS"] = str(int(kind == "conditions"))
        words = [sys.executable, "-c", WORKER, str(ROOT / "instrument/numba"), kind]
        self.process = subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def time(self, program: str) -> float:
        assert self.process.stdin and self.process.stdout
        print(program, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def first_calls(folder: Path, names: list[str], processes: int) -> dict[str, list[float]]:
    """The ratios of the first calls of each program, for the kinds with coverage."""
    found: dict[str, list[list[float]]] = {program: [] for program in names}
    for number in range(processes):
        order = KINDS[:: -1 if number % 2 else 1]
        workers = {kind: Worker(folder, kind) for kind in order}
        for program in names:
            times = {kind: workers[kind].time(program) for kind in order}
            found[program].append([times[kind] / times["plain"] for kind in KINDS[1:]])
        for worker in workers.values():
            worker.end()
    return {program: list(map(statistics.median, zip(*ratios))) for program, ratios in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--processes", type=int, default=5)
    options = parser.parse_args()
    names = [line.split('"')[1] for line in PROGRAMS.splitlines() if line.startswith('    "')]
    rows: list[list[float]] = []
    print(f"{'':<34}{'covered':>18}{'with conditions':>18}")
    print(f"{'program':<24}{'plain':>10}{'ratio':>9}{'compile':>9}{'ratio':>9}{'compile':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "numba_programs.py").write_text(PROGRAMS)
        compiles = first_calls(folder, names, options.processes)
        workers = [Worker(folder, kind) for kind in KINDS]
        for program in names:
            for worker in workers:
                worker.time(program)
            plain, *others = map(min, zip(*([worker.time(program) for worker in workers] for _ in range(options.rounds))))
            rows.append([number for pair in zip([other / plain for other in others], compiles[program]) for number in pair])
            print(f"{program:<24}{plain * 1e3:>8.3f}ms" + "".join(f"{number:>9.2f}" for number in rows[-1]), flush=True)
        for worker in workers:
            worker.end()
    means = [math.exp(sum(map(math.log, numbers)) / len(numbers)) for numbers in zip(*rows)]
    print(f"{'geometric mean':<34}" + "".join(f"{mean:>9.2f}" for mean in means))


if __name__ == "__main__":
    main()
