"""Values of vectors and matrices: components, swizzles, element-wise operators. `linear` has products and reductions,
`_library.methods` norms, determinants and inverses."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from qdcov import _dtypes, _execution
from qdcov._dtypes import BY_NUMPY, DataType
from qdcov._errors import KernelTypeError, counted, counted_are
from qdcov._scalars import builtins, semantics
from qdcov._scalars.value import Compound
from qdcov._values import linear
from qdcov._values.operators import Operators

_OF_FLOATS = {semantics.add: np.add, semantics.sub: np.subtract, semantics.mul: np.multiply, semantics.div: np.true_divide}
"""Operations on floats that numpy does on all components at once."""
SWIZZLES = ("xyzw", "rgba", "stpq")


class Matrix(linear.Linear, Operators, Compound):
    """A vector (`ndim` 1, `m` 1) or a matrix of `n` rows and `m` columns.

    `_values` holds the components, as shape (n,) or (n, m). An element of a field, on the host, shares the field's memory: ``x[i][0] = 1``
    changes the field, and `copy()` gives a value of its own."""

    __slots__ = ("_values",)
    __array_ufunc__ = None  # so that numpy's scalars leave their operators to ours
    __hash__ = None  # type: ignore[assignment]
    _values: npt.NDArray[Any]
    _has_truth: ClassVar[bool] = False  # whether a condition of the host takes one for true; qd.compat sets it
    # `vector` makes these, of the types that `compound` builds on this class.
    zero: ClassVar[Callable[..., Matrix]]
    one: ClassVar[Callable[..., Matrix]]
    unit: ClassVar[Callable[..., Matrix]]
    identity: ClassVar[Callable[..., Matrix]]
    diag: ClassVar[Callable[..., Matrix]]
    rows: ClassVar[Callable[..., Matrix]]
    cols: ClassVar[Callable[..., Matrix]]
    field: ClassVar[Callable[..., Any]]
    ndarray: ClassVar[Callable[..., Any]]

    def __init__(self, arr: Any, dt: Any = None) -> None:
        array = components(arr, None if dt is None else _dtypes.require(dt))
        if array.ndim not in (1, 2) or array.size == 0:
            raise KernelTypeError(f"a vector or a matrix is made of a list of numbers or of rows of the same length, not of {arr!r}")
        object.__setattr__(self, "_values", array)

    @classmethod
    def _of(cls, values: npt.NDArray[Any]) -> Matrix:
        """A matrix on this very memory."""
        made = object.__new__(Matrix)
        object.__setattr__(made, "_values", values)
        return made

    @staticmethod
    def _made(values: Any) -> Matrix:
        return Matrix(values)

    # --- shape and type ---

    @property
    def n(self) -> int:
        """Rows; the components of a vector."""
        return len(self._values)

    @property
    def m(self) -> int:
        """Columns; 1 for a vector."""
        return self._values.shape[1] if self._values.ndim == 2 else 1

    @property
    def ndim(self) -> int:
        """1 for a vector, 2 for a matrix."""
        return self._values.ndim

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,) of a vector, (n, m) of a matrix."""
        return self._values.shape

    def get_shape(self) -> tuple[int, ...]:
        """(n,) of a vector, (n, m) of a matrix: as `shape`."""
        return self._values.shape

    @property
    def dtype(self) -> DataType:
        """The type of the components."""
        return BY_NUMPY[self._values.dtype.type]

    def __len__(self) -> int:
        return self.n

    # --- components ---

    def _key(self, key: Any) -> Any:
        keys = key if type(key) is tuple else (key,)
        shape = self._values.shape
        if key is None or not keys:
            raise IndexError(f"{self._text()} needs an index; None and () are for fields without axes")
        if len(keys) > len(shape):
            raise IndexError(f"{self._text()} has {counted(len(shape), 'axis')}, but {counted_are(len(keys), 'index')} given")
        return tuple([_component(k, extent, self) for k, extent in zip(keys, shape)])

    def __getitem__(self, key: Any) -> Any:
        found = self._values[self._key(key)]
        return Matrix._of(found) if isinstance(found, np.ndarray) else _execution.outward(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        place = self._key(key)
        self._set(place, fitting(value, self.dtype, np.shape(self._values[place])))

    def _set(self, place: Any, values: Any) -> None:
        self._values[place] = values

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self.n))

    def _swizzle(self, name: str) -> list[int]:
        letters = next((s for s in SWIZZLES if set(name) <= set(s)), None) if 0 < len(name) <= 4 and self._values.ndim == 1 else None
        places = [] if letters is None else [letters.index(letter) for letter in name]
        if not places or max(places) >= self.n:
            raise AttributeError(f"{self._text()} has no attribute {name!r}")
        return places

    def __getattr__(self, name: str) -> Any:
        places = self._swizzle(name)
        return _execution.outward(self._values[places[0]]) if len(places) == 1 else Matrix._of(self._values[places])

    def __setattr__(self, name: str, value: Any) -> None:
        places = self._swizzle(name)
        if len(set(places)) != len(places):
            raise KernelTypeError(f"cannot assign to .{name}: a component occurs twice")
        at = places[0] if len(places) == 1 else places
        self._set(at, fitting(value, self.dtype, np.shape(self._values[at])))

    def fill(self, val: Any) -> None:
        """Sets every component to the number `val`. KernelTypeError for a vector or a list: assign it."""
        if isinstance(val, (Matrix, list, tuple, np.ndarray)):
            raise KernelTypeError("fill takes a number, which every component becomes: assign a vector, a matrix or a list with =")
        self._set(..., fitting(val, self.dtype, self._values.shape))

    # --- as a value ---

    def copy(self) -> Matrix:
        """A value of its own."""
        return Matrix._of(self._values.copy())

    __copy__ = _copy = copy

    def __deepcopy__(self, memo: Any) -> Matrix:
        return self.copy()

    def __reduce__(self) -> Any:
        return Matrix, (self._values.copy(),)

    def _like(self, new: Any) -> Any:
        made = np.empty_like(self._values)
        made[...] = fitting(new, self.dtype, made.shape)
        return Matrix._of(made)

    def _ones(self) -> Any:
        return Matrix._of(np.ones_like(self._values))

    def _element_like(self, indices: int) -> Any:
        ones = np.ones(self._values.shape[indices:], self._values.dtype)
        return Matrix._of(ones) if ones.shape else ones[()]

    def _typed_as_with(self, other: Any) -> Any:
        return self._to(_dtypes.promote(self.dtype, other.dtype)) if isinstance(other, Matrix) and other.shape == self.shape else self

    def _all_of(self, number: Any) -> Any:
        """A number in every component; other values unchanged."""
        if not isinstance(number, (int, float, np.generic)):
            return number
        return self._map(lambda own, new: semantics.typed_as_with(new, own), (self, number))

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        if (whole := _OF_FLOATS.get(function)) is not None and all(self._computes_with(o) for o in operands):
            return Matrix._of(whole(*(o._values if isinstance(o, Matrix) else o for o in operands)))
        typed = [Matrix(o) if isinstance(o, (list, tuple, np.ndarray)) else o for o in operands]
        for operand in typed:
            if isinstance(operand, Matrix) and operand.shape != self.shape:
                raise KernelTypeError(f"an element-wise operation takes operands of one shape, not {self._text()} and {operand._text()}")
        columns = [o._values.ravel() if isinstance(o, Matrix) else itertools.repeat(o) for o in typed]
        results = [semantics.value(function(*elements)) for elements in zip(*columns)]
        return Matrix._of(np.array(results, dtype=type(results[0])).reshape(self._values.shape))

    def _computes_with(self, operand: Any) -> bool:
        """Whether numpy computes with both as a kernel does: floats of one type, and constants that become one."""
        own = self._values.dtype
        if own.kind != "f":
            return False
        if isinstance(operand, Matrix):
            return operand._values.dtype == own and operand._values.shape == self._values.shape
        if isinstance(operand, np.generic):
            return operand.dtype == own
        return (type(operand) is float and own in (np.float64, _dtypes.Defaults.float.numpy)) or (type(operand) is int and abs(operand) < 1 << 31)

    def cast(self, dtype: Any) -> Matrix:
        """The same components as the type `dtype`: floats truncate to integers, integers wrap around."""
        return Matrix._of(_dtypes.converted(self._values, _dtypes.require(dtype)))

    _to = cast

    def _any(self) -> Any:
        return self.any()

    def _all(self) -> Any:
        return self.all()

    def to_list(self) -> Any:
        """The components as Python numbers, in lists."""
        return self._values.tolist()

    def to_numpy(self, keep_dims: bool = False) -> npt.NDArray[Any]:
        """The components as a numpy array of shape (n,) or (n, m); `keep_dims` is ignored."""
        return np.array(self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        made: npt.NDArray[Any] = np.array(self._values, dtype)
        return made

    def __bool__(self) -> bool:
        if Matrix._has_truth and not _execution.inside():
            return True
        raise KernelTypeError(f"{self._text()} is neither true nor false: use .all() or .any()")

    # --- text ---

    def _text(self) -> str:
        """The type, for messages."""
        return f"a vector of {self.n}" if self.ndim == 1 else f"a {self.n}x{self.m} matrix"

    def __repr__(self) -> str:
        return f"qd.{'Vector' if self.ndim == 1 else 'Matrix'}({self.to_list()}, dt={self.dtype})"

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, spec: str) -> str:
        """Formats each component."""
        rows = ["[" + ", ".join(builtins.written(x, spec) for x in row) + "]" for row in self._values.reshape(-1, self._values.shape[-1])]
        return rows[0] if self.ndim == 1 else f"[{', '.join(rows)}]"


def _component(key: Any, extent: int, owner: Matrix) -> Any:
    if type(key) is slice:
        return slice(*(None if part is None else operator.index(part) for part in (key.start, key.stop, key.step)))
    at = int(key) if type(key) is np.bool_ else operator.index(key)
    if not 0 <= at < extent:
        raise IndexError(f"Out of bound access to a {list(owner.shape)} matrix with index [{at}]")
    return at


def fitting(value: Any, dtype: DataType, shape: tuple[int, ...]) -> Any:
    """`value` for a place of this type and shape: a number for every component, or as many components as the place has."""
    if isinstance(value, (list, tuple, np.ndarray)):
        value = Matrix(value)
    if not isinstance(value, Matrix):
        return _dtypes.convert(value, dtype)
    if value.shape != shape:
        have = Matrix._of(np.zeros(shape))._text() if shape else "a number"
        raise KernelTypeError(f"cannot assign {value._text()} to {have}")
    return _dtypes.converted(value._values, dtype)


def components(values: Any, dtype: DataType | None) -> npt.NDArray[Any]:
    """The array of a new vector or matrix; without a type, its elements' types are promoted as those of operands are."""
    if isinstance(values, Matrix):
        values = values._values
    if isinstance(values, np.ndarray):
        have = BY_NUMPY.get(values.dtype.type)
        if have is None:
            raise KernelTypeError(f"a vector or a matrix cannot be made of an array of {values.dtype}")
        return _dtypes.converted(values, dtype or have)
    if not isinstance(values, (list, tuple, dict, str)) and hasattr(values, "__iter__"):
        values = list(values)
    if not isinstance(values, (list, tuple)):
        raise KernelTypeError(f"a vector or a matrix is made of a list of numbers or of rows, not of {type(values).__name__}")
    rows = [components(item, dtype) if isinstance(item, (list, tuple, Matrix, np.ndarray)) else semantics.value(item) for item in values]
    if any(isinstance(row, np.ndarray) for row in rows):
        if len({np.shape(row) for row in rows}) != 1:
            raise KernelTypeError(f"the rows of a matrix have one length, not {', '.join(str(np.size(row)) for row in rows)}")
    kinds = [BY_NUMPY.get(row.dtype.type if isinstance(row, (np.ndarray, np.generic)) else type(row)) for row in rows]
    for item, kind in zip(values, kinds):
        if kind is None:
            raise KernelTypeError(f"a component of a vector or a matrix is a number, not {item!r}")
    common = dtype or _common([kind for kind in kinds if kind is not None])
    made: npt.NDArray[Any] = np.empty((len(rows), *np.shape(rows[0])) if rows else 0, common.numpy)
    for i, (row, item) in enumerate(zip(rows, values)):
        # A Python number is converted at once, without rounding on the way.
        made[i] = _dtypes.converted(row, common) if isinstance(row, np.ndarray) else _dtypes.convert(item, common)
    return made


def _common(kinds: list[DataType]) -> DataType:
    common = kinds[0] if kinds else _dtypes.Defaults.float
    for kind in kinds[1:]:
        common = _dtypes.promote(common, kind)
    return common
