"""`qd-cov diff` beside `coverage combine` + `coverage xml` + `diff-cover`: whole processes, in turn, on 400 changed files of a made-up 2,000.

Usage: diff_speed.py [--changed N] [--repeat N] [--ours N] [--keep FOLDER] [QD_COV]

Ours reads the eight data files before they are combined. Prints the medians of each, the ratios of CPU time with the least and the greatest of the
single pairs, the ratio of elapsed time, and whether both say the same of every changed file."""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from coverage import CoverageData
from coverage.parser import PythonParser
from measured_trees import SHARES
from report_speed import ROOT, Run, run, summary
from synthetic_tree import write_tree

N_PARTS = 8  # data files, as of that many jobs
BASE = "base"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def edit(text: str, rng: random.Random) -> str:
    """About 17 new lines and 2 lost ones: simple statements of one line each, changed or copied."""
    lines = text.split("\n")
    assignments = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Assign | ast.AugAssign) and node.lineno == node.end_lineno)
    simple = [node.lineno for node in assignments if not lines[node.lineno - 1][: node.col_offset].strip()]
    for line in sorted(rng.sample(simple, min(5, len(simple))), reverse=True):
        indent = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]
        lines[line:line] = [f"{indent}changed_{i} = {rng.randrange(1000)}" for i in range(rng.randrange(1, 6))]
        if rng.random() < 0.4:
            lines[line - 1] = f"{indent}replaced = {rng.randrange(1000)}"
    return "\n".join(lines)


def write_parts(folder: Path, files: list[Path], rng: random.Random) -> None:
    """The arcs of each file that were taken, spread over the parts."""
    parts: list[dict[str, list[tuple[int, int]]]] = [{} for _ in range(N_PARTS)]
    for file in files:
        parser = PythonParser(filename=str(file))
        parser.parse_source()
        share = rng.choice(SHARES)
        taken = [arc for arc in sorted(parser.arcs()) if rng.random() < share]
        for part in rng.sample(parts, 3):
            part[str(file)] = [arc for arc in taken if rng.random() < 0.7]
        rng.choice(parts)[str(file)] = taken
    for i, part in enumerate(parts):
        data = CoverageData(str(folder / f".coverage.part{i}"))
        data.add_arcs(part)
        data.write()


def make_repository(folder: Path, n_changed: int) -> None:
    """A repository whose branch `base` has the made-up project, and whose HEAD changes `n_changed` files of it; data of all of them."""
    if (folder / "made").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    files = write_tree(folder / "project")
    git(folder, "init", "-q", "-b", BASE)
    (folder / ".gitignore").write_text(".coverage*\n*.xml\n*.json\nmade\ntheirs\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "base")
    git(folder, "checkout", "-q", "-b", "change")
    rng = random.Random(3)
    for file in rng.sample(files, n_changed):
        file.write_text(edit(file.read_text(), rng))
    git(folder, "commit", "-q", "-a", "-m", "change")
    write_parts(folder, files, rng)
    (folder / "made").touch()


def result(path: Path) -> dict[str, tuple[list[int], int]]:
    """Missing lines and the number of all lines, of each file."""
    stats = json.loads(path.read_text())["src_stats"]
    return {file: (its["violation_lines"], len(its["violation_lines"]) + len(its["covered_lines"])) for file, its in stats.items()}


def total(runs: list[Run]) -> Run:
    return Run(sum(r.cpu for r in runs), sum(r.elapsed for r in runs), max(r.megabytes for r in runs), b"")


def ratios(theirs: list[Run], ours: list[Run]) -> str:
    cpu = [t.cpu / o.cpu for t, o in zip(theirs, ours, strict=True)]
    elapsed = median(r.elapsed for r in theirs) / median(r.elapsed for r in ours)
    return f"CPU {median(cpu):.0f} x ({min(cpu):.1f}-{max(cpu):.1f}), elapsed {elapsed:.0f} x"


def main() -> None:
    parser = argparse.ArgumentParser(description="`qd-cov diff` beside diff-cover.")
    parser.add_argument("qd_cov", nargs="?", default=str(ROOT / "build" / "release" / "cli" / "qd-cov"))
    parser.add_argument("--changed", type=int, default=400, help="files")
    parser.add_argument("--repeat", type=int, default=3, help="pairs")
    parser.add_argument("--ours", type=int, default=5, help="runs of ours in each pair; the median counts")
    parser.add_argument("--keep", type=Path, help="folder in which the repository stays for the next time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["QD_COV_CACHE_DIR"] = str(Path(temporary) / "cache")
        folder = arguments.keep or Path(temporary) / "repository"
        make_repository(folder, arguments.changed)
        python = Path(sys.executable).parent
        ours_command = [os.path.abspath(arguments.qd_cov), "diff", "--compare-branch", BASE, "--branch-coverage", "--format", "json:ours.json"]
        # A data file of another name: `coverage xml` combines, and deletes, data files beside its own.
        combine = [sys.executable, "-m", "coverage", "combine", "-q", "--keep", "--data-file=theirs", *(f".coverage.part{i}" for i in range(N_PARTS))]
        xml = [sys.executable, "-m", "coverage", "xml", "-q", "--data-file=theirs", "-o", "coverage.xml"]
        cover = [str(python / "diff-cover"), "coverage.xml", "--compare-branch", BASE, "--branch-coverage", "--format", "json:theirs.json"]
        ours: list[Run] = []
        chain: list[Run] = []
        alone: list[Run] = []
        for _ in range(arguments.repeat):
            in_turn = sorted((run(ours_command, folder) for _ in range(arguments.ours)), key=lambda r: r.cpu)
            ours.append(in_turn[len(in_turn) // 2])
            steps = [run(command, folder) for command in (combine, xml, cover)]
            chain.append(total(steps))
            alone.append(steps[-1])
        same = result(folder / "ours.json") == result(folder / "theirs.json")
        print(f"ours: {summary(ours)}")
        print(f"combine + xml + diff-cover: {summary(chain)}; {ratios(chain, ours)}, {'same' if same else 'DIFFERENT'} result")
        print(f"diff-cover alone: {summary(alone)}; {ratios(alone, ours)}")


if __name__ == "__main__":
    main()
