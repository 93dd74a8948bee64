"""Follows the links of a built site: each leads to a file of it, and each anchor to a heading. Usage: check_links.py FOLDER."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Anchors(HTMLParser):
    """The ids of a page, and its links and pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif value and name == {"a": "href", "img": "src"}.get(tag):
                self.links.append(value)


def dead_links(folder: Path) -> list[str]:
    """Links within the site that lead nowhere, each with the page that has it."""
    pages = {path: Anchors(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html")) if path.name != "404.html"}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else path.parent.joinpath(unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in pages[target].ids):
                dead.append(f"{path.relative_to(folder)}: {link}")
    return dead


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "index.html").exists():
        sys.exit("usage: check_links.py FOLDER, a built site")
    found = dead_links(Path(sys.argv[1]).resolve())
    print("\n".join(found) if found else "all links lead somewhere")
    sys.exit(1 if found else 0)
