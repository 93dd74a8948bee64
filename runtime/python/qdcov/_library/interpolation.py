"""Clamping, steps and interpolation, as in GLSL: kernel code, which the compiler has as text and arch=qd.python runs.

Of vectors and matrices each component by itself; a number counts for all components."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._library.funcs import func
from qdcov._values.functions import floor, max, min, one, select, zero


@func
def clamp(x, xmin, xmax):
    """`x`, but not below `xmin` and not above `xmax`."""
    return min(xmax, max(xmin, x))  # in this order, the derivative at both ends is that of x


@func(floats="all")
def mix(x, y, a):
    """From `x` (a = 0) to `y` (a = 1)."""
    return x * (1 - a) + y * a


@func(floats="all")
def fract(x):
    """The fraction: `x` less its `floor`."""
    return x - floor(x)


@func(floats="all")
def step(edge, x):
    """0 below the edge, else 1."""
    return select(x < edge, zero(x), one(x))


@func(floats="all")
def smoothstep(edge0, edge1, x):
    """0 below `edge0`, 1 above `edge1`, smooth between: Hermite's polynomial."""
    return hermite(clamp((x - edge0) / (edge1 - edge0), 0, 1))


@func
def hermite(t):
    return t * t * (3 - 2 * t)
