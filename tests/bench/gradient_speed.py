"""Speed of gradients: python tests/bench/gradient_speed.py [--threads N] [--rounds N] [--no-peers] [NAME ...]

Runs the kernels of gradient_programs.txt (those whose names begin so, or all) and their reverse mode in qd, in Quadrants and Taichi, which
`ci/setup --peers` installs, and adjoints written by hand in C++ (gradient_reference.cpp, compiled by clang): in turn, three times. It prints the
best time of the gradient, its ratio to the kernel itself, the time of its first launch and of the kernel's (compilation), the same of the C++, and
how many times faster qd is than each peer. With one thread times are processor time, on which other programs have less influence. The gradients
of qd and of the C++ are compared first, for random numbers: a difference ends the benchmark. It asserts nothing about time."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from pathlib import Path

from peer_speed import BUILD, NAMES, Implementation, Outcome, programs

# Programs with a reference: the prefix of its functions, and the fields in the order of its arguments.
REFERENCES = {
    "saxpy": ("saxpy", "x, y"),
    "stencil": ("stencil", "x, y"),
    "stencil, nonlinear": ("nonlinear", "x, y"),
    "n-body": ("bodies", "pos, force"),
    "small matrices": ("matrices", "A, B, C"),
    "MPM, from the grid": ("particles", "x, x2, v2, C2, grid_v"),
}

PROGRAM = """import time

import qd

try:
    qd.init(arch=qd.cpu, cpu_max_num_threads={threads}, ad_stack_experimental_enabled=True)
except Exception:
    qd.init(arch=qd.cpu, cpu_max_num_threads={threads})

args = ()
start = None
now = time.process_time if {threads} == 1 else time.perf_counter
{text}

def timed(call):
    begin = now()
    call()
    qd.sync()
    return now() - begin

def best(*calls):
    found, end = [float("inf")] * len(calls), time.perf_counter() + 0.3 * len(calls)
    while time.perf_counter() < end:
        for n, call in enumerate(calls):
            for _ in range(3):
                found[n] = min(found[n], timed(call))
    return found
"""

RUN = """
def run():
    if start is not None:
        start()
    first = [timed(lambda: k(*args)), timed(lambda: k.grad(*args))]
    return [*first, *best(lambda: k(*args)), *best(lambda: k.grad(*args))]
"""

RUN_REFERENCE = """
import ctypes

import numpy as np

def near(ours, theirs, what):
    error = max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(ours, theirs))
    assert error < 1e-4, f"{what} differ by {error:.1e} of the largest number"

def run():
    library = ctypes.CDLL("{library}")
    kernel, gradient = library.{reference}_kernel, library.{reference}_gradient
    random = np.random.default_rng(1)
    fields = [{fields}]
    for field in fields:
        shape = field.to_numpy().shape
        one = 2.0 * np.eye(3) if shape[-2:] == (3, 3) else 0.0  # so that each matrix has an inverse
        field.from_numpy((random.uniform(0.2, 0.8, shape) + one).astype(np.float32))
        field.grad.from_numpy(random.uniform(-1.0, 1.0, shape).astype(np.float32))
    numbers, gradients = ([np.ascontiguousarray(each.to_numpy()) for each in list] for list in (fields, [field.grad for field in fields]))
    a, b = ((ctypes.c_void_p * len(fields))(*(each.ctypes.data for each in list)) for list in (numbers, gradients))
    k(*args)
    kernel(a)
    near([field.to_numpy() for field in fields], numbers, "results")
    k.grad(*args)
    gradient(a, b)
    for field, theirs in zip(fields, gradients):
        ours = field.grad.to_numpy()
        if np.abs(theirs).max() > 0:
            near([ours], [theirs], "gradients")
        else:
            assert not ours.any(), "a gradient is not cleared"
    return best(lambda: k(*args), lambda: k.grad(*args), lambda: kernel(a), lambda: gradient(a, b))
"""

Found = list[float] | str


def times(name: str, path: Path) -> Found:
    """Measurements of a program; a text: the reason why there are none."""
    implementation = Implementation(name)
    outcome: Outcome = implementation.run(path)
    implementation.end()
    return outcome.message.strip().splitlines()[0][:60] if outcome.error else list(outcome.value)


def better(now: Found, before: Found | None) -> Found:
    return now if isinstance(now, str) or not isinstance(before, list) else list(map(min, now, before))


def reference(title: str, path: Path) -> Path | None:
    """The program that compares qd and the reference."""
    if title not in REFERENCES:
        return None
    name, fields = REFERENCES[title]
    library = BUILD / "tests/bench/libgradient_reference.so"
    text = RUN_REFERENCE.replace("{library}", str(library)).replace("{reference}", name).replace("{fields}", fields)
    result = path.with_stem(path.stem + "_reference")
    result.write_text(path.read_text().removesuffix(RUN) + text)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    os.environ |= {"OMP_NUM_THREADS": str(options.threads), "OMP_WAIT_POLICY": "passive"}
    peers = NAMES[1:] if options.peers else ()
    print(
        f"{'':20} {'gradient':>10} {'/ kernel':>8} {'compile ms':>11}    C++: {'gradient':>10} {'/ kernel':>8} {'ours / C++':>10}   "
        + "   ".join(f"{name}: gradient, ratio" for name in peers)
    )
    with tempfile.TemporaryDirectory() as folder:
        for title, text in programs("gradient_programs.txt"):
            if options.names and not title.startswith(tuple(options.names)):
                continue
            path = Path(folder) / (re.sub(r"\W+", "_", title) + ".py")
            path.write_text(PROGRAM.replace("{threads}", str(options.threads)).replace("{text}", text) + RUN)
            both = reference(title, path)
            found: dict[str, Found] = {}
            for _ in range(options.rounds):
                for name in ("qd", *peers):
                    found[name] = better(times(name, path), found.get(name))
                if both:
                    found["C++"] = better(times("qd", both), found.get("C++"))
            print(line(title, found, peers), flush=True)


def line(title: str, found: dict[str, Found], peers: tuple[str, ...]) -> str:
    ours, by_hand = found["qd"], found.get("C++")
    if isinstance(ours, str):
        return f"{title:20} {ours}"
    result = f"{title:20} {ours[3] * 1e3:7.3f} ms {ours[3] / ours[2]:8.2f} {ours[1] * 1e3:4.0f} / {ours[0] * 1e3:4.0f}    "
    if isinstance(by_hand, list):
        result += f"     {by_hand[3] * 1e3:7.3f} ms {by_hand[3] / by_hand[2]:8.2f} {by_hand[1] / by_hand[3]:10.2f}"
    else:
        result += f"     {by_hand or '':30}"
    for name in peers:
        peer = found[name]
        result += f"   {peer}" if isinstance(peer, str) else f"   {peer[3] * 1e3:9.3f} ms {peer[3] / ours[3]:6.2f}"
    return result


if __name__ == "__main__":
    main()
