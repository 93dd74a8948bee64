"""Elements of arrays that are vectors and matrices and need more than their memory."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov import _execution
from qdcov._values.matrix import Matrix


class Clamped(Matrix):
    """An element of an array with boundary="clamp", in a kernel of arch=python: indices of components are moved into it."""

    __slots__ = ()

    @classmethod
    def _at(cls, values: npt.NDArray[Any]) -> Clamped:
        made = object.__new__(cls)
        object.__setattr__(made, "_values", values)
        return made

    def _key(self, key: Any) -> Any:
        keys = key if type(key) is tuple else (key,)
        moved = (k if k is None or isinstance(k, slice) else min(max(operator.index(k), 0), n - 1) for k, n in zip(keys, self._values.shape))
        return super()._key((*moved, *keys[self._values.ndim :]))

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return Clamped._at(found._values) if isinstance(found, Matrix) else found


class Mapped(Matrix):
    """An element of an array whose memory the host may touch between `_to_host` and the next launch only: each use asks for it. `_wrote` is called
    when components have been changed."""

    __slots__ = ("_to_host", "_wrote", "_shared")
    _to_host: Callable[[bool], None]
    _wrote: Callable[[], None]
    _shared: npt.NDArray[Any]

    @classmethod
    def _at(cls, values: npt.NDArray[Any], to_host: Callable[[bool], None], wrote: Callable[[], None]) -> Mapped:
        made = object.__new__(cls)
        object.__setattr__(made, "_shared", values)
        object.__setattr__(made, "_to_host", to_host)
        object.__setattr__(made, "_wrote", wrote)
        return made

    @property
    def _values(self) -> npt.NDArray[Any]:  # type: ignore[override]
        self._to_host(True)
        return self._shared

    def __getitem__(self, key: Any) -> Any:
        found = self._values[self._key(key)]
        return Mapped._at(found, self._to_host, self._wrote) if isinstance(found, np.ndarray) else _execution.outward(found)

    def _set(self, place: Any, values: Any) -> None:
        self._to_host(False)
        self._shared[place] = values
        self._wrote()
