"""Arrays of kernels that ask for boundary="clamp"."""

from __future__ import annotations

from typing import Any

from qdcov import _dtypes
from qdcov._arrays.arrays import Array, Ndarray
from qdcov._arrays.layout import Element
from qdcov._values import matrix_elements
from qdcov._values.matrix import Matrix


class Clamped(Ndarray):
    """An ndarray in a kernel of arch=python that asks for boundary="clamp": indices are moved into it."""

    __slots__ = ()

    def _index(self, key: Any) -> tuple[int, ...]:
        return tuple(max(min(i, n - 1), 0) for i, n in zip(self._numbers(key), self.shape))

    def _load(self, index: Any) -> Any:
        found = super()._load(index)
        return matrix_elements.Clamped._at(found._values) if isinstance(found, Matrix) else found

    def _place(self, index: Any) -> Any:
        found = super()._place(index)
        return matrix_elements.Clamped._at(found._values) if isinstance(found, Matrix) else found


def clamped(array: Any) -> Clamped:
    """An ndarray, or a numpy array of numbers, as such a one."""
    own = isinstance(array, Array)
    element = array._element if own else Element(_dtypes.BY_NUMPY[array.dtype.type])
    made = Clamped(element, array.shape, array._order if own else ())
    made._data = array._live() if own else array
    made._map = array._map if own else None
    if own and array.grad is not None:
        made._take_grad(clamped(array.grad))
    return made
