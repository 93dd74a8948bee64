"""A change in files of any language, with reports whose paths are those of another place: a container, another system, a folder that a report
names in another way. A file that is not measured fails a gate, and a note says why."""

from __future__ import annotations

import json
import subprocess

import pytest
from diff_repository import Repository

OLD = "int f(int a) {\n  return 1;\n}\n"
NEW = "int g(int a) {\n  return a;\n}\n"
HELP = "map its paths with [paths] in the configuration."


def lcov(name: str) -> str:
    return f"SF:{name}\nFN:4,6,g\nFNDA:0,g\nDA:1,1\nDA:4,0\nDA:5,0\nend_of_record\n"


def cobertura(source: str, name: str) -> str:
    lines = "".join(f'<line number="{line}" hits="{hits}"/>' for line, hits in ((1, 1), (4, 0), (5, 0)))
    classes = f'<classes><class name="a" filename="{name}"><lines>{lines}</lines></class></classes>'
    head = f"<?xml version='1.0'?><coverage version='1'><sources><source>{source}</source></sources>"
    return f"{head}<packages><package name='p'>{classes}</package></packages></coverage>"


def clover(name: str) -> str:
    lines = "".join(f'<line num="{line}" count="{hits}" type="stmt"/>' for line, hits in ((1, 1), (4, 0), (5, 0)))
    return f'<?xml version="1.0"?><coverage generated="1"><project timestamp="1"><file name="a" path="{name}">{lines}</file></project></coverage>'


def jacoco(package: str, name: str) -> str:
    lines = "".join(f'<line nr="{line}" mi="{1 - hits}" ci="{hits}" mb="0" cb="0"/>' for line, hits in ((1, 1), (4, 0), (5, 0)))
    return f'<?xml version="1.0"?><report name="r"><package name="{package}"><sourcefile name="{name}">{lines}</sourcefile></package></report>'


def gcov(folder: str, name: str) -> str:
    lines = [{"line_number": line, "count": hits, "branches": []} for line, hits in ((1, 1), (4, 0), (5, 0))]
    files = [{"file": name, "functions": [], "lines": lines}]
    return json.dumps({"gcc_version": "12", "current_working_directory": folder, "format_version": "1", "files": files})


def gcovr(name: str) -> str:
    lines = [{"line_number": line, "count": hits, "branches": []} for line, hits in ((1, 1), (4, 0), (5, 0))]
    return json.dumps({"gcovr/format_version": "0.6", "files": [{"file": name, "lines": lines}]})


def llvm(name: str) -> str:
    segments = [[1, 1, 1, True, True, False], [3, 2, 0, False, False, False], [4, 1, 0, True, True, False], [6, 2, 0, False, False, False]]
    files = [{"filename": name, "segments": segments, "branches": [], "expansions": []}]
    return json.dumps({"type": "llvm.coverage.json.export", "version": "2.0.1", "data": [{"files": files, "functions": []}]})


# The changed file, the report, and the first path of the data.
REPORTS = {
    "LCOV": ("src/a.cpp", lcov("/app/src/a.cpp"), "/app/src/a.cpp"),
    "LCOV of another folder": ("src/a.cpp", lcov("/app/a.cpp"), "/app/a.cpp"),
    "LCOV of a drive": ("src/a.cpp", lcov(r"C:\app\src\a.cpp"), r"C:\app\src\a.cpp"),
    "LCOV of a drive with slashes": ("src/a.cpp", lcov("C:/app/src/a.cpp"), "C:/app/src/a.cpp"),
    "LCOV of a share": ("src/a.cpp", lcov(r"\\host\app\src\a.cpp"), r"\\host\app\src\a.cpp"),
    "LCOV from another folder": ("src/a.cpp", lcov("a.cpp"), "{root}/a.cpp"),
    "LCOV of another file": ("src/a.cpp", lcov("/app/other.cpp"), "/app/other.cpp"),
    "Cobertura": ("src/a.cpp", cobertura("/app/src", "a.cpp"), "/app/src/a.cpp"),
    "Cobertura of a drive": ("src/a.cpp", cobertura(r"C:\app\src", "a.cpp"), r"C:\app\src/a.cpp"),
    "Cobertura from another folder": ("src/a.cpp", cobertura(".", "a.cpp"), "{root}/a.cpp"),
    "Clover": ("src/a.cpp", clover("/app/src/a.cpp"), "/app/src/a.cpp"),
    "JaCoCo": ("lib/com/x/A.java", jacoco("com/x", "A.java"), "{root}/src/main/java/com/x/A.java"),
    "JaCoCo of Kotlin": ("src/main/kotlin/A.kt", jacoco("com/x", "A.kt"), "{root}/src/main/java/com/x/A.kt"),
    "gcov": ("src/a.cpp", gcov("/app", "src/a.cpp"), "/app/src/a.cpp"),
    "gcovr": ("src/a.cpp", gcovr("/app/src/a.cpp"), "/app/src/a.cpp"),
    "llvm-cov": ("src/a.cpp", llvm("/app/src/a.cpp"), "/app/src/a.cpp"),
    "a header": ("src/a.h", lcov("/app/src/a.cpp"), "/app/src/a.cpp"),
}


def change(repo: Repository, path: str, old: str = OLD, new: str = NEW) -> None:
    repo.write(path, old)
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")
    repo.write(path, old + new)
    repo.commit()


def untested_changes(repo: Repository, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["qd-cov", "check", "untested-changes", "--compare-branch=main", *words]
    return subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True)


GATES = ("--fail-under={path}=90", "--max-missing=0", "--fail-under-new-files=1", "--on-no-data=fail")


@pytest.mark.parametrize("case", REPORTS)
def test_no_file_of_the_report_is_here(repo: Repository, case: str) -> None:
    """A threshold fails with every report, further gates and excuses with reports in turn."""
    path, text, first = REPORTS[case]
    number = list(REPORTS).index(case)
    change(repo, path)
    repo.write("report", text)
    for gate in ("--fail-under=90", GATES[number % 4].format(path=path)):
        report = repo.diff("report", gate)
        assert (report.code, report.rows[path].missing_lines) == (2, "no data"), report.out
    assert f"Note: No file of the data is in this repository (the first is '{first.format(root=repo.folder)}'): {HELP}" in report.out
    excuse = ((), ("--fail-under=90", "--on-no-data=warn"), ("--fail-under=90", "--on-no-data=pass"), ("--fail-under=90", "--exclude", path))
    assert repo.diff("report", *excuse[number % 4]).code == 0
    assert repo.diff("report", *excuse[(number + 1) % 4]).code == 0
    found = untested_changes(repo, "--input=report")
    assert (found.returncode, f"{path}:4: [untested-changes] 3 lines changed: no test run has data of this file." in found.stdout) == (
        2,
        True,
    )


@pytest.mark.parametrize("name", ["/app/src/a.cpp", r"C:\app\src\a.cpp"])
def test_paths_that_are_mapped(repo: Repository, name: str) -> None:
    """Mapped paths have their numbers."""
    change(repo, "src/a.cpp")
    repo.write("l.info", lcov(name))
    repo.write(".coveragerc", "[paths]\nsource =\n    src\n    /app/src\n    C:\\app\\src\n")
    report = repo.diff("l.info", "--fail-under=90")
    assert (report.code, report.rows["src/a.cpp"].missing_lines, "Note" in report.out) == (2, "4-5", False)


# Code that stands outside of functions with braces, too.
LANGUAGES = {
    "a.js": "const g = (a) => a + 1;\n",
    "a.ts": "export const top = start();\n",
    "a.kt": "fun g(a: Int) = a + 1\n",
    "a.php": "start();\n",
    "a.f90": "call start(1)\n",
    "a.rb": "start 1\n",
    "a.jl": "g(a) = a + 1\n",
    "a.sh": "start one\n",
    "a.R": "g <- function(a) a\n",
    "a.ex": "start(1)\n",
    "a.go": "func g(a int) int {\n\treturn a\n}\n",
    "a.F90": "call start(1)\n",
}


@pytest.mark.parametrize("path", LANGUAGES)
def test_languages(repo: Repository, path: str) -> None:
    change(repo, path, "", LANGUAGES[path])
    repo.write("l.info", f"SF:/app/{path}\nDA:1,0\nend_of_record\n")
    report = repo.diff("l.info", "--fail-under=1")
    assert (report.code, report.rows[path].missing_lines) == (2, "no data")
    if path != "a.sh":  # hardly anyone measures scripts of a shell
        repo.write("l.info", "TN:\n")
        repo.write("o.info", lcov("/app/src/a.cpp"))
        for others in ((), ("o.info",)):  # the language may be that of the report without files
            report = repo.diff("l.info", *others, "--fail-under=1")
            assert (report.code, report.rows[path].missing_lines) == (2, "no data")
    repo.write("l.info", f"SF:{path}\nDA:1,1\nDA:2,1\nend_of_record\n" if "\n\t" in LANGUAGES[path] else f"SF:{path}\nDA:1,1\nend_of_record\n")
    assert repo.diff("l.info", "--fail-under=100").code == 0


def test_templates_of_languages(repo: Repository) -> None:
    """A file that was no code by its name is new as a whole. The case of a suffix does not matter."""
    names = ["a.f90", "b.rb", "c.C", "d.CPP", "e.mts", "f.groovy"]
    for name in names:
        repo.write(f"{name}.in", f"int {name[0]}() {{\n  return 1;\n}}\n")
    repo.commit()
    repo.git("branch", "-f", "main", "work")
    for name in names:
        repo.git("mv", f"{name}.in", name)
    repo.commit()
    reports = {name: f"SF:{name}\nDA:2,0\nend_of_record\n" for name in names}
    repo.write("l.info", "".join(reports.values()))
    assert {path: row.missing_lines for path, row in repo.diff("l.info").rows.items()} == dict.fromkeys(names, "2")
    repo.write("l.info", reports["c.C"])
    assert {path: row.missing_lines for path, row in repo.diff("l.info").rows.items()} == {"c.C": "2", "d.CPP": "no data"}


def test_a_change_without_code(repo: Repository) -> None:
    """Comments and languages that no report has are no reason to fail."""
    change(repo, "src/a.cpp", OLD, "// new\n")
    change(repo, "a.rb", "start 1\n", "# new\n")
    repo.write("notes.md", "text\n")
    repo.write("a.go", "func g(a int) int {\n\treturn a\n}\n")
    repo.commit()
    repo.write("l.info", lcov("/app/src/a.cpp") + "SF:/app/a.rb\nDA:1,1\nend_of_record\n")
    report = repo.diff("l.info", "--fail-under=90")
    assert (report.code, report.rows) == (0, {})


def test_some_files_are_here(repo: Repository) -> None:
    """The changed one is elsewhere, by its name; or nothing of its language is here."""
    for path in ("lib/b.cpp", "main.cpp"):
        repo.write(path, OLD)
    change(repo, "src/a.cpp")
    rest = "".join(f"SF:{path}\nDA:1,1\nDA:2,1\nend_of_record\n" for path in ("lib/b.cpp", "main.cpp"))
    for name in ("/app/src/a.cpp", "/app/a.cpp", r"D:\src\a.cpp", "a.cpp"):
        repo.write("l.info", rest + lcov(name))
        report = repo.diff("l.info", "--fail-under=90")
        assert (report.code, report.rows["src/a.cpp"].missing_lines) == (2, "no data"), report.out
        shown = name if name != "a.cpp" else f"{repo.folder}/a.cpp"
        assert f"Note: The data has '{shown}', which may be 'src/a.cpp': {HELP}" in report.out
    # A header of the system, which is there, is another file.
    repo.write("l.info", rest + "SF:/usr/include/stdio.h\nDA:1,1\nend_of_record\n")
    repo.write("tests/stdio.h", NEW)
    repo.commit()
    assert "tests/stdio.h" not in repo.diff("l.info").rows


# Folders and names that no report has, beside src/main/a.cpp, which one has.
UNREPORTED = ["mb/src/b.cpp", "tools/b.cpp", "src/latest/b.cpp", "contest.cpp", "Protester/b.cpp", "b.cpp"]
TESTS = ["tests/b.cpp", "mb/Testing/b.cpp", "mb/src/integrationTest/b.cpp", "mb/b_test.cpp", "test_b.cpp", "BTest.cpp"]
OTHERS = ["examples/b.cpp", "third_party/x/b.cpp"]


@pytest.mark.parametrize("path", UNREPORTED)
def test_a_folder_that_no_report_has(repo: Repository, path: str) -> None:
    """A module without any test is not measured."""
    repo.write("src/main/a.cpp", OLD)
    change(repo, path)
    repo.write("l.info", "SF:src/main/a.cpp\nDA:1,1\nDA:2,1\nend_of_record\n")
    report = repo.diff("l.info", "--fail-under=90")
    assert (report.code, report.rows[path].lines, report.rows[path].missing_lines) == (2, 2, "no data")
    assert repo.diff("l.info", "--fail-under=90", "--on-no-data=warn").code == 0
    assert repo.diff("l.info", "--fail-under=90", "--exclude", path).code == 0
    found = untested_changes(repo, "--input=l.info")
    assert path in found.stdout


@pytest.mark.parametrize("path", TESTS + OTHERS)
def test_what_reports_leave_out(repo: Repository, path: str) -> None:
    """Tests, examples and third-party code: a note."""
    repo.write("src/main/a.cpp", OLD)
    change(repo, path)
    repo.write("l.info", "SF:src/main/a.cpp\nDA:1,1\nDA:2,1\nend_of_record\n")
    report = repo.diff("l.info", "--fail-under=90")
    assert (report.code, report.rows) == (0, {})
    assert f"Note: '{path}' is in no report, nor is any other file of the folder: it is not counted.\n" in report.out


# A new file of a language that a report has, and whether it has code.
UNREPORTED_CODE: dict[str, tuple[str, str, bool]] = {
    "quotes of JavaScript": ("js", "function f(x) {\n  const g = 'src/*.js';\n  return g + x;\n}\n", True),
    "a brace in quotes": ("ts", "function f(x) {\n  const s = 'say \"a\" {';\n  return s;\n}\n", True),
    "JavaScript outside of functions": ("js", "module.exports = (x) => x + 1;\n", True),
    "quotes of PHP": ("php", "<?php\nfunction f($x) {\n  return 'it {';\n}\n", True),
    "imports and exports": ("js", "import a from 'a';\nimport {\n  b,\n} from 'b';\nexport * from 'c';\n", False),
    "types": ("ts", "export interface A {\n  b: string;\n}\ntype C = A | null;\n", False),
    "lines of a pointer": ("c", "void f(int *p) {\n  *p = 5;\n}\n", True),
    "braces of two conditions": ("cpp", "void f() {\n#if A\n  if (x) {\n#else\n  if (y) {\n#endif\n    g();\n  }\n}\n", True),
    "old C": ("c", "int f(a)\nint a;\n{\n  return a;\n}\n", True),
    "initializer": ("cpp", "int x = compute();\n", True),
    "declarations": ("cpp", "struct A {\n  int x = 3;\n  void f(int y = 1);\n};\nenum B { b = sizeof(int) };\nconstexpr int c = f(1);\n", False),
    "properties": ("cs", "class B {\n  int P {\n    get {\n      return 1;\n    }\n  }\n}\n", True),
    "expressions": ("kt", "fun f(x: Int) = x + 1\n", True),
    "raw text of Rust": ("rs", 'fn f() -> &\'static str {\n    r#"a"{"#\n}\n', True),
    "raw text of Go": ("go", "func f() string {\n\treturn `{\\`\n}\n", True),
}


@pytest.mark.parametrize("case", UNREPORTED_CODE)
def test_code_that_no_report_has(repo: Repository, case: str) -> None:
    """A scan of the file finds its code, and where the scan is in doubt, all of it is code."""
    suffix, text, has_code = UNREPORTED_CODE[case]
    repo.write(f"a.{suffix}", "int f() { return 1; }\n")
    repo.commit()
    repo.git("branch", "-f", "main", "HEAD")
    repo.write(f"b.{suffix}", text)
    repo.commit()
    repo.write("l.info", f"SF:a.{suffix}\nDA:1,1\nend_of_record\n")
    report = repo.diff("l.info", "--fail-under=100")
    assert (report.code, list(report.rows)) == ((2, [f"b.{suffix}"]) if has_code else (0, [])), report.out


def test_a_module_of_java_without_a_report(repo: Repository) -> None:
    """The report of one module says nothing of another one."""
    repo.write("ma/src/main/java/com/x/A.java", OLD)
    change(repo, "mb/src/main/java/com/y/B.java")
    repo.write("ma.xml", jacoco("com/x", "A.java").replace('nr="4"', 'nr="2"').replace('<line nr="5" mi="1" ci="0" mb="0" cb="0"/>', ""))
    report = repo.diff("ma.xml", "--src-roots", "ma/src/main/java", "--fail-under=90")
    assert (report.code, report.rows["mb/src/main/java/com/y/B.java"].missing_lines) == (2, "no data")


def test_data_of_two_languages(repo: Repository) -> None:
    """Python was measured here, C++ elsewhere; and the other way round."""
    change(repo, "src/a.cpp")
    repo.measure({"a.py": range(1, 11)})
    repo.write("l.info", lcov("/app/src/a.cpp"))
    report = repo.diff("--input=l.info", "--fail-under=90")
    assert (report.code, report.rows["src/a.cpp"].missing_lines) == (2, "no data")
    assert f"Note: No .cpp file of the data is in this repository (the first is '/app/src/a.cpp'): {HELP}" in report.out
    repo.write("new.py", "x = 1\n")
    repo.commit()
    repo.write("l.info", lcov("src/a.cpp") + "SF:/app/new.py\nDA:1,1\nend_of_record\n")
    report = repo.diff("l.info", "--fail-under=10")
    assert (report.code, report.rows["new.py"].missing_lines) == (2, "no data")
    assert f"Note: No .py file of the data is in this repository (the first is '/app/new.py'): {HELP}" in report.out


def test_data_without_any_file(repo: Repository) -> None:
    """Nothing was measured, so nothing of the change was."""
    change(repo, "src/a.cpp")
    repo.write("l.info", "TN:\n")
    report = repo.diff("l.info", "--fail-under=90")
    assert (report.code, report.rows["src/a.cpp"].missing_lines) == (2, "no data")
