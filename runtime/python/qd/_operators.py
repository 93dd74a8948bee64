"""Python's operators for vectors and matrices: the scalar operation on each component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qd import _builtins, _semantics


def _operator(operate: Callable[[Any, Any], Any]) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    def forward(self: Operators, other: Any) -> Any:
        return self._map(operate, (self, other)) if _is_operand(other) else NotImplemented

    def reflected(self: Operators, other: Any) -> Any:
        return self._map(operate, (other, self)) if _is_operand(other) else NotImplemented

    return forward, reflected


def _is_operand(thing: Any) -> bool:
    return isinstance(thing, (Operators, int, float, np.generic, list, tuple, np.ndarray))


class Operators:
    """Operators of a value with components. `_map` gives a function of the components of some operands."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    __add__, __radd__ = _operator(_semantics.add)
    __sub__, __rsub__ = _operator(_semantics.sub)
    __mul__, __rmul__ = _operator(_semantics.mul)
    __truediv__, __rtruediv__ = _operator(_semantics.div)
    __floordiv__, __rfloordiv__ = _operator(_semantics.floordiv)
    __mod__, __rmod__ = _operator(_semantics.mod)
    __pow__, __rpow__ = _operator(_semantics.power)
    __and__, __rand__ = _operator(_semantics.and_)
    __or__, __ror__ = _operator(_semantics.or_)
    __xor__, __rxor__ = _operator(_semantics.xor)
    __lshift__, __rlshift__ = _operator(_semantics.lshift)
    __rshift__, __rrshift__ = _operator(_semantics.rshift)
    __eq__, _ = _operator(_semantics.eq)
    __ne__, _ = _operator(_semantics.ne)
    __lt__, _ = _operator(_semantics.lt)
    __le__, _ = _operator(_semantics.le)
    __gt__, _ = _operator(_semantics.gt)
    __ge__, _ = _operator(_semantics.ge)
    del _

    def __neg__(self) -> Any:
        return self._map(_semantics.neg, (self,))

    def __pos__(self) -> Any:
        return self._map(_semantics.pos, (self,))

    def __abs__(self) -> Any:
        return self._map(_builtins.absolute, (self,))

    def __invert__(self) -> Any:
        return self._map(_semantics.invert, (self,))
