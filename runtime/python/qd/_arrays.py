"""Fields and ndarrays: memory that the host and kernels share."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from qd import _dtypes, _runtime
from qd._errors import KernelAssertionError, KernelRuntimeError

MAX_RANK = 8


class Array:
    """Dense memory of scalars, in C order. `_data` is a numpy view of it, `_handle` what the native runtime calls it (None on arch=python)."""

    __slots__ = ("__weakref__", "_data", "_handle", "dtype", "shape")
    _kind = "array"

    def __init__(self, dtype: _dtypes.DataType, shape: tuple[int, ...], handle: Any) -> None:
        self.dtype = dtype
        self.shape = shape
        self._handle = handle
        self._data: npt.NDArray[Any] | None = np.zeros(shape, dtype.numpy) if handle is None else handle.numpy()

    @property
    def ndim(self) -> int:
        """How many indices an element has."""
        return len(self.shape)

    def _live(self) -> npt.NDArray[Any]:
        if self._data is None:
            raise KernelRuntimeError(f"{self!r} is gone: qd.reset() or qd.init() destroys what was allocated before")
        return self._data

    def _release(self) -> None:
        self._data = None
        self._handle = None

    def _index(self, key: Any) -> tuple[int, ...]:
        index = key if type(key) is tuple else (() if key is None else (key,))
        if len(index) != len(self.shape):
            raise IndexError(f"{self!r} has {len(self.shape)} axes, but {len(index)} indices were given")
        if any(isinstance(i, slice) for i in index):
            raise TypeError(f"{self!r}: slices are not supported yet; use to_numpy() or from_numpy()")
        numbers = tuple(operator.index(i) for i in index)
        if any(not 0 <= i < n for i, n in zip(numbers, self.shape)):
            message = f"Accessing {self._kind} of size {self.shape} with indices {numbers}"
            raise KernelAssertionError(message) if _runtime.debug() else IndexError(message)
        return numbers

    def __getitem__(self, key: Any) -> Any:
        return self._live()[self._index(key)].item()

    def __setitem__(self, key: Any, value: Any) -> None:
        self._live()[self._index(key)] = _dtypes.convert(value, self.dtype)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"len() of {self!r}, which has no axes")
        return self.shape[0]

    def __iter__(self) -> Any:
        raise TypeError(f"{self!r} is iterated in kernels only; on the host use to_numpy()")

    def fill(self, value: Any) -> None:
        """Sets every element."""
        self._live()[...] = _dtypes.convert(value, self.dtype)

    def to_numpy(self, dtype: Any = None, *, copy: bool | None = True) -> npt.NDArray[Any]:
        """The elements as a numpy array: a copy, or with ``copy=False`` (or None) a view of the same memory."""
        data = self._live()
        if dtype is not None and np.dtype(dtype) != data.dtype:
            if copy is False:
                raise ValueError(f"to_numpy(copy=False) cannot convert {self.dtype} to {np.dtype(dtype)}")
            return data.astype(dtype)
        return data.copy() if copy else data

    def from_numpy(self, array: Any) -> None:
        """Sets every element from an array of the same shape."""
        if not isinstance(array, np.ndarray):
            raise TypeError(f"from_numpy takes a numpy array, not {type(array).__name__}")
        if array.shape != self.shape:
            raise ValueError(f"Mismatch shape: {self.shape} expected, but {array.shape} provided")
        np.copyto(self._live(), array, casting="unsafe")

    def copy_from(self, other: Array) -> None:
        """Sets every element from another field or ndarray of the same shape."""
        self.from_numpy(other._live())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.to_numpy(dtype, copy=copy is not False)

    def __repr__(self) -> str:
        return f"qd.{self._kind}({self.dtype}, shape={self.shape})"


class Field(Array):
    """Memory that kernels reach by its name, or as a template."""

    __slots__ = ("name",)
    _kind = "field"

    def __init__(self, dtype: _dtypes.DataType, shape: tuple[int, ...], name: str, handle: Any) -> None:
        super().__init__(dtype, shape, handle)
        self.name = name


class Ndarray(Array):
    """Memory that kernels get as an argument."""

    __slots__ = ()
    _kind = "ndarray"

    def __copy__(self) -> Ndarray:
        copied = ndarray(self.dtype, self.shape)
        copied.copy_from(self)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Ndarray:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.dtype.name, self.to_numpy())


def _restore(dtype: str, data: npt.NDArray[Any]) -> Ndarray:
    array = ndarray(_dtypes.BY_NAME[dtype], data.shape)
    array.from_numpy(data)
    return array


def _shape(shape: Any) -> tuple[int, ...]:
    try:
        axes = tuple(operator.index(n) for n in shape) if isinstance(shape, (tuple, list)) else (operator.index(shape),)
    except TypeError:
        raise TypeError(f"shape must be an integer or a tuple of integers, not {shape!r}") from None
    if len(axes) > MAX_RANK:
        raise ValueError(f"shape {axes} has {len(axes)} axes; at most {MAX_RANK} are supported")
    if any(n < 0 or n >= 1 << 31 for n in axes):
        raise ValueError(f"shape {axes}: each axis must be between 0 and 2**31 - 1")
    return axes


def field(
    dtype: Any,
    shape: Any = None,
    *,
    order: str | None = None,
    name: str = "",
    offset: Any = None,
    needs_grad: bool = False,
    needs_dual: bool = False,
) -> Field:
    """A new field of scalars, zeroed. ``shape=()`` is a single value, read and set as ``f[None]``."""
    if shape is None:
        raise KernelRuntimeError("qd.field without a shape (placed later with qd.root) is not supported yet: give shape=")
    for option, given in {"order": order, "offset": offset, "needs_grad": needs_grad, "needs_dual": needs_dual}.items():
        if given:
            raise KernelRuntimeError(f"qd.field({option}=...) is not supported yet")
    kind, axes = _dtypes.require(dtype), _shape(shape)
    program = _runtime.program()
    created = Field(kind, axes, name, program.field(kind.name, axes, name) if program else None)
    _runtime.own(created)
    return created


def ndarray(dtype: Any, shape: Any, *, needs_grad: bool = False) -> Ndarray:
    """A new ndarray of scalars, zeroed."""
    if needs_grad:
        raise KernelRuntimeError("qd.ndarray(needs_grad=True) is not supported yet")
    kind, axes = _dtypes.require(dtype), _shape(shape)
    program = _runtime.program()
    created = Ndarray(kind, axes, program.ndarray(kind.name, axes) if program else None)
    _runtime.own(created)
    return created
