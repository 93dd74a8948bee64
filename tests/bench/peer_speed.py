"""How fast kernels are in the language's implementations: python tests/bench/peer_speed.py [NAME ...]

Runs the programs of peer_programs.txt (those of these names, or all) in qd, Quadrants and Taichi, which `ci/setup --peers` installs: two threads
each, in turn, five times. It prints the best time of a step for each, the ratios (above 1: qd is faster), the time of the first step, which compiles,
and the geometric mean of the ratios. Every implementation runs the same text."""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile
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

def run():
    start = time.perf_counter()
    step()
    qd.sync()
    first = time.perf_counter() - start
    steps, took = 1, 0.0
    while took < 0.15:
        steps *= 2
        start = time.perf_counter()
        for _ in range(steps):
            step()
        qd.sync()
        took = time.perf_counter() - start
    return [first, took / steps]
"""


def programs() -> dict[str, str]:
    parts = re.split(r"^### *(.*)\n", Path(__file__).with_name("peer_programs.txt").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def main() -> None:
    wanted = sys.argv[1:] or list(programs())
    names = ("qd", "quadrants", "taichi")
    ratios: dict[str, list[float]] = {name: [] for name in names[1:]}
    print(f"{'program':16} {'qd':>10}" + "".join(f" {name:>10} {'ratio':>6}" for name in names[1:]) + "   first step, ms: " + " ".join(names))
    with tempfile.TemporaryDirectory() as folder:
        for title in wanted:
            path = Path(folder) / (re.sub(r"\W+", "_", title) + ".py")
            path.write_text(PROGRAM.replace("{text}", programs()[title]))
            best: dict[str, list[float]] = {name: [math.inf, math.inf] for name in names}
            for _ in range(ROUNDS):
                for name in names:
                    implementation = Implementation(name)
                    outcome: Outcome = implementation.run(path)
                    implementation.end()
                    if outcome.error:
                        sys.exit(f"{title} in {name}: {outcome}")
                    best[name] = [min(old, new) for old, new in zip(best[name], outcome.value)]
            line = f"{title:16} {best['qd'][1] * 1e6:8.0f}us"
            for name in names[1:]:
                ratio = best[name][1] / best["qd"][1]
                ratios[name].append(ratio)
                line += f" {best[name][1] * 1e6:8.0f}us {ratio:6.2f}"
            print(line + "   " + " ".join(f"{best[name][0] * 1e3:.0f}" for name in names), flush=True)
    for name in names[1:]:
        mean = math.exp(sum(math.log(ratio) for ratio in ratios[name]) / len(ratios[name]))
        print(f"against {name}: geometric mean {mean:.2f}, least {min(ratios[name]):.2f}")


if __name__ == "__main__":
    main()
