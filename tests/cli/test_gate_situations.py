"""`qd-cov` in every situation of gate_situations.py: its exit code is the one that the files ask for, and every format says the same.

tests/gold/diff/gates.md has the answers of coverage.py, diff-cover and `qd-cov`. With QD_DIFF_COVER=1 the other two are asked again; else their
answers are those of the table (QD_UPDATE_GOLD=1 with it writes the table)."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import coverage
import pytest
from coverage_commands import coverage_py
from diff_repository import Report, Repository
from gate_situations import GATES, Build, Gate

GOLD = Path(__file__).resolve().parent.parent / "gold" / "diff" / "gates.md"
ASKED = "QD_DIFF_COVER" in os.environ


@dataclass
class File:
    """Expected numbers of a file, read from the words "ran", "idle", "new" and "[1/2]" in its own text."""

    path: str
    text: str
    is_new: bool
    measured: bool = True

    def count(self, changed: bool = True, branches: bool = False) -> tuple[int, int]:
        """Covered statements, and all; with `branches` one that lacks a branch is not covered."""
        lines = [line for line in self.text.splitlines() if re.search("ran|idle", line) and ("new" in line or not changed)]
        lacking = sum("idle" in line or (branches and "[1/2]" in line) for line in lines)
        return len(lines) - lacking, len(lines)

    def branches(self) -> tuple[int, int]:
        found = re.findall(r"\[(\d)/(\d)\]", self.text)
        return sum(int(taken) for taken, _ in found), sum(int(all_) for _, all_ in found)


@dataclass
class Truth:
    """Expected numbers of a situation: those of its files, and the options that choose among them."""

    files: list[File]
    options: dict[str, list[str]] = field(default_factory=dict)

    def chosen(self) -> list[File]:
        """The files that the options choose."""

        def match(file: File, option: str) -> bool:
            return any(fnmatch.fnmatch(file.path, one) or fnmatch.fnmatch(Path(file.path).name, one) for one in self.options.get(option, []))

        return [
            file
            for file in self.files
            if not match(file, "exclude") and not match(file, "omit") and ("include" not in self.options or match(file, "include"))
        ]

    def measured(self) -> list[File]:
        return [file for file in self.chosen() if file.measured]

    def unknown(self) -> bool:
        """Whether there are changed statements without data."""
        return any(not file.measured and file.count()[1] for file in self.chosen())

    def sum(self, files: list[File], changed: bool = True) -> tuple[int, int]:
        counts = [file.count(changed, "branch-coverage" in self.options) for file in files]
        return sum(covered for covered, _ in counts), sum(all_ for _, all_ in counts)

    def all_reached(self) -> bool:
        """Whether every threshold is reached."""
        covered, total = self.sum(self.measured())
        small = total < int(self.options.get("minimum-change", ["0"])[0])

        def reaches(counts: tuple[int, int], threshold: str) -> bool:
            return Fraction(100 * counts[0]) >= Fraction(threshold) * counts[1]

        for text in self.options.get("fail-under", []):
            pattern, _, threshold = text.rpartition("=")
            files = [file for file in self.measured() if not pattern or fnmatch.fnmatch(file.path, pattern.replace("**/", "*").replace("**", "*"))]
            if not small and not reaches(self.sum(files), threshold):
                return False
        for threshold in self.options.get("fail-under-new-files", []):
            if not reaches(self.sum([file for file in self.measured() if file.is_new]), threshold):
                return False
        for threshold in self.options.get("fail-under-branches", []):
            found = [file.branches() for file in self.measured()]
            if not reaches((sum(taken for taken, _ in found), sum(all_ for _, all_ in found)), threshold):
                return False
        for threshold in self.options.get("fail-under-total", []):
            if not reaches(self.sum([file for file in self.files if file.measured], changed=False), threshold):
                return False
        for most in self.options.get("max-missing", []):
            if total - covered > int(most):
                return False
        return not self.unknown() or not self.options.keys() & THRESHOLDS or self.options.get("on-no-data", ["fail"]) != ["fail"]

    def total_reached(self) -> bool:
        """coverage.py's rule: the total is rounded as it is shown or as the threshold is written, and 100 is all of it."""
        covered, total = self.sum(self.measured(), changed=False)
        if any(file.branches()[1] for file in self.measured()):
            covered += sum(file.branches()[0] for file in self.measured())
            total += sum(file.branches()[1] for file in self.measured())
        percent = 100.0 * covered / total if total else 100.0
        threshold = float(self.options["fail-under"][0])
        if threshold == 100:
            return percent == 100
        decimals = len(self.options["fail-under"][0].partition(".")[2])
        return round(percent, max(decimals, int(self.options.get("precision", ["0"])[0]))) >= threshold


THRESHOLDS = {"fail-under", "fail-under-new-files", "fail-under-branches", "fail-under-total", "max-missing"}


def parsed(options: tuple[str, ...]) -> dict[str, list[str]]:
    """Options with their values."""
    result: dict[str, list[str]] = {}
    name = ""
    for word in options:
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            result.setdefault(name, []).extend([value] if "=" in word else [])
        else:
            result.setdefault(name, []).append(word)
    return result


def source_files(repo: Repository, situation: Gate) -> Iterator[File]:
    at_base = set(repo.git("ls-tree", "-r", "--name-only", "main").split())
    renamed = set(re.findall(r"^R\d+\t.*\t(.*)$", repo.git("diff", "--name-status", "-M", "main", "work"), re.MULTILINE))
    for path in sorted([*repo.folder.rglob("*.py"), *repo.folder.rglob("tool")]):
        name = str(path.relative_to(repo.folder))
        yield File(name, path.read_text(), name not in at_base | renamed, name not in situation.without_data)


def measure(repo: Repository, situation: Gate, files: list[File]) -> None:
    """The data that the files describe, or of a real run."""
    if situation.real:
        coverage_py(["run", "--branch", "m.py"], repo.folder, repo.environment, check=True)
        return
    executed = {
        str((repo.folder / file.path).resolve()): [number for number, line in enumerate(file.text.splitlines(), 1) if "ran" in line]
        for file in files
        if file.measured
    }
    if not executed:
        return
    data = coverage.CoverageData(str(repo.folder / ".coverage"))
    data.add_lines(executed)
    data.touch_files(executed)
    data.write()


def write_report(repo: Repository, form: str, number: int = 0) -> str:
    """coverage.py's report of the data, in place of it."""
    name = {"xml": f"coverage{number}.xml", "lcov": f"coverage{number}.info"}[form]
    return name if coverage_py([form, "-q", "-o", name], repo.folder, repo.environment).returncode == 0 else ""


def by_qd_cov(repo: Repository, situation: Gate) -> Report:
    reports = [write_report(repo, form, number) for number, form in enumerate(situation.reports)]
    if situation.total:
        done = subprocess.run(["qd-cov", "report", *situation.options], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
        return Report(done.returncode, done.stdout, done.stderr)
    run = repo.diff_as_typed if any(option.startswith("--diff-file") for option in situation.options) else repo.diff
    formats = ("--format", "json:ours.json", "--format", "github-check-run:check.json", "--format", "markdown:comment.md")
    return run(*reports, *situation.options, *formats)


def by_others(repo: Repository, situation: Gate) -> tuple[str, str]:
    """The answers of coverage.py and diff-cover: the cells of the table."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", *words], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)

    if situation.total:
        return f"exit {run('coverage', 'report', *situation.options).returncode}", ""
    if situation.theirs is None:
        return "", ""
    reports = [write_report(repo, form, number) for number, form in enumerate(situation.reports)] or [write_report(repo, "xml")]
    base = [] if any(option.startswith("--diff-file") for option in situation.options) else ["--compare-branch=main"]
    done = run("diff_cover.diff_cover_tool", *filter(None, reports), *(situation.theirs or situation.options), *base, "--format=json:theirs.json")
    answer = f"exit {done.returncode}"
    if text := (repo.folder / "theirs.json").read_text() if (repo.folder / "theirs.json").exists() else "":
        found = json.loads(text)
        answer += f", {found['total_num_lines'] - found['total_num_violations']} of {found['total_num_lines']}"
    return "", answer


def shown(files: Truth, situation: Gate) -> str:
    covered, total = files.sum(files.measured(), changed=not situation.total)
    without = f", {len(situation.without_data)} file without data" if situation.without_data else ""
    return f"{covered} of {total}{without}"


def table() -> dict[str, list[str]]:
    rows = [line.strip("|").split(" | ") for line in GOLD.read_text().splitlines() if line.startswith("| ")] if GOLD.exists() else []
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows[2:]}


KNOWN = table()


Built = dict[tuple[Build, bool, tuple[str, ...]], tuple[Repository, list[File]]]


def built(situation: Gate, known: Built, folder: Path) -> tuple[Repository, list[File]]:
    """The repository of a situation and its files, measured; `known` are those of earlier ones, which differ in the options at most."""
    key = (situation.build, situation.real, situation.without_data)
    if key not in known:
        repo = Repository(folder / str(len(known)) / "repo")
        repo.write(".gitignore", ".coverage\n.gitignore\n*.json\n*.md\n*.xml\n*.info\n*.data\nchanges.diff\n")
        repo.commit("base")
        repo.branch("work")
        situation.build(repo)
        files = list(source_files(repo, situation))
        measure(repo, situation, files)
        known[key] = repo, files
    repo, files = known[key]
    for name in ("ours.json", "check.json", "comment.md", "theirs.json"):
        (repo.folder / name).unlink(missing_ok=True)
    return repo, files


def answers(situation: Gate, known: Built, folder: Path) -> list[str]:
    """Builds the situation, holds `qd-cov` against the files, and gives the cells of its row."""
    repo, files = built(situation, known, folder)
    truth = Truth(files, parsed(situation.options))
    report = by_qd_cov(repo, situation)
    code = situation.code
    if code is None:
        code = 0 if (truth.total_reached() if situation.total else truth.all_reached()) else 2
    said = report.out + report.err
    assert report.code == code, said
    assert situation.note in said
    if not situation.total and code != 1:
        hold_formats(repo, truth, situation, code)
    theirs = by_others(repo, situation) if ASKED else ("", "")
    return [shown(truth, situation), *theirs, f"exit {report.code}"]


def hold_formats(repo: Repository, truth: Truth, situation: Gate, code: int) -> None:
    """The numbers are those of the files, and no format says something else than the exit code."""
    ours = json.loads((repo.folder / "ours.json").read_text())
    if situation.code is None:
        covered, total = truth.sum(truth.measured())
        assert (ours["total_num_lines"] - ours["total_num_violations"], ours["total_num_lines"]) == (covered, total)
    assert ours["qd_cov"]["passed"] == (code == 0)
    conclusion = json.loads((repo.folder / "check.json").read_text())["conclusion"]
    assert conclusion == ("failure" if code == 2 else "success" if ours["qd_cov"]["gates"] else "neutral")
    assert ("### 🔴" in (repo.folder / "comment.md").read_text()) == (code == 2 or (not ours["qd_cov"]["gates"] and ours["total_num_violations"] > 0))


@pytest.fixture(scope="module")
def known() -> Built:
    return {}


@pytest.mark.parametrize("situation", GATES, ids=lambda one: one.name)
@pytest.mark.skipif(ASKED, reason="the whole table is made anew")
def test_the_files_decide(situation: Gate, known: Built, tmp_path: Path) -> None:
    row = answers(situation, known, tmp_path)
    known = KNOWN[situation.name.replace("|", "/")]
    assert (row[0], row[3]) == (known[0], known[3])


def test_the_table_has_them_all() -> None:
    """Every situation is in the table once; and there are enough of them."""
    names = [one.name.replace("|", "/") for one in GATES]
    assert len(set(names)) == len(names) >= 150
    if not ASKED:
        assert list(KNOWN) == names


@pytest.mark.skipif(not ASKED, reason="asks coverage.py and diff-cover some hundred times: set QD_DIFF_COVER=1")
def test_what_the_others_say(known: Built, tmp_path: Path) -> None:
    rows = [[one.name.replace("|", "/"), *answers(one, known, tmp_path)] for one in GATES]
    head = ["situation", "the files say", "coverage.py report", "diff-cover", "qd-cov"]
    text = "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * 5, *rows])
    passing = [row for row in rows if row[2].startswith("exit 0") or row[3].startswith("exit 0")]
    text += f"\n{len(rows)} situations; in {sum(row[4] != 'exit 0' for row in passing)} of them another tool passes and qd-cov does not.\n"
    for one, row in zip(GATES, rows, strict=True):
        assert not one.total or row[2] == row[4], f"coverage.py says something else of '{one.name}'"
    if "QD_UPDATE_GOLD" in os.environ:
        GOLD.write_text(text)
    assert text == GOLD.read_text()
