"""Version of each source in data of `qd-cov run`: `qd-cov diff` takes the data for no other version."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

import coverage
import pytest
from coverage_commands import coverage_py
from diff_repository import TEN, Report, Repository, edited

CHANGED = edited(TEN, {5: "b5 = 5\n"})
OTHER = "the data is of another version of it"


def run(repo: Repository, *options: str, check: bool = True) -> str:
    """Measure `import a`."""
    command = ["qd-cov", "run", "-q", *options, "program.py"]
    done = subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def project(repo: Repository) -> Repository:
    """A change that ran."""
    repo.write("a.py", CHANGED)
    repo.write("program.py", "import a\n")
    repo.commit()
    run(repo)
    return repo


def hashes(path: Path) -> dict[str, int]:
    """The number of versions in the data, by name of the file."""
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT path, count(hash) FROM qd_source JOIN file ON file.id = file_id GROUP BY path").fetchall()
    return {Path(path).name: n for path, n in rows}


def numbers(report: Report) -> tuple[int, int]:
    """Lines and missing lines of a.py."""
    row = report.rows["a.py"]
    assert row.missing is not None
    return row.lines, row.missing


def test_the_version_that_ran(project: Repository) -> None:
    """The time of writing does not matter: the contents count."""
    later = os.stat(project.folder / "a.py").st_mtime + 1000
    os.utime(project.folder / "a.py", (later, later))
    report = project.diff("--fail-under=100")
    assert (report.code, numbers(report)) == (0, (1, 0))
    assert "newer" not in report.out


def test_another_version(project: Repository) -> None:
    """Its lines are others: a gate that cannot know does not pass."""
    project.write("a.py", "import os\n" + CHANGED)
    report = project.diff("--include", "a.py")
    assert (report.code, report.rows["a.py"].missing, report.rows["a.py"].missing_lines) == (0, None, OTHER)
    assert report.rows["a.py"].lines == 2
    report = project.diff("--fail-under=1", "--include", "a.py")
    assert (report.code, report.err) == (2, f"Failure. 1 changed file is not measured, the first is 'a.py': {OTHER}.\n")
    assert project.diff("--fail-under=1", "--include", "a.py", "--on-no-data=pass").code == 0
    project.write("a.py", CHANGED)
    assert numbers(project.diff("--fail-under=100")) == (1, 0)


def test_line_ends_make_no_version(project: Repository) -> None:
    """One job may check out with other line ends than the next."""
    project.write("a.py", CHANGED.replace("\n", "\r\n"))
    assert numbers(project.diff("--ignore-whitespace")) == (1, 0)
    project.write("a.py", CHANGED.replace("\n", "\r"))
    assert project.diff().rows["a.py"].missing_lines == OTHER


def test_appended_data_of_two_versions(project: Repository) -> None:
    """Data appended to that of another version belongs to neither."""
    run(project, "--append")
    assert hashes(project.folder / ".coverage") == {"a.py": 1, "program.py": 1}
    project.write("a.py", CHANGED + "\n\n")
    run(project, "--append")
    assert hashes(project.folder / ".coverage") == {"a.py": 2, "program.py": 1}
    assert project.diff().rows["a.py"].missing_lines == OTHER
    run(project)
    assert numbers(project.diff()) == (1, 0)


def test_combined_data_keeps_it(project: Repository) -> None:
    """Combining keeps hashes, and coverage.py reads past them."""
    (project.folder / ".coverage").rename(project.folder / ".coverage.one")
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project.folder, env=project.environment, check=True)
    assert hashes(project.folder / ".coverage") == {"a.py": 1, "program.py": 1}
    data = coverage.CoverageData(str(project.folder / ".coverage"))
    data.read()
    assert data.lines(str((project.folder / "a.py").resolve())) == list(range(1, 11))
    coverage_py(["report"], project.folder, project.environment, check=True)


def test_inputs_of_two_versions(project: Repository) -> None:
    """The report names the one that is not of this one."""
    (project.folder / ".coverage").rename(project.folder / "old.data")
    project.write("a.py", edited(CHANGED, {5: "c5 = 5\n"}))
    run(project)
    (project.folder / ".coverage").rename(project.folder / "new.data")
    report = project.diff("--input=cpu=new.data", "--input=cuda=old.data")
    assert report.rows["a.py"].missing_lines == OTHER
    assert "Note: The data of 'cuda' is of another version of 'a.py': run its tests again.\n" in report.out
    assert "'cpu' is of another" not in report.out


def test_source_that_changes_while_it_is_measured(repo: Repository) -> None:
    """The version that ran is not known: nothing is claimed of it."""
    repo.write("a.py", CHANGED)
    repo.write("program.py", "import pathlib, a\npathlib.Path('a.py').write_text('x = 1\\n' + pathlib.Path('a.py').read_text())\n")
    repo.commit()
    run(repo)
    assert hashes(repo.folder / ".coverage") == {"a.py": 1, "program.py": 1}
    report = repo.diff("--fail-under=1", "--include", "a.py")
    assert (report.code, report.rows["a.py"].missing_lines) == (2, OTHER)


def test_source_that_is_made_while_it_is_measured(repo: Repository) -> None:
    """A source written by the program counts if it stays as it was when it was imported."""
    repo.write("program.py", f"import pathlib\npathlib.Path('a.py').write_text({CHANGED!r})\nimport a\n")
    repo.commit()
    run(repo)
    assert hashes(repo.folder / ".coverage") == {"a.py": 1, "program.py": 1}
    assert numbers(repo.diff("--fail-under=100", "--include", "a.py", "--require-hashes")) == (1, 0)
