"""The data in a page of `qd-cov html` (report/formats/html/html_report.cpp says how it lies there)."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

NUMBERS = ("statements", "missing", "excluded", "branches", "partial", "missing_branches", "seen", "outcomes", "alone", "decides")


def index_of(page: str) -> dict[str, Any]:
    """The index of the page of `qd-cov html`."""
    found = re.search(r'<script type="application/json" id="index-data">(.*?)</script>', page, re.DOTALL)
    assert found
    result: dict[str, Any] = json.loads(found[1])
    return result


def numbers_of(row: list[Any]) -> dict[str, int]:
    """The numbers in a row of the index, by name, without those of devices at its end."""
    return dict(zip(NUMBERS, [number for number in row if not isinstance(number, list)], strict=False))


def unpacked(text: str) -> Any:
    """A packed part."""
    return json.loads(zlib.decompress(base64.b64decode(text, validate=True), -15))


def part_of(page: str, name: str) -> Any:
    """A part of the page by its id; None when it has no such part."""
    found = re.search(f'<script type="text/plain" id="{name}">(.*?)</script>', page)
    return unpacked(found[1]) if found else None


def sources_of(page: str) -> dict[str, dict[str, Any]]:
    """The data of the file view for each file, by path."""
    return {file[0]: part_of(page, f"s{i}") for i, file in enumerate(index_of(page)["files"])}
