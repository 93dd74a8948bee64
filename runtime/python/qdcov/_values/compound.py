"""The calls that make types of vectors, matrices and structs."""

from __future__ import annotations

from typing import Any

from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType


def vector(n: int, dtype: Any = None, *, unpacked: bool = False) -> MatrixType:
    """The type of a vector of `n` components; without a dtype they keep the type that they have. ``unpacked=True`` asks that each component of a
    variable be one of its own, as they always are here."""
    return MatrixType(n, 1, 1, dtype)


def matrix(n: int, m: int, dtype: Any = None) -> MatrixType:
    """The type of a matrix of `n` rows and `m` columns; without a dtype its components keep the type that they have."""
    return MatrixType(n, m, 2, dtype)


def struct(**members: Any) -> StructType:
    """The type of a struct with these members."""
    return StructType(members)
