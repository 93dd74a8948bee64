"""Types of vectors, matrices and structs: annotations, element types of fields, and calls that make values."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from qd import _dtypes
from qd._errors import KernelTypeError
from qd._matrix import Matrix, components
from qd._value import Compound

if TYPE_CHECKING:
    from qd._decorators import Func
    from qd._struct import Struct


class MatrixType:
    """The type of a vector (`ndim` 1, `m` 1) or of a matrix. ``vec3(1, 2, 3)``, ``vec3(1)`` (all components), ``vec4(vec3_value, 1)`` make values."""

    __slots__ = ("_dtype", "m", "n", "ndim")

    def __init__(self, n: int, m: int, ndim: int, dtype: Any) -> None:
        self.n, self.m, self.ndim = _extent(n), _extent(m), ndim
        _dtypes.require(dtype)
        self._dtype = dtype

    @property
    def dtype(self) -> _dtypes.DataType:
        """The type of a component; Python's int and float are the defaults of qd.init."""
        return _dtypes.require(self._dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.n,) if self.ndim == 1 else (self.n, self.m)

    def __call__(self, *values: Any) -> Matrix:
        if not values:
            raise KernelTypeError(f"{self!r} needs a value: its components, or one number for all of them")
        if len(values) == 1 and not isinstance(values[0], (Matrix, list, tuple, np.ndarray)):
            return Matrix._of(np.full(self.shape, _dtypes.convert(values[0], self.dtype), self.dtype.numpy))
        flat = np.concatenate([np.ravel(components(v if isinstance(v, (Matrix, list, tuple, np.ndarray)) else [v], self.dtype)) for v in values])
        if flat.size != self.n * self.m:
            raise KernelTypeError(f"{self!r} has {self.n * self.m} components, but {flat.size} were given")
        return Matrix._of(flat.astype(self.dtype.numpy).reshape(self.shape))

    def _cast(self, value: Any) -> Matrix:
        """A value in this type; one number fills it."""
        if isinstance(value, (list, tuple, np.ndarray)):
            value = Matrix(value)
        if isinstance(value, Matrix) and value.shape != self.shape:
            raise KernelTypeError(f"{value._text()} is no {self!r}")
        return value.cast(self.dtype) if isinstance(value, Matrix) else self(value)

    def field(self, shape: Any = None, **options: Any) -> Any:
        """A field of such elements."""
        from qd._making import field

        return field(self, shape, **options)

    def ndarray(self, shape: Any, **options: Any) -> Any:
        """An ndarray of such elements."""
        from qd._making import ndarray

        return ndarray(self, shape, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatrixType) and (self.shape, self.dtype) == (other.shape, other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype.name))

    def __repr__(self) -> str:
        if self.ndim == 1:
            return f"qd.types.vector({self.n}, {self.dtype})"
        return f"qd.types.matrix({self.n}, {self.m}, {self.dtype})"


def _extent(n: Any) -> int:
    try:
        extent = operator.index(n)
    except TypeError:
        raise KernelTypeError(f"the size of a vector or a matrix is an integer, not {n!r}") from None
    if extent < 1:
        raise KernelTypeError(f"the size of a vector or a matrix is at least 1, not {extent}")
    return extent


class StructType:
    """The type of a struct: `members` by name, and `methods` that kernels may call. Calling it makes a value; members that are not given are zero."""

    __slots__ = ("members", "methods", "name")

    def __init__(self, members: dict[str, Any], name: str = "Struct", methods: dict[str, Func] | None = None) -> None:
        if not members:
            raise KernelTypeError(f"{name} has no members")
        for member, kind in members.items():
            if not isinstance(kind, (MatrixType, StructType)) and _dtypes.resolve(kind) is None:
                raise KernelTypeError(f"{name}.{member}: {kind!r} is no type of a member; known are scalar types, vectors, matrices and structs")
        self.name = name
        self.members = members
        self.methods: dict[str, Any] = dict(methods or {})

    def __call__(self, *values: Any, **named: Any) -> Struct:
        from qd._struct import Struct

        given = self._bind(values, named)
        return Struct._of(self, {name: element(kind, given[name]) if name in given else zero(kind) for name, kind in self.members.items()})

    def _bind(self, values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        if len(values) > len(self.members):
            raise KernelTypeError(f"{self.name} has {len(self.members)} members, but {len(values)} values were given")
        given = dict(zip(self.members, values))
        for name, value in named.items():
            if name not in self.members:
                raise KernelTypeError(f"{self.name} has no member {name!r}; it has {', '.join(self.members)}")
            if name in given:
                raise KernelTypeError(f"{self.name}: member {name!r} is given twice")
            given[name] = value
        return given

    def _cast(self, value: Any) -> Struct:
        """A value in this type, of a struct with the same members, of a dict of them, or of values in their order."""
        from qd._struct import Struct

        if isinstance(value, Struct):
            value = value._plain()
        if isinstance(value, (list, tuple)):
            return self(*value)
        if not isinstance(value, dict):
            raise KernelTypeError(f"{value!r} is no {self.name}")
        if set(value) - {"__struct_methods"} != set(self.members):
            raise KernelTypeError(f"{self.name} has the members {', '.join(self.members)}, not {', '.join(map(str, value))}")
        return self(**{name: value[name] for name in self.members})

    def field(self, shape: Any = None, **options: Any) -> Any:
        """A field of such structs."""
        from qd._struct_arrays import struct_field

        return struct_field(self, shape, **options)

    def ndarray(self, shape: Any, **options: Any) -> Any:
        """An ndarray of such structs."""
        from qd._struct_arrays import struct_ndarray

        return struct_ndarray(self, shape, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StructType) and (self.name, self.methods) == (other.name, other.methods) and _resolved(self) == _resolved(other)

    def __hash__(self) -> int:
        return hash((self.name, *self.members))

    def __repr__(self) -> str:
        return f"<struct {self.name}: {', '.join(f'{name}: {kind!r}' for name, kind in self.members.items())}>"


def _resolved(kind: StructType) -> list[tuple[str, Any]]:
    return [(name, _dtypes.resolve(member) or member) for name, member in kind.members.items()]


def element(kind: Any, value: Any) -> Any:
    """A value of a scalar, vector, matrix or struct type."""
    if isinstance(kind, (MatrixType, StructType)):
        return kind._cast(value)
    if isinstance(value, (Compound, list, tuple, dict)):
        raise KernelTypeError(f"{value!r} is no number")
    return _dtypes.convert(value, _dtypes.require(kind))


def zero(kind: Any) -> Any:
    """The zero of a type."""
    if isinstance(kind, StructType):
        return kind()
    return kind(0) if isinstance(kind, MatrixType) else _dtypes.convert(0, _dtypes.require(kind))


def vector(n: int, dtype: Any) -> MatrixType:
    """The type of a vector of `n` components."""
    return MatrixType(n, 1, 1, dtype)


def matrix(n: int, m: int, dtype: Any) -> MatrixType:
    """The type of a matrix of `n` rows and `m` columns."""
    return MatrixType(n, m, 2, dtype)


def struct(**members: Any) -> StructType:
    """The type of a struct with these members."""
    return StructType(members)
