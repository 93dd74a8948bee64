"""diff-cover on `coverage xml` against `qd-cov diff` on the same data: the same changed statements, the same missing ones."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from typing import Any

import pytest
from environments import ENVIRONMENTS
from interop_project import HOST, KERNELS, OTHER, Project, line_of

GIT: dict[str, Any] = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}
GIT |= {f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@dataclass
class Lines:
    """Changed lines of a file by a tool."""

    measured: int
    missing: set[int] = field(default_factory=set)


def git(project: Project, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=project.folder, env={**os.environ, **GIT}, capture_output=True, text=True, check=True).stdout


def without(text: str, *parts: str) -> str:
    for part in parts:
        assert text.count(part) == 1
        text = text.replace(part, "")
    return text


@pytest.fixture
def changed(project: Project) -> Project:
    """A change on a branch: kernels changed in a commit, host code staged and in the working tree, a file that nothing measures."""
    elif_arm, block = "        elif x[i] > 2.0:\n            x[i] = limited(x[i], 3.0)\n", "    if n > 1000:\n        x[0] = 1.0\n"
    pragma = "        if factor < 0:  # pragma: no cover\n            x[i] = -x[i]\n"
    never = KERNELS[KERNELS.index("@qd.kernel\ndef never") : KERNELS.index("class Scale")]
    old = without(KERNELS, elif_arm, block, pragma, never).replace("                n > 1:", "                n > 0:")
    project.write("pk/kernels.py", old)
    project.write("pk/host.py", without(HOST, "    return 0\n", '            words.append("many")\n'))
    project.write("other.py", without(OTHER, "        x[i] = 1\n") + "        pass\n")
    project.write(".gitignore", "__pycache__/\n.coverage\n*.xml\n*.json\n")
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-qm", "base")
    git(project, "checkout", "-qb", "work")
    project.write("pk/kernels.py", KERNELS)
    project.write("other.py", OTHER)
    git(project, "commit", "-qam", "change")
    project.write("pk/host.py", without(HOST, '            words.append("many")\n'))
    git(project, "add", ".")
    project.write("pk/host.py", HOST)
    return project


def by_diff_cover(project: Project) -> dict[str, Lines]:
    """The newest, whichever coverage.py wrote the XML."""
    target = project.folder / "diff.json"
    words = ("coverage.xml", "--compare-branch=main", f"--format=json:{target}")
    ENVIRONMENTS[0].run(project.folder, "diff_cover.diff_cover_tool", *words, variables=GIT)
    stats = json.loads(target.read_text())["src_stats"]
    return {name: Lines(len(file["covered_lines"]) + len(file["violation_lines"]), set(file["violation_lines"])) for name, file in stats.items()}


def by_qd_cov(project: Project, statements: dict[str, set[int]]) -> tuple[dict[str, Lines], str]:
    """Its terminal report writes ranges over lines that are no statements."""
    said = project.run("qd-cov", "diff", "--compare-branch=main", **GIT)
    result = {}
    for name, lines, rest in re.findall(r"^(\S+\.py) +(\d+) +\d+ +[\d.]+%  [^ ]+(.*)$", said, re.MULTILINE):
        missing: set[int] = set()
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", rest):
            missing |= set(range(int(first), int(last or first) + 1)) & statements[name]
        result[name] = Lines(int(lines), missing)
    return result, said


def as_diff_cover_sees_it(ours: dict[str, Lines], continued: dict[str, set[int]]) -> dict[str, Lines]:
    """Our lines, less the permitted difference: diff-cover looks up changed lines in the XML, which has first lines of statements alone.

    A statement that was changed on another of its lines (`continued`) is none of a change's statements to it, and one to us."""
    return {name: Lines(lines.measured - len(continued.get(name, ())), lines.missing - continued.get(name, set())) for name, lines in ours.items()}


@pytest.mark.parametrize("branch", [["--cov-branch"], []], ids=["branch", "line"])
def test_the_same_lines(changed: Project, branch: list[str]) -> None:
    changed.pytest("--cov=pk", *branch, "--cov-report=xml", "--cov-report=json:report.json", "tests")
    files = json.loads((changed.folder / "report.json").read_text())["files"]
    statements = {name: {*file["executed_lines"], *file["missing_lines"]} for name, file in files.items()}
    ours, said = by_qd_cov(changed, statements)
    theirs = by_diff_cover(changed)

    continued = {"pk/kernels.py": {line_of("if x[i] > 100.0")}}  # changed on its second line
    assert as_diff_cover_sees_it(ours, continued) == theirs
    kernels, host = theirs["pk/kernels.py"], theirs["pk/host.py"]
    assert line_of("x[0] = 1.0") in kernels.missing and line_of("x[i] = limited") not in kernels.missing
    assert len(host.missing) == 1 and host.measured == 2
    assert not {line_of("if factor < 0"), line_of("x[i] = -x[i]")} & kernels.missing  # excluded
    # A changed file without data: silence there, a line here.
    assert "other.py" not in theirs and "other.py" not in ours
    assert re.search(r"^other\.py +\d+ +\? +not measured", said, re.MULTILINE)


def test_a_whole_change_that_no_test_reaches(changed: Project) -> None:
    """A run that imports the package and calls nothing: every changed statement of a body is missing, in both."""
    changed.run("coverage", "run", "--source=pk", "-m", "pk.host", QD_KERNEL_COVERAGE="1")
    changed.run("coverage", "xml", "-q")
    changed.run("coverage", "json", "-q", "-o", "report.json")
    files = json.loads((changed.folder / "report.json").read_text())["files"]
    statements = {name: {*file["executed_lines"], *file["missing_lines"]} for name, file in files.items()}
    header = line_of("if x[i] > 100.0")
    ours, _ = by_qd_cov(changed, statements)
    assert header in ours["pk/kernels.py"].missing
    assert as_diff_cover_sees_it(ours, {"pk/kernels.py": {header}}) == by_diff_cover(changed)
