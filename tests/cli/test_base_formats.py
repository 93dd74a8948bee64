"""`qd-cov diff --base` in each format: lost lines."""

from __future__ import annotations

import json

import pytest
from base_reports import keep_base
from browser import Opened
from diff_repository import TEN, Report, Repository
from html_pages import check_page


@pytest.fixture
def repo(base_repo: Repository) -> Repository:
    """A repository with a base report."""
    return base_repo


@pytest.fixture
def lost(repo: Repository) -> Repository:
    """Lines of a changed and of an unchanged file lost their coverage, one gained it."""
    repo.measure({"a.py": [1, 2, 3, 4, 7], "src/b.py": [1]})
    return repo


def shown(repo: Repository, form: str) -> Report:
    """A format."""
    return repo.diff("--base=../base.json", f"--format={form}:-", "--max-lost=9")


def test_lost_lines_on_the_terminal(lost: Repository) -> None:
    commit = lost.git("rev-parse", "main")[:10]
    assert shown(lost, "terminal").out.endswith(
        f"Against ../base.json (commit {commit}): coverage 45% → 30%\n"
        "  4 unchanged lines lost coverage, 1 gained it\n"
        "  lost   a.py: 5-6\n"
        "  gained a.py: 7\n"
        "  lost   src/b.py: 2-3\n"
        "  Category                           Lines\n"
        "  LBC  lost baseline coverage            4\n"
        "  UBC  uncovered baseline code          10\n"
        "  GBC  gained baseline coverage          1\n"
        "  GNC  gained new coverage               1\n"
        "  CBC  covered baseline code             4\n"
        "  DCB  deleted covered baseline          1\n"
    )


def test_lost_lines_as_findings(lost: Repository) -> None:
    commands = [line for line in shown(lost, "github-annotations").out.splitlines() if line.startswith("::")]
    assert commands == [
        "::warning file=a.py,line=5,endLine=6,title=Lost coverage::"
        "Lines 5-6 are not changed, and not covered any more: ../base.json has them covered.",
        "::warning file=src/b.py,line=2,endLine=3,title=Lost coverage::"
        "Lines 2-3 are not changed, and not covered any more: ../base.json has them covered.",
    ]
    sarif = json.loads(shown(lost, "sarif").out)["runs"][0]
    assert [(one["ruleId"], sarif["tool"]["driver"]["rules"][one["ruleIndex"]]["id"]) for one in sarif["results"]] == [
        ("lost-lines", "lost-lines")
    ] * 2
    assert {one["check_name"] for one in json.loads(shown(lost, "gitlab").out)} == {"lost-lines"}
    assert json.loads(shown(lost, "github-check-run").out)["output"]["annotations"][1]["path"] == "src/b.py"


def test_lost_lines_in_a_comment(lost: Repository) -> None:
    comment = shown(lost, "markdown").out
    assert "<details open><summary>🔴 Against the base: coverage 45% → 30%, 4 unchanged lines lost coverage, 1 gained it</summary>" in comment
    assert "| 🔴 `a.py` | 5-6 | 7 |\n| 🔴 `src/b.py` | 2-3 |  |\n" in comment
    assert "-✗    2 a2 = 2  ← lost: base covers it\n" in comment
    assert " · Base: 45% → 30%, 4 unchanged lines lost coverage\n" in shown(lost, "markdown-summary").out
    assert "     2   ✗ a2 = 2  ← lost: base covers it\n" in shown(lost, "annotated").out


def test_lost_lines_on_a_page(lost: Repository, opened: Opened) -> None:
    """Each lost line is shown, with a tag; its link leads to it, and keys go there."""
    page_file = lost.folder.parent / "page.html"
    lost.diff("--base=../base.json", f"--format=html:{page_file}")
    check_page(page_file.read_text())
    page = opened(page_file)
    assert [row.get_attribute("id") for row in page.all("tr.lost")] == ["a.py:L5", "a.py:L6", "src/b.py:L2", "src/b.py:L3"]
    assert [tag.text for tag in page.all(".never.lost")] == ["lost: base covers it"] * 4
    assert [link.get_attribute("href") for link in page.all(".base td a")] == [
        f"{page_file.as_uri()}#{place}" for place in ("a.py:L5", "src/b.py:L2")
    ]
    page.press("1")
    page.wait(lambda: page.one("tr.here").get_attribute("id") == "a.py:L5")


def test_a_long_comment_stays_short_enough(repo: Repository) -> None:
    """500 files that lost something: a part is shown, with the number of the others."""
    repo.git("checkout", "-q", "main")
    names = [f"src/{'package_' * 12}{i}/a_module_{i}.py" for i in range(500)]
    for name in names:
        repo.write(name, TEN)
    repo.commit()
    repo.measure({name: [1, 2, 4, 6, 8] for name in names})
    keep_base(repo, tool="qd-cov")
    repo.git("checkout", "-q", "-B", "work")
    repo.measure({name: [2] for name in names})
    comment = shown(repo, "markdown").out
    assert len(comment.encode("utf-16-le")) // 2 < 65_536
    assert "2000 unchanged lines lost coverage" in comment and " more files | | |\n" in comment
    assert comment.count("<details") == comment.count("</details>")
