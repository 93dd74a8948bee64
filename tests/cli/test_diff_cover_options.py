"""diff-cover's command lines and settings, given to `qd-cov diff` as they stand, against diff-cover itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from coverage_commands import coverage_py, diff_cover
from diff_repository import TEN, Report, Repository, edited

FILES = ("pkg/a.py", "pkg/sub/b.py", "pkg/test_c.py", "tools/d.py")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Four changed files, two lines in each: the first of them ran."""
    repo = Repository(tmp_path_factory.mktemp("options") / "repo")
    repo.write(".gitignore", ".coverage\ncoverage.xml\n")
    for name in FILES:
        repo.write(name, TEN)
    repo.commit()
    repo.branch("work")
    for name in FILES:
        repo.write(name, edited(TEN, {4: "b4 = 4\n", 5: "b5 = 5\n"}))
    repo.commit()
    repo.measure({name: [1, 2, 3, 4, 6, 7, 8, 9, 10] for name in FILES})
    coverage_py(["xml", "-q", "-o", "coverage.xml"], repo.folder, repo.environment, check=True)
    return repo


@pytest.fixture
def project(shared: Repository) -> Iterator[Repository]:
    """The repository, afterwards as it was."""
    head = shared.git("rev-parse", "HEAD").strip()
    yield shared
    shared.git("reset", "-q", "--hard", head)
    shared.git("clean", "-fdq")


def by_diff_cover(repo: Repository, *words: str) -> tuple[int, Any, str]:
    """The exit code, the JSON and the standard output."""
    (repo.folder / "theirs.json").unlink(missing_ok=True)
    done = diff_cover([*words, "--format", "json:theirs.json"], repo.folder, repo.environment)
    result = json.loads((repo.folder / "theirs.json").read_text()) if (repo.folder / "theirs.json").exists() else None
    return done.returncode, result, done.stdout


def by_us(repo: Repository, *words: str) -> tuple[Report, Any]:
    """The same of ours."""
    report = repo.diff_as_typed(*words, "--format", "json:ours.json")
    return report, json.loads((repo.folder / "ours.json").read_text())


def without_names(result: Any) -> Any:
    """The part of a result that both must have."""
    return {key: value for key, value in result.items() if key not in ("qd_cov", "report_name", "diff_name")}


COMMAND_LINES = (
    "coverage.xml --compare-branch=main",
    "coverage.xml --compare-branch main --exclude */sub/*",
    "--exclude test_*.py d.py --compare-branch main coverage.xml",
    "--compare-branch main --exclude=test_*.py coverage.xml",
    "coverage.xml --compare-branch main --include pkg/a.py tools/d.py",
    "coverage.xml --compare-branch main --include pkg/a.py tools/d.py --exclude d.py",
    "coverage.xml --compare-branch main --total-percent-float --exclude d.py",
    "coverage.xml --compare-branch main --show-uncovered --show-covered --expand-coverage-report -q",
    "coverage.xml --compare-branch main --src-roots src lib --ignore-whitespace",
)


@pytest.mark.parametrize("words", COMMAND_LINES)
def test_same_json(project: Repository, words: str) -> None:
    """The same value for each key of diff-cover's JSON."""
    _, theirs, _ = by_diff_cover(project, *words.split())
    _, ours = by_us(project, *words.split())
    assert theirs["total_num_lines"] > 0
    assert without_names(ours) == without_names(theirs)


SETTINGS = (
    'compare_branch = "main"\n',
    'compare_branch = "main"\nexclude = ["test_*.py", "d.py"]\n',
    'compare_branch = "main"\nexclude = "d.py"\ntotal_percent_float = true\nsrc_roots = ["src"]\n',
    'compare_branch = "main"\ninclude = ["pkg/a.py"]\nquiet = true\n',
    'compare_branch = "main"\nignore_staged = true\nignore_unstaged = true\nbranch_coverage = false\n',
)


@pytest.mark.parametrize("settings", SETTINGS)
def test_same_json_by_settings(project: Repository, settings: str) -> None:
    """[tool.diff_cover] of the file that -c names."""
    project.write("settings.toml", "[tool.diff_cover]\n" + settings)
    _, theirs, _ = by_diff_cover(project, "coverage.xml", "-c", "settings.toml")
    _, ours = by_us(project, "coverage.xml", "-c", "settings.toml")
    assert without_names(ours) == without_names(theirs)


@pytest.mark.parametrize("score", [49, 50, 51])
@pytest.mark.parametrize("least", [0, 8, 9])
def test_minimum_change(project: Repository, score: int, least: int) -> None:
    """Of eight changed lines half ran; a change that is small enough passes."""
    words = ("coverage.xml", "--compare-branch=main", f"--fail-under={score}", f"--minimum-change={least}")
    code, _, _ = by_diff_cover(project, *words)
    report, _ = by_us(project, *words)
    assert (report.code == 0) == (code == 0)
    assert report.code in (0, 2)


def test_minimum_change_excuses_no_missing_data(project: Repository) -> None:
    """A minimum change is about the coverage of small changes, not about files without data."""
    project.write("new.py", "x = 1\n")
    project.commit()
    report = project.diff("--fail-under=10", "--minimum-change=100")
    assert (report.code, report.err) == (2, "Failure. 1 changed file is not measured, the first is 'new.py': no data.\n")


def test_settings_that_are_none(project: Repository) -> None:
    """A file without the section is a mistake, for diff-cover too; so is an unknown file."""
    project.write("settings.toml", "[tool.other]\nx = 1\n")
    assert by_diff_cover(project, "coverage.xml", "-c", "settings.toml")[0] != 0
    report = project.diff("-c", "settings.toml")
    assert (report.code, report.err, report.out) == (1, "", "No 'tool.diff_cover' configuration available in 'settings.toml'\n")
    assert project.diff("-c", "none.toml").out == "Couldn't read 'none.toml' as a config file\n"
    project.write("settings.toml", "[tool.diff_cover]\nfail_under = \n")
    report = project.diff("-c", "settings.toml")
    assert report.code == 1
    assert report.out.startswith("Couldn't read config file settings.toml: ")
    project.write("settings.toml", "[tool.diff_cover]\nfail_udner = 3\n")
    said = "Unrecognized option '[tool.diff_cover] fail_udner=' in config file settings.toml; did you mean 'fail_under'?\n"
    assert (project.diff("-c", "settings.toml").code, project.diff("-c", "settings.toml").out) == (1, said)
    project.write("settings.toml", "[tool.diff_cover]\nspeed = 3\n")  # another version of diff-cover may know it
    assert "Unrecognized option '[tool.diff_cover] speed=' in config file settings.toml" in project.diff("-c", "settings.toml").err


def test_table_is_shown_beside_files(project: Repository) -> None:
    """The table is shown as diff-cover does; not where a format already goes to the terminal, and not when it shall be quiet."""
    first = "Diff Coverage\n"
    assert first in by_diff_cover(project, "coverage.xml", "--compare-branch=main")[2]
    assert by_us(project, "--compare-branch=main")[0].out.startswith(first)
    assert by_us(project, "--compare-branch=main", "-q")[0].out == ""
    assert by_us(project, "--compare-branch=main", "--quiet", "--fail-under=90")[0].err.startswith("Failure. ")
    assert "Total:   8 lines" in project.diff("--format", "github-annotations:error").out
    assert not project.diff("--format", "markdown:-").out.startswith(first)


def test_old_names_of_reports(project: Repository) -> None:
    """--html-report and its like, which scripts still have."""
    assert project.diff("--html-report", "a.html", "--json-report=a.json", "--markdown-report", "a.md").code == 0
    assert (project.folder / "a.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((project.folder / "a.json").read_text())["total_num_lines"] == 8
    assert "pkg/a.py" in (project.folder / "a.md").read_text()


def test_show_uncovered(project: Repository) -> None:
    """The code under the table."""
    assert "b5 = 5" in project.diff("--show-uncovered").out
    assert "b5 = 5" not in project.diff().out


MULTILINE = "x = (\n    1,\n    2,\n)\ny = 3\n"


@pytest.mark.parametrize("form", ["xml", "lcov"])
def test_edit_within_a_statement(repo: Repository, tmp_path: Path, form: str) -> None:
    """Reports name the first line of a statement; a change in a later one is one of it. diff-cover needs an option for it."""
    repo.git("checkout", "-q", "main")
    repo.write("a.py", MULTILINE)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("a.py", MULTILINE.replace("    2,\n", "    5,\n"))
    repo.commit()
    repo.measure({"a.py": [5]})
    coverage_py([form, "-q", "-o", "report"], repo.folder, repo.environment, check=True)
    report = repo.diff("report")
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing_lines) == (1, "1")
