"""The picture of `taichi.examples.patterns`, which examples of Taichi begin with."""

from __future__ import annotations

import qdcov as qd
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own


@own
@func
def taichi_logo(pos: qd.template(), scale=1 / 1.11):  # type: ignore[no-untyped-def, valid-type]
    """0 where Taichi's logo is dark, else 1; `pos` is in the unit square, and `scale` the part of it that the ring spans."""
    p = (pos - 0.5) / scale
    r = p.norm()
    lower = (p + qd.Vector([0.0, 0.25])).norm()
    upper = (p - qd.Vector([0.0, 0.25])).norm()
    dark = 1 if p[0] < 0 else 0
    dark = 1 if upper <= 0.25 else dark
    dark = 0 if lower <= 0.25 or upper <= 0.08 else dark
    dark = 1 if lower <= 0.08 or r > 0.495 else dark
    dark = 0 if r > 0.52 else dark
    return 1 - dark
