"""The calls that make types of vectors, matrices and structs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType

_P = ParamSpec("_P")
_T = TypeVar("_T")


class TypeMaker(Generic[_P, _T]):
    """A function that makes a type, called, or with its first arguments in brackets, as type checkers want it: ``qd.types.vector[3, qd.f32]``."""

    def __init__(self, make: Callable[_P, _T]) -> None:
        functools.update_wrapper(self, make)
        self._make = make

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return self._make(*args, **kwargs)

    def __getitem__(self, key: Any) -> _T:
        make: Callable[..., _T] = self._make
        return make(*key) if isinstance(key, tuple) else make(key)


@TypeMaker
def vector(n: int, dtype: Any = None, *, unpacked: bool = False) -> MatrixType:
    """The type of a vector of `n` components; without a dtype they keep the type that they have. ``unpacked=True`` asks that each component of a
    variable be one of its own, as they always are here."""
    return MatrixType(n, 1, 1, dtype)


@TypeMaker
def matrix(n: int, m: int, dtype: Any = None) -> MatrixType:
    """The type of a matrix of `n` rows and `m` columns; without a dtype its components keep the type that they have."""
    return MatrixType(n, m, 2, dtype)


def struct(**members: Any) -> StructType:
    """The type of a struct with these members."""
    return StructType(members)
