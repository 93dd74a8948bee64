"""`qd-cov check untested-changes` and `change-size`: changed functions without a test, and sizes against git's own numbers."""

from __future__ import annotations

import os
import random
import subprocess

import pytest
from check_runs import as_json, check, measure_tests
from diff_repository import Repository

BASE = """\
import functools


def f(x):
    return x


class C:
    def __init__(self):
        self.a = 1

    def m(self, y):
        z = y
        return z


@functools.cache
def outer(n):
    def inner():
        return n

    return inner()
"""
TEST = "def test_f():\n    pass\n"
RUN = "tests/test_a.py::test_f|run"


@pytest.fixture
def project(repo: Repository) -> Repository:
    """src/a.py and a test of it on main."""
    repo.git("checkout", "-q", "main")
    repo.write("src/a.py", BASE)
    repo.write("tests/test_a.py", TEST)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    return repo


def change(repo: Repository, old: str, new: str, path: str = "src/a.py") -> None:
    """Replace a text that is there once."""
    text = (repo.folder / path).read_text()
    assert text.count(old) == 1
    repo.write(path, text.replace(old, new))


def test_a_test_reaches_it(project: Repository) -> None:
    change(project, "    return x\n", "    return x + 1\n")
    measure_tests(project, {RUN: {"src/a.py": [5]}, "": {"src/a.py": [1, 4, 8]}})
    checked = check(project, "untested-changes")
    assert (checked.code, checked.out) == (0, "No findings\n")


@pytest.mark.parametrize(
    ("contexts", "why"),
    [
        ({RUN: {"src/a.py": [13]}, "": {"src/a.py": [1, 4, 8]}}, "no test reaches its changed lines"),
        ({RUN: {"src/a.py": [13]}, "": {"src/a.py": [1, 4, 5]}}, "only code outside of tests ran its changed lines"),
        ({"": {"src/a.py": [1, 4, 8]}}, "no test reaches its changed lines"),
        ({RUN: {"a.py": [1]}}, "no test run has data of this file"),
    ],
)
def test_no_test_reaches_it(project: Repository, contexts: dict[str, dict[str, list[int]]], why: str) -> None:
    change(project, "    return x\n", "    return x + 1\n")
    measure_tests(project, contexts)
    checked = check(project, "untested-changes")
    assert checked.findings == [("src/a.py", 4, "untested-changes")]
    assert checked.messages == [f"Function 'f' changed: {why}, and no changed test names it."]
    assert checked.code == 2


@pytest.mark.parametrize("context", ["", "suite", "linux|", "linux|qd:cpu", "test"])
def test_contexts_that_are_no_tests(project: Repository, context: str) -> None:
    """Executed lines are tested when no context names a test, and a note says so."""
    change(project, "    return x\n", "    return x + 1\n")
    measure_tests(project, {context: {"src/a.py": [4, 5]}})
    checked = check(project, "untested-changes")
    assert (checked.code, checked.findings) == (0, [])
    assert "Note: The data has no test contexts: a changed line that ran" in checked.out


@pytest.mark.parametrize(
    "context", ["test_a.test_f", "linux|test_a.T.test_f", "linux|a.py::f|setup", "test_a.py::test_f", "a.T.runTest", RUN + "|qd:cpu"]
)
def test_contexts_that_are_tests(project: Repository, context: str) -> None:
    change(project, "    return x\n", "    return x + 1\n")
    measure_tests(project, {context: {"src/a.py": [5]}})
    checked = check(project, "untested-changes")
    assert (checked.code, checked.out) == (0, "No findings\n")
    measure_tests(project, {context: {"src/a.py": [13]}, "": {"src/a.py": [5]}})
    assert check(project, "untested-changes").code == 2


@pytest.mark.parametrize(
    ("old", "new", "test", "line"),
    [
        ("    return x\n", "    return x + 1\n", "assert f(1)", None),
        ("    return x\n", "    return x + 1\n", "assert g(1)", 4),
        ("    return x\n", "    return x + 1\n", "assert 'f'  # f", 4),
        ("        self.a = 1\n", "        self.a = 2\n", "assert C()", None),
        ("        z = y\n", "        z = y + 1\n", "assert C()", 12),
        ("        z = y\n", "        z = y + 1\n", "assert C().m(1)", None),
        ("        return n\n", "        return n + 1\n", "assert outer(1)", None),
        ("        return n\n", "        return n + 1\n", "assert f(1)", 19),
        ("def f(x):\n", "def f(x, y=1):\n", "assert 1", 4),  # a new head: all of it has to be reached
        ("@functools.cache\n", "@functools.lru_cache\n", "assert 1", 18),
        ("import functools\n", "import functools as functools\n", "assert 1", None),  # in no function
    ],
)
def test_a_changed_test_names_it(project: Repository, old: str, new: str, test: str, line: int | None) -> None:
    """Names count where they are code of a changed test."""
    change(project, old, new)
    change(project, "    pass\n", f"    {test}\n", "tests/test_a.py")
    measure_tests(project, {RUN: {"src/a.py": [1, 4, 8, 9, 12, 17, 18]}})
    assert check(project, "untested-changes").findings == ([] if line is None else [("src/a.py", line, "untested-changes")])


def test_new_files_and_kinds(project: Repository) -> None:
    kernels = "import qd\n\n\n@qd.kernel\ndef k():\n    pass\n\n\n@qd.func\ndef g():\n    return 1\n\n\n"
    project.write("src/k.py", kernels + "def one(): return 1\n\n\ndef no():  # pragma: no cover\n    pass\n")
    project.write("tests/helper.py", "def help():\n    return 1\n")
    project.write("docs/conf.py", "def setup():\n    return 1\n")
    project.write("src/bad.py", "def bad(:\n")
    project.commit()
    measure_tests(project, {RUN: {"src/k.py": [4, 9]}})
    checked = check(project, "untested-changes")
    assert [m.split(":")[0] for m in checked.messages] == [
        "This changed, and its functions can't be found",
        "Kernel 'k' changed",
        "Func 'g' changed",
        "Function 'one' changed",
    ]
    measure_tests(project, {RUN: {"src/k.py": [6, 11, 14]}})
    assert check(project, "untested-changes", "--omit=src/bad.py").findings == []


def test_branch_data(project: Repository) -> None:
    change(project, "        z = y\n", "        z = (y +\n             1)\n")
    import coverage

    data = coverage.CoverageData(str(project.folder / ".coverage"))
    data.set_context(RUN)
    data.add_arcs({str((project.folder / "src/a.py").resolve()): [(-12, 14), (14, 15), (15, -12)]})  # the second line of the statement
    data.write()
    assert check(project, "untested-changes").findings == []


def test_silenced(project: Repository) -> None:
    change(project, "def f(x):\n    return x\n", "def f(x):  # qd-cov: ignore[untested-changes]\n    return x + 1\n")
    change(project, "@functools.cache\n", "# qd-cov: ignore\n# because\n@functools.cache\n")
    change(project, "        return n\n", "        return n + 1\n")
    change(project, "def outer", "def  outer")
    measure_tests(project, {RUN: {"src/a.py": [13]}})
    checked = check(project, "untested-changes")
    assert [found[1] for found in checked.findings] == [21]  # inner, which has no comment
    assert checked.out.endswith("1 error, 2 silenced by comments\n")


def test_no_data_is_no_pass(project: Repository) -> None:
    change(project, "    return x\n", "    return x + 1\n")
    checked = check(project, "untested-changes")
    assert (checked.code, checked.out) == (1, "No data to report: there is no '.coverage'; run the tests under 'qd-cov run' first.\n")
    measure_tests(project, {RUN: {"/elsewhere/src/a.py": [5]}})
    checked = check(project, "untested-changes")
    assert checked.code == 2 and "Note: No file of the data is in this repository" in checked.out


def test_files_of_other_tools(project: Repository) -> None:
    """A report of another tool knows no tests: some changed line has to have run."""
    project.write("src/b.cpp", "int f() {\n  return 1;\n}\nint g() {\n  return 1;\n}\n")
    project.commit()
    measure_tests(project, {RUN: {"src/a.py": [5]}})
    for ran in (0, 1):
        project.write("out.info", f"SF:src/b.cpp\nDA:1,0\nDA:2,0\nDA:4,{ran}\nDA:5,{ran}\nend_of_record\n")
        checked = check(project, "untested-changes", "--input=out.info")
        assert checked.messages == ([] if ran else ["4 lines changed, and nothing ran any of them."])
        assert checked.findings == ([] if ran else [("src/b.cpp", 1, "untested-changes")])


# Sizes.


def numstat(repo: Repository) -> tuple[int, int, int]:
    """Files, added and deleted lines as git counts them."""
    rows = [line.split("\t") for line in repo.git("diff", "--numstat", "-z", "main").replace("\0", "\n").splitlines() if line]
    counts = [row for row in rows if len(row) == 3]
    return len(counts), sum(int(row[0]) for row in counts if row[0] != "-"), sum(int(row[1]) for row in counts if row[1] != "-")


@pytest.mark.parametrize("seed", range(8))
def test_sizes_are_gits(repo: Repository, seed: int) -> None:
    """Random edits, new, deleted and binary files, no renames (whose similarity git's numbers do not depend on)."""
    chance = random.Random(seed)
    names = ["src/a.py", "src/b.cpp", "tests/test_a.py", "pkg/tests/data.txt", "docs/a.md", "README.md", "lock.toml", "src/test_b.py", "conftest.py"]
    repo.git("checkout", "-q", "main")
    texts = {name: [f"{name} {chance.random()}\n" for _ in range(chance.randrange(1, 30))] for name in names}
    for name, lines in texts.items():
        repo.write(name, "".join(lines))
    repo.write("data.bin", b"\0\1\2")
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    for name, lines in texts.items():
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(lines) + 1)
            lines[at : at + chance.randrange(4)] = [f"{name} {chance.random()}\n" for _ in range(chance.randrange(5))]
        repo.write(name, "".join(lines))
    for name in chance.sample(names, 2):
        (repo.folder / name).unlink()
    repo.write("src/new.py", "".join(f"n{i} = {i}\n" for i in range(chance.randrange(9))))
    repo.write("data.bin", b"\0\1\3")
    if seed % 2:
        repo.commit()
    else:
        repo.git("add", "-A")
    rows = {row.pop("area"): row for row in as_json(repo, "change-size")["tables"]["change-size"]}
    assert tuple(rows["total"].values()) == numstat(repo)
    for key in ("files", "added", "deleted"):
        assert sum(row[key] for area, row in rows.items() if area != "total") == rows["total"][key]
    (repo.folder.parent / "x.diff").write_bytes(
        subprocess.run(["git", "diff", "main"], cwd=repo.folder, env=repo.environment, capture_output=True).stdout
    )
    total = as_json(repo, "change-size", "--diff-file=../x.diff")["tables"]["change-size"][-1]
    assert (total["added"], total["deleted"]) == numstat(repo)[1:]


def test_files_with_a_new_time(repo: Repository) -> None:
    """git names them where it was not asked to look closer."""
    (repo.folder / "a.py").write_text((repo.folder / "a.py").read_text())
    os.utime(repo.folder / "a.py", (1, 1))
    assert as_json(repo, "change-size")["tables"]["change-size"][-1] == {"area": "total", "files": 0, "added": 0, "deleted": 0}


def test_untracked_files(repo: Repository) -> None:
    """Lines of text files of any kind; git does not diff them."""
    repo.write("src/a.cpp", "int a;\nint b;")
    repo.write("tests/x.py", "x = 1\n")
    repo.write("data.bin", b"\n\n\0\n")
    rows = {row.pop("area"): row for row in as_json(repo, "change-size", "--include-untracked")["tables"]["change-size"]}
    assert [rows[area]["added"] for area in ("source", "tests", "other", "total")] == [2, 1, 0, 3]
    assert as_json(repo, "change-size")["tables"]["change-size"][-1]["files"] == 0


def areas(repo: Repository) -> dict[str, int]:
    """Files of each area."""
    return {row["area"]: row["files"] for row in as_json(repo, "change-size", "--include-untracked")["tables"]["change-size"]}


def test_areas(repo: Repository) -> None:
    tests = ("tests/x.cpp", "a/b/tests/c.json", "pkg/test_z.py", "z_test.py", "a/conftest.py")
    for name in ("src/a.cu", "b.py", *tests, "docs/conf.py", "x/CHANGES.md", "poetry.lock"):
        repo.write(name, "x = 1\n")
    assert areas(repo) == {"source": 2, "tests": 5, "docs": 2, "other": 1, "total": 10}
    repo.write("qd-cov.toml", '[check]\ntest-files = ["*.py"]\ndoc_files = ["src/**"]\nsource-files = ["*.lock"]\n')
    assert areas(repo) == {"source": 1, "tests": 5, "docs": 1, "other": 4, "total": 11}


FEW = "Too few tests for this change: 1 added line of tests came with 4 added lines of source, and change-size-min-test-ratio (0.3) wants 2."
LIMITS = "[check]\nchange-size-max-source = 5\nchange-size-min-test-ratio = 0.3\n"


@pytest.mark.parametrize(
    ("source", "tests", "messages"),
    [
        (5, 2, []),
        (6, 2, ["Too much source for one change: 6 lines added and 0 deleted are 1 more than change-size-max-source allows (5)."]),
        (4, 1, [FEW]),
        (0, 0, []),
    ],
)
def test_limits(repo: Repository, source: int, tests: int, messages: list[str]) -> None:
    repo.write("qd-cov.toml", LIMITS)
    repo.write("src/new.py", "x = 1\n" * source)
    repo.write("tests/new.py", "x = 1\n" * tests)
    repo.git("add", "-A")
    checked = check(repo, "change-size")
    assert checked.messages == messages
    assert checked.findings == [("src/new.py", 1, "change-size")] * len(messages)
    assert checked.code == (2 if messages else 0)


def test_a_limit_exactly_reached(repo: Repository) -> None:
    """0.1 of 30 is 3, which is not so for binary fractions."""
    repo.write("qd-cov.toml", "[check]\nchange-size-min-test-ratio = 0.1\n")
    repo.write("src/new.py", "x = 1\n" * 30)
    repo.write("tests/new.py", "x = 1\n" * 3)
    repo.git("add", "-A")
    assert check(repo, "change-size").code == 0


def test_ignored_files_do_not_count(repo: Repository) -> None:
    repo.write("qd-cov.toml", LIMITS + 'ignore = ["change-size:src/generated/**"]\n')
    repo.write("src/generated/x.py", "x = 1\n" * 100)
    repo.git("add", "-A")
    checked = check(repo, "change-size")
    assert checked.code == 0 and "100" not in checked.out


def test_of_what_is_gone(repo: Repository) -> None:
    """No line is left to point to: that of the greatest other change is, or the folder."""
    repo.git("checkout", "-q", "main")
    repo.write("src/long.py", "x = 1\n" * 9)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.git("rm", "-q", "src/long.py")
    repo.write("qd-cov.toml", LIMITS)
    assert check(repo, "change-size").findings == [(".", 1, "change-size")]
