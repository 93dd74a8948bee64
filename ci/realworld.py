"""Runs test suites of well-known Python projects under coverage.py and under qd-cov, and compares data and reports.

Each suite runs twice under `coverage run`, which shows the part of its data that changes from run to run, and once under
`qd-cov run`. Then both tools make every report from the data of coverage.py's first run."""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from realworld_compare import TIMED, DataComparison, Fact, ReportComparison, compare_data, compare_reports
from realworld_project import Failed, Project, SuiteRun, read_projects

SHOWN = 10
"""So many differences are printed; all of them are in the project's folder."""

HEAD = ("project", "run", "tests passed", "files", "facts", "unstable", "lost", "added", "run time", "equal reports",
        *(f"{name} ×" for name in TIMED))  # fmt: skip


def show_facts(title: str, facts: set[Fact], project: Project) -> None:
    path = project.folder / f"{title}.txt"
    ordered = sorted(f"{file} {context!r} {what}" for file, context, what in facts)
    path.write_text("\n".join(ordered) + "\n" if ordered else "", encoding="utf-8")
    for line in ordered[:SHOWN]:
        print(f"   {title}: {line}")
    if len(ordered) > SHOWN:
        print(f"   {title}: {len(ordered) - SHOWN} more in {path}")


def say(project: Project, text: str) -> None:
    print(f"== {project.name} {project.version}: {text}", flush=True)


def row(project: Project, runs: list[SuiteRun], data: DataComparison, reports: ReportComparison) -> list[str]:
    first, second, ours = runs
    total = reports.equal + len(reports.permitted) + len(reports.differing) + len(reports.absent)
    equal = f"{reports.equal} + {len(reports.permitted)}" if reports.permitted else str(reports.equal)
    ratios = []
    for name in TIMED:
        theirs, own = reports.seconds.get(name, (0.0, 0.0))
        ratios.append(f"{theirs / own:.0f}" if own else "–")
    command = shlex.join([*project.options, *project.command])
    passed = str(ours.passed) if first.outcome == second.outcome == ours.outcome else f"{first.passed}, {second.passed} / {ours.passed}"
    return [
        f"{project.name} {project.version}", f"`{command}`", passed, str(data.files), str(data.facts), str(len(data.unstable)), str(len(data.lost)),
        str(len(data.added)), f"{ours.seconds / min(first.seconds, second.seconds):.2f}", f"{equal} of {total}", *ratios,
    ]  # fmt: skip


def compare(project: Project, qd_cov: Path, reports_only: bool) -> tuple[list[str], bool]:
    """The project's row of the table, and whether everything is the same."""
    say(project, "set-up")
    project.set_up()
    coverage = [] if project.measures_itself else [str(project.bin / "coverage"), "run"]
    labels = {"coverage": coverage, "coverage-again": coverage, "qd-cov": [str(qd_cov), "run", "-q"]}
    runs = []
    for label, program in labels.items():
        say(project, f"suite under {label}")
        run = project.read_suite(label) if reports_only else project.run_suite(label, program)
        print(f"   {run.passed} passed, {run.failed} failed, {run.skipped} skipped, exit code {run.exit_code}, {run.seconds:.1f} s")
        runs.append(run)
    same = runs[0].outcome == runs[2].outcome
    if not same:
        print("   the suites' outcomes differ")
    data = compare_data(project, *runs)
    for title, facts in (("unstable", data.unstable), ("lost", data.lost), ("added", data.added)):
        show_facts(title, facts, project)
    say(project, "reports")
    reports = compare_reports(project, runs[0].data_file, qd_cov)
    for name in reports.differing:
        print(f"   differs: {name}")
    for name in reports.permitted:
        print(f"   permitted: {name}")
    if reports.absent:
        print(f"   absent: {', '.join(reports.absent)}")
    same = same and data.differences == 0 and not reports.differing and not reports.absent
    return row(project, runs, data, reports), same


def table(rows: Iterable[Iterable[str]]) -> str:
    lines = ["| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join(lines)


def main() -> int:
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(prog="ci/realworld", description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help="projects of ci/realworld.ini; all of them by default")
    parser.add_argument("--cache", type=Path, default=here.parent / "build" / "realworld", metavar="FOLDER",
                        help="where sources, environments, data and reports are kept; build/realworld by default")  # fmt: skip
    parser.add_argument("--reports-only", action="store_true", help="compare again what the last runs left")
    parser.add_argument("--qd-cov", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()

    version = importlib.metadata.version("coverage")
    projects = read_projects(here / "realworld.ini", options.cache.resolve(), version)
    unknown = set(options.projects) - {project.name for project in projects}
    if unknown:
        parser.error(f"no such project: {', '.join(sorted(unknown))}")
    rows, good = [], True
    for project in projects:
        if options.projects and project.name not in options.projects:
            continue
        try:
            cells, same = compare(project, options.qd_cov, options.reports_only)
            rows.append(cells)
            good = good and same
        except Failed as failure:
            print(f"   FAILED: {failure}")
            rows.append([f"{project.name} {project.version}", f"failed: {failure}", *[""] * (len(HEAD) - 2)])
            good = False
        except KeyboardInterrupt:
            print("   interrupted")
            good = False
            break
    qd_version = subprocess.run([options.qd_cov, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    print(f"\n{datetime.date.today()}, coverage.py {version}, qd-cov {qd_version}, Python {platform.python_version()}\n")
    print(table(rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
