"""Speed of kernels against other programs of vectors: python tests/bench/vector_speed.py [--threads N] [--rounds N] [NAME ...]

Runs programs of peer_programs.txt (those whose names begin so, or all that another implementation has) in qd, in Dr.Jit with LLVM
(drjit_programs.txt; `ci/setup --peers` installs it) and in C++ with std::experimental::simd and OpenMP (simd_reference.cpp, which
`cmake --build build/release --target simd_reference` has g++ compile): in turn, with two threads. It prints the best time of a step for
each, and the ratio to qd's (above 1: qd is faster). With one thread times are processor time, on which other programs have less influence.
The sums of the squares of all results after eight steps are compared first: a difference ends the benchmark. It asserts nothing about time."""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from peer_speed import BUILD, programs

PEERS_PYTHON = Path(__file__).resolve().parents[2] / ".venv-peers/bin/python"
SIMD_LIBRARY = BUILD / "tests/bench/libsimd_reference.so"
STEPS = 8

# Names of the programs' results, and by how much the sums may differ: random numbers differ.
PROGRAMS = {
    "fractal": ("pixels", 1e-3),
    "sphere tracing": ("pixels", 1e-3),
    "path tracing": ("pixels", 2e-2),
    "n-body": ("pos", 1e-3),
    "mass-spring cloth": ("x", 1e-3),
}

KERNELS = """
import qd

qd.init(arch=qd.cpu, cpu_max_num_threads={threads}, log_level="error")
{text}

def run():
    step()
    qd.sync()

begin = globals().get("start")
total = lambda: float(({result}.to_numpy().astype("f8") ** 2).sum())
"""

DRJIT = """
import drjit as dr
import numpy as np
from drjit.llvm import PCG32, Array2f, Array3f, Array4f, Bool, Float, Int, UInt, UInt64

dr.set_thread_count({threads} if {threads} > 1 else 0)
dr.set_flag(dr.JitFlag.FastMath, True)
{text}
last = None

def run():
    global last
    last = step()
    dr.eval(last)
    dr.sync_thread()

begin = None
total = lambda: float((np.array(last).astype("f8") ** 2).sum())
"""

SIMD = """
import ctypes

library = ctypes.CDLL({library!r})
function = library.{function}
begin = getattr(library, {function!r} + "_start", None)
total = getattr(library, {function!r} + "_sum")
total.restype = ctypes.c_double

def run():
    function({threads})
"""

TIMED = """
import json
import time

now = time.process_time if {threads} == 1 else time.perf_counter
if begin: begin()
first = now()
run()
first = now() - first
for _ in range({steps} - 1): run()
found = total()
best, end = float("inf"), time.perf_counter() + 0.5
while time.perf_counter() < end:
    if begin: begin()  # what a step costs may depend on how far a simulation is
    for _ in range(8):
        before = now()
        run()
        best = min(best, now() - before)
print(json.dumps([first, best, found]))
"""


def measured(python: str, text: str, folder: Path) -> list[float]:
    """Seconds of the first step and of the best one, and the sum of the results' squares."""
    path = folder / "program.py"  # Dr.Jit and qd read the source
    path.write_text(text)
    environment = os.environ | {"PYTHONPATH": str(BUILD / "python"), "QD_OFFLINE_CACHE": "0", "OMP_PROC_BIND": "true"}
    done = subprocess.run([python, str(path)], env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{text}\n{done.stderr}")
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def texts_of(title: str, text: str, threads: int) -> dict[str, tuple[str, str]]:
    """The Python and the program of each implementation."""
    timed = TIMED.format(threads=threads, steps=STEPS)
    result, _ = PROGRAMS[title]
    found = {"qd": (sys.executable, KERNELS.format(threads=threads, text=text, result=result) + timed)}
    for name, other in programs("drjit_programs.txt"):
        if name == title:
            found["Dr.Jit"] = (str(PEERS_PYTHON), DRJIT.format(threads=threads, text=other) + timed)
    function = title.replace(" ", "_").replace("-", "_")
    if f"void {function}(int" in Path(__file__).with_name("simd_reference.cpp").read_text():
        found["C++"] = (sys.executable, SIMD.format(library=str(SIMD_LIBRARY), function=function, threads=threads) + timed)
    return found


def compare(title: str, text: str, threads: int, rounds: int, folder: Path) -> None:
    texts = texts_of(title, text, threads)
    first, best = dict.fromkeys(texts, math.inf), dict.fromkeys(texts, math.inf)
    sums = {}
    for _ in range(rounds):
        for name, (python, program) in texts.items():
            start, later, sums[name] = measured(python, program, folder)
            first[name], best[name] = min(first[name], start), min(best[name], later)
    for name, total in sums.items():
        if not math.isclose(total, sums["qd"], rel_tol=PROGRAMS[title][1]):
            sys.exit(f"{title}: the sum of the results' squares is {total} in {name}, {sums['qd']} in qd")
    others = "".join(f"   {name} {best[name] * 1e6:.1f} us {best[name] / best['qd']:.2f}" for name in texts if name != "qd")
    firsts = " ".join(f"{first[name] * 1e3:.0f}" for name in texts if name != "C++")
    print(f"{title:20} {best['qd'] * 1e6:8.1f} us{others}   first step, ms: {firsts}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for title, text in programs("peer_programs.txt"):
            if title in PROGRAMS and (not options.names or title.startswith(tuple(options.names))):
                compare(title, text, options.threads, options.rounds, Path(folder))


if __name__ == "__main__":
    main()
