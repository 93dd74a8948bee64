"""Collects the pages of the site in a folder for Zensical, from the pages of the tree: links to pages lead to their places in the site.

Usage: collect.py FOLDER. Links to other files of the tree lead to the repository that QD_COV_REPOSITORY names, such as
https://github.com/me/qd-cov; without one, these are texts."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import api
import error_index
from navigation import API, SECTIONS, Page, of_the_tree

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
COPIED = (".png", ".svg", ".yml")  # pictures, and jobs to copy
ERRORS = "look-up/errors.md"


def collect(folder: Path) -> None:
    """Write pages, files and configuration into the folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    pages.mkdir(parents=True)
    shutil.copy(HERE / "site.css", pages)
    places = of_the_tree()
    copied: set[Path] = set()
    for source, place in places.items():
        _write(pages / place, with_links_of_the_site((ROOT / source).read_text(encoding="utf-8"), source, places, copied))
    for file in copied:
        _copy(file, pages / place_of_copy(file))
    made = api.pages()
    for place, text in made.items():
        _write(pages / place, text)
    listed: dict[str, list[Page]] = {}
    for name, rows in SECTIONS.items():
        if name == "Look up":
            listed[API] = [Page(_title(text), place, None) for place, text in made.items()]
        listed[name] = rows
    errors = error_index.pages(ROOT)
    rewritten = [with_links_of_the_site(text, source, {**places, source: ERRORS}, copied) for source, text in errors.items()]
    _write(pages / ERRORS, "".join(rewritten))
    configuration = (HERE / "zensical.toml").read_text(encoding="utf-8")
    assert "\nnav = []\n" in configuration
    (folder / "zensical.toml").write_text(configuration.replace("nav = []", f"nav = {navigation(listed)}", 1), encoding="utf-8")


def with_links_of_the_site(text: str, source: str, places: dict[str, str], copied: set[Path]) -> str:
    """The text of a page of the tree, with links as its place in the site needs them. `copied` gets the files that the site has a copy of."""
    parts = FENCE.split(text)
    for number in range(0, len(parts), 2):
        parts[number] = LINK.sub(lambda link: _link(link, source, places, copied), parts[number])
    return "".join(parts)


def _link(link: re.Match[str], source: str, places: dict[str, str], copied: set[Path]) -> str:
    mark, text, target = link.groups()
    if re.match(r"[a-z]+:|#", target):
        return link[0]
    path, _, anchor = target.partition("#")
    file = (ROOT / source).parent.joinpath(path).resolve()
    here = os.path.dirname(places[source])
    if file.suffix in COPIED:
        copied.add(file)
        return f"{mark}[{text}]({os.path.relpath(place_of_copy(file), here)})"
    name = str(file.relative_to(ROOT))
    for candidate in (name, f"{name}/README.md"):
        if candidate in places:
            return f"[{text}]({os.path.relpath(places[candidate], here)}{'#' if anchor else ''}{anchor})"
    repository = os.environ.get("QD_COV_REPOSITORY", "").rstrip("/")
    return f"[{text}]({repository}/blob/main/{name})" if repository else text


def place_of_copy(file: Path) -> str:
    """The place of a copied file in the site."""
    return f"files/{file.name}"


def navigation(sections: dict[str, list[Page]]) -> str:
    """The value of `nav`, in TOML."""
    rows = []
    for name, pages in sections.items():
        links = [f'{{ "{page.title}" = "{page.place}" }}' for page in pages]
        rows += [f'{{ "{name}" = [{", ".join(links)}] }}'] if name else links
    return "[\n  " + ",\n  ".join(rows) + ",\n]"


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ").replace("`", "")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: collect.py FOLDER")
    collect(Path(sys.argv[1]))
