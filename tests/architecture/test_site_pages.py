"""The site of ci/docs has every page of the tree, and their links lead to pages of the site."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from test_page_links import CODE, LINK, dead_links, pages

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci" / "site"))
import collect  # noqa: E402
import error_index  # noqa: E402
import navigation  # noqa: E402

PLACES = navigation.of_the_tree()
MADE = {page.place for rows in navigation.SECTIONS.values() for page in rows if page.source is None}


def test_the_navigation_has_every_page() -> None:
    assert sorted(PLACES) == sorted(str(page.relative_to(ROOT)) for page in pages())


def test_every_place_is_one_page() -> None:
    places = [page.place for rows in navigation.SECTIONS.values() for page in rows]
    assert sorted(places) == sorted(set(places))


@pytest.mark.parametrize("source", PLACES)
def test_links_of_the_site(source: str) -> None:
    copied: set[Path] = set()
    text = collect.with_links_of_the_site((ROOT / source).read_text(encoding="utf-8"), source, PLACES, copied)
    known = {*PLACES.values(), *MADE, *(collect.place_of_copy(file) for file in copied)}
    for link in LINK.findall(CODE.sub("", text)):
        path = link.partition("#")[0]
        if path and not re.match(r"[a-z]+:", link):
            assert os.path.normpath(os.path.join(os.path.dirname(PLACES[source]), path)) in known, link


@pytest.mark.parametrize("source", [error_index.PAGE, error_index.PAGE_OF_COMMANDS])
def test_links_of_the_index_of_errors(source: str) -> None:
    assert dead_links(ROOT / source, error_index.pages(ROOT)[source]) == []
