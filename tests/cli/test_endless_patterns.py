"""Regular expressions that backtrack without end are errors, which name pattern, file and line; others never are."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from run_program import qd_cov

A = "a" * 40
ENDLESS = [
    r"(a+)+$",
    r"^(\w|\w\w)+!$",
    r"(a|a)*b",
    r"(a*)*b",
    r"(?:a{1,9}){1,9}(?:a{1,9}){1,9}(?:a{1,9}){1,9}(?:a{1,9}){1,9}b",
    r"(.*?,){11,}P(.+)+X$",
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("endless")
    comma = "1," * 60
    (folder / "a.py").write_text(f"x = 1\ny = 2\nz = '{A}!{A};{comma}P{A}'\nif x:\n    y = 3\n# {A}\n")
    coverage_py(["run", "--branch", f"--context={A}", "a.py"], folder, check=True)
    return folder


@pytest.fixture
def folder(shared: Path) -> Iterator[Path]:
    """The project, afterwards without settings."""
    yield shared
    for name in (".coveragerc", "pyproject.toml"):
        (shared / name).unlink(missing_ok=True)


@pytest.mark.parametrize("option", ["exclude_lines", "exclude_also", "partial_branches", "partial_also", "exclude_lines with others"])
def test_in_sources(folder: Path, option: str) -> None:
    before = "    pragma: no cover\n    def __repr__\n" if "others" in option else ""
    (folder / ".coveragerc").write_text(f"[report]\n{option.split()[0]} =\n{before}    (a+)+$\n")
    further = (["html", "-q"], ["xml", "-q"], ["report", "--fail-under=1"]) if option == "exclude_lines" else ()
    for command in (["report", "-i"], *further):
        done = qd_cov(folder, *command)
        assert done.returncode == 1, done
        (line,) = done.stdout.splitlines()
        assert f"'{folder.resolve()}/a.py'" in line and "line 3: the pattern '(a+)+$' backtracks without end" in line


def test_by_line_as_old_versions_do(folder: Path) -> None:
    (folder / ".coveragerc").write_text("[report]\nexclude_lines =\n    (a+)+$\n")
    (folder / "pyproject.toml").write_text("[tool.qd-cov]\ncoverage_version = '7.4'\n")
    done = qd_cov(folder, "report")
    assert done.returncode == 1 and "line 3: the pattern '(a+)+$'" in done.stdout, done


@pytest.mark.parametrize("pattern", ENDLESS)
def test_kinds(folder: Path, pattern: str) -> None:
    (folder / ".coveragerc").write_text(f"[report]\nexclude_lines =\n    {pattern}\n")
    start = time.monotonic()
    done = qd_cov(folder, "report")
    assert time.monotonic() - start < 50
    # PCRE2 sees that some of them cannot match, where Python does not.
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr
    if done.returncode == 1:
        assert pattern in done.stdout and "a.py" in done.stdout and "line " in done.stdout


def test_contexts(folder: Path) -> None:
    for how in (["report", "--contexts=(a+)+[bc]"], ["html", "-q", "--contexts=x,(a+)+[bc]"], ["json", "-q", "--contexts=(a+)+[bc]"]):
        done = qd_cov(folder, *how)
        assert (done.returncode, done.stdout) == (1, f"Context regex '(a+)+[bc]' backtracks without end on context '{A}'\n"), done
    (folder / ".coveragerc").write_text("[report]\ncontexts = (a+)+[bc]\n")
    assert "Context regex '(a+)+[bc]'" in qd_cov(folder, "report").stdout


def test_file_patterns_say_so(tmp_path: Path) -> None:
    """A pattern without a result is an error: its files would be left out without a word."""
    deep = tmp_path / ("a" * 200)
    deep.mkdir()
    path = deep / ("a" * 200 + ".py")
    path.write_text("x = 1\n")
    coverage_py(["run", str(path)], tmp_path, check=True)
    done = qd_cov(tmp_path, "report", "--include=" + "*a" * 30 + "*[xz]")
    assert done.returncode == 1 and "backtrack without end on '" in done.stdout, done
    assert qd_cov(tmp_path, "report", "--include=**/a*/**/*a*.py").returncode == 0


@pytest.mark.parametrize("size", [1000, 30_000, 300_000])
def test_long_lines_of_ordinary_patterns(tmp_path: Path, size: int) -> None:
    """coverage.py's own, and usual ones, on lines of all sizes: the same result as coverage.py's."""
    lines = [
        "import sys",
        "x = '" + "ab #" * (size // 4) + "'",
        "if len(sys.argv) > 5:  # pragma: no cover",
        "    y = '" + " " * size + "'",
        "y = 2  # " + "x" * size + " pragma: no branch",
        "def f(): " + "pass;" * (size // 5) + "pass",
    ]
    (tmp_path / "a.py").write_text("\n".join(lines) + "\n")
    (tmp_path / ".coveragerc").write_text(
        "[report]\nexclude_also =\n    ^\\s*if TYPE_CHECKING:\n    raise .*NotImplementedError.*$\n"
        "    class \\w+\\(.*Protocol\\):\n    @(abc\\.)?abstractmethod\n"
    )
    coverage_py(["run", "--branch", "a.py"], tmp_path, check=True)
    theirs = coverage_py(["report", "-m"], tmp_path)
    ours = qd_cov(tmp_path, "report", "-m")
    assert (ours.returncode, ours.stdout) == (theirs.returncode, theirs.stdout)
