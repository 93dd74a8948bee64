"""Reports as they were last looked at: QD_UPDATE_GOLD=1 rewrites them; the output of a failing test lies in build/gold-failed."""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAILED = ROOT / "build" / "gold-failed"


def scrub(text: str) -> str:
    """A page without the parts of the templates, which have their own tests."""
    text = re.sub(r"<style>.*?</style>", "<style>…</style>", text, flags=re.DOTALL)
    text = re.sub(r"<script>.*?</script>", "<script>…</script>", text, flags=re.DOTALL)
    return re.sub(r"'sha256-[^']+'", "'sha256-…'", text)


def check_gold(folder: str, name: str, text: str) -> None:
    """Compares the text with tests/gold/<folder>/<name>; a page after scrubbing."""
    if name.endswith(".html"):
        text = scrub(text)
    gold = ROOT / "tests" / "gold" / folder / name
    if os.environ.get("QD_UPDATE_GOLD"):
        gold.parent.mkdir(parents=True, exist_ok=True)
        gold.write_text(text)
    if text != gold.read_text():
        FAILED.mkdir(parents=True, exist_ok=True)
        (FAILED / f"{folder}-{name}").write_text(text)
    assert text == gold.read_text()
