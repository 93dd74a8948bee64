"""A project with folders, functions, classes, contexts and all states of files, for tests of the HTML report."""

from __future__ import annotations

import os
from pathlib import Path

from coverage_commands import coverage_py

SHAPES = '''"""Shapes."""


class Shape:
    """A shape."""

    def area(self):
        return 0

    def name(self, short=False):
        if short:
            return "s"
        return "shape"


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    def grow(self, by):
        for i in range(by):
            if i > 100:
                raise ValueError("too large")
            self.side += 1


def make(kind, *sizes):
    def one(size):
        return Square(size)

    if kind == "square":
        return [one(size) for size in sizes]
    elif kind == "none":
        return []
    raise KeyError(kind)  # pragma: no cover
'''
MATH = """def twice(x):
    return 2 * x


def never(x):
    if x:
        x = "Needle in line seven"
    return x
"""
TESTS = """import shop.geometry.shapes
import shop.geometry.deep.inner.math
import shop.full


def test_square():
    (square,) = shop.geometry.shapes.make("square", 3)
    square.grow(2)
    assert square.area() == 25


def test_twice():
    assert shop.geometry.deep.inner.math.twice(2) == 4
    assert shop.geometry.shapes.Shape().name() == "shape"


test_square()
test_twice()
"""


def measure(folder: Path) -> None:
    """Writes the project and measures it, with a context for each test."""
    deep = folder / "shop" / "geometry" / "deep" / "inner"
    deep.mkdir(parents=True)
    for package in (folder / "shop", folder / "shop" / "geometry", folder / "shop" / "geometry" / "deep", deep):
        (package / "__init__.py").write_text("")
    (folder / "shop" / "geometry" / "shapes.py").write_text(SHAPES)
    (deep / "math.py").write_text(MATH)
    (folder / "shop" / "full.py").write_text("a = 1\nb = 2\n")
    (folder / "shop" / "unused.py").write_text("def f():\n    return 1\n\n\nx = f()\n")
    (folder / "test_shop.py").write_text(TESTS)
    (folder / ".coveragerc").write_text("[run]\nbranch = True\nsource = .\ndynamic_context = test_function\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    coverage_py(["run", "test_shop.py"], folder, environment, check=True)
