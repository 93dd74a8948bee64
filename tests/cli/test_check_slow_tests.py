"""`qd-cov check slow-tests`: times and places from JUnit XML, which pytest itself writes in both of its families; that of others; hostile XML."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from check_runs import Checked, as_json, check_in, new_repository
from diff_repository import Repository

# A comment behind each name that a test is known by: the line where it is expected.
SUITE = {
    "tests/test_a.py": """\
import functools
import unittest

import pytest


def plain(function):
    return function


class TestOuter:
    class TestInner:
        @pytest.mark.parametrize("v", ["a.b", "c[d]::e", "x\\ny", "]["])
        @plain
        def test_deep(self, v):  # tests.test_a.TestOuter.TestInner test_deep
            pass

    def test_twin(self):  # tests.test_a.TestOuter test_twin
        pass


def test_twin():  # tests.test_a test_twin
    pass


def test_again():
    pass


def test_again():  # tests.test_a test_again
    pass


if functools:

    def test_inside():  # tests.test_a test_inside
        pass


class Base:
    def test_inherited(self):
        pass


class TestChild(Base):  # tests.test_a.TestChild test_inherited
    pass


class Unit(unittest.TestCase):
    def test_unit(self):  # tests.test_a.Unit test_unit
        pass


@pytest.fixture
def broken():
    raise ValueError


def test_error(broken):  # tests.test_a test_error
    pass


@pytest.mark.skip
def test_skipped():  # tests.test_a test_skipped
    pass


async def helper():
    pass
""",
    "tests/v1.2/test_b.py": "def test_dots():  # tests.v1.2.test_b test_dots\n    pass\n",
    "tests/my-tests/test_c-d.py": "\n\ndef test_dash():  # tests.my-tests.test_c-d test_dash\n    pass\n",
    "tests/test_z/test_e.py": "def test_folder():  # tests.test_z.test_e test_folder\n    pass\n",
    "test_top.py": "def test_top():  # test_top test_top\n    pass\n",
}


def expected() -> set[tuple[str, int]]:
    """The places of the tests: path and line."""
    lines = [(path, number, line) for path, text in SUITE.items() for number, line in enumerate(text.splitlines(), 1)]
    return {(path, number) for path, number, line in lines if re.search(r"  # [\w.-]+ test_", line)}


@pytest.fixture
def suite(repo: Repository) -> Repository:
    """A suite whose every test is over its budget."""
    for path, text in SUITE.items():
        repo.write(path, text)
    repo.write("qd-cov.toml", "[check]\nslow-tests-budget = 0\nslow-tests-count = 0\n")
    return repo


def slow(repo: Repository, *args: str) -> Checked:
    """Run the check."""
    return check_in(repo.folder, repo.environment, "slow-tests", *args)


def run_pytest(repo: Repository, *args: str, cwd: str = ".") -> None:
    """pytest, without our plugins."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir=.", *args]
    done = subprocess.run(command, cwd=repo.folder / cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr  # one test has an error


def stretch(path: Path) -> None:
    """No test may take 0.000 s."""
    path.write_text(re.sub(r'(<testcase [^>]*time=")[^"]*', r"\g<1>1.5", path.read_text()))


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_places_of_pytest(suite: Repository, family: str) -> None:
    """Both families lead to the same places, although one has no files and lines."""
    run_pytest(suite, f"--junitxml=out/{family}.xml", "-o", f"junit_family={family}")
    stretch(suite.folder / f"out/{family}.xml")
    assert ('line="' in (suite.folder / f"out/{family}.xml").read_text()) == (family == "xunit1")
    checked = slow(suite, f"--junit=out/{family}.xml")
    assert {(path, line) for path, line, _ in checked.findings} == expected()
    assert len(checked.findings) == len(expected())
    (deep,) = [message for message in checked.messages if "test_deep" in message]
    assert deep == "warning: 'test_deep[][]' took 1.5 s, and its budget is 0 s; so did 3 other cases of it."
    assert checked.code == 0


def test_started_in_a_subfolder(suite: Repository) -> None:
    """pytest's root is below the repository's, and so is its report."""
    suite.write("sub/tests/test_x.py", "def test_x():\n    pass\n\n\ndef test_e(no):\n    pass\n")
    run_pytest(suite, "--junitxml=build/out.xml", cwd="sub")
    stretch(suite.folder / "sub/build/out.xml")
    checked = slow(suite, "--junit=sub/build/out.xml")
    assert [(path, line) for path, line, _ in checked.findings] == [("sub/tests/test_x.py", 1), ("sub/tests/test_x.py", 5)]


def case(name: str, seconds: float | str, more: str = "") -> str:
    """An element of a test in tests/test_f.py."""
    return f'<testcase classname="tests.test_f" name="{name}" time="{seconds}" {more}/>'


def report(*cases: str) -> str:
    """A report of them."""
    return '<?xml version="1.0"?><testsuites><testsuite name="pytest">\n' + "\n".join(cases) + "\n</testsuite></testsuites>"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """One for all tests."""
    return new_repository(tmp_path_factory.mktemp("functions") / "repo")


@pytest.fixture
def functions(shared: Repository) -> Repository:
    """tests/test_f.py with test_0 to test_9, in lines 1, 3, ..., and no settings."""
    shared.write("tests/test_f.py", "".join(f"def test_{i}():\n    pass\n" for i in range(10)))
    for left in (*shared.folder.rglob("*.xml"), *shared.folder.glob("qd-cov.toml")):
        left.unlink()
    return shared


@pytest.mark.parametrize(
    ("budget", "over"),
    [
        ("1", [5]),
        ("1.0", [5]),
        ("[0.9]", [3, 5]),
        ('["tests/**=0.25"]', [1, 3, 5]),
        ('[0.1, "tests/**=2"]', []),
        ('[5, "other/**=0", "test_f.py=1"]', [5]),
        ('["tests/**=1", "test_f.py=0"]', [5]),
    ],
)
def test_budgets(functions: Repository, budget: str, over: list[int]) -> None:
    functions.write("qd-cov.toml", f'[check]\nslow-tests = "error"\nslow-tests-count = 0\nslow-tests-budget = {budget}\n')
    functions.write("j.xml", report(case("test_0", 0.5), case("test_1", 1.0), case("test_2", "1.0001")))
    checked = slow(functions, "--junit=j.xml")
    assert [line for _, line, _ in checked.findings] == over
    assert checked.code == (2 if over else 0)


def test_the_slowest_are_listed(functions: Repository) -> None:
    """Slow tests without a budget are listed, and never as failures; a test that takes next to nothing is not worth a line."""
    functions.write("j.xml", report(*(case(f"test_{i}", i) for i in range(10))))
    checked = slow(functions, "--junit=j.xml")
    assert checked.messages == ["info: 'test_7' took 7 s.", "info: 'test_8' took 8 s.", "info: 'test_9' took 9 s."]
    assert [line for _, line, _ in checked.findings] == [15, 17, 19]
    assert checked.code == 0 and checked.out.endswith("No findings\n")
    assert slow(functions, "--junit=j.xml", "--format=gitlab:-").out == "[]\n"
    functions.write("j.xml", report(case("test_0", 0.0049), case("test_1", "0")))
    assert slow(functions, "--junit=j.xml").findings == []


def test_several_reports(functions: Repository) -> None:
    """The longest time counts; wildcards of the configuration find all."""
    functions.write("out/j1.xml", report(case("test_0", 1), case("test_1", 3)))
    functions.write("out/j2.xml", report(case("test_0", 2), case("test_1", 1)))
    functions.write("qd-cov.toml", '[check]\nslow-tests = "warning"\nslow-tests-junit = ["out/*.xml"]\n')
    assert slow(functions).messages == ["info: 'test_0' took 2 s.", "info: 'test_1' took 3 s."]


def test_silenced(functions: Repository) -> None:
    functions.write("tests/test_f.py", "# qd-cov: ignore[slow-tests]\ndef test_0():\n    pass\n\n\ndef test_1():\n    pass\n")
    functions.write("qd-cov.toml", "[check]\nslow-tests-budget = 1\n")
    functions.write("j.xml", report(case("test_0", 5), case("test_1", 5)))
    assert [found[1] for found in slow(functions, "--junit=j.xml").findings] == [6]
    functions.write("j.xml", report(case("test_0", 0.5), case("test_1", 5)))
    assert len(slow(functions, "--junit=j.xml").findings) == 1  # fast on this machine: the comment may be needed on another


GTEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" time="3" name="AllTests">
  <testsuite name="Gate" tests="2" time="3">
    <testcase name="Slow" file="../../src/gate.cpp" line="2" status="run" result="completed" time="2.5" classname="Gate" />
    <testcase name="Gone" file="/gone/gate.cpp" line="7" status="run" result="completed" time="2.5" classname="Gate" />
    <testcase name="Off" file="../../src/gate.cpp" line="3" status="notrun" time="0." classname="Gate" />
  </testsuite>
</testsuites>
"""
CTEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)"
\ttests="1"
\t>
\t<testcase name="unit_a" classname="unit_a" time="12.5" status="run">
\t\t<system-out>a &lt;testcase&gt;
</system-out>
\t</testcase>
\t<testcase name="unit_b" classname="unit_b" time="1.5e-05" status="run"/>
</testsuite>
"""


def test_gtest_and_ctest(repo: Repository) -> None:
    """A file that the report has; else the report's own line is the place."""
    repo.write("src/gate.cpp", "// head\nTEST(Gate, Slow) {}\nTEST(Gate, Off) {}\n")
    repo.write("build/g.xml", GTEST)
    repo.write("build/c.xml", CTEST)
    found = as_json(repo, "slow-tests", "--junit=build/g.xml", "--junit=build/c.xml")["findings"]
    assert [(one["path"], one["line"]) for one in found] == [("build/c.xml", 5), ("build/g.xml", 5), ("src/gate.cpp", 2)]
    repo.write("src/gate.cpp", "// head\nTEST(Gate, Slow) {}  // qd-cov: ignore\n")
    assert as_json(repo, "slow-tests", "--junit=build/g.xml")["silenced"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no element found"),
        ("{}", "not well-formed (invalid token)"),
        ("<coverage/>", "its root is <coverage>, not <testsuites> or <testsuite>"),
        (report(case("test_0", 1))[:-5], "unclosed token"),
        (report(case("test_0", "nan")), "'nan' is no time"),
        (report(case("test_0", "-1")), "'-1' is no time"),
        (report(case("test_0", "1e999")), "'1e999' is no time"),
        (report(case("test_0", "fast")), "'fast' is no time"),
        (report('<testcase time="1"/>'), "a <testcase> has no name"),
        ('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite name="&b;"/>', "it declares an entity, which no report needs"),
        ("<testsuite>" * 300, "its elements are nested too deep"),
        ("<testsuite>" + "<!--" + "x" * (20 << 20), "a tag or comment is too long"),
    ],
)
def test_bad_xml(functions: Repository, text: str, message: str) -> None:
    functions.write("j.xml", text)
    checked = slow(functions, "--junit=j.xml")
    assert checked.code == 1
    assert checked.out.startswith("Couldn't read 'j.xml' as JUnit XML: ") and message in checked.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "slow-tests needs the times of tests: write them with 'pytest --junitxml=junit.xml', and name the file with --junit"),
        (["--junit=gone.xml"], "Couldn't read 'gone.xml': No such file or directory\n"),
        (["--junit=*.xml"], "No JUnit XML: there is no file '*.xml'.\n"),
        (["--junit=none.json"], "No times of tests in 'none.json'.\n"),
        (["--junit=."], "Couldn't read '.': Is a directory\n"),
    ],
)
def test_no_times_are_no_pass(functions: Repository, arguments: list[str], message: str) -> None:
    functions.write("none.json", report('<testcase name="disabled"/>'))
    checked = slow(functions, *arguments)
    assert checked.code == 1 and checked.out.startswith(message)


def test_hostile_names(functions: Repository) -> None:
    """Names lead nowhere, and steer nothing."""
    names = ["../../../etc/passwd", "a" * 5000, "." * 3000, "tests." * 900, "tests..test_f", "/etc/passwd", "tests.test_f."]
    cases = [f'<testcase classname="{name}" name="x&#10;::error::&apos;%" time="1" file="{name}"/>' for name in names]
    functions.write("j.xml", report(*cases))
    functions.write("qd-cov.toml", '[check]\nslow-tests = "error"\nslow-tests-budget = 0\n')
    checked = slow(functions, "--junit=j.xml")
    assert checked.code == 2 and len(checked.out.splitlines()) == len(checked.findings) + 2
    assert {path for path, _, _ in checked.findings} <= {"j.xml", "tests/test_f.py", "/etc/passwd"}
    lines = slow(functions, "--junit=j.xml", "--format=github-annotations").out.splitlines()
    assert all(line.startswith("::error file=") for line in lines)
