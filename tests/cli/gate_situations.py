"""Situations of gates, each built from nothing: a change, executed lines, and thresholds.

The truth is in the files. A line that holds "ran" or "idle" is a statement; the first was executed, the second was not. One that holds "new" is part
of the change. "[1/2]" on a line says that it has two branches and that one of them was taken. No tool is asked for any of this."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from coverage_commands import coverage_py
from diff_repository import Repository

Build = Callable[[Repository], None]


@dataclass
class Gate:
    """`options` are those of `qd-cov diff`, or with `total` of `qd-cov report`; the code is worked out from them and from the files, unless `code`
    says it (an error, say). `theirs` are those of diff-cover where it has others; None: it cannot be asked. `note` is part of the message."""

    name: str
    build: Build
    options: tuple[str, ...]
    total: bool = False
    code: int | None = None
    theirs: tuple[str, ...] | None = ()
    note: str = ""
    without_data: tuple[str, ...] = ()
    real: bool = False  # the files are run, under coverage.py with branches, in place of the data that they describe
    reports: tuple[str, ...] = ()  # forms of reports that are given in place of the data: xml, lcov
    cwd: str = "."
    environment: dict[str, str] = field(default_factory=dict)


GATES: list[Gate] = []


def lines(n_ran: int, n_idle: int, mark: str = "new") -> str:
    """Source of so many executed and missing statements."""
    return "".join(f"{mark}_ran{i} = {i}\n" for i in range(n_ran)) + "".join(f"{mark}_idle{i} = {i}\n" for i in range(n_idle))


def changed(text: str | dict[str, str], base: str | dict[str, str] | None = None) -> Build:
    """A change: these files, new or instead of those of the base. The same files are the same change, which gates share."""
    return changed_files(*(json.dumps({"m.py": given} if isinstance(given, str) else given or {}) for given in (text, base)))


@functools.cache
def changed_files(text: str, base: str) -> Build:
    def build(repo: Repository) -> None:
        repo.git("checkout", "-q", "main")
        for path, content in json.loads(base).items():
            repo.write(path, content)
        repo.commit()
        repo.git("checkout", "-q", "-B", "work")
        for path, content in json.loads(text).items():
            repo.write(path, content)
        repo.commit()

    return build


def gate(name: str, build: Build | str | dict[str, str], *options: str, **more: object) -> None:
    """Adds a situation of `qd-cov diff`."""
    GATES.append(Gate(name, changed(build) if not callable(build) else build, options, **more))  # type: ignore[arg-type]


def total(name: str, build: Build | str | dict[str, str], *options: str, **more: object) -> None:
    """Adds a situation of `qd-cov report`."""
    gate(name, build, *options, total=True, **more)


# Thresholds where rounding decides.

for ran, idle, thresholds in (
    (199, 1, ("99.5", "99.50", "99.51", "99", "100")),
    (19999, 1, ("99.99", "99.995", "99.996", "100")),
    (1, 2, ("33", "33.3", "33.333333333", "33.34", "34")),
    (2, 1, ("66", "66.66", "66.67", "67")),
    (7, 1, ("87", "87.5", "87.500000001", "88")),
    (179, 21, ("89", "89.5", "90")),
    (0, 1, ("0", "0.0", "0.000000001", "1")),
    (1, 0, ("100", "100.0", "099")),
    (0, 0, ("0", "100")),
):
    for threshold in thresholds:
        gate(f"{ran} of {ran + idle} against {threshold}", lines(ran, idle), f"--fail-under={threshold}")

for text in ("101", "100.1", "-1", "nan", "inf", "-inf", "", "high", "90%", "1e2", " 90", "90 ", "9_0", "0x5a", "٩٠", "1.2.3"):
    gate(f"threshold '{text}'", lines(1, 1), f"--fail-under={text}", code=1, note="is no percentage from 0 to 100")
gate("threshold with a comma", lines(1, 1), "--fail-under=90,5", code=1, note="is a second threshold of the whole change")
gate("two thresholds", lines(1, 1), "--fail-under=90", "--fail-under=5", code=1, note="'5' is a second threshold of the whole change, beside '90'")
for text in ("-1", "1.5", "many", "nan", ""):
    gate(f"most missing '{text}'", lines(1, 1), f"--max-missing={text}", code=1, theirs=None, note="is no number of lines")

# The same of everything that was measured, as coverage.py has it: the total is rounded to the precision before it is compared, and 100 means all.

for ran, idle, wanted in (
    (199, 1, ("99", "99.5", "100")),
    (179, 21, ("89", "89.5", "90", "91")),
    (177, 23, ("88", "89")),
    (2, 1, ("66", "67", "66.7")),
    (1999, 1, ("99.95", "100")),
    (0, 1, ("0", "1")),
    (1, 0, ("100", "100.0")),
):
    for threshold in wanted:
        for precision in ("0", "2"):
            total(
                f"total {ran} of {ran + idle} against {threshold}, precision {precision}",
                lines(ran, idle),
                f"--fail-under={threshold}",
                f"--precision={precision}",
            )
for text in ("101", "100.5", "nan", "high", "-1"):
    total(f"total against '{text}'", lines(1, 1), f"--fail-under={text}", code=1)
total("total of no data", {}, "--fail-under=1", code=1, note="No data to report")
total("total, all files left out", lines(1, 1), "--fail-under=1", "--omit=*", code=1, note="No data to report")
total("total, one file left out", {"a1.py": lines(1, 0), "b1.py": lines(0, 1)}, "--fail-under=100", "--omit=b1.py")
total("total, none of the patterns matches", lines(1, 1), "--fail-under=1", "--include=scr/*", code=1, note="No data to report")
total("total of files without statements", {"a1.py": "# nothing\n"}, "--fail-under=100")
total("total in the configuration", {"m.py": lines(1, 1), ".coveragerc": "[report]\nfail_under = 51\n"}, code=2)
total("total in the configuration, the option wins", {"m.py": lines(1, 1), ".coveragerc": "[report]\nfail_under = 51\n"}, "--fail-under=50")
total("total in the configuration, too great", {"m.py": lines(1, 1), ".coveragerc": "[report]\nfail_under = 101\n"}, code=1)
total("total in the configuration, no number", {"m.py": lines(1, 1), ".coveragerc": "[report]\nfail_under = high\n"}, code=1)
total("total in pyproject.toml", {"m.py": lines(1, 1), "pyproject.toml": "[tool.coverage.report]\nfail_under = 50.5\nprecision = 1\n"}, code=2)
total("total with lines excluded", {"m.py": lines(1, 0) + "if 0:  # pragma: no cover\n    x = 1\n"}, "--fail-under=100")

# State of a change: committed, staged, unstaged.

OLD = lines(2, 2, "old")
for state in ("committed", "staged", "unstaged"):
    for ignored in ("", "--ignore-staged", "--ignore-unstaged"):

        def in_state(repo: Repository, state: str = state) -> None:
            changed(OLD, OLD)(repo)
            repo.write("m.py", OLD + lines(1, 1))
            if state != "unstaged":
                repo.git("add", "m.py")
            if state == "committed":
                repo.commit()

        name = f"{state} change {ignored}".strip()
        if ignored == f"--ignore-{state}":
            gate(name, in_state, "--fail-under=100", ignored, code=0, theirs=(ignored, "--fail-under=100"))
        else:
            gate(name, in_state, *filter(None, ("--fail-under=100", ignored)))


def untracked(repo: Repository) -> None:
    changed({})(repo)
    repo.write("u.py", lines(1, 1))


gate("untracked file", untracked, "--fail-under=100", code=0, note="1 untracked file ('u.py')")
gate("untracked file that counts", untracked, "--fail-under=100", "--include-untracked")
gate("untracked file that counts and is new", untracked, "--fail-under-new-files=51", "--include-untracked", theirs=None)
gate("new file", {"n.py": lines(3, 1)}, "--fail-under-new-files=75", theirs=None)
gate("new file below", {"n.py": lines(3, 1)}, "--fail-under-new-files=76", theirs=None)
gate("no new file", changed(OLD + lines(0, 1), OLD), "--fail-under-new-files=100", theirs=None)


def moved(repo: Repository) -> None:
    changed(OLD, OLD)(repo)
    repo.git("mv", "m.py", "moved.py")
    repo.commit()


def moved_and_edited(repo: Repository) -> None:
    moved(repo)
    repo.write("moved.py", OLD + lines(0, 1))
    repo.commit()


def deleted(repo: Repository) -> None:
    changed({"m.py": OLD, "n.py": lines(1, 0)}, {"m.py": OLD})(repo)
    repo.git("rm", "-q", "m.py")
    repo.commit()


gate("renamed file", moved, "--fail-under=100")
gate("renamed and edited file", moved_and_edited, "--fail-under=100")
gate("renamed file is no new one", moved_and_edited, "--fail-under-new-files=100", theirs=None)
gate("deleted file", deleted, "--fail-under=100")
gate("nothing changed", changed(OLD, OLD), "--fail-under=100", "--max-missing=0", theirs=("--fail-under=100",))
gate("lines removed alone", changed(lines(2, 1, "old"), OLD), "--fail-under=100")

# Statements of changed lines: comments, docstrings, excluded lines, several lines.

gate("comments alone", changed(OLD + "# new\n\n\n# new\n", OLD), "--fail-under=100")
gate("docstring", changed('"""Words,\n\nold."""\n' + OLD, '"""Words,\n\nolder."""\n' + OLD), "--fail-under=100")
gate("excluded lines", changed(OLD + "if x:  # pragma: no cover\n    y = 1\n", OLD), "--fail-under=100")
gate("excluded by the configuration", {"m.py": lines(1, 0) + "boring = 1\n", ".coveragerc": "[report]\nexclude_also = boring\n"}, "--fail-under=100")
gate("excluded function", {"m.py": lines(1, 0) + "def f():  # pragma: no cover\n    a = 1\n    b = 2\n"}, "--fail-under=100")
LONG = "old_ran = 1\nresult_idle_new = [\n    1,\n    {},\n]\n"
gate("edit within a statement", changed(LONG.format(3), LONG.format(2)), "--fail-under=100", theirs=("--fail-under=100",))
gate(
    "edit within a statement, exact lines",
    changed(LONG.format(3).replace("new", "x"), LONG.format(2).replace("new", "x")),
    "--fail-under=100",
    "--changed-lines=exact",
    theirs=("--fail-under=100",),
)
gate(
    "edit of the first line, exact lines",
    changed(LONG.format(2), LONG.format(2).replace("new", "x")),
    "--fail-under=100",
    "--changed-lines=exact",
    theirs=("--fail-under=100",),
)
gate(
    "edit within a statement, report expanded",
    changed(
        LONG.format("3  # idle new").replace("result_idle_new", "result_idle") + "last_ran = 1\n",
        LONG.format(2).replace("result_idle_new", "result_idle") + "last_ran = 1\n",
    ),
    "--fail-under=100",
    "--expand-coverage-report",
    reports=("xml",),
)
DECORATED = "import functools  # ran\n\n\n@functools.cache  # ran{}\ndef f():  # ran\n    return 1  # idle{}\n"
gate("decorator", changed(DECORATED.format(" new", ""), DECORATED.format("", "")), "--fail-under=100")
gate("body of a decorated function", changed(DECORATED.format("", " new"), DECORATED.format("", "")), "--fail-under=100")
gate("class", "class C_ran_new:\n    x_ran_new = 1\n\n    def f_ran_new(self):\n        return 'idle new'\n", "--fail-under=75")
gate("class below", "class C_ran_new:\n    x_ran_new = 1\n\n    def f_ran_new(self):\n        return 'idle new'\n", "--fail-under=76")
gate("several statements on a line", "a_ran_new = 1; b = 2\nif a_ran_new: c = 3\n", "--fail-under=100")
gate("file without statements", {"empty.py": ""}, "--fail-under=100")
gate("no Python", changed({"README.md": "new idle\n"}, {"o.py": lines(1, 0, "old")}), "--fail-under=100")

# Branches.

BRANCHES = "def f(x):  # new ran\n    if x:  # new ran [1/2]\n        return 'new ran'\n    return 'new idle'\n\n\nf(1)  # new ran\n"
PARTIAL = (
    "def f(x):  # new ran\n    y = 0  # new ran\n    if x:  # new ran [1/2]\n        y = 1  # new ran\n    return y  # new ran\n\n\nf(1)  # new ran\n"
)
WHOLE = PARTIAL.replace("[1/2]", "[2/2]") + "f(0)  # new ran\n"
for label, text in (("one line and one branch missing", BRANCHES), ("one branch missing", PARTIAL), ("every branch taken", WHOLE)):
    for threshold in ("80", "84", "100"):
        gate(f"{label}, lines against {threshold}", text, f"--fail-under={threshold}", real=True)
        gate(f"{label}, with branches against {threshold}", text, f"--fail-under={threshold}", "--branch-coverage", real=True)
    for threshold in ("50", "51", "100"):
        gate(f"{label}, branches alone against {threshold}", text, f"--fail-under-branches={threshold}", real=True, theirs=None)
gate(
    "partial branch that is excused",
    PARTIAL.replace("if x:  # new ran [1/2]", "if x:  # pragma: no branch, new ran"),
    "--fail-under=100",
    "--branch-coverage",
    real=True,
)
gate("partial branch, most missing", PARTIAL, "--max-missing=0", "--branch-coverage", real=True, theirs=None)
gate("partial branch, from XML", PARTIAL, "--fail-under=100", "--branch-coverage", real=True, reports=("xml",))
gate("partial branch, from LCOV", PARTIAL, "--fail-under=100", "--branch-coverage", real=True, reports=("lcov",))
gate("partial branch, line data", PARTIAL.replace("[1/2]", ""), "--fail-under=100", "--branch-coverage", code=2, note="The data has no branches")
gate("branches of line data", lines(1, 0), "--fail-under-branches=0", code=2, theirs=None, note="Branch coverage is not known")
for threshold in ("71", "71.4", "71.5", "72"):
    total(f"total with branches against {threshold}", BRANCHES, f"--fail-under={threshold}", real=True)

KERNEL = """\
import qd  # new ran


@qd.kernel  # new ran
def k():  # new ran
    x = 1  # new ran
    if x > 2:  # new ran
        x = 3  # new idle
"""
for threshold in ("83", "84"):
    gate(f"kernel against {threshold}", KERNEL, f"--fail-under={threshold}")

# Some of the files.

TREE = {"src/a.py": lines(1, 1), "lib/b.py": lines(3, 1)}
for pattern, threshold in (("src/**", "50"), ("src/**", "51"), ("lib/*", "75"), ("lib/*", "76"), ("*.py", "66"), ("*.py", "67"), ("**/b.py", "100")):
    gate(f"{pattern} against {threshold}", TREE, f"--fail-under={pattern}={threshold}", theirs=None)
gate("pattern that matches nothing", TREE, "--fail-under=scr/**=90", code=2, theirs=None, note="No file matches 'scr/**'")
gate("pattern that matches nothing, 0", TREE, "--fail-under=scr/**=0", code=2, theirs=None, note="No file matches 'scr/**'")
gate(
    "pattern that matches nothing, small change",
    TREE,
    "--fail-under=scr/**=90",
    "--minimum-change=100",
    code=2,
    theirs=None,
    note="No file matches 'scr/**'",
)
gate("pattern that matches files as they were", changed(TREE, {"old/c.py": OLD}), "--fail-under=old/**=100", theirs=None)
gate("pattern that is none", TREE, "--fail-under=**/**=90", code=1, theirs=None, note="File pattern can't include")
gate("two patterns, one is missed", TREE, "--fail-under=src/**=50", "--fail-under=lib/**=80", theirs=None)
gate("a file left out", TREE, "--fail-under=75", "--exclude", "a.py")
gate(
    "a file left out by the configuration",
    {**TREE, ".coveragerc": "[report]\nomit = src/*\n"},
    "--fail-under=75",
    code=0,
    theirs=("--fail-under=75",),
)
gate("all files left out", TREE, "--fail-under=100", "--exclude", "*", code=0)
gate("files that are looked at", TREE, "--fail-under=76", "--include", "lib/*")
gate("files to look at that are not there", TREE, "--fail-under=76", "--include", "scr/*", code=1, note="no file matches the patterns to include")

# Changes without data.

for what in ("fail", "warn", "pass"):
    gate(
        f"file without data, {what}",
        {"m.py": lines(1, 0), "n.py": lines(0, 1)},
        "--fail-under=100",
        f"--on-no-data={what}",
        without_data=("n.py",),
        theirs=("--fail-under=100",),
    )
gate("file without data", {"m.py": lines(1, 0), "n.py": lines(0, 1)}, "--fail-under=100", without_data=("n.py",), note="not measured")
gate("file without data, no gate", {"m.py": lines(1, 0), "n.py": lines(0, 1)}, without_data=("n.py",))
gate("file without data and without statements", {"m.py": lines(1, 0), "n.py": "# new\n"}, "--fail-under=100", without_data=("n.py",))
gate(
    "file without data that is left out", {"m.py": lines(1, 0), "n.py": lines(0, 1)}, "--fail-under=100", "--exclude", "n.py", without_data=("n.py",)
)
gate(
    "script without data",
    {"m.py": lines(1, 0), "tool": "#!/usr/bin/env python3\n" + lines(0, 1)},
    "--fail-under=100",
    without_data=("tool",),
    note="not measured",
)
gate("script with data", {"tool": "#!/usr/bin/env python3\n" + lines(1, 1)}, "--fail-under=51")
gate("script of a shell", {"m.py": lines(1, 0), "tool": "#!/bin/sh\necho\n"}, "--fail-under=100", without_data=("tool",))
gate("notebook", {"m.py": lines(1, 0), "x.ipynb": "{}\n"}, "--fail-under=100", code=0, note="1 changed notebook ('x.ipynb')")
gate("no data at all", {"m.py": lines(0, 1)}, "--fail-under=0", without_data=("m.py",), code=1, note="No data to report")

# Small changes, most missing, totals.

for least in ("2", "3", "4"):
    gate(f"small change, at least {least}", lines(1, 2), "--fail-under=100", f"--minimum-change={least}")
for most in ("0", "1", "2", "3"):
    gate(f"two missing, at most {most}", lines(1, 2), f"--max-missing={most}", theirs=None)
for threshold in ("50", "50.1", "60"):
    gate(
        f"everything against {threshold}",
        changed({"m.py": lines(1, 0)}, {"o.py": lines(1, 2, "old")}),
        f"--fail-under-total={threshold}",
        theirs=None,
    )
gate(
    "the change is fine, everything is not",
    changed({"m.py": lines(1, 0)}, {"o.py": lines(0, 9, "old")}),
    "--fail-under=100",
    "--fail-under-total=50",
    theirs=None,
)

# Places of settings: configuration and command line.

gate("configuration", {"m.py": lines(1, 1), "qd-cov.toml": "[diff]\nfail_under = 51\n"}, code=2, theirs=None)
gate("configuration, the option wins", {"m.py": lines(1, 1), "qd-cov.toml": "[diff]\nfail_under = 51\n"}, "--fail-under=50", theirs=None)
gate(
    "configuration, no number",
    {"m.py": lines(1, 1), "qd-cov.toml": '[diff]\nfail_under = ["high"]\n'},
    code=1,
    theirs=None,
    note="Invalid [tool.qd-cov.diff] fail_under",
)
gate("configuration of diff-cover", {"m.py": lines(1, 1), "d.toml": "[tool.diff_cover]\nfail_under = 51\n"}, "-c", "d.toml", code=2)
gate("configuration with a pattern", {"src/m.py": lines(1, 1), "qd-cov.toml": '[diff]\nfail_under = [0, "src/**=51"]\n'}, code=2, theirs=None)
gate(
    "configuration with a pattern that matches nothing",
    {"m.py": lines(1, 1), "qd-cov.toml": '[diff]\nfail_under = ["scr/**=1"]\n'},
    code=2,
    theirs=None,
    note="No file matches",
)

# Reports of other tools.

for form in ("xml", "lcov"):
    for threshold in ("50", "51"):
        gate(f"{form} against {threshold}", lines(1, 1), f"--fail-under={threshold}", reports=(form,))
    gate(f"{form}, edit within a statement", changed(LONG.format(3), LONG.format(2)), "--fail-under=100", reports=(form,))
    gate(f"{form}, file without data", {"m.py": lines(1, 0), "n.py": lines(0, 1)}, "--fail-under=100", without_data=("n.py",), reports=(form,))
    gate(
        f"{form} of other files",
        changed({"m.py": lines(0, 1)}, {"o.py": lines(1, 0, "old")}),
        "--fail-under=100",
        without_data=("m.py",),
        reports=(form,),
        note="not measured",
    )
gate("the same data twice", lines(1, 1), "--fail-under=51", reports=("xml", "xml"))


def in_two_runs(repo: Repository) -> None:
    """Each of two data files has every second line that ran."""
    changed(lines(6, 2))(repo)
    for number, name in enumerate(("cpu.data", "cuda.data")):
        repo.measure({"m.py": range(1 + number, 7, 2)}, name)


for threshold in ("75", "76"):
    inputs = ("--input=cpu=cpu.data", "--input=cuda=cuda.data", "--data-file=none")
    gate(f"two inputs against {threshold}", in_two_runs, f"--fail-under={threshold}", *inputs, theirs=None)


def with_base_report(repo: Repository) -> None:
    """At the base every line of the file ran."""
    changed(OLD + lines(1, 0), OLD)(repo)
    repo.git("checkout", "-q", "main")
    repo.measure({"m.py": range(1, 5)}, "base.data")
    coverage_py(["json", "-q", "--data-file=base.data", "-o", "base.json"], repo.folder, repo.environment, check=True)
    repo.git("checkout", "-q", "work")


gate("two lines lost, at most 2", with_base_report, "--base=base.json", "--max-lost=2", code=0, theirs=None)
gate(
    "two lines lost, at most 1",
    with_base_report,
    "--base=base.json",
    "--max-lost=1",
    code=2,
    theirs=None,
    note="2 unchanged lines lost their coverage",
)
gate(
    "total below that of the base",
    with_base_report,
    "--base=base.json",
    "--fail-under-base",
    code=2,
    theirs=None,
    note=" of base.json: cover ",
)
gate("lines lost, no base", with_base_report, "--max-lost=1", code=1, theirs=None, note="it needs --base")
gate("base that is not there", with_base_report, "--base=none.json", "--max-lost=1", code=1, theirs=None)

# Diffs in a file.


@functools.cache
def with_diff(text: str | None, edit: Callable[[str], str] = lambda diff: diff) -> Build:
    """changes.diff is the diff of two files, edited, or `text`."""

    def build(repo: Repository) -> None:
        changed({"m.py": OLD + lines(1, 1), "z.py": lines(0, 1)}, {"m.py": OLD})(repo)
        repo.write("changes.diff", edit(repo.git("diff", "main...work")) if text is None else text)

    return build


FILE = "--diff-file=changes.diff"
gate("diff in a file", with_diff(None), "--fail-under=34", FILE)
gate("diff in a file, reached", with_diff(None), "--fail-under=33", FILE)
gate("empty diff", with_diff(""), "--fail-under=100", FILE, code=0, note="is empty")
gate("diff of blank lines", with_diff("\n \n"), "--fail-under=100", FILE, code=0, note="is empty")
gate("diff that is a folder", with_diff(None), "--fail-under=100", "--diff-file=.", code=1, note="Can't read the diff")
gate("diff that is not there", with_diff(None), "--fail-under=100", "--diff-file=none.diff", code=1, note="Can't read the diff")
gate("diff of words", with_diff("fatal: bad revision\n"), "--fail-under=100", FILE, code=1, note="no unified diff")
EDITS: dict[str, tuple[Callable[[str], str], str]] = {
    "within a line": (lambda diff: diff[: diff.rindex("_idle0")], ""),
    "within a hunk": (lambda diff: diff[: diff.index("+new_idle0")], "Can't read the diff"),
    "before a hunk": (lambda diff: diff[: diff.index("@@")], "cut off"),
    "before the names": (lambda diff: diff[: diff.index("--- a")], "cut off"),
    "after the head": (lambda diff: diff[: diff.index("index")], "cut off"),
    "in the second file": (lambda diff: diff[: diff.rindex("@@ -0,0")], "cut off"),
}
for label, (edit, message) in EDITS.items():
    gate(f"diff cut off {label}", with_diff(None, edit), "--fail-under=100", FILE, code=1, note=message)


def garbled(diff: str, was: str, becomes: str) -> str:
    assert was in diff
    return diff.replace(was, becomes, 1)


GARBLED: dict[str, tuple[str, str]] = {
    "head of a hunk": ("@@ -", "@# -"),
    "head of a hunk, numbers": ("@@ -2,", "@@ -x,"),
    "head of a hunk, count": ("+2,5 @@", "+2,4 @@"),
    "head of a hunk, more": ("+2,5 @@", "+2,6 @@"),
    "new name": ("+++ b/m.py", "+++ b/n.py"),
    "new name's mark": ("+++ b/m.py", "++ b/m.py"),
    "old name's mark": ("--- a/m.py", "-- a/m.py"),
    "a line's mark": ("+new_idle0", "*new_idle0"),
    "a line": ("+new_idle0", "+new_idleness"),
    "a line that is gone": ("+new_ran0 = 0\n", ""),
    "a line that is there twice": ("+new_ran0 = 0\n", "+new_ran0 = 0\n+new_ran0 = 0\n"),
    "words in between": ("+new_idle0 = 0\n", "+new_idle0 = 0\nwarning: something\n"),
    "the next file": ("diff --git a/z.py b/z.py\nnew file mode", "dif --git a/z.py b/z.py\nnew file mode"),
    "all of a hunk's marks": (" +2,5 @@", " +2,5"),
}
for label, (was, becomes) in GARBLED.items():
    gate(
        f"garbled diff: {label}",
        with_diff(None, lambda diff, was=was, becomes=becomes: garbled(diff, was, becomes)),
        "--fail-under=100",
        FILE,
        code=1,
    )


def two_hunks(repo: Repository) -> None:
    """The diff ends between two hunks of a file: only git knows."""
    base = lines(20, 0, "old") + lines(0, 20, "old")
    now = base.replace("old_ran0 = 0\n", "new_ran0 = 0\n").replace("old_idle9 = 9\n", "new_idle9 = 9\n")
    changed(now, base)(repo)
    diff = repo.git("diff", "main...work")
    repo.write("changes.diff", diff[: diff.rindex("@@ -")])


gate("diff cut off between hunks", two_hunks, "--fail-under=100", FILE, code=1, note="does not tell all that changed")
