"""Complex numbers as vectors of 2, the real part first: kernel code, which the compiler has as text and arch=qd.python runs."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._library.funcs import func
from qdcov._values.functions import abs, atan2, cos, exp, log, max, min, select, sin, sqrt
from qdcov._values.math_types import vec2


@func
def cmul(z1, z2):
    """The product of two complex numbers."""
    return vec2(z1[0] * z2[0] - z1[1] * z2[1], z1[0] * z2[1] + z2[0] * z1[1])


@func
def cconj(z):
    """The conjugate of a complex number."""
    return vec2(z[0], -z[1])


@func
def cdiv(z1, z2):
    """The quotient of two complex numbers, scaled so that squares neither overflow nor vanish (R. Smith, CACM 5, 1962). Not finite for `z2` 0."""
    real = abs(z2[0]) >= abs(z2[1])
    large = select(real, z2[0], z2[1])
    ratio = select(real, z2[1], z2[0]) / large
    below = large + ratio * select(real, z2[1], z2[0])
    x = select(real, z1[0] + ratio * z1[1], ratio * z1[0] + z1[1])
    y = select(real, z1[1] - ratio * z1[0], ratio * z1[1] - z1[0])
    return vec2(x / below, y / below)


@func
def cinv(z):
    """The reciprocal of a complex number."""
    return cdiv(vec2(1, 0), z)


@func
def clength(z):
    """The absolute value, without overflow."""
    large = max(abs(z[0]), abs(z[1]))
    ratio = min(abs(z[0]), abs(z[1])) / select(large > 0, large, large + 1)
    return large * sqrt(1 + ratio * ratio)


@func
def csqrt(z):
    """The square root with a real part that is not negative; of a negative real number the one with a positive imaginary part. 0 for 0."""
    half = sqrt((abs(z[0]) + clength(z)) / 2)
    other = z[1] / select(half > 0, 2 * half, half + 1)
    return vec2(select(z[0] < 0, abs(other), half), select(z[0] < 0, select(z[1] < 0, -half, half), other))


@func
def cexp(z):
    """e to the power of a complex number."""
    r = exp(z[0])
    return vec2(r * cos(z[1]), r * sin(z[1]))


@func
def clog(z):
    """The natural logarithm of a complex number, with an imaginary part in (-pi, pi]."""
    return vec2(log(clength(z)), atan2(z[1], z[0]))


@func
def cpow(z, n):
    """A complex number to the power of a real one: by its absolute value and its angle in (-pi, pi]. 0 for `z` 0."""
    r = clength(z)
    angle = atan2(z[1], z[0]) * n
    r = select(r > 0, r ** (n * 1.0), r)
    return vec2(r * cos(angle), r * sin(angle))
