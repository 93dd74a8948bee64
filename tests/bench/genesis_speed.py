"""Genesis on this runtime and on Quadrants, side by side: builds, first steps, steps a second, memory, states. `ci/genesis` installs it.

    .venv-genesis/bin/python tests/bench/genesis_speed.py [SCENES ...] [--rounds 3] [--warm]

Each scene of genesis_scenes.py runs in processes of its own, in turn on both runtimes: first from empty caches (not with --warm), then ROUNDS times
from full ones, of which the table has medians; then once with kernel coverage. Columns: seconds of a cold build and of a warm one with its first
step, steps a second and their spread, the largest memory, all as this runtime / Quadrants; the cost of coverage; the largest difference of states."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from genesis_scenes import SCENES

FOLDER = Path(__file__).parent
RUNTIME = FOLDER.parents[1] / "build/release/python"


def run(scene: str, ours: bool, cache: Path, save: Path | None = None, **variables: str) -> dict[str, Any] | str:
    """One process; a text says why it has failed."""
    environment = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": str(cache / ("ours" if ours else "quadrants")), **variables}
    command = [sys.executable, str(FOLDER / "genesis_scenes.py"), scene]
    if ours:
        environment["PYTHONPATH"] = str(RUNTIME)
        command[1:1] = ["-m", "qd.compat", "quadrants"]
    if save:
        command += ["--save", str(save)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=cache)
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        reasons = [line for line in (done.stdout + done.stderr).splitlines() if "Error" in line or "Exception" in line] or [
            f"ended with {done.returncode}"
        ]
        return reasons[0][:150]
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def difference(ours: Path, theirs: Path) -> float:
    """The largest difference of the states, relative to the largest number of each."""
    a, b = np.load(ours), np.load(theirs)
    return max(float(np.max(np.abs(a[name] - b[name]), initial=0.0)) / max(1e-30, float(np.max(np.abs(b[name]), initial=0.0))) for name in a.files)


def row(scene: str, rounds: int, cold: bool, folder: Path) -> str:
    def failed(what: dict[str, Any] | str, whose: str) -> str | None:
        return f"{scene:18} {whose}: {what}" if isinstance(what, str) else None

    first = {ours: run(scene, ours, folder, folder / f"{scene}.{ours}.npz") for ours in (True, False)}
    for ours, whose in ((True, "here"), (False, "Quadrants")):
        if message := failed(first[ours], whose):
            return message
    warm: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    for _ in range(rounds):
        for ours in (True, False):
            result = run(scene, ours, folder)
            if isinstance(result, str):
                return f"{scene:18} {result}"
            warm[ours].append(result)
    covered = run(scene, True, folder, QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_DIR=str(folder))
    covered = run(scene, True, folder, QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_DIR=str(folder))

    def pair(number: Any, digits: int) -> str:
        ours, theirs = number(True), number(False)
        return f"{ours:.{digits}f} / {theirs:.{digits}f} ({theirs / ours:.1f}x)"

    def median(ours: bool, part: Any) -> float:
        return statistics.median(part(result) for result in warm[ours])

    def start(result: dict[str, Any]) -> float:
        return float(result["build"] + result["first step"])

    speeds = [median(ours, lambda result: result["steps/s"]) for ours in (True, False)]
    spread = max(max(r["steps/s"] for r in warm[o]) / min(r["steps/s"] for r in warm[o]) for o in (True, False))
    cells = [
        pair(lambda ours: start(first[ours]), 1) if cold else "-",  # type: ignore[arg-type]
        pair(lambda ours: median(ours, start), 1),
        f"{speeds[0]:.0f} / {speeds[1]:.0f} ({speeds[0] / speeds[1]:.2f}x, spread {spread:.2f})",
        pair(lambda ours: median(ours, lambda result: result["MiB"]), 0),
        covered[:20] if isinstance(covered, str) else f"{speeds[0] / covered['steps/s']:.2f}",
        f"{difference(folder / f'{scene}.True.npz', folder / f'{scene}.False.npz'):.1e}",
    ]
    return f"{scene:18} " + " | ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(SCENES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", action="store_true", help="the caches of the last run, in build/genesis, instead of empty ones")
    given = parser.parse_args()
    print(f"{'scene':18} cold build s | warm build s | steps/s | MiB | coverage | difference", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        kept = FOLDER.parents[1] / "build/genesis"
        kept.mkdir(parents=True, exist_ok=True)
        for scene in given.scenes:
            print(row(scene, given.rounds, not given.warm, kept if given.warm else Path(folder)), flush=True)


if __name__ == "__main__":
    main()
