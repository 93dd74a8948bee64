"""Excluded lines of files that other tools measured: markers of lcov and gcovr, exclude_lines, branches of exceptions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import Repository


def qd_cov(folder: Path, *command: str) -> tuple[str, str]:
    done = subprocess.run(["qd-cov", *command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, done.stderr


def lcov_of(source: str, name: str = "a.cpp") -> str:
    """LCOV of a source: no line ran, and each has a branch that was taken, one that was not, and one of an exception."""
    lines = "".join(f"BRDA:{n},0,0,1\nBRDA:{n},0,1,0\nBRDA:{n},e0,2,0\nDA:{n},{n % 2}\n" for n in range(1, source.count("\n") + 1))
    return f"SF:{name}\n{lines}end_of_record\n"


def numbers(folder: Path, *options: str, name: str = "a.cpp") -> dict[str, object]:
    out, _ = qd_cov(folder, "json", "-q", "-o", "-", "--conditions", "--input=in.info", *options)
    file = json.loads(out)["files"][name]
    branches: dict[int, list[str]] = {}
    for branch in file["qd_cov"].get("branches", []):
        branches.setdefault(branch["line"], []).append(branch["text"])
    return {"lines": sorted(file["executed_lines"] + file["missing_lines"]), "excluded": file["excluded_lines"], "branches": branches, "file": file}


# Sources, the excluded lines, those without branches, those without branches of exceptions, notes
MARKERS: dict[str, tuple[str, list[int], list[int], list[int], list[str]]] = {
    "line": ("a;\nb; // LCOV_EXCL_LINE\nc;\n", [2], [], [], []),
    "other tools": ("a; // GCOV_EXCL_LINE\nb; // GCOVR_EXCL_LINE\nc;\n", [1, 2], [], [], []),
    "section": ("a;\n// LCOV_EXCL_START\nb;\nc;\n// LCOV_EXCL_STOP\nd;\n", [2, 3, 4], [], [], []),
    "sections on one line": ("a;\n/* LCOV_EXCL_START */ b; /* LCOV_EXCL_STOP */\nc;\n", [], [], [], []),
    "two sections": ("// LCOV_EXCL_START\na;\n// LCOV_EXCL_STOP\nb;\n// LCOV_EXCL_START\nc;\n// LCOV_EXCL_STOP\n", [1, 2, 5, 6], [], [], []),
    "branches of a line": ("a;\nb; // LCOV_EXCL_BR_LINE\nc; // GCOVR_EXCL_BR_LINE\n", [], [2, 3], [], []),
    "branches of a section": ("a;\n// LCOV_EXCL_BR_START\nb;\n// LCOV_EXCL_BR_STOP\nc;\n", [], [2, 3], [], []),
    "exceptions of a line": ("a;\nb; // LCOV_EXCL_EXCEPTION_BR_LINE\n", [], [], [2], []),
    "exceptions of a section": ("// LCOV_EXCL_EXCEPTION_BR_START\na;\n// LCOV_EXCL_EXCEPTION_BR_STOP\nb;\n", [], [], [1, 2], []),
    "kinds within each other": (
        "// LCOV_EXCL_BR_START\na;\n// LCOV_EXCL_START\nb;\n// LCOV_EXCL_BR_STOP\nc;\n// LCOV_EXCL_STOP\nd;\n",
        [3, 4, 5, 6], [1, 2, 3, 4], [], [],
    ),
    "words that are longer": ("a; // LCOV_EXCL_LINES\nb; // MY_LCOV_EXCL_LINE\nc; // LCOV_EXCL_STARTED\nd; // lcov_excl_line\n", [], [], [], []),
    "never stopped": ("a;\n// LCOV_EXCL_START\nb;\n", [], [], [], ["a.cpp:2: 'LCOV_EXCL_START' is never stopped, and excludes nothing"]),
    "never started": ("a;\n// LCOV_EXCL_STOP\nb;\n", [], [], [], ["a.cpp:2: 'LCOV_EXCL_STOP' has no start before it, and does nothing"]),
    "started twice": (
        "// LCOV_EXCL_START\na;\n// LCOV_EXCL_START\nb;\n// LCOV_EXCL_STOP\nc;\n",
        [3, 4], [], [], ["a.cpp:1: 'LCOV_EXCL_START' is not stopped before the next one, and excludes nothing"],
    ),
    "stopped by another tool": (
        "// LCOV_EXCL_START\na;\n// GCOVR_EXCL_STOP\nb;\n",
        [], [], [],
        ["a.cpp:3: 'GCOVR_EXCL_STOP' has no start before it, and does nothing", "a.cpp:1: 'LCOV_EXCL_START' is never stopped, and excludes nothing"],
    ),
    "stopped by another kind": (
        "// LCOV_EXCL_BR_START\na;\n// LCOV_EXCL_STOP\nb;\n",
        [], [], [],
        ["a.cpp:3: 'LCOV_EXCL_STOP' has no start before it, and does nothing",
         "a.cpp:1: 'LCOV_EXCL_BR_START' is never stopped, and excludes nothing"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("situation", MARKERS)
def test_markers(tmp_path: Path, situation: str) -> None:
    source, excluded, without_branches, without_exceptions, notes = MARKERS[situation]
    (tmp_path / "a.cpp").write_text(source)
    (tmp_path / "in.info").write_text(lcov_of(source))
    found = numbers(tmp_path)
    n = source.count("\n")
    assert found["excluded"] == excluded
    assert found["lines"] == [line for line in range(1, n + 1) if line not in excluded]
    assert found["branches"] == {
        line: ["", ""] if line in without_exceptions else ["", "", "exception"]
        for line in range(1, n + 1)
        if line not in excluded and line not in without_branches
    }
    _, err = qd_cov(tmp_path, "report", "--input=in.info")
    assert sorted(line.partition(": ")[2] for line in err.splitlines() if "EXCL" in line) == sorted(notes)


def test_markers_in_a_change_are_shown_and_doubt_fails(repo: Repository) -> None:
    """New lines that a marker excludes are no lines of the change; a marker that does not fit excludes nothing."""
    repo.write("a.cpp", "int f() {\n  return 1;\n}\n")
    repo.commit()
    repo.git("branch", "-f", "main")
    body = "int f() {\n  // LCOV_EXCL_START\n  g();\n  // LCOV_EXCL_STOP\n  return 1;\n}\n"
    for source, code in ((body, 0), (body.replace("_STOP", "_END"), 2), (body.replace("  g();", "  g(); // LCOV_EXCL_LINE").replace("T\n", "\n"), 0)):
        repo.write("a.cpp", source)
        repo.write("in.info", "SF:a.cpp\nDA:1,1\nDA:3,0\nDA:5,1\nend_of_record\n")
        report = repo.diff("in.info", "--fail-under=100")
        assert report.code == code, report.out
        assert ("a.cpp:2: 'LCOV_EXCL_START' is never stopped, and excludes nothing" in report.out) == (code == 2)


EXCLUDED = {
    "exclude_also": "[report]\nexclude_also = NEVER_HERE\n",
    "exclude_lines": "[report]\nexclude_lines =\n    NEVER_HERE\n    other\n",
    "several lines": "[report]\nexclude_also = (?s)begin.*end\n",
}


@pytest.mark.parametrize("setting", EXCLUDED)
def test_patterns_of_the_configuration(tmp_path: Path, setting: str) -> None:
    (tmp_path / ".coveragerc").write_text(EXCLUDED[setting])
    source = "a;\nb; // begin NEVER_HERE end\nc; # pragma: no cover\n"
    (tmp_path / "a.cpp").write_text(source)
    (tmp_path / "in.info").write_text(lcov_of(source))
    assert numbers(tmp_path)["excluded"] == ([2] if setting == "exclude_lines" else [2, 3])


def test_imported_python_is_excluded_as_measured_python_is(tmp_path: Path) -> None:
    """Whole suites; coverage.py says which lines."""
    source = "import sys\nif sys.argv:  # pragma: no cover\n    a = 1\n    b = 2\nelse:\n    c = 3\n\n\ndef f():  # pragma: no cover\n    return 1\n"
    (tmp_path / "m.py").write_text(source)
    coverage_py(["run", "m.py"], tmp_path, check=True)
    coverage_py(["json", "-q"], tmp_path, check=True)
    theirs = json.loads((tmp_path / "coverage.json").read_text())["files"]["m.py"]
    (tmp_path / ".coverage").unlink()
    (tmp_path / "in.info").write_text("SF:m.py\n" + "".join(f"DA:{n},1\n" for n in (1, 2, 3, 4, 6, 9, 10)) + "end_of_record\n")
    ours = numbers(tmp_path, name="m.py")
    assert ours["excluded"] == theirs["excluded_lines"]
    assert ours["lines"] == sorted(theirs["executed_lines"] + theirs["missing_lines"])


def gcov(branches: list[dict[str, object]]) -> str:
    lines = [{"line_number": 1, "count": 1, "branches": branches}]
    return json.dumps({"gcc_version": "14", "current_working_directory": ".", "files": [{"file": "a.cpp", "functions": [], "lines": lines}]})


INPUTS = {
    "gcov": gcov([{"count": 1, "throw": False, "fallthrough": True}, {"count": 0, "throw": True, "fallthrough": False}]),
    "lcov": "SF:a.cpp\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,e0,1,0\nend_of_record\n",
    "lcov with names": "SF:a.cpp\nDA:1,1\nBRDA:1,0,ok,1\nBRDA:1,e0,thrown, or not,0\nend_of_record\n",
}


@pytest.mark.parametrize("form", INPUTS)
@pytest.mark.parametrize("way", ["option", "setting", "combined"])
def test_branches_of_exceptions(repo: Repository, form: str, way: str) -> None:
    repo.write("a.cpp", "f();\n")
    repo.write("in.info", INPUTS[form])
    repo.git("add", "a.cpp")
    settings = "[tool.qd-cov]\nexclude_throw_branches = true\n" if way == "setting" else ""
    options = [] if way == "setting" else ["--exclude-throw-branches"]
    inputs = ["--input=in.info"]
    if way == "combined":
        qd_cov(repo.folder, "combine", "-q", "in.info")
        inputs = []
    assert "1: 1 of 2 branches" in qd_cov(repo.folder, "report", "-m", *inputs)[0]
    diff_inputs = [".coverage"] if way == "combined" else ["in.info"]
    assert repo.diff(*diff_inputs, "--branch-coverage", "--fail-under-branches=90").code == 2
    repo.write("pyproject.toml", settings)
    assert "branches" not in qd_cov(repo.folder, "report", "-m", *inputs, *options)[0]
    assert repo.diff(*diff_inputs, "--branch-coverage", "--fail-under-branches=90", *options).code == 0
