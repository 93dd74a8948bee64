"""Linear algebra of small vectors and matrices, in the type of their components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from qd import _dtypes, _execution
from qd._errors import KernelTypeError
from qd._scalars import semantics


class Linear:
    """Methods of vectors and matrices. Sums are taken from the first component to the last.

    `_values` holds the components; `_of` and `_made` make the vectors and matrices that methods give."""

    __slots__ = ()
    _values: npt.NDArray[Any]

    @classmethod
    def _of(cls, values: npt.NDArray[Any]) -> Any:
        """A vector or a matrix on this very memory."""
        raise NotImplementedError

    @staticmethod
    def _made(values: Any) -> Any:
        """A vector or a matrix of a list of numbers or of rows."""
        raise NotImplementedError

    # --- products ---

    def __matmul__(self, other: Any) -> Any:
        a, b = _operands(self, self._made(other) if isinstance(other, (list, tuple, np.ndarray)) else other, "@")
        # A vector is a column on the right and a row on the left.
        left = a if a.ndim == 2 else a[None, :]
        right = b if b.ndim == 2 else b[:, None]
        if left.shape[1] != right.shape[0]:
            raise KernelTypeError(f"@ needs as many columns on the left as rows on the right, not {_text(self)} and {_text(other)}")
        if a.ndim == b.ndim == 1:
            return _execution.outward(_sum(_times(a, b)))
        if _execution.debug():  # element by element, as a device does it
            product = np.array([[_sum(_times(row, column)) for column in right.T] for row in left], left.dtype)
            return self._of(product[:, 0] if b.ndim == 1 else product[0] if a.ndim == 1 else product)
        product = left[:, 0:1] * right[0:1, :]
        for k in range(1, left.shape[1]):
            product = product + left[:, k : k + 1] * right[k : k + 1, :]
        return self._of(product[:, 0] if b.ndim == 1 else product[0] if a.ndim == 1 else product)

    def __rmatmul__(self, other: Any) -> Any:
        return self._made(other) @ self if isinstance(other, (list, tuple, np.ndarray)) else NotImplemented

    def dot(self, other: Any) -> Any:
        """The sum of the products of components; of vectors."""
        a, b = _vectors(self, other, "dot")
        return _execution.outward(_sum(_times(a, b)))

    def cross(self, other: Any) -> Any:
        """The cross product: a vector of vectors of 3, a number of vectors of 2."""
        a, b = _vectors(self, other, "cross")
        if len(a) == 2:
            return _execution.outward(_minus(_times(a[0], b[1]), _times(a[1], b[0])))
        if len(a) != 3:
            raise KernelTypeError(f"cross takes vectors of 2 or 3, not of {len(a)}")
        return self._of(_minus(_times(a[[1, 2, 0]], b[[2, 0, 1]]), _times(a[[2, 0, 1]], b[[1, 2, 0]])))

    def outer_product(self, other: Any) -> Any:
        """The matrix of the products of every component with every component."""
        a, b = _operands(self, other, "outer_product")
        if a.ndim != 1 or b.ndim != 1:
            raise KernelTypeError(f"outer_product takes vectors, not {_text(self)} and {_text(other)}")
        return self._of(_times(a[:, None], b[None, :]))

    outer = outer_product

    # --- norms ---

    def norm_sqr(self) -> Any:
        """The sum of the squares of the components."""
        return _execution.outward(_sum(_times(self._values, self._values)))

    def norm(self, eps: Any = 0) -> Any:
        """``sqrt(norm_sqr() + eps)``."""
        return _execution.outward(np.sqrt(_squares(self, eps)))

    def norm_inv(self, eps: Any = 0) -> Any:
        """``1 / sqrt(norm_sqr() + eps)``."""
        with np.errstate(all="ignore"):
            squares = _squares(self, eps)
            return _execution.outward(type(squares)(1) / np.sqrt(squares))

    def normalized(self, eps: Any = 0) -> Any:
        """The vector divided by ``norm() + eps``."""
        with np.errstate(all="ignore"):
            length = np.sqrt(_squares(self, 0))
            return self * (type(length)(1) / (length + type(length)(eps)))

    # --- square matrices ---

    def transpose(self) -> Any:
        """Rows as columns; of a vector, a matrix of one row."""
        return self._of(self._values[None, :].copy() if self._values.ndim == 1 else self._values.T.copy())

    def trace(self) -> Any:
        """The sum of the diagonal."""
        return _execution.outward(_sum(np.diagonal(_square(self, "trace"))))

    def determinant(self) -> Any:
        """The determinant of a matrix up to 4x4."""
        with np.errstate(all="ignore"):
            return _execution.outward(_determinant(_small(self, "determinant")))

    def inverse(self) -> Any:
        """The inverse of a matrix up to 4x4, by cofactors."""
        values = _floats(_small(self, "inverse"))
        with np.errstate(all="ignore"):
            scale = values.dtype.type(1) / _determinant(values)
            return self._of(_adjugate(values) * scale)

    # --- reductions ---

    def sum(self) -> Any:
        """The sum of the components."""
        return _execution.outward(_sum(self._values))

    def max(self) -> Any:
        """The largest component."""
        return _execution.outward(semantics.pos(self._values.max()))

    def min(self) -> Any:
        """The smallest component."""
        return _execution.outward(semantics.pos(self._values.min()))

    def any(self) -> Any:
        """Whether some component is not zero."""
        return _execution.outward(np.bool_((self._values != 0).any()))

    def all(self) -> Any:
        """Whether no component is zero."""
        return _execution.outward(np.bool_((self._values != 0).all()))


def _text(thing: Any) -> str:
    return thing._text() if isinstance(thing, Linear) else f"{thing!r}"  # type: ignore[attr-defined]


def _operands(a: Linear, b: Any, name: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The components of both in their common type."""
    if isinstance(b, (list, tuple, np.ndarray)):
        b = a._made(b)
    if not isinstance(b, Linear):
        raise KernelTypeError(f"{name} takes vectors and matrices, not {b!r}")
    kinds = [_dtypes.BY_NUMPY[x._values.dtype.type] for x in (a, b)]
    common = _dtypes.promote(*kinds)
    if common is _dtypes.u1:
        common = _dtypes.Defaults.int
    return _dtypes.converted(a._values, common), _dtypes.converted(b._values, common)


def _vectors(a: Linear, b: Any, name: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    x, y = _operands(a, b, name)
    if x.ndim != 1 or x.shape != y.shape:
        raise KernelTypeError(f"{name} takes two vectors of one length, not {_text(a)} and {_text(b)}")
    return x, y


def _each(operate: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    a, b = np.broadcast_arrays(a, b)
    made = np.empty(a.shape, a.dtype)
    for place in np.ndindex(a.shape):
        made[place] = operate(a[place], b[place])
    return made if made.shape else made[()]


# In debug mode each number is looked at.
def _times(a: Any, b: Any) -> Any:
    return _each(semantics.mul, a, b) if _execution.debug() else a * b


def _plus(a: Any, b: Any) -> Any:
    return _each(semantics.add, a, b) if _execution.debug() else a + b


def _minus(a: Any, b: Any) -> Any:
    return _each(semantics.sub, a, b) if _execution.debug() else a - b


def _sum(values: npt.NDArray[Any]) -> Any:
    parts = list(values.ravel())
    total = semantics.pos(parts[0])
    for part in parts[1:]:
        total = semantics.add(total, part)
    return total


def _floats(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values if np.issubdtype(values.dtype, np.floating) else values.astype(_dtypes.Defaults.float.numpy)


def _squares(of: Linear, eps: Any) -> Any:
    squares = _sum(_floats(of._values) * _floats(of._values))
    return squares + type(squares)(eps)


def _square(of: Linear, name: str) -> npt.NDArray[Any]:
    if of._values.ndim != 2 or of._values.shape[0] != of._values.shape[1]:
        raise KernelTypeError(f"{name} takes a square matrix, not {_text(of)}")
    return of._values


def _small(of: Linear, name: str) -> npt.NDArray[Any]:
    values = _square(of, name)
    if len(values) > 4:
        raise KernelTypeError(f"{name} is there for matrices up to 4x4, not for {_text(of)}")
    return values


def _minor(values: npt.NDArray[Any], row: int, column: int) -> Any:
    rows = [i for i in range(len(values)) if i != row]
    columns = [j for j in range(len(values)) if j != column]
    return _determinant(values[np.ix_(rows, columns)])


def _determinant(values: npt.NDArray[Any]) -> Any:
    """Expanded along the first column."""
    if len(values) == 1:
        return values[0, 0]
    if len(values) == 2:
        return _minus(_times(values[0, 0], values[1, 1]), _times(values[0, 1], values[1, 0]))
    total = _times(values[0, 0], _minor(values, 0, 0))
    for i in range(1, len(values)):
        part = _times(values[i, 0], _minor(values, i, 0))
        total = _minus(total, part) if i % 2 else _plus(total, part)
    return total


def _adjugate(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if len(values) == 1:
        return np.ones_like(values)
    made = np.empty_like(values)
    for i in range(len(values)):
        for j in range(len(values)):
            minor = _minor(values, j, i)
            made[i, j] = -minor if (i + j) % 2 else minor
    return made
