"""Types of vectors and matrices: annotations, element types of fields, and calls that make values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from qdcov import _dtypes
from qdcov._errors import KernelTypeError, counted
from qdcov._values.matrix import Matrix, components


class MatrixType:
    """The type of a vector (`ndim` 1, `m` 1) or of a matrix. ``vec3(1, 2, 3)``, ``vec3(1)`` (all components), ``vec4(vec3_value, 1)`` make values."""

    __slots__ = ("_dtype", "m", "n", "ndim")
    # `_arrays.making` sets them: how arrays of such elements are made.
    _field: ClassVar[Callable[..., Any]]
    _ndarray: ClassVar[Callable[..., Any]]

    def __init__(self, n: int, m: int, ndim: int, dtype: Any) -> None:
        self.n, self.m, self.ndim = _extent(n), _extent(m), ndim
        if dtype is not None:
            _dtypes.require(dtype)
        self._dtype = dtype

    @property
    def dtype(self) -> _dtypes.DataType:
        """The type of a component; Python's int and float are the defaults of qd.init."""
        if self._dtype is None:
            raise KernelTypeError(f"{self!r} does not tell the type of its components: give it one, such as qd.f32")
        return _dtypes.require(self._dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,) of vectors, (n, m) of matrices."""
        return (self.n,) if self.ndim == 1 else (self.n, self.m)

    def get_shape(self) -> tuple[int, ...]:
        """The `shape`."""
        return self.shape

    def __call__(self, *values: Any) -> Matrix:
        if not values:
            raise KernelTypeError(f"{self!r} needs a value: its components, or one number for all of them")
        if self._dtype is None:
            given = Matrix([number for value in values for number in np.ravel(value._values if isinstance(value, Matrix) else value).tolist()])
            return MatrixType(self.n, self.m, self.ndim, given.dtype)(*values)
        if len(values) == 1 and not isinstance(values[0], (Matrix, list, tuple, np.ndarray)):
            return Matrix._of(np.full(self.shape, _dtypes.convert(values[0], self.dtype), self.dtype.numpy))
        flat = np.concatenate([np.ravel(components(v if isinstance(v, (Matrix, list, tuple, np.ndarray)) else [v], self.dtype)) for v in values])
        if flat.size != self.n * self.m:
            raise KernelTypeError(f"{self!r} has {counted(self.n * self.m, 'component')}, {flat.size} given")
        return Matrix._of(flat.astype(self.dtype.numpy).reshape(self.shape))

    def _cast(self, value: Any) -> Matrix:
        """A value in this type; one number fills it."""
        if isinstance(value, (list, tuple, np.ndarray)):
            value = Matrix(value)
        if isinstance(value, Matrix) and value.shape != self.shape:
            raise KernelTypeError(f"{value._text()} is no {self!r}")
        if not isinstance(value, Matrix):
            return self(value)
        return value if self._dtype is None else value.cast(self.dtype)

    def field(self, shape: Any = None, **options: Any) -> Any:
        """A field of such elements; `shape` and the `options` are those of qd.field."""
        return type(self)._field(self, shape, **options)

    def ndarray(self, shape: Any, **options: Any) -> Any:
        """An ndarray of such elements; `shape` and the `options` are those of qd.ndarray."""
        return type(self)._ndarray(self, shape, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatrixType) and (self.shape, self._known()) == (other.shape, other._known())

    def __hash__(self) -> int:
        return hash((self.shape, str(self._known())))

    def _known(self) -> _dtypes.DataType | None:
        return None if self._dtype is None else self.dtype

    def __repr__(self) -> str:
        of = "" if self._dtype is None else f", {self.dtype}"
        return f"qd.types.vector({self.n}{of})" if self.ndim == 1 else f"qd.types.matrix({self.n}, {self.m}{of})"


def _extent(n: Any) -> int:
    try:
        extent = operator.index(n)
    except TypeError:
        raise KernelTypeError(f"the size of a vector or a matrix is an integer, not {n!r}") from None
    if extent < 1:
        raise KernelTypeError(f"the size of a vector or a matrix is at least 1, not {extent}")
    return extent
