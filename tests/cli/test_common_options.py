"""Options that every command has: --version, and --debug, which works or is refused; and -q of `diff`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import Repository
from run_program import qd_cov

# Commands, with the arguments that each needs before it looks at its options.
COMMANDS = (
    "annotate", "badge", "check", "combine", "completion", "debug", "debug probes", "diff", "erase", "github comment", "github check-run",
    "github post", "github summary", "gitlab comment", "html", "json", "lcov", "man", "recover", "report", "run", "trend", "which-tests", "xml",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two data files of one program."""
    (tmp_path / "a.py").write_text("x = 1\n")
    for _ in range(2):
        coverage_py(["run", "-p", "a.py"], tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_the_version(tmp_path: Path, command: str) -> None:
    version = qd_cov(tmp_path, "--version").stdout
    assert re.fullmatch(r"qd-cov, version \d+\.\d+\.\d+\S*\nCommit: .+\n", version)
    done = qd_cov(tmp_path, *command.split(), "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, version, "")


def test_the_version_of_a_measured_program_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import sys\nprint(sys.argv[1:])\n")
    assert qd_cov(tmp_path, "run", "-q", "a.py", "--version").stdout == "['--version']\n"


@pytest.mark.parametrize("command", ["report", "xml -o -", "json -o -", "html -q", "lcov -o -", "annotate", "combine", "erase"])
def test_debug_that_a_command_cannot_do_is_refused(project: Path, command: str) -> None:
    before = sorted(project.iterdir())
    done = qd_cov(project, *command.split(), "--debug=sys,trace")
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"option --debug: 'qd-cov {command.split()[0]}' has no messages of kind 'trace'; it has config, pybehave, sqlite, sys" in done.stderr
    assert sorted(project.iterdir()) == before


def headers(text: str) -> list[str]:
    return re.findall(r"^-- (\w+) -{20,}$", text, re.MULTILINE)


@pytest.mark.parametrize("kinds", ["config", "sys", "pybehave", "sqlite", "config, sys"])
def test_debug_topics_are_told_as_debug_tells_them(project: Path, kinds: str) -> None:
    """Topics of --debug go to standard error, so that the report stays as it is; to the file of [run] debug_file; by $COVERAGE_DEBUG too."""
    plain = qd_cov(project, "report", "--keep-combined")
    wanted = sorted(kind.strip() for kind in kinds.split(","))
    # The way in which several kinds are named makes no difference to one alone.
    by_variable: list[tuple[list[str], dict[str, str]]] = [([], {"COVERAGE_DEBUG": kinds})]
    for options, environment in [([f"--debug={kinds}"], {}), *(by_variable if len(wanted) > 1 else [])]:
        done = qd_cov(project, "report", "--keep-combined", *options, **environment)
        assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
        assert headers(done.stderr) == wanted
    for kind in wanted:
        if kind in ("pybehave", "sqlite"):
            assert qd_cov(project, "debug", kind).stdout in done.stderr
    if len(wanted) == 1:
        return
    (project / ".coveragerc").write_text("[run]\ndebug_file = said.txt\n")
    done = qd_cov(project, "report", "--keep-combined", f"--debug={kinds}")
    assert headers(done.stderr) == []
    assert headers((project / "said.txt").read_text()) == wanted


@pytest.mark.parametrize("command", [["combine", "--keep"], ["report", "--keep-combined"], ["json", "-q", "-o", "-", "--keep-combined"]])
def test_debug_of_combining(project: Path, command: list[str]) -> None:
    """The same messages as coverage.py's."""
    theirs = coverage_py([*command, "--debug=combine"], project)
    (project / ".coverage").unlink()
    ours = qd_cov(project, *command, "--debug=combine")
    told = [line for line in theirs.stderr.splitlines() if re.match(r"(Combining|Skipping|Not)", line)]
    assert told
    assert [line for line in ours.stderr.splitlines() if re.match(r"(Combining|Skipping|Not)", line)] == told


def test_debug_of_a_run_is_told_by_who_measures(project: Path) -> None:
    done = qd_cov(project, "run", "-q", "--debug=trace", "a.py")
    assert re.search(r"Tracing '.*a\.py'", done.stderr), done.stderr
    assert "'qd-cov run' has no messages of kind 'what'" in qd_cov(project, "run", "--debug=what", "a.py").stderr


def test_quiet_diff_says_nothing(repo: Repository) -> None:
    """Reports that go to files are written; warnings and their names are not said. Failures are."""
    repo.write("new.py", "x = 1\ny = 2\n")
    repo.commit()
    repo.measure({"new.py": [1]})
    (repo.folder / "pyproject.toml").write_text("[tool.coverage.run]\nwhat = 1\n")
    options = ("--format", "markdown:out.md", "--format", "json:out.json", "--format", "html:out.html", "--format", "terminal")
    loud, quiet = repo.diff(*options), repo.diff("-q", *options)
    assert "Wrote markdown report" in loud.err and "CoverageWarning" in loud.err
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    assert all((repo.folder / name).stat().st_size for name in ("out.md", "out.json", "out.html"))
    failed = repo.diff("--quiet", "--fail-under=90", *options)
    assert (failed.code, failed.out) == (2, "")
    assert failed.err == repo.diff("--fail-under=90").err.splitlines(keepends=True)[-1]
    assert repo.diff("-q", "--input=gone.xml").code == 1
