"""A project whose file view has everything: branches of all kinds, statements of several lines, contexts, text that is hard to show."""

from __future__ import annotations

from pathlib import Path

from coverage_commands import coverage_py

MODULE = '''"""Doc of the module."""
import sys
from typing import Any


class Shape:
    """A shape."""

    sides: int = 0

    def __init__(self, name: str, *values: Any) -> None:
        self.name = name
        self.values = [
            value
            for value in values
        ]

    def area(self) -> float:
        if self.name == "square":
            return self.values[0] ** 2
        elif self.name == "circle":
            return 3.14 * self.values[0] ** 2
        raise ValueError(f"what is {self.name!r:>{10}}?")

    @property
    def nothing(self):
        for i in range(3):
            if i > 5:
                break
            try:
                pass
            except ValueError:
                continue
        while len(self.values) > 100:
            self.values.pop()
        match self.name:
            case "square":
                return 4
            case _:
                return 0


def never(x):
    # never called
    if x:
        return 1
    with open("x") as f, \\
            open("y") as g:
        return [
            f.read(),
            g.read(),
        ]


if "never" in sys.argv:  # pragma: no cover
    never(1)


def raises(x):
    if x["not there"]:
        return 1
    return 2


def last(x):
    if x:
        x += 1


TEXT = "</script><!-- <b>&amp; \u202eodd\u202c \x7f \x01 tab\there é 頻 😀 \u200b"
last(1)
if len(TEXT) > 3:  # pragma: no branch
    try:
        raises({})
    except KeyError:
        pass
'''

TESTS = """from pkg.mod import Shape


def test_circle():
    assert Shape("circle", 1).area() > 3


def test_nothing():
    assert Shape("x", 1).nothing == 0


def test_both():
    assert Shape("square", 2).area() == 4
    assert Shape("x", 1).nothing == 0
"""

RUNNER = "import test_mod\n\nfor name in ('test_circle', 'test_nothing', 'test_both'):\n    getattr(test_mod, name)()\n"


def line_of(text: str) -> int:
    """The first line of the module that holds a text."""
    return next(number for number, line in enumerate(MODULE.split("\n"), 1) if text in line)


def measure(folder: Path) -> None:
    """Writes the project, and coverage.py's data of it, each test in its context."""
    (folder / "pkg").mkdir()
    (folder / "pkg/__init__.py").write_text("")
    (folder / "pkg/mod.py").write_text(MODULE)
    (folder / "test_mod.py").write_text(TESTS)
    (folder / "run_tests.py").write_text(RUNNER)
    (folder / ".coveragerc").write_text("[run]\nbranch = True\ncore = ctrace\ndynamic_context = test_function\n")
    coverage_py(["run", "--source=.", "run_tests.py"], folder, check=True)
