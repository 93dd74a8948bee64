"""Names in reports that fit several files: no file gets the lines of its namesake, and a gate does not pass in doubt."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import Report, Repository

APP, TESTS = "app/helpers.py", "tests/helpers.py"
GATE = ("--compare-branch=main", "--fail-under=90")


def cobertura(sources: list[str], *classes: tuple[str, str, int]) -> str:
    """Classes are a package, a file name and the hits of line 2."""
    body = "".join(
        f'<package name="{package}"><classes><class name="x" filename="{name}"><lines><line number="1" hits="1"/><line number="2" hits="{hits}"/>'
        "</lines></class></classes></package>"
        for package, name, hits in classes
    )
    folders = "".join(f"<source>{source}</source>" for source in sources)
    return f'<?xml version="1.0"?><coverage><sources>{folders}</sources><packages>{body}</packages></coverage>'


def lcov(name: str, hits: int) -> str:
    return f"SF:{name}\nDA:1,1\nDA:2,{hits}\nend_of_record\n"


@pytest.fixture
def namesakes(repo: Repository) -> Repository:
    """Two files of one name, of which line 2 changed."""
    repo.git("checkout", "-q", "main")
    for path in (APP, TESTS):
        repo.write(path, "def f(x):\n    return x\n")
    repo.write("app/__init__.py", "")
    repo.write(".gitignore", "*.xml\n*.info\n.coverage\n__pycache__\n")
    repo.commit()
    repo.git("checkout", "-q", "-b", "change")
    for path in (APP, TESTS):
        repo.write(path, "def f(x):\n    return x + 1\n")
    repo.commit()
    return repo


def run(repo: Repository, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["qd-cov", *command], cwd=repo.folder, env=repo.environment, capture_output=True, text=True, check=False)


def measured(report: Report) -> dict[str, int | None]:
    """The number of missing changed lines of each file; None: not measured."""
    return {path: row.missing for path, row in report.rows.items()}


def test_two_sources_of_coverage_py(namesakes: Repository) -> None:
    """coverage.py writes one class for both files: the name is of neither."""
    (namesakes.folder / "tests/run.py").write_text("import sys\nsys.path.append('.')\nimport app.helpers, helpers\nassert helpers.f(1) == 2\n")
    (namesakes.folder / ".coveragerc").write_text("[run]\nsource =\n    app\n    tests\n")
    for command in (["run", "tests/run.py"], ["xml", "-q"]):
        coverage_py([*command], namesakes.folder, namesakes.environment, check=True)
    (namesakes.folder / ".coverage").rename(namesakes.folder / "kept.coverage")
    report = namesakes.diff("coverage.xml", *GATE)
    assert report.code == 2
    assert {APP: None, TESTS: None}.items() <= measured(report).items()
    said = "'helpers.py' in 'coverage.xml' fits 'app/helpers.py' and 'tests/helpers.py'"
    assert f"{said}: not measured. Set [paths] or --src-roots so that it names one file." in report.out
    # Files of coverage.py's own data are known all the same, and the total is not known without the ambiguous one.
    assert measured(namesakes.diff("coverage.xml", "kept.coverage", *GATE))[APP] == 1
    for words in (["report"], ["json", "-o", "out"], ["xml", "-o", "out"], ["lcov", "-o", "out"], ["html"]):
        done = run(namesakes, *words, "--input=coverage.xml", "--fail-under=10")
        assert done.returncode == 2 and f"Coverage failure: {said}, so it is not measured." in done.stdout, words
        assert done.stderr.count(f"{said}: not measured.") == 1
        assert run(namesakes, *words, "--input=coverage.xml", "--require-hashes").returncode == 2, words
    assert run(namesakes, "report", "--input=coverage.xml", "--omit=app/helpers.py,tests/helpers.py", "--fail-under=10").returncode == 0
    assert namesakes.diff("coverage.xml", "--compare-branch=main", "--fail-under-total=10").code == 2


BOTH: dict[str, int | None] = {APP: 1, TESTS: 0}
NONE: dict[str, int | None] = {APP: None, TESTS: None}
TWO = [("", "helpers.py", 0), ("", "helpers.py", 1)]

# [evidence]: sources, classes, configuration, measured files
COBERTURA: dict[str, tuple[list[str], list[tuple[str, str, int]], str, dict[str, int | None]]] = {
    "nothing": (["app", "tests"], TWO, "", NONE),
    "coverage.py's package of the top": (["app", "tests"], [(".", "helpers.py", 1)], "", NONE),
    "the package": (["app", "tests"], [("app", "helpers.py", 0), ("tests", "helpers.py", 1)], "", BOTH),
    "a longer package": (["app", "tests"], [("example.com.app", "helpers.py", 1)], "", NONE),
    "a package with slashes": (["app", "tests"], [("app/", "helpers.py", 0), ("/tests", "helpers.py", 1)], "", BOTH),
    "a package of neither": (["app", "tests"], [("other", "helpers.py", 1)], "", NONE),
    "the path": (["."], [("app", APP, 0), ("tests", TESTS, 1)], "", BOTH),
    "one source twice": (["app", "./app", "app/../app"], [("", "helpers.py", 1)], "", {APP: 0, TESTS: None}),
    "sources of another machine": (["/ci/x/app", "/ci/x/tests"], TWO, "", NONE),
    "[paths]": (["/ci/x/app", "/ci/x/tests"], TWO, "[paths]\nsource =\n    .\n    /ci/x\n", NONE),
    "[paths] and the package": (
        ["/ci/x/app", "/ci/x/tests"],
        [("app", "helpers.py", 0), ("tests", "helpers.py", 1)],
        "[paths]\nsource =\n    .\n    /ci/x\n",
        BOTH,
    ),
    "--src-roots": (["app", "tests"], [("", "helpers.py", 1)], "[qd-cov]\nsrc_roots = tests\n", {APP: None, TESTS: 0}),
}


@pytest.mark.parametrize("situation", COBERTURA)
def test_cobertura(namesakes: Repository, situation: str) -> None:
    sources, classes, settings, wanted = COBERTURA[situation]
    root = str(namesakes.folder)
    (namesakes.folder / ".coveragerc").write_text(settings)
    report = cobertura([source if source.startswith("/") else f"{root}/{source}" for source in sources], *classes)
    (namesakes.folder / "c.xml").write_text(report)
    done = namesakes.diff("c.xml", *GATE)
    assert measured(done) == wanted, done.out + done.err
    assert done.code == 2


def test_a_name_of_another_machine_is_also_that_of_a_namesake_at_the_top(namesakes: Repository) -> None:
    """The source /ci/app may be this folder, or the folder app of this one."""
    namesakes.write("helpers.py", "def f(x):\n    return 1\n")
    namesakes.commit()
    (namesakes.folder / "c.xml").write_text(cobertura(["/ci/app"], ("", "helpers.py", 1)))
    report = namesakes.diff("c.xml", *GATE)
    assert report.code == 2 and measured(report) == {**NONE, "helpers.py": None}


def test_links_to_one_file_are_one_file(namesakes: Repository) -> None:
    (namesakes.folder / "link").symlink_to("tests")
    (namesakes.folder / "c.xml").write_text(cobertura([f"{namesakes.folder}/link", f"{namesakes.folder}/tests"], ("", "helpers.py", 1)))
    assert measured(namesakes.diff("c.xml", "--compare-branch=main")) == {APP: None, TESTS: 0}


def test_relative_names_begin_here_or_where_the_report_is(namesakes: Repository) -> None:
    """A report in a package of a larger repository, and one at the top."""
    for path in ("src/a.py", "packages/x/src/a.py"):
        namesakes.write(path, "def f(x):\n    return x\n")
    namesakes.commit()
    names = {"src/a.py", "packages/x/src/a.py"}

    def of(path: str, hits: int, *options: str, name: str = "src/a.py") -> dict[str, int | None]:
        (namesakes.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (namesakes.folder / path).write_text(lcov(name, hits))
        found = measured(namesakes.diff(path, "--compare-branch=main", *options))
        return {file: n for file, n in found.items() if file in names}

    assert of("l.info", 1) == {"src/a.py": 0, "packages/x/src/a.py": None}
    assert of("packages/x/coverage/l.info", 1) == {"src/a.py": None, "packages/x/src/a.py": None}  # either may be meant
    for roots in (["packages/x"], [".", "packages/x"], ["packages/x", "."]):
        assert of("packages/x/coverage/l.info", 1, "--src-roots", *roots) == {"src/a.py": None, "packages/x/src/a.py": 0}
    assert of("l.info", 1, "--src-roots", ".", "packages/x") == {"src/a.py": None, "packages/x/src/a.py": None}
    assert of("l.info", 1, "--src-roots=packages/x") == {"src/a.py": None, "packages/x/src/a.py": 0}
    assert of("l.info", 1, "--src-roots=gone") == {"src/a.py": 0, "packages/x/src/a.py": None}
    (namesakes.folder / "src/a.py").unlink()
    namesakes.git("commit", "-qam", "one is left")
    assert of("packages/x/coverage/l.info", 1) == {"packages/x/src/a.py": 0}


@pytest.mark.parametrize("form", ["lcov", "gcovr", "clover"])
def test_roots_are_for_every_format(namesakes: Repository, form: str) -> None:
    texts = {
        "lcov": lcov("helpers.py", 1),
        "gcovr": json.dumps(
            {
                "gcovr/format_version": "0.6",
                "files": [{"file": "helpers.py", "lines": [{"line_number": n, "count": 1, "branches": []} for n in (1, 2)]}],
            }
        ),
        "clover": '<coverage clover="4"><project><file name="helpers.py"><line num="2" type="stmt" count="1"/></file></project></coverage>',
    }
    (namesakes.folder / "r.info").write_text(texts[form])
    assert measured(namesakes.diff("r.info", *GATE, "--src-roots", "app")) == {APP: 0, TESTS: None}
    report = namesakes.diff("r.info", *GATE, "--src-roots", "app", "tests")
    assert report.code == 2 and measured(report) == NONE and "fits 'app/helpers.py' and 'tests/helpers.py'" in report.out


def test_combined_it_stays_ambiguous(namesakes: Repository) -> None:
    """A name stays ambiguous after another combination, and under the paths that [paths] gives."""
    (namesakes.folder / "c.xml").write_text(cobertura([f"{namesakes.folder}/app", f"{namesakes.folder}/tests"], ("", "helpers.py", 1)))
    (namesakes.folder / "l.info").write_text(lcov("app/__init__.py", 1))
    for command in (("combine", "c.xml"), ("combine", "--append", "l.info")):
        assert run(namesakes, *command).returncode == 0
        report = namesakes.diff(*GATE)
        assert report.code == 2 and measured(report).items() >= NONE.items()


def test_a_base_report_with_two_names_for_a_file(namesakes: Repository) -> None:
    """[paths] may give two files of the base the same name: then it is not compared."""
    file = {"executed_lines": [1, 2], "missing_lines": [], "excluded_lines": [], "summary": {"covered_lines": 2, "num_statements": 2}}
    base: dict[str, object] = {"meta": {"format": 3, "branch_coverage": False}, "totals": {}, "files": {}}
    (namesakes.folder / ".coveragerc").write_text("[paths]\nsource =\n    .\n    /a\n    /b\n")
    (namesakes.folder / "l.info").write_text(lcov(APP, 1) + lcov(TESTS, 1))
    for names, code in (([f"/a/{APP}"], 0), ([f"/a/{APP}", f"/b/{APP}"], 2)):
        base["files"] = dict.fromkeys(names, file)
        (namesakes.folder / "base.json").write_text(json.dumps(base))
        report = namesakes.diff("l.info", "--compare-branch=main", "--base=base.json", "--max-lost=0")
        assert report.code == code, report.out + report.err


JAVA = "src/main/java/com/ex/App.java"
MA, MB = f"ma/{JAVA}", f"mb/{JAVA}"
ROOTS = ("--src-roots", "ma/src/main/java", "mb/src/main/java")


def package(hits: int, name: str = "App.java") -> str:
    return f'<package name="com/ex"><sourcefile name="{name}"><line nr="3" mi="{1 - hits}" ci="{hits}"/></sourcefile></package>'


def jacoco(name: str, body: str) -> str:
    return f'<?xml version="1.0"?><report name="{name}">{body}</report>'


GROUPS = f'<group name="ma">{package(1)}</group><group name="mb">{package(0)}</group>'
RIGHT: dict[str, int | None] = {MA: 0, MB: 1}
JAVA_NONE: dict[str, int | None] = {MA: None, MB: None}

# reports, options, measured file
JACOCO: dict[str, tuple[list[str], tuple[str, ...], dict[str, int | None]]] = {
    "groups are folders": ([jacoco("r", GROUPS)], (), RIGHT),
    "groups choose among roots": ([jacoco("r", GROUPS)], ROOTS, RIGHT),
    "the order of roots does not matter": ([jacoco("r", GROUPS)], ("--src-roots", ROOTS[2], ROOTS[1]), RIGHT),
    "Gradle's names of groups": ([jacoco("r", GROUPS.replace('name="m', 'name=":m'))], ROOTS, RIGHT),
    "groups within a group": ([jacoco("r", f'<group name="all">{GROUPS}</group>')], ROOTS, RIGHT),
    "names of reports choose among roots": ([jacoco("ma", package(1)), jacoco("mb", package(0))], ROOTS, RIGHT),
    "names of reports are folders": ([jacoco("ma", package(1)), jacoco("mb", package(0))], (), RIGHT),
    "no name chooses": ([jacoco("r", package(1))], ROOTS, JAVA_NONE),
    "names of other modules": ([jacoco("r", f'<group name="x">{package(1)}</group>')], ROOTS, JAVA_NONE),
}


@pytest.fixture
def modules(repo: Repository) -> Repository:
    repo.git("checkout", "-q", "main")
    text = "package com.ex;\n\nclass App { int a() { return 1; } }\n"
    for path in (MA, MB):
        repo.write(path, text)
    repo.commit()
    repo.git("checkout", "-q", "-b", "change")
    for path in (MA, MB):
        repo.write(path, text.replace("1", "10"))
    repo.commit()
    return repo


@pytest.mark.parametrize("situation", JACOCO)
def test_jacoco(modules: Repository, situation: str) -> None:
    reports, options, wanted = JACOCO[situation]
    names = [f"{letter}.xml" for letter in "ab"[: len(reports)]]
    for name, text in zip(names, reports, strict=True):
        (modules.folder / name).write_text(text)
    done = modules.diff(*names, *GATE, *options)
    assert measured(done) == wanted, done.out + done.err
    assert done.code == 2


def test_a_module_without_such_a_file_does_not_get_that_of_another(modules: Repository) -> None:
    """The group says that it is of mb, where the file was generated and is gone."""
    modules.git("rm", "-q", MB)
    modules.git("commit", "-qm", "generated")
    (modules.folder / "k.xml").write_text(jacoco("r", f'<group name="mb">{package(1)}</group>'))
    assert measured(modules.diff("k.xml", *GATE, *ROOTS)).get(MA) is None


def test_two_modules_whose_names_are_no_folders(modules: Repository) -> None:
    """Two groups have the file, and there is one."""
    modules.git("mv", "ma/src", "src")
    modules.git("rm", "-q", MB)
    modules.git("commit", "-qm", "one module")
    modules.git("checkout", "-q", "-B", "more")
    (modules.folder / JAVA).write_text("package com.ex;\n\nclass App { int a() { return 100; } }\n")
    (modules.folder / "k.xml").write_text(jacoco("r", GROUPS.replace('name="m', 'name="artifact-m')))
    report = modules.diff("k.xml", *GATE)
    assert report.code == 2 and measured(report) == {JAVA: None}
    assert f"'com/ex/App.java' in 'k.xml' is the name of several files, which all fit '{JAVA}'" in report.out
    (modules.folder / "k.xml").write_text(jacoco("r", f'<group name="a">{package(1)}{package(0)}</group>'))
    assert measured(modules.diff("k.xml", *GATE)) == {JAVA: 0}


def test_names_of_the_report_and_paths_are_relative_to_the_folder(namesakes: Repository, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.xml"
    path.write_text(cobertura([f"{namesakes.folder}/app", f"{namesakes.folder}/tests"], ("", "helpers.py", 1)))
    assert f"'helpers.py' in '{path}' fits 'app/helpers.py'" in namesakes.diff(str(path), *GATE).out
