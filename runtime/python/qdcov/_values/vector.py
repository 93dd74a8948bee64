"""qd.Vector and qd.Matrix, for kernels and programs: values, special values, fields and ndarrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._errors import KernelTypeError
from qdcov._values.compound import matrix, vector
from qdcov._values.matrix import Matrix
from qdcov._values.matrix_type import MatrixType


class _VectorMeta(type):
    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, Matrix) and thing.ndim == 1


class Vector(metaclass=_VectorMeta):
    """``qd.Vector([1, 2, 3], dt=qd.f32)``: a qd.Matrix with one axis."""

    def __new__(cls, arr: Any, dt: Any = None) -> Matrix:  # type: ignore[misc]
        made = Matrix(arr, dt)
        if made.ndim != 1:
            raise KernelTypeError(f"qd.Vector takes a list of numbers, not of rows ({made._text()}): use qd.Matrix")
        return made

    @staticmethod
    def zero(dt: Any, n: int, m: int | None = None) -> Matrix:
        """A vector of `n` zeros of the type `dt`; with `m` columns a matrix."""
        return zero(dt, n, m)

    @staticmethod
    def one(dt: Any, n: int, m: int | None = None) -> Matrix:
        """A vector of `n` ones of the type `dt`; with `m` columns a matrix."""
        return one(dt, n, m)

    @staticmethod
    def unit(n: int, i: int, dt: Any = int) -> Matrix:
        """A vector of `n` zeros with a one at place `i`, of the type `dt`; KernelTypeError for a place beyond."""
        return unit(n, i, dt)

    @staticmethod
    def field(n: int, dtype: Any, shape: Any = None, **options: Any) -> Any:
        """A field of vectors of `n` components of the type `dtype`; `shape` and the `options` are those of qd.field."""
        return vector(n, dtype).field(shape, **options)

    @staticmethod
    def ndarray(n: int, dtype: Any, shape: Any, **options: Any) -> Any:
        """An ndarray of vectors of `n` components of the type `dtype`; `shape` and the `options` are those of qd.ndarray."""
        return vector(n, dtype).ndarray(shape, **options)


def unit(n: int, i: int, dt: Any = int) -> Matrix:
    """A vector of `n` zeros with a one at place `i`, of the type `dt`; KernelTypeError for a place beyond."""
    if not 0 <= i < n:
        raise KernelTypeError(f"unit: place {i} of a vector of {n}")
    made = vector(n, dt if dt is not None else int)(0)
    made._values[int(i)] = 1
    return made


def zero(dt: Any, n: int, m: int | None = None) -> Matrix:
    """Zeros of the type `dt`: a vector of `n`, or a matrix of `n` rows and `m` columns."""
    return _kind(dt, n, m)(0)


def one(dt: Any, n: int, m: int | None = None) -> Matrix:
    """Ones of the type `dt`: a vector of `n`, or a matrix of `n` rows and `m` columns."""
    return _kind(dt, n, m)(1)


def _kind(dt: Any, n: int, m: int | None) -> MatrixType:
    return vector(n, dt) if m is None else matrix(n, m, dt)


def identity(dt: Any, n: int) -> Matrix:
    """The identity matrix of `n` rows, of the type `dt`."""
    made = matrix(n, n, dt)(0)
    np.fill_diagonal(made._values, 1)
    return made


def diag(dim: int, val: Any) -> Matrix:
    """A matrix of `dim` rows with the number `val` on the diagonal, zeros elsewhere."""
    made = zero(_common([val]), dim, dim)
    np.fill_diagonal(made._values, _dtypes.convert(val, made.dtype))
    return made


def _common(numbers: list[Any]) -> Any:
    return Matrix(numbers).dtype


def matrix_of_rows(rows: Any) -> Matrix:
    """The matrix of these `rows`, which are vectors or lists."""
    return Matrix([Matrix(row) for row in rows])


def matrix_of_columns(cols: Any) -> Matrix:
    """The matrix of these columns, `cols`, which are vectors or lists."""
    made: Matrix = matrix_of_rows(cols).transpose()
    return made


def matrix_field(n: int, m: int, dtype: Any, shape: Any = None, *, ndim: int | None = None, **options: Any) -> Any:
    """A field of matrices of `n` rows and `m` columns of the type `dtype`; `shape` and the `options` are those of qd.field. With ``ndim=1`` and one
    column, the elements are vectors."""
    kind = vector(n, dtype) if ndim == 1 and m == 1 else matrix(n, m, dtype)
    return kind.field(shape, **options)


def matrix_ndarray(n: int, m: int, dtype: Any, shape: Any, **options: Any) -> Any:
    """An ndarray of matrices of `n` rows and `m` columns of the type `dtype`; `shape` and the `options` are those of qd.ndarray."""
    return matrix(n, m, dtype).ndarray(shape, **options)


_constructors: dict[str, Callable[..., Any]] = {
    "zero": zero, "one": one, "unit": unit, "identity": identity, "diag": diag, "rows": matrix_of_rows, "cols": matrix_of_columns,
    "field": matrix_field, "ndarray": matrix_ndarray,
}  # fmt: skip
for _name, _function in _constructors.items():
    setattr(Matrix, _name, staticmethod(_function))
