"""Links from the page of a change to the page of all files; and pop-overs with the branches of a line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from browser import Opened
from coverage_commands import coverage_py
from html_pages import check_page
from run_program import qd_cov

SOURCE = "def f(a):\n    if a:\n        a = 2\n    for i in range(a):\n        a += i\n    return a\n\n\nf(1)\n"


@pytest.fixture
def change(tmp_path: Path) -> Path:
    """A repository in which a file is new."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/other.py").write_text("x = 1\n")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "sub/new mod.py").write_text(SOURCE)
    subprocess.run([*git, "add", "-N", "."], check=True)
    coverage_py(["run", "--branch", "sub/new mod.py"], tmp_path, check=True)
    return tmp_path


def page_of(folder: Path, *arguments: str, name: str = "diff.html") -> str:
    done = qd_cov(folder, "diff", "--compare-branch", "main", "--format", f"html:{name}", *arguments)
    assert done.returncode == 0, done.stderr
    return (folder / name).read_text()


def test_the_page_in_htmlcov_is_found(change: Path, opened: Opened) -> None:
    """Links to the page in htmlcov, one for the whole and one for each file, wherever the page of the change goes; following one shows the file."""
    assert 'class="full"' not in page_of(change)
    check_page(page_of(change))
    assert qd_cov(change, "html", "-q").returncode == 0
    (change / "out").mkdir()
    text = page_of(change, name="out/diff.html")
    assert 'href="../htmlcov/index.html"' in text and 'href="../htmlcov/index.html#/sub/new_mod.py"' not in text
    page = opened(change / "out/diff.html")
    page.screenshot("diff-link")
    link = page.one(".file a.full")
    assert link.accessible_name == "sub/new mod.py in the full report"
    link.click()
    page.wait(lambda: page.all(".view .line"))
    assert page.one(".view-head .path b").text == "new mod.py"


def test_it_can_be_named(change: Path) -> None:
    """A file or a URL; an empty text is none."""
    assert 'href="https://ci/x?a=1&amp;b#/sub/new%20mod.py"' in page_of(change, "--full-report", "https://ci/x?a=1&b")
    assert 'href="all%20files/index.html"' in page_of(change, "--full-report", "all files/index.html")
    assert qd_cov(change, "html", "-q").returncode == 0
    assert 'class="full"' not in page_of(change, "--full-report", "")


def test_the_comment_leads_to_a_url(change: Path) -> None:
    """Links to a URL, one for the whole, and from each file of the table. A file of this machine is of no use to readers of a comment."""

    def comment(page: str) -> str:
        done = qd_cov(change, "diff", "--compare-branch", "main", "--format", "markdown:-", "--full-report", page)
        assert done.returncode == 0, done.stderr
        return done.stdout

    text = comment("https://ci/x?a=(1)&b")
    assert " · [Full report](https://ci/x?a=%281%29&b)\n" in text
    assert "| 🟢 [`sub/new mod.py`](https://ci/x?a=%281%29&b#/sub/new%20mod.py) | " in text.replace("🟡", "🟢").replace("🔴", "🟢")
    for page in ("all files/index.html", ""):
        assert "](" not in comment(page)


def test_paths_are_those_of_the_folder(change: Path) -> None:
    """The other page, made in the same folder, names files from there."""
    text = page_of(change / "sub", "--data-file=../.coverage", "--full-report", "r.html")
    assert 'href="r.html#/new%20mod.py"' in text


def test_pop_over_of_branches(change: Path, opened: Opened) -> None:
    page_of(change)
    page = opened(change / "diff.html")
    button = page.one("[id='sub/new_mod.py:L2'] .partly")
    assert button.text == "2↛4" and button.accessible_name == "Branches of line 2: 1 of 2 taken"
    button.click()
    page.wait(lambda: page.all(".pop"))
    page.screenshot("diff-branches")
    items = [one.text for one in page.all(".pop .edges li")]
    assert items == ["✓ → 3 jump to line 3", "✗ → 4 jump to line 4 – never taken"]
    top = "document.querySelector(arguments[0]).getBoundingClientRect().top"
    assert page.script(top, ".pop:popover-open") >= page.script(top, "[id='sub/new_mod.py:L2']")
