"""Speed of qd.algorithms with two threads, over that of C++ with OpenMP and of the C++ standard library's parallel algorithms.

Each number is the median of the ratios of alternating pairs: theirs / ours, so 2.0 is twice as fast. Prints; asserts nothing about time.
QD_BUILD names the build; `libalgorithms_reference.so` in it has the others (it has the standard library's where oneTBB is installed)."""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # a thread that spins would take the time of the other side of a pair

import qd
from qd import algorithms

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release")
TYPES = {"i32": np.int32, "f32": np.float32, "f64": np.float64}
Numbers = qd.types.ndarray(ndim=1)
Count = qd.types.ndarray(dtype=qd.i32, ndim=0)


@qd.kernel
def reduce_add(x: Numbers, out: Numbers, scratch: Numbers, n: qd.i32):
    algorithms.reduce_add(x, out, scratch, n, x.dtype, 4)


@qd.kernel
def reduce_min(x: Numbers, out: Numbers, scratch: Numbers, n: qd.i32):
    algorithms.reduce_min(x, out, scratch, n, x.dtype, 4)


@qd.kernel
def scan_add(x: Numbers, out: Numbers, scratch: Numbers, n: qd.i32):
    algorithms.exclusive_scan_add(x, out, scratch, n, x.dtype, 4)


@qd.kernel
def sort(keys: Numbers, tmp: Numbers, scratch: Numbers, n: Count, bits: qd.template()):
    algorithms.sort(keys, tmp, keys, tmp, scratch, n, keys.dtype, False, bits, 4)


@qd.kernel
def select(x: Numbers, flags: Numbers, out: Numbers, count: Numbers, scratch: Numbers, n: qd.i32):
    algorithms.select(x, flags, out, count, scratch, n, 4)


@qd.kernel
def by_key(keys: Numbers, x: Numbers, to: Numbers, out: Numbers, runs: Numbers, scratch: Numbers, n: qd.i32):
    algorithms.reduce_by_key_add(keys, x, to, out, runs, scratch, n, x.dtype, 4)


def seconds(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], before: Callable[[], Any], pairs: int) -> tuple[float, float]:
    """The median of theirs / ours, and our best time. `before` is called before each call, and is not measured."""
    ratios, best = [], float("inf")
    for pair in range(pairs + 1):
        times = []
        for call in (ours, theirs) if pair % 2 else (theirs, ours):
            before()
            times.append(seconds(call))
        mine, other = times if pair % 2 else reversed(times)
        if pair > 0:  # the first pair compiles, and touches memory
            ratios.append(other / mine)
            best = min(best, mine)
    return statistics.median(ratios), best


def address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def cases(reference: ctypes.CDLL, kind: str, n: int) -> Any:
    """Rows of the table: an algorithm's name, ours, theirs by library, and a preparation to call before each call."""
    dtype = TYPES[kind]
    random = np.random.default_rng(n)
    x = random.integers(-1000, 1000, n, np.int32) if kind == "i32" else random.standard_normal(n).astype(dtype)
    out, one, count = np.zeros(n, dtype), np.zeros(1, dtype), np.zeros(1, np.int32)
    wide = np.uint64 if x.itemsize == 8 else np.uint32
    size, length = np.array(n, np.int32), ctypes.c_int64(n)
    flags = random.integers(0, 2, n, np.int32)
    keys, keys_out = np.cumsum(random.random(n) < 0.2).astype(np.int32), np.zeros(n, np.int32)
    unsorted = random.integers(-(2**31), 2**31 - 1, n, np.int32) if kind == "i32" else x
    sorted_x = unsorted.copy()
    scratch = np.zeros(algorithms.reduce_scratch_slots(n), wide)
    slots = np.zeros(max(algorithms.sort_scratch_slots(n), algorithms.select_scratch_slots(n)), np.uint32)

    def of(library: str, name: str, *arguments: Any) -> Callable[[], Any] | None:
        if library == "standard" and (not reference.has_standard() or name in ("select", "by_key")):
            return None
        function = getattr(reference, f"{library}_{name}_{kind}")
        function.restype = ctypes.c_int64 if name in ("select", "by_key") else None
        passed = [address(a) if isinstance(a, np.ndarray) else a for a in arguments]
        return lambda: function(*passed)

    def both(name: str, *arguments: Any) -> list[Callable[[], Any] | None]:
        return [of("openmp", name, *arguments, length), of("standard", name, *arguments, length)]

    def nothing() -> None:
        pass

    yield "reduce_add", lambda: reduce_add(x, one, scratch, n), both("sum", x, one), nothing
    yield "reduce_min", lambda: reduce_min(x, one, scratch, n), both("least", x, one), nothing
    yield "exclusive_scan_add", lambda: scan_add(x, out, scratch, n), both("scan", x, out), nothing
    yield "select", lambda: select(x, flags, out, count, slots, n), both("select", x, flags, out), nothing
    yield "reduce_by_key_add", lambda: by_key(keys, x, keys_out, out, count, slots, n), both("by_key", keys, x, keys_out, out), nothing
    bits = 8 * x.itemsize
    yield "sort", lambda: sort(sorted_x, out, slots, size, bits), both("sort", sorted_x), lambda: np.copyto(sorted_x, unsorted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("only", nargs="*", help="names of algorithms; all of them without")
    options = parser.parse_args()
    qd.init(log_level="error", cpu_max_num_threads=options.threads)
    reference = ctypes.CDLL(str(BUILD / "tests/bench/libalgorithms_reference.so"))
    reference.use_threads(options.threads)
    print(f"{'':20} {'':4} {'n':>9} {'ours':>10} {'OpenMP/ours':>12} {'std/ours':>9}")
    for n in (1_000_000, 10_000_000):
        for kind in TYPES:
            for name, ours, (openmp, standard), before in cases(reference, kind, n):
                if options.only and name not in options.only:
                    continue
                assert openmp is not None
                first, best = ratio(ours, openmp, before, options.pairs)
                second = f"{ratio(ours, standard, before, options.pairs)[0]:9.2f}" if standard is not None else "        -"
                print(f"{name:20} {kind:4} {n:9} {best * 1e3:7.2f} ms {first:12.2f} {second}", flush=True)


if __name__ == "__main__":
    main()
