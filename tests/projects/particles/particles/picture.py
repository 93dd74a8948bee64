"""A simulation as text."""

from __future__ import annotations

from particles.materials import JELLY, SNOW, WATER
from particles.scene import Floats, Ints

SIGNS = {WATER: "~", JELLY: "o", SNOW: "*"}


def draw(positions: Floats, kinds: Ints, width: int = 48, height: int = 24) -> str:
    """The box with a sign for each particle; where several are, the last one shows."""
    if width < 1 or height < 1:
        raise ValueError("a picture needs a positive width and height")
    rows = [[" "] * width for _ in range(height)]
    for (x, y), kind in zip(positions, kinds):
        column = int(x * width)
        row = height - 1 - int(y * height)
        if 0 <= column < width and 0 <= row < height:
            rows[row][column] = SIGNS.get(int(kind), "?")
    edge = "+" + "-" * width + "+"
    return "\n".join([edge, *("|" + "".join(row) + "|" for row in rows), edge])
