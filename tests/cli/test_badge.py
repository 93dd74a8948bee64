"""`qd-cov badge`: coverage.py's total, in a picture that is well-formed, readable and wide enough."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import Opened
from coverage.results import Numbers
from diff_repository import Repository

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A source of 10,000 lines."""
    result = Repository(tmp_path / "repo")
    result.write("a.py", "".join(f"a{i} = {i}\n" for i in range(10_000)))
    return result


def badge(repo: Repository, *options: str) -> str:
    """The picture."""
    done = subprocess.run(["qd-cov", "badge", "-o", "-", *options], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def texts(picture: str) -> list[str]:
    """The texts of a badge."""
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("n", [1, 5000, 7499, 9_949, 9_999, 10_000])
def test_it_says_what_coverage_says(repo: Repository, n: int) -> None:
    """100% only when it is."""
    repo.measure({"a.py": range(1, n + 1)})
    for precision in (0, 2):
        total = Numbers(precision=precision, n_statements=10_000, n_missing=10_000 - n).pc_covered_str
        picture = badge(repo, f"--precision={precision}")
        assert texts(picture) == ["coverage", f"{total}%"]
        assert ElementTree.fromstring(picture).get("aria-label") == f"coverage: {total}%"


def brightness(color: str) -> float:
    """Relative luminance, as WCAG has it."""
    values = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours(repo: Repository) -> None:
    """Four of them, by how much is covered; white text can be read on each, and on the label's."""
    seen = []
    for n in (1, 5999, 6000, 7499, 7500, 8999, 9000, 10_000):
        repo.measure({"a.py": range(1, n + 1)})
        right, left = re.findall(r'fill="(#[0-9a-f]{6})"', badge(repo))
        assert all(1.05 / (brightness(color) + 0.05) >= 4.5 for color in (right, left))
        seen.append(right)
    assert [seen.index(color) for color in seen] == [0, 0, 2, 2, 4, 4, 6, 6]


@pytest.mark.parametrize("label", ["coverage", "<b>&\"'x", "iiiiiiiii", "WWWWWWWWWWWWWWWWWWWW", "Überdeckung 覆盖率", "a\nb\x1b", ""])
def test_the_text_has_room(repo: Repository, opened: Opened, label: str) -> None:
    """Nothing is wider than its half of the picture, and nothing is pressed to half of itself either."""
    repo.measure({"a.py": range(1, 3334)})
    path = repo.folder / "badge.svg"
    path.write_text(badge(repo, "--precision=3", "--label", label))
    left = [label.replace("\n", "␊").replace("\x1b", "␛")] if label else []
    assert texts(path.read_text()) == [*left, "33.330%"]
    page = opened(path)
    boxes = """[...document.querySelectorAll('text')].map((text) => {
      const asked = text.getBBox();
      text.removeAttribute('textLength');
      return [asked.x, asked.x + asked.width, text.getBBox().width / asked.width];
    })"""
    spaces = page.script(boxes)
    width = float(ElementTree.fromstring(path.read_text()).get("width") or 0)
    ends = [0.0, *[end for _, end, _ in spaces][:-1], width]
    for (begin, end, stretch), before in zip(spaces, ends, strict=False):
        assert begin >= before + 5.5 and end <= width - 5.5 and 0.65 < stretch < 1.2


def test_complaints(repo: Repository) -> None:
    done = subprocess.run(["qd-cov", "badge"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "No data to report.\n")
    repo.measure({"a.py": [1]})
    done = subprocess.run(["qd-cov", "badge", "--fail-under=50"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert (done.returncode, (repo.folder / "coverage.svg").exists()) == (2, True)
