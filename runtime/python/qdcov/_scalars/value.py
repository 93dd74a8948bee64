"""Values with components, and functions of numbers that apply to each of them."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

from qdcov._errors import KernelTypeError


class Compound:
    """A vector, a matrix or a struct. Assigning one to a variable of a kernel copies it.

    The names have underscores because members of structs may have any other."""

    __slots__ = ()

    def _copy(self) -> Any:
        """A value of its own."""
        raise NotImplementedError

    def fill(self, val: Any) -> None:
        """Sets every component or member."""
        raise NotImplementedError

    def _like(self, new: Any) -> Any:
        """`new` for a place that holds this: in its type, and no part of anything else. Raises KernelTypeError when it does not fit."""
        raise NotImplementedError

    def _ones(self) -> Any:
        """A value of this type whose numbers are 1, or any other that operators work on."""
        return self._copy()

    def _element_like(self, indices: int) -> Any:
        """A value of the type of an element by so many indices; None when there is no such thing."""
        return None

    def _typed_as_with(self, other: Any) -> Any:
        """This in the common type of both."""
        return self

    def _all_of(self, number: Any) -> Any:
        """A value of this shape with `number` in every component; `number` itself where there is no such thing."""
        return number

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        """`function` of the operands, component by component; this is one of them."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def _to(self, dtype: Any) -> Any:
        raise KernelTypeError(f"{self._text()} cannot be cast to {dtype}")

    def _any(self) -> Any:
        raise KernelTypeError(f"any() takes a vector or a matrix, not {self._text()}")

    def _all(self) -> Any:
        raise KernelTypeError(f"all() takes a vector or a matrix, not {self._text()}")

    def _text(self) -> str:
        """The type, for messages."""
        raise NotImplementedError


class Members(types.SimpleNamespace):
    """An argument that is a Python dataclass, with its members for the kernel."""

    def _parts(self) -> list[Any]:
        return list(vars(self).values())


class Callee:
    """A callee whose inside kernels do not know: a func. A method of this kind is called on a `Reference`."""

    def _steps(self, *args: Any, **kwargs: Any) -> Any:
        """The generator by which a thread of a block calls it on arch=qd.python: see `simt._block_threads`."""
        raise NotImplementedError


class Reference:
    """The object that a method is called on: a func gets its other arguments by value."""

    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:
        self.of = of


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers that also takes vectors and matrices, component by component."""

    @functools.wraps(function)
    def apply(*operands: Any, **named: Any) -> Any:
        if named:
            operands = inspect.signature(function).bind(*operands, **named).args
        for operand in operands:
            if isinstance(operand, Compound):
                return operand._map(function, operands)
        return function(*operands)

    return apply


class Made:
    """The base of classes that stand for the program's in kernels: all functions of them are funcs."""

    __slots__ = ()


class Memory:
    """Base of all that kernels index: fields, ndarrays, views."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """True: it exists, with any number of elements."""
        return True

    def _load(self, index: Any) -> Any:
        """The element as a value of its own."""
        raise NotImplementedError

    def _place(self, index: Any) -> Any:
        """The element itself, when it has components: changes of them change the memory."""
        raise NotImplementedError

    def _store(self, index: Any, new: Any) -> None:
        raise NotImplementedError

    def _from_first(self) -> Any:
        """The same elements with indices that begin at 0."""
        return self

    def _is_part_of(self, array: Any) -> bool:
        """Whether this shows elements of another array."""
        return False

    def _ranges(self) -> list[range]:
        """The indices of each axis."""
        raise NotImplementedError

    def _element_like(self, indices: int) -> Any:
        """A value of the type of an element; None when that is not known."""
        return None
