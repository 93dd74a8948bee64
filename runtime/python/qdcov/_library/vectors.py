"""Products, norms and directions of vectors: kernel code, which the compiler has as text and arch=qd.python runs.

Functions that do not say otherwise take matrices, too. Sums are taken from the first component to the last."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._library.funcs import func
from qdcov._values.functions import max, select, sqrt, static
from qdcov._values.matrix import Matrix


@func("tensor", "like")
def dot(x, y):
    """The sum of the products of the components of `x` and `y`."""
    return (x * y).sum()


@func("vector", "like", rows=(2, 3))
def cross(x, y):
    """The cross product of `x` and `y`: a vector of vectors of 3, a number of vectors of 2."""
    if static(x.n == 2):
        return x.x * y.y - x.y * y.x
    else:
        return x.yzx * y.zxy - x.zxy * y.yzx


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
def length(x):
    """The norm of the vector `x`."""
    return sqrt((x * x).sum())


@func("tensor", "like")
def distance(x, y):
    """The norm of the difference of the vectors `x` and `y`."""
    return norm(x - y)


@func("tensor", "like")
def reflect(x, n):
    """`x` mirrored at the plane with the unit normal `n`."""
    return x - 2 * (x * n).sum() * n


@func("tensor", "like", "number", floats="all")
def refract(x, n, eta):
    """The direction of a ray `x` behind a surface with the unit normal `n`, where `eta` is the ratio of the indices of refraction; 0 when all is
    reflected. As GLSL's refract."""
    across = (x * n).sum()
    rest = 1 - eta * eta * (1 - across * across)
    return select(rest >= 0, eta * x - (eta * across + sqrt(max(rest, 0))) * n, 0)
