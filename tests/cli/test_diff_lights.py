"""Colour of a share, the same in every format: green, amber or red, where no gate sets a threshold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from diff_repository import Repository

SIGNS = {"good": "🟢", "part": "🟡", "bad": "🔴"}


def change(repo: Repository, covered: int) -> None:
    """Eight new lines, of which some ran."""
    repo.write("new.py", "".join(f"a{i} = {i}\n" for i in range(1, 9)))
    repo.commit()
    repo.measure({"new.py": range(1, covered + 1)})


@pytest.mark.parametrize(("covered", "quality"), [(8, "good"), (7, "part"), (6, "part"), (5, "bad"), (0, "bad")])
def test_the_comment_has_the_colours_of_the_page(repo: Repository, tmp_path: Path, covered: int, quality: str) -> None:
    change(repo, covered)
    page = tmp_path / "page.html"
    comment = repo.diff("--format", "markdown", "--format", f"html:{page}").out
    chips = set(re.findall(r'class="(?:figure|chip) (good|part|bad)', page.read_text()))
    assert chips == {quality}
    assert f"### {SIGNS[quality]} Diff coverage" in comment
    assert f"| {SIGNS[quality]} `new.py`" in comment
    assert {sign for sign in SIGNS.values() if sign in comment} == {SIGNS[quality]}


@pytest.mark.parametrize(("threshold", "sign"), [("75", "🟢"), ("76", "🔴")])
def test_a_gate_says_what_is_enough(repo: Repository, threshold: str, sign: str) -> None:
    change(repo, 6)
    comment = repo.diff("--format", "markdown", "--fail-under", threshold).out
    assert {one for one in SIGNS.values() if one in comment} == {sign}
