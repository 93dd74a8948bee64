"""Python's operators for vectors and matrices: the scalar operation on each component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov._scalars import builtins, semantics


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

    __add__, __radd__ = _operator(semantics.add)
    __sub__, __rsub__ = _operator(semantics.sub)
    __mul__, __rmul__ = _operator(semantics.mul)
    __truediv__, __rtruediv__ = _operator(semantics.div)
    __floordiv__, __rfloordiv__ = _operator(semantics.floordiv)
    __mod__, __rmod__ = _operator(semantics.mod)
    __pow__, __rpow__ = _operator(semantics.power)
    __and__, __rand__ = _operator(semantics.and_)
    __or__, __ror__ = _operator(semantics.or_)
    __xor__, __rxor__ = _operator(semantics.xor)
    __lshift__, __rlshift__ = _operator(semantics.lshift)
    __rshift__, __rrshift__ = _operator(semantics.rshift)
    __eq__, _ = _operator(semantics.eq)
    __ne__, _ = _operator(semantics.ne)
    __lt__, _ = _operator(semantics.lt)
    __le__, _ = _operator(semantics.le)
    __gt__, _ = _operator(semantics.gt)
    __ge__, _ = _operator(semantics.ge)
    del _

    def __neg__(self) -> Any:
        return self._map(semantics.neg, (self,))

    def __pos__(self) -> Any:
        return self._map(semantics.pos, (self,))

    def __abs__(self) -> Any:
        return self._map(builtins.absolute, (self,))

    def __invert__(self) -> Any:
        return self._map(semantics.invert, (self,))
