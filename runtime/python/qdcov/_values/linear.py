"""Products of matrices, and reductions of the components of vectors and matrices, in the type of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov import _dtypes, _execution
from qdcov._errors import KernelTypeError
from qdcov._scalars import semantics


class Linear:
    """Methods of vectors and matrices that are operations; the others are funcs of the language (`_library.methods`). Sums are taken from the first
    component to the last.

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

    def transpose(self) -> Any:
        """Rows as columns; of a vector, a matrix of one row."""
        return self._of(self._values[None, :].copy() if self._values.ndim == 1 else self._values.T.copy())

    # --- reductions ---

    def sum(self) -> Any:
        """The sum of the components."""
        return _execution.outward(_sum(self._values))

    def max(self) -> Any:
        """The largest component."""
        return _execution.outward(semantics.pos(np.fmax.reduce(self._values, axis=None)))

    def min(self) -> Any:
        """The smallest component."""
        return _execution.outward(semantics.pos(np.fmin.reduce(self._values, axis=None)))

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


def _each(operate: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    a, b = np.broadcast_arrays(a, b)
    made = np.empty(a.shape, a.dtype)
    for place in np.ndindex(a.shape):
        made[place] = operate(a[place], b[place])
    return made if made.shape else made[()]


# In debug mode each number is looked at.
def _times(a: Any, b: Any) -> Any:
    return _each(semantics.mul, a, b) if _execution.debug() else a * b


def _sum(values: npt.NDArray[Any]) -> Any:
    parts = list(values.ravel())
    total = semantics.pos(parts[0])
    for part in parts[1:]:
        total = semantics.add(total, part)
    return total
