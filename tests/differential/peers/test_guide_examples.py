"""The guide's examples print in Quadrants, too, the text of the page.

QD_PEERS=1 runs them there; tests/device/test_guide.py runs them here. Numbers are compared as numbers, as implementations print them each in its
own way. `guide_permitted.txt` has the examples that differ, each with its reason; a line whose difference is gone fails."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON, ROOT, Implementation

pytestmark = pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="asks quadrants: QD_PEERS=1, after ci/setup --peers")

PAGES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "runtime/python/docs").glob("*.md"))]
PERMITTED = Path(__file__).with_name("guide_permitted.txt")
SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
SECTIONS = {title: EXAMPLE.findall(body) for page in PAGES for title, body in SECTION.findall(page) if EXAMPLE.search(body)}
OTHER_SUBJECTS = ("Debug mode", "Caches", "Running as plain Python", "Threads, signals, the end", "Profiling", "Errors")
"""Sections about parts of our own: messages, tools and the interpreter."""

PROGRAM = '''import contextlib
import os
import sys
import tempfile

import qd


class InOrder:
    """Standard output: prints of kernels come before those of Python behind them."""

    def write(self, text):
        with contextlib.suppress(Exception):  # before qd.init
            qd.sync()
        os.write(1, text.encode())

    def flush(self):
        pass


def printed(code):
    """The output of an example, of kernels and Python alike."""
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            exec(code, globals())
            qd.sync()
        except Exception as error:
            os.write(1, (type(error).__name__ + ": " + (str(error).split("\\n\\n")[-1].strip() or str(error))).encode())
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read().decode()


def run():
    sys.stdout = InOrder()
    found, line = [], 0
    for code in {examples!r}:
        found.append(printed(compile("\\n" * line + code, {path!r}, "exec")))
        line += code.count("\\n") + 1
    return found
'''
LOG = re.compile(r"^\[(?:Quadrants|[IWE] )[^\n]*\n|\x1b\[[0-9;]*m", re.MULTILINE)


def permitted() -> dict[str, str]:
    """Why examples print something else, by `section, number of the example from 1`, or `section, all`."""
    lines = [line for line in PERMITTED.read_text().splitlines() if line and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(" -- ") for line in lines)}


def words(text: str) -> list[float | str]:
    """The numbers and words of a text, without the characters between them; `7.0` and `7` are one, True and 1 too."""
    found: list[float | str] = []
    for word in re.findall(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?|[-+]?(?:nan|inf)\b|\w+", text):
        try:
            found.append(float(word))
        except ValueError:
            found.append({"True": 1.0, "False": 0.0}.get(word, word))
    return found


def agree(text: str, page: str) -> bool:
    """Whether two texts have the same words and numbers; numbers to 5 digits."""
    ours, theirs = words(page), words(LOG.sub("", text))
    return len(ours) == len(theirs) and all(
        a == b or (isinstance(a, float) and isinstance(b, float) and bool(np.isclose(a, b, rtol=1e-5, equal_nan=True))) for a, b in zip(ours, theirs)
    )


@pytest.mark.parametrize("title", [title for title in SECTIONS if title not in OTHER_SUBJECTS])
def test_example_prints_what_the_page_says(title: str, tmp_path: Path) -> None:
    assert PEERS_PYTHON.exists(), "ci/setup --peers makes the environment of the peers"
    examples = [code for code, _ in SECTIONS[title]]
    source, program = tmp_path / "examples.py", tmp_path / "program.py"
    source.write_text("\n".join(examples), encoding="utf-8")
    program.write_text(PROGRAM.format(examples=examples, path=str(source)), encoding="utf-8")
    quadrants = Implementation("quadrants")
    outcome = quadrants.run(program)
    quadrants.end()
    different = {f"{title}, all": str(outcome)} if outcome.error else {}
    for number, ((_, page), text) in enumerate(zip(SECTIONS[title], outcome.value or []), 1):
        if not agree(text, page):
            different[f"{title}, {number}"] = f"printed:\n{text}\npage:\n{page}"
    allowed = {name for name in permitted() if name.rpartition(", ")[0] == title}
    assert {name: text for name, text in different.items() if name not in allowed} == {}
    assert allowed <= different.keys(), "these differences are gone: take the lines out of guide_permitted.txt"


def test_permitted_differences_have_a_section_and_a_reason() -> None:
    assert [name for name, reason in permitted().items() if name.rpartition(", ")[0] not in SECTIONS or not reason] == []
