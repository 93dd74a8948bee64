"""Meanings of the options and numbers that `qd-cov diff` has from diff-cover: each is held against diff-cover's own JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import TEN, Repository, edited
from test_diff_cover_options import by_diff_cover, by_us, without_names

SOURCE = """\
import sys


def f(x, y):
    total = 0
    while x > 0:
        x -= 1
        if (
            x == y
            or x == 7
        ):
            total += 1
    # a comment
    for i in range(3):
        total += i
    return sum(
        [
            total,
            y,
        ]
    )


def never(
    x,
):
    return (
        x
        + 1
    )


if __name__ == "__main__":
    print(f(int(sys.argv[1]), 2))
"""
EDITS = {
    5: "    total = 00\n",
    8: "        if (  #\n",
    10: "            or x == 8\n",
    13: "    # another\n",
    15: "        total -= i\n",
    19: "            y + 1,\n",
    28: "        x * 2\n",
    29: "",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A file with branches and long statements, run by coverage.py, and files that no tool measures."""
    repo = Repository(tmp_path_factory.mktemp("meanings") / "repo")
    repo.write(".gitignore", ".coverage\n")
    repo.write("m.py", SOURCE)
    repo.write("README.md", TEN)
    repo.commit()
    repo.branch("work")
    repo.write("m.py", edited(SOURCE, EDITS))
    repo.write("README.md", edited(TEN, {1: "a\n", 2: "", 9: "b\nc\n"}))
    repo.write("data.csv", "1,2\n3,4\n")
    repo.commit()
    for words in (["run", "--branch", "m.py", "2"], ["xml", "-q", "-o", "coverage.xml"], ["lcov", "-q", "-o", "coverage.info"]):
        coverage_py(words, repo.folder, repo.environment, check=True)
    return repo


@pytest.fixture
def measured(shared: Repository) -> Iterator[Repository]:
    """The repository, afterwards as it was."""
    data = (shared.folder / ".coverage").read_bytes()
    yield shared
    shared.git("reset", "-q", "--hard")
    shared.git("clean", "-fdq", "-e", "coverage.xml", "-e", "coverage.info")
    (shared.folder / ".coverage").write_bytes(data)


WORDS = (
    "--changed-lines=exact",
    "--changed-lines=exact --branch-coverage",
    "--expand-coverage-report",
    "--expand-coverage-report --branch-coverage",
    "--changed-lines=exact --expand-coverage-report --total-percent-float",
    "--changed-lines=exact --branch-coverage --total-percent-float",
)


@pytest.mark.parametrize("words", WORDS)
def test_same_json(measured: Repository, words: str) -> None:
    """Every key; a percentage too."""
    theirs = by_diff_cover(measured, "coverage.xml", "--compare-branch=main", *(word for word in words.split() if "changed-lines" not in word))[1]
    _, ours = by_us(measured, "coverage.xml", "--compare-branch=main", *words.split())
    assert theirs["num_changed_lines"] > theirs["total_num_lines"] > 1
    assert without_names(ours) == without_names(theirs)


def test_data_means_the_same_as_its_report(measured: Repository) -> None:
    """Lines that lack a branch, and exact lines, of the data file itself."""
    options = ("--compare-branch=main", "--changed-lines=exact", "--branch-coverage")
    assert without_names(by_us(measured, *options)[1]) == without_names(by_us(measured, "coverage.xml", *options)[1])
    assert by_us(measured, *options)[1]["src_stats"]["m.py"]["violation_lines"] == [8]


def test_expanded_lcov(measured: Repository) -> None:
    """diff-cover expands XML alone; here the same holds for any report, given either way."""
    expanded = by_us(measured, "coverage.xml", "--compare-branch=main", "--expand-coverage-report")[1]
    for words in (["coverage.info"], ["--input=coverage.info", "--data-file=none"], ["--input", "coverage.xml", "--data-file=none"]):
        (measured.folder / ".coverage").unlink(missing_ok=True)
        assert without_names(by_us(measured, *words, "--compare-branch=main", "--expand-coverage-report")[1]) == without_names(expanded)


def test_statements_are_the_default(measured: Repository) -> None:
    """Edits on continuation lines count as their statements: 8, 16 and 27 are where those begin."""
    stats = by_us(measured, "--compare-branch=main")[1]["src_stats"]["m.py"]
    assert sorted(stats["covered_lines"] + stats["violation_lines"]) == [5, 8, 15, 16, 27]
    stats = by_us(measured, "--compare-branch=main", "--changed-lines=exact")[1]["src_stats"]["m.py"]
    assert sorted(stats["covered_lines"] + stats["violation_lines"]) == [5, 8, 15]


@pytest.mark.parametrize("least", [0, 3, 4])
@pytest.mark.parametrize("score", [66, 67])
def test_gates_with_branches(measured: Repository, score: int, least: int) -> None:
    """The exit codes are diff-cover's but for their number: a missed threshold is 1 there and 2 here."""
    words = ("coverage.xml", "--compare-branch=main", f"--fail-under={score}", f"--minimum-change={least}", "--branch-coverage")
    code = by_diff_cover(measured, *words)[0]
    assert by_us(measured, *words, "--changed-lines=exact")[0].code == 2 * code


def test_settings(measured: Repository, tmp_path: Path) -> None:
    """Settings in the configuration, ours and diff-cover's."""
    measured.write("qd-cov.toml", '[diff]\ncompare_branch = "main"\nchanged_lines = "exact"\nbranch_coverage = true\n')
    ours = by_us(measured, "coverage.xml")[1]
    assert without_names(ours) == without_names(by_diff_cover(measured, "coverage.xml", "--compare-branch=main", "--branch-coverage")[1])
    measured.write("qd-cov.toml", "")
    measured.write("d.toml", '[tool.diff_cover]\ncompare_branch = "main"\nexpand_coverage_report = true\n')
    ours = by_us(measured, "coverage.xml", "-c", "d.toml")[1]
    assert without_names(ours) == without_names(by_diff_cover(measured, "coverage.xml", "-c", "d.toml")[1])
    report = measured.diff("--changed-lines=some")
    assert (report.code, report.err.splitlines()[0]) == (1, "option --changed-lines: 'some' is neither 'statement' nor 'exact'")


def test_untracked_lines_are_counted(measured: Repository) -> None:
    """num_changed_lines with files that git does not track: text has lines, other files have none."""
    measured.write("u.txt", "1\n2\n3\n")
    measured.write("u.bin", bytes(range(256)))
    measured.write(".gitignore", ".coverage\n*.xml\n*.info\n*.json\n")
    words = ("coverage.xml", "--compare-branch=main", "--include-untracked")
    theirs = by_diff_cover(measured, *words)[1]
    assert by_us(measured, *words)[1]["num_changed_lines"] == theirs["num_changed_lines"]
    assert json.loads((measured.folder / "ours.json").read_text())["qd_cov"]["notes"] == []
