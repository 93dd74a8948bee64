"""Products, norms and directions of vectors: kernel code, which the compiler has as text and arch=qd.python runs.

Functions that do not say otherwise take matrices, too. Sums are taken from the first component to the last."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._library.funcs import func
from qdcov._values.functions import max, select, sqrt, static
from qdcov._values.matrix import Matrix


@func("tensor", "like")
def dot(a, b):
    """The sum of the products of components."""
    return (a * b).sum()


@func("vector", "like", rows=(2, 3))
def cross(a, b):
    """The cross product: a vector of vectors of 3, a number of vectors of 2."""
    if static(a.n == 2):
        return a.x * b.y - a.y * b.x
    else:
        return a.yzx * b.zxy - a.zxy * b.yzx


@func("vector", "vector")
def outer_product(a, b):
    """The matrix of the products of every component with every component."""
    return Matrix.cols([a]) @ b.transpose()


@func("vector", "vector")
def outer(a, b):
    """The matrix of the products of every component with every component."""
    return Matrix.cols([a]) @ b.transpose()


@func("tensor")
def norm_sqr(v):
    """The sum of the squares of the components."""
    return (v * v).sum()


@func("tensor", "number", floats="first")
def norm(v, eps=None):
    """``sqrt(norm_sqr() + eps)``."""
    if eps is None:
        return sqrt((v * v).sum())
    else:
        return sqrt((v * v).sum() + eps)


@func("tensor", "number", floats="first")
def norm_inv(v, eps=None):
    """``1 / sqrt(norm_sqr() + eps)``."""
    return 1 / norm(v, eps)


@func("tensor", "number", floats="first")
def normalized(v, eps=None):
    """The vector divided by ``norm() + eps``."""
    if eps is None:
        return v * (1 / sqrt((v * v).sum()))
    else:
        return v * (1 / (sqrt((v * v).sum()) + eps))


@func("tensor", floats="first")
def normalize(v):
    """A vector divided by its norm."""
    return v * (1 / sqrt((v * v).sum()))


@func("tensor", floats="first")
def length(v):
    """The norm of a vector."""
    return sqrt((v * v).sum())


@func("tensor", "like")
def distance(a, b):
    """The norm of the difference of two vectors."""
    return norm(a - b)


@func("tensor", "like")
def reflect(v, n):
    """`v` mirrored at the plane with the unit normal `n`."""
    return v - 2 * (v * n).sum() * n


@func("tensor", "like", "number", floats="all")
def refract(v, n, eta):
    """The direction of a ray `v` behind a surface with the unit normal `n`, where `eta` is the ratio of the indices of refraction; 0 when all is
    reflected. As GLSL's refract."""
    across = (v * n).sum()
    rest = 1 - eta * eta * (1 - across * across)
    return select(rest >= 0, eta * v - (eta * across + sqrt(max(rest, 0))) * n, 0)
