"""Steps a second of Genesis' scenes in the steady state: this runtime, the same with kernel coverage, and Quadrants, in turns.

    .venv-genesis/bin/python tests/bench/genesis_steps.py [SCENES ...] [--steps 3000] [--warm-up 1500] [--rounds 3] [--wall] [--prepare]

Each of the three is a process that builds the scene, warms up, and then waits; the processes step in turns, STEPS / ROUNDS steps at a time, so that a
change of the computer's speed meets all of them. The rates count the processor's time of the process, since other programs on the computer
take wall time; `--wall` counts that. With coverage the warm-up is long enough for code that counts nothing more. `--prepare` only
fills the caches in build/genesis. Scenes that would begin later than SECONDS are left out. Columns: steps a second, the medians of the rounds; ratio
to Quadrants; the cost of coverage."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from genesis_scenes import DOUBLES, SCENES

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
KINDS = ("here", "covered", "Quadrants")


def serve(name: str, warm_up: int) -> None:
    """One process: answers each line with the seconds that so many steps took."""
    import genesis as gs

    gs.init(backend=gs.cpu, precision="64" if name in DOUBLES else "32", logging_level="error", seed=0)
    made, _ = SCENES[name](gs, gs.options)
    made.build(n_envs=getattr(made, "n_envs_of_scene", 0))
    for _ in range(warm_up):
        made.step()
    print("ready", flush=True)
    for line in sys.stdin:
        begin = time.perf_counter(), time.process_time()
        for _ in range(int(line)):
            made.step()
        print(json.dumps([time.perf_counter() - begin[0], time.process_time() - begin[1]]), flush=True)


class Server:
    def __init__(self, scene: str, kind: str, warm_up: int) -> None:
        cache = ROOT / "build/genesis" / ("quadrants" if kind == "Quadrants" else "ours")
        cache.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": str(cache)}
        command = [sys.executable, str(FOLDER / "genesis_steps.py"), "--serve", scene, "--warm-up", str(warm_up)]
        if kind != "Quadrants":
            environment["PYTHONPATH"] = str(ROOT / "build/release/python")
            command[1:1] = ["-m", "qd.compat", "quadrants"]
        if kind == "covered":
            environment.update(QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_DIR=str(cache))
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=cache)
        while self._line() != "ready":
            pass

    def _line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a process ended with {self.process.wait()}")
        return line.strip()

    def seconds(self, steps: int, wall: bool) -> float:
        assert self.process.stdin
        print(steps, file=self.process.stdin, flush=True)
        return float(json.loads(self._line())[0 if wall else 1])

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def row(scene: str, given: Any) -> str:
    servers = {kind: Server(scene, kind, given.warm_up) for kind in KINDS}
    part = max(1, given.steps // given.rounds)
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(0 if given.prepare else given.rounds):
        for kind in KINDS:
            rates[kind].append(part / servers[kind].seconds(part, given.wall))
    for server in servers.values():
        server.end()
    if given.prepare:
        return f"{scene:18} prepared"
    here, covered, there = (statistics.median(rates[kind]) for kind in KINDS)
    spread = max(max(found) / min(found) for found in rates.values())
    return f"{scene:18} {here:8.0f} {covered:8.0f} {there:8.0f}   {here / there:.2f}x   {here / covered:.3f}   {spread:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=["franka", "two_bodies", "batch", "noslip"])
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--warm-up", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=420)
    parser.add_argument("--wall", action="store_true")
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.warm_up)
        return
    print(f"{'scene':18} {'here':>8} {'covered':>8} {'Quadr.':>8}   ratio   cost    spread", flush=True)
    began = time.perf_counter()
    for scene in given.scenes:
        if time.perf_counter() - began < given.seconds:
            print(row(scene, given), flush=True)


if __name__ == "__main__":
    main()
