"""`qd-cov diff` in every situation of git: the changed statements are those with "new" in them, in the files as they stand.

With QD_DIFF_COVER=1 diff-cover is asked too, and tests/gold/diff/situations.md, the table of both, is held against their answers
(QD_UPDATE_GOLD=1 writes it)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import coverage
import git_changes  # noqa: F401  # these three add their situations
import git_configuration  # noqa: F401
import git_states  # noqa: F401
import pytest
from diff_repository import Repository
from git_situations import OLD, SITUATIONS, Situation

GOLD = Path(__file__).resolve().parent.parent / "gold" / "diff" / "situations.md"
Lines = dict[str, list[int]]


def build(situation: Situation, folder: Path) -> Repository:
    """A base with a.py, and the branch work, on which everything happens."""
    repo = Repository(folder / "repo")
    repo.write("a.py", OLD)
    repo.commit("base")
    repo.branch("work")
    situation.build(repo)
    return repo


def tree(repo: Repository, situation: Situation) -> Path:
    """The top of the working tree that the tool looks at."""
    return repo.folder / (situation.cwd if situation.cwd.startswith("..") or situation.cwd == "sub" else ".")


def sources(top: Path) -> dict[str, str]:
    """The sources that are text, without links and files of another repository."""
    result = {}
    for path in sorted([*top.rglob("*.py"), *top.rglob("*.cc"), *top.rglob("tool")]):
        inside = path.relative_to(top)
        if path.is_symlink() or not path.is_file() or "sub" in inside.parts or "link" in inside.parts:
            continue
        try:
            result[str(inside)] = path.read_bytes().decode("latin-1" if b"latin-1" in path.read_bytes() else "utf-8")
        except UnicodeDecodeError:
            continue
    return result


def expected(top: Path) -> Lines:
    """The lines that hold "new"."""
    found = {path: [number for number, line in enumerate(text.splitlines(), 1) if "new" in line] for path, text in sources(top).items()}
    return {path: lines for path, lines in found.items() if lines}


def measure(top: Path) -> list[str]:
    """All files were imported, and no line ran: each changed statement is missing. Gives the reports of other tools, for files that are no Python."""
    found = sources(top)
    python = [str(top.resolve() / path) for path in found if not path.endswith(".cc")]
    data = coverage.CoverageData(str(top / ".coverage"))
    data.add_lines({path: [] for path in python})
    data.touch_files(python)
    data.write()
    if len(python) == len(found):
        return []
    classes = []
    for path, text in found.items():
        if path.endswith(".cc"):
            numbers = "".join(f'<line number="{number}" hits="0"/>' for number, _ in enumerate(text.splitlines(), 1))
            classes.append(f'<class filename="{path}"><lines>{numbers}</lines></class>')
    report = top.parent / "cc.xml"
    head = f"<?xml version='1.0'?><coverage version='1'><sources><source>{top.resolve()}</source></sources>"
    report.write_text(f"{head}<packages><package name='c'><classes>{''.join(classes)}</classes></package></packages></coverage>")
    return [str(report)]


def environment(repo: Repository, situation: Situation) -> dict[str, str]:
    return {name: value.replace("@", str(repo.folder)) for name, value in situation.environment.items()}


def by_qd_cov(repo: Repository, situation: Situation, top: Path) -> Lines:
    inputs = [f"--input={path}" for path in measure(top)]
    words = ("--format=json:-", f"--data-file={top / '.coverage'}", *inputs, *situation.options)
    report = repo.diff(*words, cwd=situation.cwd, **environment(repo, situation))
    assert (report.code, report.err) == (0, "")
    answer = json.loads(report.out)
    notes = "\n".join(answer["qd_cov"]["notes"])
    assert situation.note in notes, notes
    assert situation.note or not notes
    assert {path for path, its in answer["qd_cov"]["files"].items() if "not_measured" not in its} == answer["src_stats"].keys()
    return {path: stats["violation_lines"] for path, stats in answer["src_stats"].items()}


def by_diff_cover(repo: Repository, situation: Situation, top: Path) -> Lines | str:
    """Its lines, or how it ended."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        env = {**repo.environment, **environment(repo, situation)}
        return subprocess.run([sys.executable, "-m", *words], cwd=repo.folder / situation.cwd, env=env, capture_output=True, text=True)

    more = measure(top)
    xml, out = top.parent / "coverage.xml", top.parent / "diff-cover.json"
    run("coverage", "xml", "-q", "-i", f"--data-file={top / '.coverage'}", "-o", str(xml))
    (top / ".coverage").unlink()
    done = run("diff_cover.diff_cover_tool", str(xml), *more, "--compare-branch=main", f"--format=json:{out}", *situation.options)
    if done.returncode != 0:
        return "ends with " + (done.stderr.strip().splitlines() or ["nothing"])[-1].replace(str(top.parent), "")[:60]
    return {path: stats["violation_lines"] for path, stats in json.loads(out.read_text())["src_stats"].items()}


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.name)
def test_the_lines_are_those_of_the_files(situation: Situation, tmp_path: Path) -> None:
    repo = build(situation, tmp_path)
    top = tree(repo, situation)
    assert by_qd_cov(repo, situation, top) == expected(top)


def shown(lines: Lines | str) -> str:
    if isinstance(lines, str):
        return lines
    return "; ".join(f"{path!r} {', '.join(map(str, numbers))}" for path, numbers in lines.items()) or "no lines"


@pytest.mark.skipif("QD_DIFF_COVER" not in os.environ, reason="asks diff-cover a hundred times: set QD_DIFF_COVER=1")
def test_what_diff_cover_says(tmp_path: Path) -> None:
    rows = []
    for number, situation in enumerate(SITUATIONS):
        repo = build(situation, tmp_path / str(number))
        top = tree(repo, situation)
        right = expected(top)
        assert by_qd_cov(repo, situation, top) == right
        theirs = by_diff_cover(repo, situation, top)
        rows.append(f"| {situation.name} | {shown(right)} | {'the same' if theirs == right else shown(theirs)} |")
    wrong = sum(not row.endswith("the same |") for row in rows)
    text = "| situation | changed statements, and what qd-cov says | diff-cover 11.0.1 |\n| --- | --- | --- |\n" + "\n".join(rows)
    text += f"\n\n{len(rows)} situations, {wrong} in which diff-cover says something else.\n"
    if "QD_UPDATE_GOLD" in os.environ:
        GOLD.write_text(text)
    assert text == GOLD.read_text()
