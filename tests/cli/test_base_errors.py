"""`qd-cov diff --base` on bad options and on files that are no reports."""

from __future__ import annotations

import gzip
import json

import pytest
from base_reports import against_base
from diff_repository import Repository
from test_diff_errors import complaint


@pytest.fixture
def repo(base_repo: Repository) -> Repository:
    """A repository with a base report."""
    return base_repo


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fail-under-base"], "option --fail-under-base: it needs --base\n"),
        (["--max-lost=1"], "option --max-lost: it needs --base\n"),
        (["--base=../base.json", "--max-lost=x"], "option --max-lost: 'x' is no number of lines\n"),
        (["--base="], "option --base: it names no file\n"),
        (["--base=no.json"], "Couldn't read 'no.json': No such file or directory\n"),
    ],
)
def test_bad_options(repo: Repository, options: list[str], message: str) -> None:
    repo.measure({"a.py": [1]})
    report = repo.diff(*options)
    assert report.code == 1
    assert (report.out + report.err).replace("Use 'qd-cov help' for help.\n", "") == message


FILE = {"executed_lines": [1], "missing_lines": [], "excluded_lines": [], "summary": {"covered_lines": 1, "num_statements": 1}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("[]", "it is no report of 'coverage json' or 'qd-cov json'"),
        ("3", "it is no report of 'coverage json' or 'qd-cov json'"),
        ("{}", "it is no report of 'coverage json' or 'qd-cov json'"),
        ('{"files": {"a.py": 3}, "totals": {}}', "it is no report of 'coverage json' or 'qd-cov json'"),
        ('{"files": {}, "totals": {}}', "it has no files"),
        (json.dumps({"files": {"a.py": FILE | {"missing_lines": [1e3]}}, "totals": {}}), "a line is no number"),
        (json.dumps({"files": {"a.py": FILE | {"missing_lines": [9]}}, "totals": {}}), "the numbers of 'a.py' are not those of its lines"),
        (json.dumps({"files": {"a.py": FILE, "": FILE}, "totals": {}}), "a file has no name"),
        (json.dumps({"files": {"a.py": FILE | {"missing_branches": [[1]]}}, "totals": {}}), "a branch is no pair of lines"),
        (json.dumps({"files": {"a.py": FILE}, "totals": {}}) + "{}", "syntax error while parsing value - unexpected '{'; expected end of input"),
    ],
)
def test_bad_reports(repo: Repository, text: str, why: str) -> None:
    repo.measure({"a.py": [1]})
    repo.write("base.json", text)
    assert complaint(repo, "--base=base.json") == f"Couldn't read 'base.json' as JSON of coverage: {why}"


def test_a_compressed_report(repo: Repository) -> None:
    repo.measure({"a.py": [1]})
    base = repo.folder.parent / "base.json"
    base.write_bytes(gzip.compress(base.read_bytes()))
    assert against_base(repo)["before"]["covered"] == 9


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("b.py", "'b.py': that commit has no such file"),  # made in the folder src
        ("/build/repo/src/b.py", "'src/b.py': it may be '/build/repo/src/b.py' there"),
        ("src/b.py", "'src/b.py': it is not in the working tree"),
    ],
)
def test_a_file_of_the_base_that_is_not_found(repo: Repository, name: str, why: str) -> None:
    """A file that git did not delete has lost its coverage, or nobody knows: it is none that was deleted."""
    base = repo.folder.parent / "base.json"
    report = json.loads(base.read_text())
    report["files"] = {name if path == "src/b.py" else path: file for path, file in report["files"].items()}
    base.write_text(json.dumps(report))
    repo.measure({"a.py": range(1, 11), **({} if name == "src/b.py" else {"src/b.py": [1]})})
    if name == "src/b.py":
        repo.git("update-index", "--skip-worktree", name)
        (repo.folder / name).unlink()
    answer = repo.diff("--base=../base.json", "--max-lost=0")
    assert answer.code == 2
    assert f"is not complete: 1 file is left out, the first is {why}" in answer.err
    assert repo.diff("--base=../base.json", "--max-lost=0", "--on-no-data=warn").code == 0
    if name == "b.py":
        assert "'omit' leaves out a generated file that is not made any more." in answer.err
        assert repo.diff("--base=../base.json", "--max-lost=0", f"--omit={name}").code == 0
