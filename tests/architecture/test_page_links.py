"""Links between the pages of the repository lead somewhere, to headings too; files that they name are there; tables are tables; and the README is
one that people read."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]+)`")
MADE = ("build/", ".github/", "runtime/codegen/toy", "runtime/device/toy")
"""Beginnings of names that are not in the repository: outputs, files of a reader's repository, and a device that a page adds as an example."""


def tracked(*patterns: str) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return listed.rstrip("\0").split("\0")


def pages() -> list[Path]:
    return [ROOT / name for name in tracked("*.md") if not name.startswith(("tests/projects/", "tests/gold/", "tests/fuzz/corpus/"))]


def places() -> set[str]:
    """The files and folders of the repository, each by the ends of its path, and files without their suffixes too."""
    found = set()
    for path in map(Path, tracked()):
        for whole in (path, path.with_suffix(""), *path.parents):
            found |= {"/".join(whole.parts[at:]) for at in range(len(whole.parts))}
    return found


def unknown_files(text: str, known: set[str]) -> list[str]:
    """Names in a page, such as `ir/op.def` and `launch/forms`, that begin with a folder of the repository, and are of no file or folder there. Parts
    in capitals stand for any name."""
    named = [name for name in NAMED.findall(CODE.sub("", text)) if name.partition("/")[0] in known and not name.startswith(MADE)]
    return [name for name in named if name not in known and not re.search(r"/[A-Z]+\b", name)]


@pytest.fixture(scope="module", name="known")
def known_places() -> set[str]:
    return places()


def anchors(text: str) -> set[str]:
    """GitHub's names of a page's headings: lower case, without punctuation, hyphens for spaces, a number where one is there already."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", CODE.sub("", text), re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number = 0
        while (unique := f"{name}-{number}" if number else name) in found:
            number += 1
        found.add(unique)
    return found


def dead_links(page: Path, text: str) -> list[str]:
    """Relative links of a page that lead to no file, or to no heading of it."""
    dead = []
    for link in LINK.findall(CODE.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            dead.append(link)
    return dead


def broken_tables(text: str) -> list[str]:
    """The first rows of tables that GitHub shows as text or cuts: without a line of dashes below the head, or with rows of other lengths."""
    broken = []
    for table in re.findall(r"(?:^\|.*\n)+", CODE.sub("", text), re.MULTILINE):
        rows = [re.split(r"(?<!\\)\|", row) for row in table.splitlines()]
        if len({len(row) for row in rows}) > 1 or len(rows) < 2 or not all(re.fullmatch(r" ?:?-+:? ?", cell) for cell in rows[1][1:-1]):
            broken.append(table.partition("\n")[0])
    return broken


def test_what_a_broken_table_is() -> None:
    whole = "| a | b |\n|---|:-:|\n| `x\\|y` | 2 |\n"
    assert broken_tables(whole) == []
    assert broken_tables(whole + "| 1 | 2 | 3 |\n") == ["| a | b |"]
    assert broken_tables(whole + "\n| 3 | 4 |\n") == ["| 3 | 4 |"]
    assert broken_tables("| a |\n| 1 |\n") == ["| a |"]


def test_what_a_dead_link_is(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    text = "# One two!\n[a](#one-two) [b](#three) [c](b.md) [d](a.md#one-two) [e](https://example.com/x)\n```\n[f](g.md)\n```\n"
    page.write_text(text)
    assert dead_links(page, text) == ["#three", "b.md"]


@pytest.mark.parametrize("page", [str(p.relative_to(ROOT)) for p in pages()])
def test_links(page: str) -> None:
    assert dead_links(ROOT / page, (ROOT / page).read_text(encoding="utf-8")) == []


def test_what_an_unknown_file_is() -> None:
    known = {"ir", "ir/op.def", "ir/op", "op.def", "op"}
    assert unknown_files("`ir/op.def` `ir/op` `ir/of` `origin/main` `ir/NAME`\n```\n`ir/of.h`\n```\n", known) == ["ir/of"]


@pytest.mark.parametrize("page", [str(p.relative_to(ROOT)) for p in pages()])
def test_named_files(page: str, known: set[str]) -> None:
    assert unknown_files((ROOT / page).read_text(encoding="utf-8"), known) == []


@pytest.mark.parametrize("page", [str(p.relative_to(ROOT)) for p in pages()])
def test_tables(page: str) -> None:
    assert broken_tables((ROOT / page).read_text(encoding="utf-8")) == []


def test_the_readme_is_short() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 200
