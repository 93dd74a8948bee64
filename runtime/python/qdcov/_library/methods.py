"""Methods of vectors and matrices that are funcs of the language."""

from __future__ import annotations

from typing import Any

from qdcov._library import matrices, vectors
from qdcov._values.matrix import Matrix

_METHODS: tuple[Any, ...] = (
    vectors.dot, vectors.cross, vectors.outer_product, vectors.outer, vectors.norm, vectors.norm_sqr, vectors.norm_inv, vectors.normalized,
    matrices.trace, matrices.determinant, matrices.inverse,
)  # fmt: skip
for _method in _METHODS:
    setattr(Matrix, _method.__name__, _method)
