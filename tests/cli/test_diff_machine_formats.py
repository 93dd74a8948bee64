"""Formats of `qd-cov diff` for programs: diff-cover's JSON against diff-cover itself, GitHub, GitLab and SARIF against their limits."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from diff_repository import TEN, Repository, edited

BRANCHES = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n\n\nf(1)\n"
BRANCH_ARCS = [(-1, 1), (1, 9), (9, -1), (-1, 2), (2, 3), (3, 6), (6, -1)]


def by_diff_cover(repo: Repository, *options: str) -> Any:
    """diff-cover's JSON for the XML that coverage.py makes of the same data."""

    def run(*words: str) -> None:
        done = subprocess.run([sys.executable, "-m", *words], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    run("coverage", "xml", "-q", "-i", "-o", "../coverage.xml")
    run("diff_cover.diff_cover_tool", "../coverage.xml", "--compare-branch=main", "--format=json:../theirs.json", *options)
    return json.loads((repo.folder.parent / "theirs.json").read_text())


def ours(repo: Repository, *options: str) -> Any:
    """Our JSON."""
    report = repo.diff("--format=json:-", *options)
    return json.loads(report.out)


@pytest.mark.parametrize("seed", range(6))
def test_json_is_diff_covers(repo: Repository, seed: int) -> None:
    """Random edits of one-line statements, some of files without data: each key that diff-cover has, with its value."""
    chance = random.Random(seed)
    repo.git("checkout", "-q", "main")
    files = [f"pkg/m{i}.py" for i in range(6)]
    texts = {name: [f"v{line} = {line}\n" for line in range(chance.randrange(1, 40))] for name in files}
    for name, text in texts.items():
        repo.write(name, "".join(text))
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    for name, text in texts.items():
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(text) + 1)
            text[at : at + chance.randrange(3)] = [f"w{chance.random()} = 1\n".replace(".", "_") for _ in range(chance.randrange(4))]
        repo.write(name, "".join(text))
    repo.commit()
    repo.measure({name: [line for line in range(1, len(text) + 1) if chance.random() < 0.7] or [1] for name, text in texts.items() if text})
    theirs, mine = by_diff_cover(repo), ours(repo)
    own = mine.pop("qd_cov")
    assert theirs.pop("report_name") == "XML"
    assert mine.pop("report_name") == "qd-cov"
    # Of files that changed and have no statements any more diff-cover counts lines that we do not look at.
    assert mine == theirs
    assert own["diff"]["total"] == theirs["total_num_lines"]
    assert own["passed"] is True


def test_json_with_branches(repo: Repository) -> None:
    """diff-cover calls a line with a missing branch a violation, when it is asked to look."""
    repo.write("m.py", BRANCHES)
    repo.commit()
    repo.measure_arcs({"m.py": BRANCH_ARCS})
    mine = ours(repo, "--branch-coverage")
    assert mine["src_stats"]["m.py"]["violation_lines"] == by_diff_cover(repo, "--branch-coverage")["src_stats"]["m.py"]["violation_lines"] == [2, 5]
    file = mine["qd_cov"]["files"]["m.py"]
    assert (file["n_branches"], file["missing_branches"], file["missing"]) == (2, [[2, 5]], [5])


def test_json_says_what_we_know_besides(repo: Repository) -> None:
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n", 7: "b7 = 7\n"}))
    repo.write("new.py", "x = 1\n")
    repo.commit()
    repo.measure({"a.py": [3]})
    own = ours(repo, "--fail-under=90", "--input=cpu=.coverage")["qd_cov"]
    assert own["files"]["new.py"] == {"change": "added", "not_measured": "no data", "changed_statements": 1}
    assert [gate["reached"] for gate in own["gates"]] == [False, False]
    assert own["passed"] is False
    assert own["inputs"]["cpu"] == {"covered": 1, "total": 2, "percent": 50.0, "missing": {"a.py": [7]}}
    assert own["head"] == repo.git("rev-parse", "HEAD").strip()


# GitHub.


@pytest.fixture
def bad(repo: Repository) -> Repository:
    """A file where one long piece and one short are missing, one without data, and one of a hostile name."""
    repo.write("a.py", "".join(f"b{i} = {i}\n" for i in range(1, 31)))
    repo.write("nodata.py", "x = 1\n")
    repo.write("we,ird:\n::error::%.py", "x = 1\ny = 2\n")
    repo.commit()
    repo.measure({"a.py": [*range(1, 11), *range(17, 30)], "we,ird:\n::error::%.py": [1]})
    return repo


def test_annotations(bad: Repository) -> None:
    out = bad.diff("-q", "--format=github-annotations:error").out
    assert out == (
        "::error file=a.py,line=11,endLine=16,title=Missing coverage::Lines 11-16 are not covered by tests.\n"
        "::error file=a.py,line=30,title=Missing coverage::Line 30 is not covered by tests.\n"
        "::error file=we%2Cird%3A%0A%3A%3Aerror%3A%3A%25.py,line=2,title=Missing coverage::Line 2 is not covered by tests.\n"
        "::error file=nodata.py,line=1,title=Not measured::No test run has data of this file: 1 changed line not measured.\n"
    )
    assert bad.diff("-q", "--format=github-annotations").out.startswith("::warning ")
    bad.diff("-q", "--format=github-annotations:out.txt")
    assert (bad.folder / "out.txt").read_text().startswith("::warning ")


def test_annotations_that_are_too_many(repo: Repository) -> None:
    """A step shows ten: nine and how many more there are; the worst come first."""
    repo.write("b.py", "".join(f"b{i} = {i}\n" for i in range(1, 41)))
    repo.commit()
    repo.measure({"b.py": [line for line in range(1, 41) if line % 3 == 0 and line != 33]})
    out = repo.diff("-q", "--format=github-annotations").out.splitlines()
    assert len(out) == 10
    assert "line=31,endLine=35" in out[0]
    assert out[-1] == "::warning title=Diff coverage%3A 30%25::4 more places lack coverage: see the report."


def test_check_run(bad: Repository) -> None:
    payload = json.loads(bad.diff("--format=github-check-run:-", "--fail-under=90").out)
    assert (payload["status"], payload["conclusion"]) == ("completed", "failure")
    assert payload["head_sha"] == bad.git("rev-parse", "HEAD").strip()
    assert payload["output"]["title"] == "Diff coverage: 75%, below 90%, 1 file not measured"
    assert len(payload["output"]["summary"]) < 65536
    assert payload["output"]["annotations"][0] == {
        "path": "a.py",
        "start_line": 11,
        "end_line": 16,
        "annotation_level": "warning",
        "title": "Missing coverage",
        "message": "Lines 11-16 are not covered by tests.",
    }
    assert json.loads(bad.diff("--format=github-check-run:-").out)["conclusion"] == "neutral"
    assert json.loads(bad.diff("--format=github-check-run:-", "--fail-under=10", "--on-no-data=pass").out)["conclusion"] == "success"


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ([], ""),
        (["--fail-under=10", "--on-no-data=pass"], ", reaches 10%"),
        (["--fail-under=90", "--on-no-data=pass"], ", below 90%"),
        (["--fail-under=10", "--fail-under=a*=99", "--on-no-data=pass"], ", reaches 10%, but a* below 99%"),
    ],
)
def test_title_of_a_check_run(bad: Repository, options: list[str], result: str) -> None:
    """Plain text with the result of the gates, as the comment has it."""
    title = json.loads(bad.diff("--format=github-check-run:-", *options).out)["output"]["title"]
    share, _, rest = title.partition("%")
    assert re.fullmatch(r"Diff coverage: [\d.]+", share)
    assert rest == result


def test_gitlab(bad: Repository) -> None:
    """The keys that GitLab asks for; a fingerprint stays when lines move."""
    findings = json.loads(bad.diff("--format=gitlab:-").out)
    assert findings[0]["location"] == {"path": "a.py", "lines": {"begin": 11, "end": 16}}
    assert {tuple(sorted(one)) for one in findings} == {("check_name", "description", "fingerprint", "location", "severity")}
    assert len({one["fingerprint"] for one in findings}) == len(findings)
    source = (bad.folder / "a.py").read_text()
    bad.write("a.py", "first = 0\n" + source)
    bad.measure({"a.py": [*range(1, 12), *range(18, 31)], "we,ird:\n::error::%.py": [1]})
    moved = json.loads(bad.diff("--format=gitlab:-").out)
    assert moved[0]["location"]["lines"] == {"begin": 12, "end": 17}
    assert {one["fingerprint"] for one in moved} == {one["fingerprint"] for one in findings}


def test_sarif(bad: Repository) -> None:
    report = json.loads(bad.diff("--format=sarif:-").out)
    assert report["version"] == "2.1.0"
    (run,) = report["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert uris == ["a.py", "a.py", "we%2Cird%3A%0A%3A%3Aerror%3A%3A%25.py", "nodata.py"]
    assert all(re.fullmatch(r"[\w.~/%-]+", uri) for uri in uris)


def test_gcc(bad: Repository) -> None:
    """In the order of an editor; each message is one line, and no line of a file's name is one."""
    assert bad.diff("--format=gcc:-").out.splitlines() == [
        "a.py:11: warning: Lines 11-16 are not covered by tests. [missing-lines]",
        "a.py:30: warning: Line 30 is not covered by tests. [missing-lines]",
        "nodata.py:1: warning: No test run has data of this file: 1 changed line not measured. [not-measured]",
        "we,ird:␊::error::%.py:2: warning: Line 2 is not covered by tests. [missing-lines]",
    ]


def test_nothing_lacking(repo: Repository) -> None:
    """Empty lists, no empty files."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    repo.commit()
    repo.measure({"a.py": [3]})
    assert json.loads(repo.diff("--format=gitlab:-").out) == []
    assert json.loads(repo.diff("--format=sarif:-").out)["runs"][0]["results"] == []
    assert repo.diff("-q", "--format=github-annotations").out == repo.diff("-q", "--format=gcc:-").out == ""
    assert json.loads(repo.diff("--format=github-check-run:-").out)["conclusion"] == "success"
    repo.diff("--format=json,gitlab,sarif,github-check-run")
    for name in ("diff-coverage.json", "gl-code-quality-report.json", "diff-coverage.sarif", "check-run.json"):
        assert Path(repo.folder / name).stat().st_size > 2
