"""`combine` of many data files, ours beside coverage.py's: whole processes, in turn, on copies of the same inputs.

Usage: combine_speed.py [--inputs N] [--kinds lines,arcs] [--hosts N] [--repeat N] [--keep FOLDER] [--coverage PYTHON] [QD_COV]

Prints for each kind the medians of both, the ratios of CPU and of elapsed time with the least and the greatest of the single pairs, peak
memory, and whether the results hold the same rows. Ours waits for the disk (fsync) before it deletes inputs, which elapsed time includes;
coverage.py does not. With --keep the inputs stay for the next time."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
N_FILES = 2000  # in the made-up project
FILES_IN_ONE = 270  # of them in each input
TEMPLATES = 25  # inputs that differ in all; the others differ from one of them in a line


@dataclass
class Run:
    """Time and memory of one process."""

    cpu: float
    elapsed: float
    megabytes: float


def write_template(path: Path, die: random.Random, arcs: bool) -> None:
    from coverage import CoverageData

    data = CoverageData(str(path))
    names = die.sample(range(N_FILES), FILES_IN_ONE)
    if arcs:
        data.add_arcs({f"/src/project/package_{n % 40}/module_{n}.py": some_arcs(random.Random(n), die) for n in names})
    else:
        data.add_lines({f"/src/project/package_{n % 40}/module_{n}.py": sorted(die.sample(range(1, 400), 130)) for n in names})
    data.close()


def some_arcs(of_file: random.Random, die: random.Random) -> list[tuple[int, int]]:
    """Nine in ten of the arcs that a file has."""
    lines = sorted(of_file.sample(range(1, 400), 110))
    arcs = [(-1, lines[0]), *zip(lines, lines[1:]), (lines[-1], -1)]
    return [arc for arc in arcs if die.random() < 0.9]


def write_inputs(folder: Path, n: int, arcs: bool) -> None:
    """Write n data files into `folder`, if they are not there."""
    if folder.is_dir() and len(list(folder.iterdir())) == n:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    die = random.Random(1)
    for i in range(n):
        path = folder / f".coverage.host.{i:05d}"
        if i < TEMPLATES:
            write_template(path, die, arcs)
            continue
        shutil.copy(folder / f".coverage.host.{i % TEMPLATES:05d}", path)
        con = sqlite3.connect(path)
        con.execute("PRAGMA synchronous = off")
        if arcs:
            con.execute("INSERT INTO arc SELECT file_id, context_id, 500, ? FROM arc LIMIT 1", (500 + i,))
        else:
            con.execute("UPDATE line_bits SET numbits = CAST(numbits || ? AS blob) WHERE rowid = 1", (bytes([i % 256, i // 256]),))
        con.commit()
        con.close()


def rows(path: Path) -> set[tuple[object, ...]]:
    con = sqlite3.connect(path)
    result = set(con.execute("SELECT path, fromno, tono FROM arc JOIN file ON file.id = file_id"))
    result |= {(p, bytes(bits).rstrip(b"\0")) for p, bits in con.execute("SELECT path, numbits FROM line_bits JOIN file ON file.id = file_id")}
    return result


def combine(command: list[str], inputs: Path, folder: Path) -> Run:
    """Combine copies of `inputs` in `folder`. Links would do, but both delete the files that they have combined."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(inputs, folder)
    return timed(command, folder)


def combine_in_tree(command: list[str], inputs: Path, folder: Path, hosts: int) -> Run:
    """Combine as `hosts` hosts would: each its part of the copies, in a folder of its own, then their data files."""
    shutil.rmtree(folder, ignore_errors=True)
    for i, path in enumerate(sorted(inputs.iterdir())):
        own = folder / f"host{i % hosts}"
        own.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, own)
    runs = []
    for own in sorted(folder.iterdir()):
        runs.append(timed(command, own))
        (own / ".coverage").rename(folder / f".coverage.{own.name}")
        own.rmdir()
    runs.append(timed(command, folder))
    return Run(sum(run.cpu for run in runs), max(run.elapsed for run in runs[:-1]) + runs[-1].elapsed, max(run.megabytes for run in runs))


def timed(command: list[str], folder: Path) -> Run:
    subprocess.run(["sync"], check=True)
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or [p.name for p in folder.iterdir()] != [".coverage"]:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}, {len(list(folder.iterdir()))} files left")
    return Run(usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss / 1024)


def spread(ratios: list[float]) -> str:
    return f"{median(ratios):.1f} x ({min(ratios):.1f}-{max(ratios):.1f})"


def measure(commands: dict[str, list[str]], inputs: Path, folder: Path, repeat: int, hosts: int) -> str:
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            tree = name == "tree"
            runs[name].append(combine_in_tree(command, inputs, folder / name, hosts) if tree else combine(command, inputs, folder / name))
    parts = [
        f"{name} CPU {median(r.cpu for r in of):.3f} s, elapsed {median(r.elapsed for r in of):.3f} s, {max(r.megabytes for r in of):.0f} MB"
        for name, of in runs.items()
    ]
    pairs = list(zip(runs["coverage"], runs["ours"]))
    parts.append(f"CPU {spread([theirs.cpu / ours.cpu for theirs, ours in pairs])}")
    parts.append(f"elapsed {spread([theirs.elapsed / ours.elapsed for theirs, ours in pairs])}")
    results = [rows(folder / name / ".coverage") for name in commands]
    parts.append("same rows" if all(result == results[0] for result in results) else "rows DIFFER")
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="`combine`, ours beside coverage.py's.")
    parser.add_argument("qd_cov", nargs="?", default=str(ROOT / "build" / "release" / "cli" / "qd-cov"))
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--kinds", default="lines,arcs")
    parser.add_argument("--repeat", type=int, default=3, help="pairs")
    parser.add_argument(
        "--hosts",
        type=int,
        default=0,
        help="combine also on one core, and in a tree over so many hosts: the time is that of the slowest, and of the last step",
    )
    parser.add_argument("--keep", type=Path, help="folder in which the inputs stay for the next time")
    parser.add_argument("--coverage", default=sys.executable, help="Python that has the coverage.py to compare with")
    arguments = parser.parse_args()
    version = subprocess.run([arguments.coverage, "-m", "coverage", "--version"], check=True, capture_output=True, text=True).stdout
    print(version.splitlines()[0])
    with tempfile.TemporaryDirectory() as temporary:
        for kind in arguments.kinds.split(","):
            inputs = (arguments.keep or Path(temporary)) / kind
            write_inputs(inputs, arguments.inputs, kind == "arcs")
            megabytes = sum(p.stat().st_size for p in inputs.iterdir()) / 1e6
            commands = {"ours": [os.path.abspath(arguments.qd_cov), "combine"], "coverage": [arguments.coverage, "-m", "coverage", "combine"]}
            if arguments.hosts:
                commands["one core"] = ["taskset", "-c", "0", *commands["ours"]]
                commands["tree"] = commands["ours"]
            result = measure(commands, inputs, Path(temporary), arguments.repeat, arguments.hosts)
            print(f"{arguments.inputs} files of {kind}, {megabytes:.0f} MB: {result}", flush=True)


if __name__ == "__main__":
    main()
