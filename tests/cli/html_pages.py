"""Invariants of every HTML page that qd-cov writes."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "rect"}


class _Nesting(HTMLParser):
    """Every element is closed in its turn, every id stands once, and links within the page lead somewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_page(page: str) -> _Nesting:
    """One file: loads nothing, and its content security policy lets in just the style and the scripts that are in it."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1]
    for tag, least in (("style", 1), ("script", 2)):
        within = page if tag == "style" else re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
        texts = re.findall(f"<{tag}>(.*?)</{tag}>", within, re.DOTALL)
        assert len(texts) >= least
        for text in texts:
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy[1]
    for packed in re.findall(r'<script type="text/plain"[^>]*>(.*?)</script>', page, re.DOTALL):
        assert re.fullmatch(r"[A-Za-z0-9+/]+=*", packed)
    bare = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r"(?:src|href)\s*=\s*[\"'](?!#)", bare)
    assert not re.search(r"<[^>]*\s(?:on\w+|style)=", bare)
    for style in re.findall(r"<style>(.*?)</style>", page, re.DOTALL):
        assert not re.search(r"@import|url\(", style)
    nesting = _Nesting()
    nesting.feed(page)
    assert nesting.open == []
    assert len(set(nesting.ids)) == len(nesting.ids)
    return nesting
