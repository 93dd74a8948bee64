"""Speed of gradients: python tests/bench/gradient_speed.py [NAME ...]

Runs the kernels of gradient_programs.txt (those whose names begin so, or all) and their reverse mode in qd, Quadrants and Taichi, which
`ci/setup --peers` installs: two threads each, in turn, three times. It prints the best time of the gradient, its ratio to the kernel itself, the time
of its first launch less that of the kernel's (compilation), and how many times faster qd is than each peer. Prints; asserts nothing."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from peer_speed import NAMES, Implementation, Outcome, programs

ROUNDS = 3
PROGRAM = """import time

import qd

try:
    qd.init(arch=qd.cpu, cpu_max_num_threads=2, ad_stack_experimental_enabled=True)
except Exception:
    qd.init(arch=qd.cpu, cpu_max_num_threads=2)

args = ()
start = None
{text}

def best(call):
    found, end = float("inf"), time.perf_counter() + 0.3
    while time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        qd.sync()
        found = min(found, time.perf_counter() - begin)
    return found

def timed(call):
    begin = time.perf_counter()
    call()
    qd.sync()
    return time.perf_counter() - begin

def run():
    if start is not None:
        start()
    first = [timed(lambda: k(*args)), timed(lambda: k.grad(*args))]
    return [*first, best(lambda: k(*args)), best(lambda: k.grad(*args))]
"""


def times(name: str, path: Path) -> list[float] | str:
    """Seconds of the first launches of the kernel and of its gradient, and of the best ones; a text: why there are none."""
    implementation = Implementation(name)
    outcome: Outcome = implementation.run(path)
    implementation.end()
    return outcome.message.strip().splitlines()[0][:60] if outcome.error else list(outcome.value)


def main() -> None:
    wanted = tuple(sys.argv[1:])
    print(f"{'':24} {'gradient':>10} {'/ kernel':>8} {'compile ms':>15}   " + "   ".join(f"{name}: gradient, ratio" for name in NAMES[1:]))
    with tempfile.TemporaryDirectory() as folder:
        for title, text in programs("gradient_programs.txt"):
            if wanted and not title.startswith(wanted):
                continue
            path = Path(folder) / (re.sub(r"\W+", "_", title) + ".py")
            path.write_text(PROGRAM.replace("{text}", text))
            found: dict[str, list[float] | str] = {}
            for _ in range(ROUNDS):
                for name in NAMES:
                    now, before = times(name, path), found.get(name)
                    found[name] = now if isinstance(now, str) or not isinstance(before, list) else list(map(min, now, before))
            ours = found["qd"]
            if isinstance(ours, str):
                print(f"{title:24} {ours}")
                continue
            line = f"{title:24} {ours[3] * 1e3:7.3f} ms {ours[3] / ours[2]:8.2f} {ours[1] * 1e3:6.0f} / {ours[0] * 1e3:6.0f}"
            for name in NAMES[1:]:
                peer = found[name]
                line += f"   {peer}" if isinstance(peer, str) else f"   {peer[3] * 1e3:9.3f} ms {peer[3] / ours[3]:6.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
