"""Every format of `qd-cov diff` on one small change, compared with the reports in tests/gold/diff.

After a wanted change: QD_UPDATE_GOLD=1 pytest tests/cli/test_diff_gold.py, then look at git's diff. The wrong output of a failing test
lies in build/gold-failed.
"""

from __future__ import annotations

from pathlib import Path

import coverage
import pytest
from diff_repository import Repository
from gold_files import check_gold
from html_pages import check_page

BASE = '''"""A grid of cells."""
import math


def area(w, h):
    return w * h


def kind(n):
    if n > 10:
        return "big"
    return "small"
'''

CHANGED = '''"""A grid of cells."""
import math, sys


def area(w, h):
    # <script>alert("&")</script>
    if w < 0:
        raise ValueError(
            f"negative {w!r}",
            h,
        )
    return w * h


def kind(n):
    if n > 10:
        return "big"
    elif n > 5:
        return "middle"
    total = 0
    for i in range(n):
        total += i
    if total:
        return "sum"
    return "small"


def unused(x):
\ty = x
\treturn y  # tab


if sys.argv == []:  # pragma: no cover
    unused(1)
'''

HOST = [
    *[(-1, 2), (2, 5), (5, 15), (15, 28), (28, 33), (33, -1)],
    *[(-5, 7), (7, 12), (12, -5), (-15, 16), (16, 18), (18, 20)],
]
KERNEL = [(-15, 20), (20, 21), (21, 22), (22, 21), (21, 23), (23, 24), (24, -15)]


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """The same commits every time, ids included."""
    result = Repository(tmp_path / "repo")
    result.environment.update(GIT_AUTHOR_DATE="2026-01-02T03:04:05Z", GIT_COMMITTER_DATE="2026-01-02T03:04:05Z")
    result.write(".gitignore", ".coverage\n.coveragerc\n")
    result.write("pkg/grid.py", BASE)
    result.write("pkg/old name.py", "".join(f"x{i} = {i}\n" for i in range(8)))
    result.commit("base")
    result.branch("work")
    result.write("pkg/grid.py", CHANGED)
    result.git("mv", "pkg/old name.py", "pkg/hé <new>.py")
    result.write("pkg/hé <new>.py", "".join(f"x{i} = {i}\n" for i in range(8)) + "y = 1\nz = 2\n")
    result.write("pkg/fresh.py", "x = 1\ny = 2\n")
    result.commit("change")
    data = coverage.CoverageData(str(result.folder / ".coverage"))
    grid = str(result.folder / "pkg/grid.py")
    data.add_arcs({grid: HOST, str(result.folder / "pkg/hé <new>.py"): [(-1, 1), *((i, i + 1) for i in range(1, 10)), (10, -1)]})
    data.set_context("qd:cpu")
    data.add_arcs({grid: KERNEL})
    data.write()
    return result


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("terminal.txt", ["--format", "terminal"]),
        ("terminal-branches.txt", ["--format", "terminal", "--branch-coverage", "--fail-under", "90"]),
        ("annotated.txt", ["--format", "annotated"]),
        ("markdown.md", ["--format", "markdown"]),
        ("markdown-reached.md", ["--format", "markdown", "--fail-under", "60"]),
        ("summary.md", ["--format", "markdown-summary", "--fail-under", "99.5"]),
        ("page.html", ["--format", "html:-", "--fail-under", "90", "--branch-coverage"]),
    ],
)
def test_gold(repo: Repository, name: str, arguments: list[str]) -> None:
    """The report as it was last looked at."""
    report = repo.diff(*arguments)
    check_gold("diff", name, report.out + (f"[{report.err.strip()}] [exit code {report.code}]\n" if report.err else ""))


def test_page_is_self_contained(repo: Repository) -> None:
    """One file, which loads nothing and runs nothing but its own scripts."""
    check_page(repo.diff("--format", "html:-").out)
