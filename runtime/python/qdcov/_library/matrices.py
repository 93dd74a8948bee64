"""Determinants and inverses of small square matrices: kernel code, which the compiler has as text and arch=qd.python runs.

The inverse is the adjugate over the determinant, and both are made of the same determinants of parts (Laplace's expansion)."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from qdcov._library.funcs import func
from qdcov._library.vectors import cross, dot
from qdcov._values.functions import static
from qdcov._values.matrix import Matrix
from qdcov._values.vector import Vector


@func("tensor")
def transpose(m):
    """Rows as columns; of a vector, a matrix of one row."""
    return m.transpose()


@func("square")
def trace(m):
    """The sum of the diagonal."""
    return sum([m[i, i] for i in range(m.n)])


@func("vector", "vector")
def pairs(a, b):
    """The determinants of two columns of the two rows `a` and `b` of 4: columns 01, 02, 03, 12, 13, 23."""
    return Vector([
        a[0] * b[1] - a[1] * b[0], a[0] * b[2] - a[2] * b[0], a[0] * b[3] - a[3] * b[0],
        a[1] * b[2] - a[2] * b[1], a[1] * b[3] - a[3] * b[1], a[2] * b[3] - a[3] * b[2],
    ])  # fmt: skip


@func("vector", "vector")
def cofactors(a, p):
    """The cofactors of a first row of 4, of the second row and the `pairs` of the others."""
    return Vector([
        a[1] * p[5] - a[2] * p[4] + a[3] * p[3], a[2] * p[2] - a[0] * p[5] - a[3] * p[1],
        a[0] * p[4] - a[1] * p[2] + a[3] * p[0], a[1] * p[1] - a[0] * p[3] - a[2] * p[0],
    ])  # fmt: skip


@func("square", rows=(1, 4))
def determinant(m):
    """The determinant of a matrix up to 4x4."""
    if static(m.n == 2):
        return m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
    elif static(m.n == 3):
        return (
            m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        )
    elif static(m.n == 4):
        return dot(m[0], cofactors(m[1], pairs(m[2], m[3])))
    else:
        return m[0, 0]


@func("square", "square")
def over_determinant(m, adjugate):
    return adjugate * (1 / dot(m[0], adjugate[:, 0]))


@func("square", rows=(1, 4), floats="first")
def inverse(mat):
    """The inverse of `mat`, a matrix up to 4x4, by cofactors."""
    if static(mat.n == 2):
        scale = 1 / (mat[0, 0] * mat[1, 1] - mat[0, 1] * mat[1, 0])
        return Matrix([[scale * mat[1, 1], -(scale * mat[0, 1])], [-(scale * mat[1, 0]), scale * mat[0, 0]]])
    elif static(mat.n == 3):
        return over_determinant(mat, Matrix.cols([cross(mat[1], mat[2]), cross(mat[2], mat[0]), cross(mat[0], mat[1])]))
    elif static(mat.n == 4):
        last = pairs(mat[2], mat[3])
        return over_determinant(mat, Matrix.cols([
            cofactors(mat[1], last), -cofactors(mat[0], last), cofactors(mat[0], pairs(mat[1], mat[3])), -cofactors(mat[0], pairs(mat[1], mat[2])),
        ]))  # fmt: skip
    else:
        return 1 / mat
