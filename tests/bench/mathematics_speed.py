"""The mathematical functions over arrays: ours, Taichi's and libmvec's, in turns within one run. Prints; asserts nothing.

Each row is a loop over 200,000 numbers on two threads, in nanoseconds for a number: the least time of each, and the median of the ratios of
turns that followed each other. Taichi runs where --peers names a Python that has it. libmvec, as a C compiler calls it with -ffast-math, gets small
arguments alone, for which it is made.

With --alone, a loop that is not vectorised: one thread, 50 calls for each of 2,000 numbers from 0 to 1, each of which waits for the one
before."""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import linecache
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

LENGTH = 200_000
FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log1p", "atan2", "pow")
PAIRS = ("atan2", "pow")
NOT_IN_TAICHI = ("atan", "sinh", "cosh", "expm1", "log1p")
# The part of the value before that the calls of --alone take. It stays small, so that each call is a usual one.
ALONE = {"asin": "v * 0.3", "acos": "v * 0.3", "exp": "-v", "exp2": "-v", "expm1": "-v", "log": "v + 1.5", "pow": "v + 1.0"}
STEPS = 50
# The largest argument, small and large; f32 has no larger ones of those functions that grow.
SIZES = {
    "sin": (10, 1e30),
    "cos": (10, 1e30),
    "tan": (10, 1e30),
    "asin": (1, 1),
    "acos": (1, 1),
    "atan": (10, 1e30),
    "sinh": (5, 80),
    "cosh": (5, 80),
    "tanh": (3, 80),
    "exp": (10, 80),
    "exp2": (10, 120),
    "expm1": (10, 80),
    "log": (10, 1e30),
    "log1p": (10, 1e30),
    "atan2": (10, 1e30),
    "pow": (3, 1e9),
}


def arguments(function: str, dtype: str, size: str) -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    kind = np.float32 if dtype == "f32" else np.float64
    if size == "alone":
        return random.random(2000).astype(kind), random.random(2000).astype(kind)
    small, large = SIZES[function]
    low = 0 if function in ("log", "log1p", "pow") else -1
    if size == "tiny":
        x = random.uniform(low, 1, LENGTH) * 1e-25
    else:
        few, many = random.uniform(low * small, small, LENGTH), random.uniform(low * large, large, LENGTH)
        x = {"small": few, "large": many, "mixed": np.where(random.random(LENGTH) < 0.5, few, many)}[size]
    return x.astype(kind), random.uniform(-3, 3, LENGTH).astype(kind)


def expression(function: str, x: str, y: str) -> str:
    if function == "exp2":
        return f"qd.pow(2.0, {x})"
    return f"qd.{function}({x}, {y})" if function in PAIRS else f"qd.{function}({x})"


def body(function: str, alone: bool) -> str:
    if not alone:
        return f"        out[i] = {expression(function, 'x[i]', 'y[i]')}\n"
    call = expression(function, ALONE.get(function, "v"), "x[i]")
    lines = ["v = x[i]", "step = 0", f"while step < {STEPS} and v < 100.0:", f"    v = {call} * 0.5 + x[i]", "    step += 1", "out[i] = v"]
    return "".join(f"        {line}\n" for line in lines)


def kernel_loop(module: str, dtype: str, alone: bool) -> Callable[[str, str], Callable[[], None]]:
    """Loops in qd or Taichi."""
    qd = importlib.import_module(module)
    qd.init(arch=qd.cpu, cpu_max_num_threads=1 if alone else 2, offline_cache=False, log_level="error")

    def make(function: str, size: str) -> Callable[[], None]:
        array = f"qd.types.ndarray(dtype=qd.{dtype}, ndim=1)"
        source = f"def k(x: {array}, y: {array}, out: {array}):\n    for i in x:\n{body(function, alone)}"
        file = f"<{function} {dtype}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        scope: dict[str, Any] = {"qd": qd}
        exec(compile(source, file, "exec", dont_inherit=True), scope)
        kernel = qd.kernel(scope["k"])
        given = arguments(function, dtype, size)
        arrays = [qd.ndarray(getattr(qd, dtype), (len(given[0]),)) for _ in range(3)]
        for array_, values in zip(arrays, given):
            array_.from_numpy(values)

        def run() -> None:
            kernel(*arrays)
            qd.sync()

        return run

    return make


def vector_loop(dtype: str) -> Callable[[str, str], Callable[[], None]]:
    """Loops of C that call libmvec."""
    folder = Path(tempfile.mkdtemp())
    text = "#include <math.h>\n"
    for function in FUNCTIONS:
        for kind, suffix in (("float", "f"), ("double", "")):
            call = f"{function}{suffix}(x[i], y[i])" if function in PAIRS else f"{function}{suffix}(x[i])"
            name = f"{function}_{'f32' if suffix else 'f64'}"
            text += f"void {name}({kind}* restrict out, const {kind}* x, const {kind}* y, long n) {{\n"
            text += f"#pragma omp parallel for simd num_threads(2)\n for (long i = 0; i < n; i++) out[i] = {call};\n}}\n"
    (folder / "loops.c").write_text(text)
    options = ["-O3", "-ffast-math", "-march=native", "-mprefer-vector-width=256", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "loops.c", "-o", "loops.so", "-lmvec", "-lm"], cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "loops.so"))

    def make(function: str, size: str) -> Callable[[], None]:
        x, y = arguments(function, dtype, size)
        arrays = [np.empty_like(x), x, y]
        loop = getattr(library, f"{function}_{dtype}")

        def run() -> None:
            loop(*(ctypes.c_void_p(array.ctypes.data) for array in arrays), ctypes.c_long(LENGTH))

        return run

    return make


def serve(which: str, dtype: str, alone: bool) -> None:
    """A process: it measures a loop when it is asked to."""
    make = vector_loop(dtype) if which == "libmvec" else kernel_loop(which, dtype, alone)
    runs: dict[tuple[str, str], Callable[[], None]] = {}
    print("ready", flush=True)
    for line in sys.stdin:
        function, size = json.loads(line)
        run = runs.get((function, size))
        if run is None:
            run = runs[function, size] = make(function, size)
            run()
        best = 9e9
        for _ in range(5):
            start = time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
        print(best * 1e9 / (2000 * STEPS if alone else LENGTH), flush=True)


class Server:
    def __init__(self, python: str, which: str, dtype: str, alone: bool) -> None:
        command = [python, __file__, "--serve", which, "--dtype", dtype, *["--alone"] * alone]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._read("ready")

    def _read(self, wanted: str = "") -> str:
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("a process of the benchmark has ended: " + " ".join(map(str, self.process.args)))
            if (wanted and line.strip() == wanted) or (not wanted and line.strip().replace(".", "").replace("e-", "").isdigit()):
                return line

    def measure(self, function: str, size: str) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([function, size]) + "\n")
        self.process.stdin.flush()
        return float(self._read())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="a Python that has Taichi")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--alone", action="store_true", help="loops that are not vectorised, without libmvec")
    parser.add_argument("--dtype", choices=("f32", "f64"))
    parser.add_argument("--serve", choices=("qd", "taichi", "libmvec"), help=argparse.SUPPRESS)
    parser.add_argument("functions", nargs="*", help="all when there are none")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.dtype, options.alone)
        return
    for dtype in [options.dtype] if options.dtype else ["f32", "f64"]:
        servers = {"qd": Server(sys.executable, "qd", dtype, options.alone)}
        if not options.alone:
            servers["libmvec"] = Server(sys.executable, "libmvec", dtype, False)
        if options.peers:
            servers["taichi"] = Server(options.peers, "taichi", dtype, options.alone)
        for function in options.functions or FUNCTIONS:
            for size in ["alone"] if options.alone else ["small", "large", "mixed", "tiny"]:
                asked = {name: server for name, server in servers.items() if name != "taichi" or function not in NOT_IN_TAICHI}
                times: dict[str, list[float]] = {name: [] for name in asked}
                for _ in range(options.turns):
                    for name, server in asked.items():
                        times[name].append(server.measure(function, "small" if name == "libmvec" else size))
                row = f"{function:6}{dtype} {size:6}"
                for name, found in times.items():
                    row += f"  {name} {min(found):7.3f}"
                    if name != "qd":
                        row += f" ({statistics.median(a / b for a, b in zip(times['qd'], found)):5.2f})"
                print(row, flush=True)
        for server in servers.values():
            server.process.kill()


if __name__ == "__main__":
    main()
