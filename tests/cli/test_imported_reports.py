"""Reports of other tools in every report: --input, combine, diff, and the parts of them that are shown."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from browser import Opened
from diff_repository import Repository

SOURCE = """\
int f(int n) {
  if (n > 3 && n < 9)
    return 1;
  return 0;
}

int never() { return 2; }
"""
INFO = """\
SF:src/a.cpp
FN:1,5,f(int)
FNDA:7,f(int)
FN:7,7,never()
FNDA:0,never()
BRDA:2,0,0,7
BRDA:2,0,1,0
BRDA:2,1,0,3
BRDA:2,1,1,-
DA:1,7
DA:2,7
DA:3,0
DA:4,7
DA:7,0
end_of_record
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cpp").write_text(SOURCE)
    (tmp_path / "a.info").write_text(INFO)
    return tmp_path


def run(folder: Path, *command: str, code: int = 0) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def report(folder: Path, *options: str, code: int = 0) -> list[list[str]]:
    return [line.split(maxsplit=6) for line in run(folder, "qd-cov", "report", "-m", *options, code=code).splitlines()]


ROW = ["src/a.cpp", "5", "2", "4", "2", "56%", "2: 2 of 4 branches, 3, 7"]


def test_report_without_a_data_file(project: Path) -> None:
    assert ROW in report(project, "--input=a.info")
    assert not (project / ".coverage").exists()


def test_beside_python(project: Path) -> None:
    """One table; the data file stays as it is, and columns of branches are there for those that have them."""
    (project / "p.py").write_text("print(1)\n")
    run(project, "coverage", "run", "p.py")
    before = (project / ".coverage").read_bytes()
    rows = report(project, "--input=a.info")
    assert ROW in rows and ["p.py", "1", "0", "0", "0", "100%"] in rows
    assert (project / ".coverage").read_bytes() == before


def test_combined_inputs_stay_in_the_data_file(project: Path) -> None:
    (project / "p.py").write_text("print(1)\n")
    run(project, "coverage", "run", "--branch", "-p", "p.py")
    said = run(project, "qd-cov", "combine", "a.info", ".")
    assert "Combined 2 files" in said and (project / "a.info").exists()
    assert not list(project.glob(".coverage.*"))
    rows = report(project)
    assert ROW in rows and ["p.py", "1", "0", "0", "0", "100%"] in rows
    run(project, "qd-cov", "combine", "--append", "a.info")  # hits add up
    run(project, "qd-cov", "lcov", "-q", "-o", "out.info")
    assert "DA:4,14\n" in (project / "out.info").read_text()


def test_settings_name_inputs(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.qd-cov]\ninputs = ["a.info"]\n')
    assert ROW in report(project)


def test_lcov_comes_back_as_it_went_in(project: Path) -> None:
    run(project, "qd-cov", "lcov", "-q", "--input=a.info", "-o", "out.info")
    text = (project / "out.info").read_text()
    for kind in ("DA:", "BRDA:"):
        assert [line for line in text.splitlines() if line.startswith(kind)] == [line for line in INFO.splitlines() if line.startswith(kind)]
    assert "FN:1,5,f(int)\nFNDA:1,f(int)\n" in text and "FN:7,7,never()\nFNDA:0,never()\n" in text
    assert report(project, "--input=out.info") == report(project, "--input=a.info")


def test_xml_comes_back(project: Path) -> None:
    run(project, "qd-cov", "xml", "-q", "--input=a.info", "-o", "out.xml")
    assert '<line number="2" hits="7" branch="true" condition-coverage="50% (2/4)"/>' in (project / "out.xml").read_text()
    assert report(project, "--input=out.xml") == report(project, "--input=a.info")


def test_json(project: Path) -> None:
    run(project, "qd-cov", "json", "-q", "--input=a.info", "-o", "out.json")
    file = json.loads((project / "out.json").read_text())["files"]["src/a.cpp"]
    assert (file["executed_lines"], file["missing_lines"]) == ([1, 2, 4], [3, 7])
    assert file["summary"]["num_branches"] == 4 and file["summary"]["covered_branches"] == 2
    assert sorted(file["functions"]) == ["", "f(int)", "never()"]
    # coverage.py's pairs are lines, and these branches lead to none: they are listed apart, and counted in the summary.
    assert file["executed_branches"] == file["missing_branches"] == []
    branches = [tuple(branch.values()) for branch in file["qd_cov"]["branches"]]
    assert branches == [(2, 0, 0, "", 7), (2, 0, 1, "", 0), (2, 1, 0, "", 3), (2, 1, 1, "", None)]
    (project / "p.py").write_text("import sys\nif sys:\n    x = 1\n")
    run(project, "coverage", "run", "--branch", "p.py")
    run(project, "qd-cov", "json", "-q", "--input=a.info", "-o", "out.json")
    files = json.loads((project / "out.json").read_text())["files"]
    assert "qd_cov" not in files["p.py"] and files["p.py"]["executed_branches"] == [[2, 3]]
    run(project, "qd-cov", "json", "-q", "--input=a.info", "--conditions", "-o", "out.json")
    own = json.loads((project / "out.json").read_text())["files"]["src/a.cpp"]["qd_cov"]
    assert sorted(own) == ["branches", "decisions", "summary"]


def test_annotate_and_html(project: Path) -> None:
    run(project, "qd-cov", "annotate", "--input=a.info")
    lines = (project / "src/a.cpp,cover").read_text().splitlines()
    assert lines[:4] == ["> int f(int n) {", ">   if (n > 3 && n < 9)", "!     return 1;", ">   return 0;"]
    run(project, "qd-cov", "html", "-q", "--input=a.info")
    assert "src/a.cpp" in (project / "htmlcov/index.html").read_text()


@pytest.mark.parametrize("letter", [b"\xc3\xa9", b"\xe9", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80"], ids=bytes.hex)
def test_sources_that_are_not_utf8_are_latin1(project: Path, letter: bytes) -> None:
    """UTF-8 as CPython has it: neither a surrogate nor a letter in more bytes than it takes."""
    try:
        letter.decode()
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"
    source = project / "src/a.cpp"
    source.write_bytes(source.read_bytes().replace(b"return 0;", b"return 0;  // " + letter))
    run(project, "qd-cov", "annotate", "--input=a.info")
    assert (project / "src/a.cpp,cover").read_bytes().decode().splitlines()[3] == f">   return 0;  // {letter.decode(encoding)}"


DECISIONS = [
    "✓ decision 1: branch 1 – taken 7 times",
    "✗ decision 1: branch 2 – never taken",
    "✓ decision 2: branch 1 – taken 3 times",
    "✗ decision 2: branch 2 – never come to",
]


@pytest.mark.parametrize(("form", "items"), [("lcov", DECISIONS), ("xml", [])])
def test_pop_overs_name_the_branches(project: Path, opened: Opened, form: str, items: list[str]) -> None:
    """Branches in the input's words, each decision for itself, and how often they were taken; numbers that Cobertura lacks are not made up."""
    run(project, "qd-cov", form, "-q", "--input=a.info", "-o", "out")
    run(project, "qd-cov", "html", "-q", "--input=out")
    page = opened(project / "htmlcov/index.html", "#/src/a.cpp:L2")
    page.wait(lambda: page.all("#L2 .partly"))
    button = page.one("#L2 .partly")
    assert button.text == "⇉ 2/4" and (button.get_attribute("title") or "").startswith("Branches of line 2: 2 of 4 taken")
    button.click()
    page.wait(lambda: page.all(".pop"))
    assert page.one(".pop h3").text == "Line 2 · 2 of 4 branches taken"
    assert [item.text for item in page.all(".pop li")] == items
    assert ("does not say which" in page.one(".pop").text) == (form == "xml")


def test_files_outside_of_the_folder_are_left_out(project: Path) -> None:
    """System headers, unless a pattern asks for them."""
    (project / "b.info").write_text("SF:/usr/include/b.h\nDA:1,1\nend_of_record\n")
    names = [row[0] for row in report(project, "--input=a.info", "--input=b.info") if row]
    assert "/usr/include/b.h" not in names
    assert "/usr/include/b.h" in [row[0] for row in report(project, "--input=a.info", "--input=b.info", "--include=*") if row]
    assert "No data to report: 1 file of other tools is outside of" in run(project, "qd-cov", "report", "--input=b.info", code=1)


def test_omit_and_paths(project: Path) -> None:
    assert "No data to report." in run(project, "qd-cov", "report", "--input=a.info", "--omit=src/*", code=1)
    (project / "w.info").write_text(INFO.replace("src/a.cpp", "C:\\\\build\\\\src\\\\a.cpp".replace("\\\\", "\\")))
    (project / ".coveragerc").write_text("[paths]\nsource =\n    src\n    C:\\build\\src\n")
    assert ROW in report(project, "--input=w.info")


def test_relative_files(project: Path) -> None:
    (project / ".coveragerc").write_text("[run]\nrelative_files = true\n")
    run(project, "qd-cov", "combine", "-q", "a.info")
    assert ROW in report(project)


def test_without_source_the_numbers_are_there(project: Path) -> None:
    (project / "src/a.cpp").unlink()
    assert ROW in report(project, "--input=a.info")
    run(project, "qd-cov", "html", "-q", "--input=a.info")


def test_measured_goes_before_imported(project: Path) -> None:
    (project / "p.py").write_text("print(1)\n")
    run(project, "coverage", "run", "p.py")
    (project / "p.info").write_text("SF:p.py\nDA:1,0\nDA:9,0\nend_of_record\n")
    out = run(project, "qd-cov", "report", "--input=p.info")
    assert "was measured, and imported from another tool: it is reported as it was measured." in out
    assert "p.py        1      0   100%" in out


def test_contexts_choose_imported_lines_as_the_default_context(project: Path) -> None:
    rows = report(project, "--input=a.info", "--contexts=nothing")
    assert ["src/a.cpp", "5", "5", "4", "0", "0%", "1-7"] in rows


def test_what_is_no_report_is_an_error(project: Path) -> None:
    (project / "x").write_text("hello")
    assert "Couldn't read 'x': it is none of LCOV, Cobertura XML" in run(project, "qd-cov", "report", "--input=x", code=1)
    (project / "cut.info").write_text(INFO[:-20])
    assert "Couldn't read 'cut.info' as LCOV: line 14" in run(project, "qd-cov", "report", "--input=cut.info", code=1)
    said = run(project, "qd-cov", "combine", "a.info", "cut.info")
    assert "Combined 1 file, 1 file errored" in said and "cut.info" in said


def test_a_report_without_files_reaches_no_gate(project: Path) -> None:
    """An empty report is one that its tool had no data for: the files that it should name are missing from the total."""
    for name, text in {
        "e.info": "TN:\n",
        "e.xml": "<coverage><packages/></coverage>",
        "e.json": '{"gcovr/format_version": "0.11", "files": []}',
    }.items():
        (project / name).write_text(text)
        inputs = ("--input=a.info", f"--input={name}")
        assert ROW in report(project, *inputs)
        said = run(project, "qd-cov", "report", *inputs, "--fail-under=1", code=2)
        assert f"CoverageWarning: Report '{name}' names no file" in said
        assert f"Coverage failure: data file '{name}' could not be read as a whole." in said
        assert "Combined 1 file, 1 file errored" in run(project, "qd-cov", "combine", "--data-file=joined", "a.info", name)


def test_a_report_made_elsewhere_reaches_no_gate(project: Path) -> None:
    """Its file may be one of ours, which then is missing from the total: not when another path has it, or a choice leaves it out."""
    (project / "b.cpp").write_text("int b;\n")
    (project / "b.info").write_text("SF:b.cpp\nDA:1,1\nend_of_record\n")
    (project / "e.info").write_text(INFO.replace("src/", "/nowhere/src/"))
    inputs = ("report", "--fail-under=1", "--input=b.info", "--input=e.info")
    said = run(project, "qd-cov", *inputs, code=2)
    assert "CoverageWarning: '/nowhere/src/a.cpp' of a report may be 'src/a.cpp': not measured. Set [paths]" in said
    assert "Coverage failure: '/nowhere/src/a.cpp' of a report may be 'src/a.cpp', so it is not measured.\n" in said
    for excuse in ("--input=a.info", "--omit=src/*", "--omit=*a.cpp", "--include=b.cpp"):
        run(project, "qd-cov", *inputs, excuse)
    (project / "e.info").write_text(INFO.replace("src/a.cpp", "/nowhere/vector"))
    run(project, "qd-cov", *inputs)


def test_a_change_of_a_file_in_a_report_that_was_cut_off(repo: Repository) -> None:
    """Nobody knows which files and lines it had."""
    repo.write("tests/a.cpp", SOURCE)
    repo.write("src/b.cpp", "int b;\n")
    repo.write("cut.info", INFO.replace("src/", "tests/")[:-20])
    repo.write("b.info", "SF:src/b.cpp\nDA:1,1\nend_of_record\n")
    repo.write("nameless.info", "SF:\nDA:1,0\nend_of_record\nSF:tests/a.cpp\nDA:1,1\nDA:2,1\nDA:3,1\nDA:4,1\nDA:7,1\nend_of_record\n")
    repo.commit()
    repo.measure({"a.py": [1]}, "host")
    run(repo.folder, "qd-cov", "combine", "--keep", "host", "b.info")
    assert repo.diff("--fail-under=100").code == 0
    for lost, row in (("cut.info", "not measured: no data"), ("nameless.info", "100%")):
        run(repo.folder, "qd-cov", "combine", "--keep", "host", "b.info", lost)
        report = repo.diff("--fail-under=100")
        assert (report.code, f"Note: Some data is lacking: data file '{lost}' could not be read as a whole.\n" in report.out) == (2, True), (
            report.out + report.err
        )
        assert row in report.out
        assert repo.diff("--fail-under=100", "--on-no-data=pass").code == repo.diff().code == 0


# Reports that name the file, and have no line of it.
WITHOUT_LINES = {
    "functions.info": "SF:src/a.cpp\nFN:1,f(int)\nFNDA:1,f(int)\nFN:7,never()\nFNDA:1,never()\nend_of_record\n",
    "totals.info": "SF:src/a.cpp\nLF:5\nLH:5\nend_of_record\n",
    "a.xml": '<coverage><packages><package name="p"><classes><class name="a" filename="src/a.cpp"><methods><method name="f"><lines/></method>'
    "</methods><lines/></class></classes></package></packages></coverage>",
    "clover.xml": '<coverage clover="4"><project><file path="src/a.cpp"/></project></coverage>',
    "gcov.json": '{"gcc_version": "12", "current_working_directory": "", "files": [{"file": "src/a.cpp", "lines": [], "functions": '
    '[{"name": "f", "start_line": 1, "end_line": 5, "execution_count": 1}]}]}',
    "llvm.json": '{"type": "llvm.coverage.json.export", "version": "2", "data": [{"files": [{"filename": "src/a.cpp", "segments": []}]}]}',
}


@pytest.mark.parametrize("name", WITHOUT_LINES)
def test_a_file_without_lines_reaches_no_gate(repo: Repository, name: str) -> None:
    """A file whose code nobody knows to have run: neither the whole nor a change of it passes, but a change of a comment does."""
    repo.write("src/a.cpp", SOURCE)
    repo.commit("a.cpp")
    repo.git("checkout", "-q", "-b", "more")
    repo.write("src/a.cpp", SOURCE.replace("return 2", "return 3"))
    repo.write(name, WITHOUT_LINES[name])
    diff = ("qd-cov", "diff", "--compare-branch=work", f"--input={name}")
    said = run(repo.folder, *diff, "--fail-under=1", code=2)
    assert "1 changed file is not measured, the first is 'src/a.cpp': the report has no line of it." in said
    assert "Failure. Total coverage is not known" in run(repo.folder, *diff, "--fail-under-total=1", code=2)
    run(repo.folder, "qd-cov", "report", f"--input={name}")
    said = run(repo.folder, "qd-cov", "report", f"--input={name}", "--fail-under=1", code=2)
    assert "Coverage failure: the report that has 'src/a.cpp' has no line of it." in said
    repo.write("src/a.cpp", SOURCE.replace("return 1;", "return 1;\n    // more"))
    run(repo.folder, *diff, "--fail-under=100")


def test_a_file_without_code_needs_no_lines(repo: Repository) -> None:
    """Types, and lines that are excluded."""
    repo.write("a.ts", "export interface A {\n  f(n: number): void;\n}\n")
    repo.write("a.cpp", "// LCOV_EXCL_START\nint f() {\n  return 1;\n}\n// LCOV_EXCL_STOP\n")
    repo.write("p.py", "# nothing\n")
    repo.write("a.info", "".join(f"SF:{name}\nend_of_record\n" for name in ("a.ts", "a.cpp", "p.py")))
    run(repo.folder, "qd-cov", "diff", "--compare-branch=main", "--include-untracked", "--input=a.info", "--fail-under=100", "--fail-under-total=100")
    repo.write("p.py", "print(1)\n")
    repo.write("a.info", "".join(f"SF:{name}\nend_of_record\n" for name in ("a.ts", "a.cpp", "p.py")))
    said = run(repo.folder, "qd-cov", "diff", "--compare-branch=main", "--include-untracked", "--input=a.info", "--fail-under=1", code=2)
    assert "the first is 'p.py': the report has no line of it." in said


def test_diff_counts_changed_lines(repo: Repository) -> None:
    """Changed lines of C++ count too: lines by lines, branches by their numbers."""
    repo.write("src/a.cpp", SOURCE)
    repo.commit("a.cpp")
    repo.git("checkout", "-q", "-b", "more")
    repo.write("src/a.cpp", SOURCE.replace("n < 9", "n < 8").replace("return 2", "return 3"))
    repo.write("a.info", INFO)
    command = ["qd-cov", "diff", "--compare-branch=work", "--input=a.info", "--branch-coverage"]
    out = run(repo.folder, *command)
    assert "src/a.cpp" in out and "2: 2 of 4 branches, 7" in out
    for style in ("annotated", "markdown", "html"):
        assert "2 of 4 branches" in run(repo.folder, *command, f"--format={style}:-")


def test_branches_of_a_line_without_hits(repo: Repository) -> None:
    """A line of LCOV that has branches alone is one of code."""
    repo.write("src/a.cpp", SOURCE)
    repo.write("a.info", "SF:src/a.cpp\nBRDA:2,0,0,-\nBRDA:2,0,1,-\nBRDA:4,0,0,0\nBRDA:4,0,1,3\nDA:1,1\nend_of_record\n")
    assert ["src/a.cpp", "3", "1", "4", "1", "43%", "2, 4: 1 of 2 branches"] in report(repo.folder, "--input=a.info")
    diff = ("qd-cov", "diff", "--compare-branch=main", "--include-untracked", "--input=a.info")
    assert "Coverage is 66.7% < 67%" in run(repo.folder, *diff, "--fail-under=67", code=2)
    assert "Branch coverage is 25% < 26%" in run(repo.folder, *diff, "--fail-under-branches=26", code=2)
