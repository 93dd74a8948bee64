"""Reports of other tools that are older than the sources: lines that they cannot know are not measured, and gates say so."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import Repository

OLD = "import sys\n\n\ndef f(x):\n    if x:\n        return 1\n    return 2\n\n\nprint(f(1), f(0))\n"
NEW_FUNCTION = "\n\ndef added(x):\n    y = x\n    return y\n"

CPP = """\
#include <cstdio>

// adds
int add(int a, int b) {
  return a + b;
}

int main() {
  std::printf("%d\\n", add(1, 2));
}
"""
CPP_LCOV = "TN:\nSF:src/a.cpp\nFN:4,_Z3addii\nFN:8,main\nFNDA:1,_Z3addii\nFNDA:1,main\nDA:4,1\nDA:5,1\nDA:8,1\nDA:9,1\nDA:10,1\nend_of_record\n"
CPP_FUNCTION = "\nint unheard_of(int a) {\n  if (a > 0) return 2;\n  return 3;\n}\n"


def python_report(repo: Repository, kind: str) -> str:
    """Measure a.py and report with coverage.py itself."""
    name = "coverage." + kind
    for words in (["run", "a.py"], [kind, "-q", "-o", name]):
        coverage_py([*words], repo.folder, repo.environment, check=True)
    (repo.folder / ".coverage").unlink()
    return name


def older(repo: Repository, name: str) -> None:
    """Let the report be older than all sources, as it is in a fresh checkout."""
    time = (repo.folder / name).stat().st_mtime - 1000
    os.utime(repo.folder / name, (time, time))


@pytest.fixture(params=["xml", "lcov"])
def python(repo: Repository, request: pytest.FixtureRequest) -> tuple[Repository, str]:
    repo.write("a.py", OLD)
    repo.git("add", "-A")
    return repo, python_report(repo, request.param)


@pytest.mark.parametrize("text", [OLD + NEW_FUNCTION, NEW_FUNCTION + OLD, OLD.replace("\n\n\nprint", NEW_FUNCTION + "\n\nprint")])
def test_function_added_since(python: tuple[Repository, str], text: str) -> None:
    """A function at the end, at the beginning or between: the report's lines are not those of the file any more."""
    repo, name = python
    repo.git("commit", "-q", "-m", "old")
    repo.git("branch", "-f", "main", "HEAD")
    repo.write("a.py", text)
    report = repo.diff(name, "--fail-under=1")
    assert (report.code, report.rows["a.py"].lines, report.rows["a.py"].missing) == (2, 3, None)
    assert "the report is older than it, and of another version: line " in report.rows["a.py"].missing_lines
    assert repo.diff(name, "--fail-under=1", "--on-no-data=pass").code == 0


def test_fresh_report_in_a_fresh_checkout(python: tuple[Repository, str]) -> None:
    """Older than every file, and yet of these: a note, and the numbers."""
    repo, name = python
    older(repo, name)
    report = repo.diff(name, "--fail-under=100")
    assert (report.code, report.rows["a.py"].lines, report.rows["a.py"].missing) == (0, 6, 0)
    assert "Note: 'a.py' is newer than the data" in report.out
    assert repo.diff(name, "--require-hashes").code == 2


def test_report_that_is_not_older(python: tuple[Repository, str]) -> None:
    """Other tools have other statements: those that they name count."""
    repo, name = python
    text = (repo.folder / name).read_text()
    text = text.replace('<line number="7" hits="1"/>', "").replace("DA:7,1\n", "").replace("DA:7,1,", "DB:7,1,")
    (repo.folder / name).write_text(text)
    report = repo.diff(name, "--fail-under=100")
    assert (report.code, report.rows["a.py"].missing) == (0, 0)
    assert "newer" not in report.out


def test_lines_after_the_end(repo: Repository) -> None:
    """No time is needed to see that."""
    repo.write("a.py", "x = 1\n")
    repo.git("add", "-A")
    repo.write("out.info", "SF:a.py\nDA:1,1\nDA:30,1\nend_of_record\n")
    report = repo.diff("out.info", "--fail-under=1")
    assert (report.code, report.rows["a.py"].missing_lines) == (2, "the report is of another version of it: it has line 30, of 1")


# C++


@pytest.fixture
def cpp(repo: Repository) -> Repository:
    repo.write("src/a.cpp", CPP)
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")
    repo.write("out.info", CPP_LCOV)
    return repo


def test_cpp_file_added_since(cpp: Repository) -> None:
    """Beside files that the report has it would have been measured."""
    cpp.write("src/b.cpp", CPP_FUNCTION)
    cpp.write("src/deep/c.h", CPP_FUNCTION)
    cpp.write("src/declarations.h", "#pragma once\nint unheard_of(int a);\nstruct S {\n  int member = 0;\n};\n")
    cpp.commit()
    report = cpp.diff("out.info", "--fail-under=1")
    assert report.code == 2
    assert {path: (row.lines, row.missing, row.missing_lines) for path, row in report.rows.items()} == {
        "src/b.cpp": (3, None, "no data"),
        "src/deep/c.h": (3, None, "no data"),
    }
    assert cpp.diff("out.info", "--fail-under=1", "--on-no-data=warn").code == 0
    assert cpp.diff("out.info").code == 0
    assert cpp.diff("out.info", "--fail-under=1", "--exclude", "src/b.cpp", "src/deep/*").code == 0


def test_cpp_where_the_report_has_no_files(cpp: Repository) -> None:
    """Tests are often left out of reports: a note."""
    cpp.write("tests/b.cpp", CPP_FUNCTION)
    cpp.commit()
    cpp.write("out.info", CPP_LCOV + CPP_LCOV.replace("src/a.cpp", "main.cpp"))
    report = cpp.diff("out.info", "--fail-under=1")
    assert (report.code, report.rows) == (0, {})
    assert "Note: 'tests/b.cpp' is in no report, nor is any other file of the folder: it is not counted.\n" in report.out


def test_cpp_function_added_since(cpp: Repository) -> None:
    """The report knows no line of it."""
    cpp.write("src/a.cpp", CPP + CPP_FUNCTION)
    report = cpp.diff("out.info", "--fail-under=1")
    assert (report.code, report.rows["src/a.cpp"].missing) == (2, None)
    assert report.rows["src/a.cpp"].missing_lines == (
        "the report is older than it, and of another version: it knows nothing of the function in lines 12-15"
    )
    # A new report says it all.
    cpp.write("out.info", CPP_LCOV.replace("end_of", "DA:12,1\nDA:13,1\nDA:14,0\nend_of"))
    report = cpp.diff("out.info", "--fail-under=60")
    assert (report.code, report.rows["src/a.cpp"].missing_lines) == (0, "14")


def test_cpp_functions_moved_since(cpp: Repository) -> None:
    """Their lines are others now."""
    cpp.write("src/a.cpp", CPP.replace("// adds", "// adds\n//\n//\nstatic const int kOne = 1;\n"))
    report = cpp.diff("out.info", "--fail-under=1")
    assert (report.code, report.rows["src/a.cpp"].missing_lines) == (
        2,
        "the report is older than it, and of another version: 'add' is not in line 4 now",
    )


def test_correct_cpp_report_in_a_fresh_checkout(cpp: Repository) -> None:
    """Braces, declarations and comments are in no report, and no reason to doubt it."""
    text = CPP.replace(
        "#include <cstdio>", "#include <cstdio>\n#define TWICE(x) \\\n  { (x); (x); }\nnamespace {\nstruct P {\n  int x{1};\n};\n}  // namespace\n"
    )
    cpp.write("src/a.cpp", text)
    shifted = CPP_LCOV
    for line in (10, 9, 8, 5, 4):
        shifted = shifted.replace(f"DA:{line},", f"DA:{line + 8},").replace(f"FN:{line},", f"FN:{line + 8},")
    cpp.write("out.info", shifted)
    older(cpp, "out.info")
    report = cpp.diff("out.info", "--fail-under=100")
    assert (report.code, report.err) == (0, "")


def test_combined_report_stays_old(cpp: Repository) -> None:
    """A combined report is known to have been older."""
    cpp.write("src/a.cpp", CPP + CPP_FUNCTION)
    subprocess.run(["qd-cov", "combine", "-q", "out.info"], cwd=cpp.folder, env=cpp.environment, check=True)
    assert cpp.diff("--fail-under=1").code == 2


def test_reports_of_reports(cpp: Repository, tmp_path: Path) -> None:
    """`report` and its like have the report's numbers, and say that the source is newer."""
    done = subprocess.run(["qd-cov", "report", "--input=out.info"], cwd=cpp.folder, env=cpp.environment, capture_output=True, text=True, check=True)
    assert "newer" not in done.stderr
    older(cpp, "out.info")
    done = subprocess.run(["qd-cov", "report", "--input=out.info"], cwd=cpp.folder, env=cpp.environment, capture_output=True, text=True, check=True)
    assert "'src/a.cpp' is newer than the data" in done.stderr
