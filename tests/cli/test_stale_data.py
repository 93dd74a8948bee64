"""Data of another version of a source than the one at hand: gates do not pass on it, and a note says so."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import coverage
import pytest
from coverage_commands import coverage_py
from diff_repository import TEN, Repository, edited

CHANGED = edited(TEN, {5: "b5 = 5\n"})
EDITED = "import os\n" + CHANGED
OTHER = "the data is of another version of it"
PARTLY = "some of the data does not say of which version of it it is, and may be of another"
NEWER = "'a.py' is newer than the data: after a change, run the tests again."


def call(repo: Repository, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in the repository."""
    if words[0] == "coverage":
        return coverage_py(words[1:], repo.folder, repo.environment)
    return subprocess.run(words, cwd=repo.folder, env=repo.environment, capture_output=True, text=True, check=False)


def stock(repo: Repository, *options: str) -> None:
    """Measure with coverage.py, which notes no versions."""
    done = call(repo, "coverage", "run", *options, "program.py")
    assert done.returncode == 0, done.stderr


def ours(repo: Repository, *options: str) -> None:
    done = call(repo, "qd-cov", "run", "-q", *options, "program.py")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def project(repo: Repository) -> Repository:
    """A change, and a program that runs it."""
    repo.write("a.py", CHANGED)
    repo.write("program.py", "import a\n")
    repo.commit()
    return repo


def versions(repo: Repository, data_file: str = ".coverage") -> set[str]:
    """The versions that the data has of a.py, hashes as "hash"."""
    with sqlite3.connect(repo.folder / data_file) as database:
        rows = database.execute("SELECT hash FROM qd_source JOIN file ON file.id = file_id WHERE path LIKE '%a.py'").fetchall()
    return {row[0] if len(row[0]) < 32 else "hash" for row in rows}


# Data of several origins.


def joined_by_combine(repo: Repository) -> None:
    stock(repo, "-p")
    repo.write("a.py", EDITED)
    ours(repo, "-p")
    assert call(repo, "qd-cov", "combine").returncode == 0


def joined_by_append(repo: Repository) -> None:
    stock(repo)
    repo.write("a.py", EDITED)
    ours(repo, "-a")


def joined_by_a_report(repo: Repository) -> None:
    stock(repo, "-p")
    repo.write("a.py", EDITED)
    ours(repo)


def joined_by_stock_combine(repo: Repository) -> None:
    """coverage.py adds to our file in place, and knows nothing of its hashes. It adds the branches."""
    repo.write("a.py", CHANGED + "if a1:\n    a2 = 3\n")
    stock(repo, "-p", "--branch")
    repo.write("a.py", EDITED)
    ours(repo, "--branch")
    assert call(repo, "coverage", "combine", "--append").returncode == 0


def joined_by_rename(repo: Repository) -> None:
    """The older text comes back with its old time."""
    shutil.copy2(repo.folder / "a.py", repo.folder / "backup")
    repo.write("a.py", EDITED)
    stock(repo, "-p")
    (repo.folder / "backup").rename(repo.folder / "a.py")
    ours(repo, "-p")
    assert call(repo, "qd-cov", "combine").returncode == 0


@pytest.mark.parametrize("join", [joined_by_combine, joined_by_append, joined_by_a_report, joined_by_stock_combine, joined_by_rename])
def test_stale_data_joined_with_fresh(project: Repository, join: object) -> None:
    """Trusted only where nothing says that some of it is of another version."""
    assert callable(join)
    join(project)
    report = project.diff("--fail-under=1", "--include", "a.py")
    assert (report.code, report.rows["a.py"].missing_lines) == (2, PARTLY)
    assert project.diff("--fail-under=1", "--include", "a.py", "--on-no-data=pass").code == 0
    for command in (["report", "--include=a.py"], ["report", "--include=a.py", "--fail-under=1"], ["xml", "--include=a.py", "--fail-under=1"]):
        done = call(project, "qd-cov", *command)
        assert "Some data of 'a.py' has no version, and may be of another one: run the tests again." in done.stderr
        assert done.returncode == (2 if len(command) == 3 else 0), done.stdout + done.stderr
    # coverage.py reads it as ever.
    assert call(project, "coverage", "report", "--data-file=.coverage").returncode == 0


def test_fresh_data_of_both_kinds(project: Repository) -> None:
    """Nothing speaks against fresh data of coverage.py; but nothing proves it."""
    stock(project, "-p")
    ours(project, "-p")
    assert call(project, "qd-cov", "combine").returncode == 0
    assert versions(project) == {"hash", "unknown"}
    assert project.diff("--fail-under=100").code == 0
    report = project.diff("--require-hashes")
    assert (report.code, report.err) == (
        2,
        "Failure. --require-hashes: the data of 'a.py', 'program.py' has no hash of its present source.\n",
    )


def test_stock_combine_leaves_hashes_behind(project: Repository) -> None:
    """The version is unknown without its hash, and not another one."""
    ours(project, "-p")
    assert call(project, "coverage", "combine").returncode == 0
    assert project.diff("--fail-under=100").code == 0
    assert project.diff("--require-hashes").code == 2


def test_stock_program_that_adds_nothing(project: Repository) -> None:
    """The added data was there already: the same lines of the same version, measured by either program."""
    ours(project)
    stock(project, "-p")
    assert call(project, "coverage", "combine", "--append").returncode == 0
    assert project.diff("--fail-under=100", "--require-hashes").code == 0


def test_combined_stale_data_stays_stale(project: Repository) -> None:
    """The result is newer than the source, its inputs are not."""
    stock(project, "-p")
    project.write("a.py", EDITED)
    assert call(project, "qd-cov", "combine").returncode == 0
    assert versions(project) == {"doubtful"}
    assert f"Note: {NEWER}\n" in project.diff("--include", "a.py").out


# Data without any hash.


def test_unknown_version(project: Repository) -> None:
    """No gate but one: a fresh checkout makes every source newer than data from another job."""
    stock(project)
    assert "newer" not in call(project, "qd-cov", "report").stderr
    later = (project.folder / ".coverage").stat().st_mtime + 5
    for name in ("a.py", "program.py"):
        os.utime(project.folder / name, (later, later))
    notes = ["report", "html", "xml", "json", "lcov", "annotate", "badge"]
    for command in notes:
        done = call(project, "qd-cov", command)
        assert done.returncode == 0
        assert done.stderr.count("'a.py' and 1 more are newer than the data: after a change, run the tests again.") == 1, (command, done.stderr)
        if command != "annotate":
            assert call(project, "qd-cov", command, "--fail-under=100").returncode == 0
        done = call(project, "qd-cov", command, "--require-hashes")
        assert (done.returncode, "'a.py', 'program.py'" in done.stdout) == (2, True), command
    assert NEWER in call(project, "qd-cov", "which-tests", "a.py:5").stderr
    assert call(project, "qd-cov", "which-tests", "--require-hashes", "a.py:5").returncode == 2
    report = project.diff("--fail-under=100")
    assert (report.code, "'a.py' and 1 more are newer than the data" in report.out) == (0, True)


@pytest.mark.parametrize("section", ["tool.qd-cov", "tool.qd-cov.diff"])
def test_setting(project: Repository, section: str) -> None:
    stock(project)
    assert project.diff().code == 0
    project.write("pyproject.toml", f"[{section}]\nrequire_hashes = true\n")
    assert project.diff().code == 2
    assert call(project, "qd-cov", "report").returncode == (2 if section == "tool.qd-cov" else 0)
    ours(project)
    assert project.diff().code == 0
    assert call(project, "qd-cov", "report").returncode == 0


def test_nothing_ran_of_it(repo: Repository) -> None:
    """A file that was touched alone needs no hash: that none of it ran is true of all versions."""
    repo.write("a.py", CHANGED)
    repo.commit()
    repo.measure({"a.py": []})
    assert repo.diff("--require-hashes").code == 0
    assert repo.diff("--require-hashes", "--fail-under=1").code == 2


# Data of another version.


def test_reports_of_another_version(project: Repository) -> None:
    """Numbers are coverage.py's, and no threshold is met by them."""
    ours(project)
    project.write("a.py", EDITED)
    note = "The data of 'a.py' is of another version of it: run the tests again."
    for command in ("report", "html", "xml", "json", "lcov", "badge"):
        done = call(project, "qd-cov", command)
        assert (done.returncode, done.stderr.count(note)) == (0, 1), command
        for options in (["--fail-under=1"], ["--require-hashes"]):
            done = call(project, "qd-cov", command, *options)
            assert (done.returncode, done.stdout.count("Coverage failure: ")) == (2, 1), (command, done.stdout)
    done = call(project, "qd-cov", "trend", "--append")
    assert (done.returncode, "Nothing is added to 'coverage-trend.jsonl'" in done.stdout + done.stderr) == (1, True)
    assert not (project.folder / "coverage-trend.jsonl").exists()
    table = call(project, "qd-cov", "report").stdout
    assert table == call(project, "coverage", "report").stdout


def test_page_that_is_there_already(project: Repository) -> None:
    """An existing page is not made again, and the threshold is looked at all the same."""
    ours(project)
    for _ in range(2):
        assert call(project, "qd-cov", "html", "--fail-under=1").returncode == 0
    project.write("a.py", EDITED)
    for _ in range(2):
        assert call(project, "qd-cov", "html", "--fail-under=1").returncode == 2
    stock(project)
    assert call(project, "qd-cov", "html").returncode == 0
    for _ in range(2):
        assert call(project, "qd-cov", "html", "--require-hashes").returncode == 2


def test_total_of_another_version(project: Repository) -> None:
    """A file that did not change counts in the total too."""
    project.write("b.py", "x = 1\n")
    project.write("program.py", "import a, b\n")
    project.commit()
    ours(project)
    project.write("b.py", "x = 1\ny = 2\n")
    project.commit()
    project.git("branch", "-f", "main", "HEAD")
    report = project.diff("--fail-under-total=1")
    assert report.code == 2
    assert "Total coverage is not known: the data of 'b.py' is of another version of it, or some of it may be." in report.err
    assert project.diff("--fail-under-total=1", "--on-no-data=pass").code == 0


def test_data_of_another_checkout(project: Repository, tmp_path: Path) -> None:
    """[paths] says which source is meant: that one's text counts."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(project.folder, elsewhere)
    subprocess.run(["qd-cov", "run", "-q", "program.py"], cwd=elsewhere, env=project.environment, check=True)
    shutil.copy(elsewhere / ".coverage", project.folder / ".coverage")
    project.write(".coveragerc", f"[paths]\nsource =\n    {project.folder.resolve()}\n    {elsewhere.resolve()}\n")
    assert project.diff("--fail-under=100", "--require-hashes").code == 0
    project.write("a.py", EDITED)
    report = project.diff("--fail-under=1", "--include", "a.py")
    assert (report.code, report.rows["a.py"].missing_lines) == (2, OTHER)


def test_json_of_a_base_is_of_the_sources(project: Repository) -> None:
    """A file of another version is left out of a comparison, whatever the report says."""
    ours(project)
    assert call(project, "qd-cov", "json", "--record-commit", "-o", "base.json").returncode == 0
    assert json.loads((project.folder / "base.json").read_text())["totals"]["percent_covered"] == 100
    project.write("a.py", EDITED)
    assert project.diff("--base=base.json", "--max-lost=0").code == 2


def test_hashes_are_no_concern_of_coverage_py(project: Repository) -> None:
    """Its own reading and combining see nothing of them."""
    ours(project, "-p")
    stock(project, "-p")
    assert call(project, "coverage", "combine").returncode == 0
    data = coverage.CoverageData(str(project.folder / ".coverage"))
    data.read()
    assert data.lines(str((project.folder / "a.py").resolve())) == list(range(1, 11))


def test_checks_of_data_without_hashes(project: Repository) -> None:
    """A check that asks the data is not passed on data that proves nothing."""
    stock(project)
    assert call(project, "qd-cov", "check", "untested-changes").returncode == 0
    done = call(project, "qd-cov", "check", "--require-hashes", "untested-changes")
    assert (done.returncode, "Failure. --require-hashes: the data of" in done.stderr) == (2, True), done.stderr
    ours(project)
    assert call(project, "qd-cov", "check", "--require-hashes", "untested-changes").returncode == 0
