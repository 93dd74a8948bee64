"""Speed of kernels in the language's implementations: python tests/bench/peer_speed.py [programs | microbenchmarks] [NAME ...]

Runs the programs of peer_programs.txt and peer_microbenchmarks.txt (those whose names begin so, or all) in qd, Quadrants and Taichi, which
`ci/setup --peers` installs: two threads each, in turn, five times, and once more with kernels in their offline caches. It prints the best time of
a step for each, the ratios (above 1: qd is faster), the time of the first step without and with a filled cache, and geometric means of the ratios.
Every implementation runs the same text. A title such as ``sum n=4096,1048576 t=i32,f32`` is a program for each choice of values."""

from __future__ import annotations

import itertools
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/differential/peers"))
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build/release")
os.environ["PYTHONPATH"] = str(BUILD / "python")
from implementations import Implementation, Outcome  # noqa: E402

ROUNDS = 5
PROGRAM = """import time

import qd

qd.init(arch=qd.cpu, cpu_max_num_threads=2)


{text}

again = globals().get("start")

def measured(steps):
    # Seconds of a step. A simulation begins anew, because what a step costs may depend on how far it is.
    if again is not None:
        again()
    qd.sync()
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    qd.sync()
    return (time.perf_counter() - begin) / steps

def run():
    start = time.perf_counter()
    step()
    qd.sync()
    first = time.perf_counter() - start
    step()  # a program that swaps two arrays compiles once more
    best, end = float("inf"), time.perf_counter() + 0.3
    steps = max(1, min(1000, int(1e-3 / measured(1)))) if again is None else 8
    while time.perf_counter() < end:
        best = min(best, measured(steps))
    qd.reset()  # writes the offline cache
    return [first, best]
"""


NAMES = ("qd", "quadrants", "taichi")


def programs(file: str) -> Iterator[tuple[str, str]]:
    """Titles and texts."""
    parts = re.split(r"^### *(.*)\n", (Path(__file__).parent / file).read_text(), flags=re.MULTILINE)
    for title, text in zip(parts[1::2], parts[2::2]):
        words = title.split(" ")
        choices = [[(name, value) for value in values.split(",")] for name, _, values in (word.partition("=") for word in words) if values]
        for chosen in itertools.product(*choices):
            constants = "".join(f"{name} = {value if value.isdigit() else repr(value)}\n" for name, value in chosen)
            name = " ".join([*(word for word in words if "=" not in word), *(value for _, value in chosen)])
            yield name, constants + text


def times(name: str, path: Path, cache: str = "") -> list[float]:
    """Seconds of the first step, and of each one later."""
    implementation = Implementation(name, cache=cache)
    outcome: Outcome = implementation.run(path)
    implementation.end()
    if outcome.error:
        sys.exit(f"{path.stem} in {name}: {outcome}")
    found: list[float] = outcome.value
    return found


class Ratios:
    """Ratios of one group of programs, for the means."""

    def __init__(self) -> None:
        self.steps: dict[str, list[float]] = {name: [] for name in NAMES[1:]}
        self.cold: dict[str, list[float]] = {name: [] for name in NAMES[1:]}
        self.cached: dict[str, list[float]] = {name: [] for name in NAMES[1:]}

    def print(self) -> None:
        for name in NAMES[1:]:
            means = [math.exp(sum(map(math.log, kind[name])) / len(kind[name])) for kind in (self.steps, self.cold, self.cached)]
            print(
                f"against {name}: geometric mean {means[0]:.2f}, least {min(self.steps[name]):.2f}; "
                f"first step {means[1]:.1f}, from the cache {means[2]:.1f}"
            )


def compare(title: str, text: str, folder: Path, ratios: Ratios) -> None:
    path = folder / (re.sub(r"\W+", "_", title) + ".py")
    path.write_text(PROGRAM.replace("{text}", text))
    step = dict.fromkeys(NAMES, math.inf)
    cold, cached = dict(step), dict(step)
    for _ in range(ROUNDS):
        for name in NAMES:
            first, later = times(name, path)
            cold[name], step[name] = min(cold[name], first), min(step[name], later)
    for round_number in range(3):
        for name in NAMES:
            first, _ = times(name, path, str(folder / f"cache_{name}"))
            if round_number > 0:  # the first one fills it
                cached[name] = min(cached[name], first)
    line = f"{title:32} {step['qd'] * 1e6:8.1f} us"
    for name in NAMES[1:]:
        for kind, values in ((ratios.steps, step), (ratios.cold, cold), (ratios.cached, cached)):
            kind[name].append(values[name] / values["qd"])
        line += f" {step[name] * 1e6:9.1f} us {step[name] / step['qd']:6.2f}"
    firsts = "   ".join(" ".join(f"{values[name] * 1e3:4.0f}" for name in NAMES) for values in (cold, cached))
    print(f"{line}   {firsts}", flush=True)


def main() -> None:
    groups = [group for group in ("programs", "microbenchmarks") if group in sys.argv[1:]] or ["programs", "microbenchmarks"]
    wanted = tuple(word for word in sys.argv[1:] if word not in groups)
    for group in groups:
        ratios = Ratios()
        peers = "".join(f" {name:>12} {'ratio':>6}" for name in NAMES[1:])
        print(f"{group:32} {'qd':>11}{peers}   first step, ms: {', '.join(NAMES)}; from the cache", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for title, text in programs(f"peer_{group}.txt"):
                if not wanted or title.startswith(wanted):
                    compare(title, text, Path(folder), ratios)
        if ratios.steps["taichi"]:
            ratios.print()


if __name__ == "__main__":
    main()
