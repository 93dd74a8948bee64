"""How fast `qd-cov report` is beside `coverage report`: the standard library with random data, line and branch mode.

Usage: report_speed.py [QD_COV]. Prints the best of some runs of each, user and system time and elapsed time, and the ratios."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[2]


def write_data(path: Path, branch: bool) -> int:
    """Data for every file of the standard library: 60 % of the lines, in order; the number of files."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    files = [file for file in sorted(stdlib.rglob("*.py")) if "site-packages" not in file.parts]
    rng = random.Random(1)
    measured = {str(file): [n for n in range(1, file.read_bytes().count(b"\n")) if rng.random() < 0.6] for file in files}
    data = CoverageData(str(path))
    if branch:
        data.add_arcs({file: [(-1, 1), *zip(lines, lines[1:])] for file, lines in measured.items()})
    else:
        data.add_lines(measured)
    data.write()
    return len(files)


def best_of(n: int, command: list[str]) -> tuple[float, float]:
    """Least CPU and elapsed seconds."""
    results = []
    for _ in range(n):
        before, start = os.times(), time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        results.append((cpu, time.perf_counter() - start))
    return min(cpu for cpu, _ in results), min(elapsed for _, elapsed in results)


def main() -> None:
    qd_cov = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "release" / "cli" / "qd-cov")
    with tempfile.TemporaryDirectory() as folder:
        for branch in (False, True):
            data_file = Path(folder) / f"data.{branch}"
            n_files = write_data(data_file, branch)
            options = ["report", "-i", f"--data-file={data_file}"]
            our_cpu, ours = best_of(5, [qd_cov, *options])
            their_cpu, theirs = best_of(1, [sys.executable, "-m", "coverage", *options])
            print(f"{'branches' if branch else 'lines'}, {n_files} files: coverage {theirs:.2f} s (CPU {their_cpu:.2f}), ", end="")
            print(f"qd-cov {ours:.3f} s (CPU {our_cpu:.3f}): {theirs / ours:.0f} times as fast, CPU {their_cpu / our_cpu:.0f} times")


if __name__ == "__main__":
    main()
