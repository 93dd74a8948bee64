"""Python's own functions in a kernel on arch=qd.python."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._dtypes import convert, u1
from qdcov._errors import KernelTypeError
from qdcov._scalars import callstack
from qdcov._scalars.semantics import PLAIN, add, both, pos, value, values
from qdcov._scalars.value import Compound, Made, lifted


@lifted
def to_int(x: Any = 0, *base: Any) -> Any:
    return _of_text(int, x, *base) if isinstance(x, str) else _dtypes.Defaults.int(_asked(x, "__int__", "__index__"), *base)


@lifted
def to_float(x: Any = 0.0) -> Any:
    return _of_text(float, x) if isinstance(x, str) else convert(_asked(x, "__float__", "__index__"), _dtypes.Defaults.float)


def _asked(x: Any, *methods: str) -> Any:
    """The number that an object of the program gives; everything else as it is."""
    return next((getattr(x, name)() for name in methods if hasattr(type(x), name)), x) if isinstance(x, Made) else x


def _of_text(kind: Callable[..., Any], *arguments: Any) -> Any:
    """The number of a text, as a constant."""
    try:
        return kind(*arguments)
    except (TypeError, ValueError) as error:
        raise KernelTypeError(f"{callstack.place()}{error}") from None


@lifted
def to_bool(x: Any = False) -> Any:
    return bool(x) if isinstance(x, (str, Made)) else convert(x, u1)


@lifted
def absolute(x: Any) -> Any:
    """``abs(x)`` in the type of `x`; of vectors and matrices component by component."""
    if type(x) in (int, float):
        return abs(x)
    x = value(x)
    return np.abs(to_int(x) if type(x) is np.bool_ else x)


@lifted
def minimum(*operands: Any) -> Any:
    """The smallest of two or more numbers, or of a list; of vectors and matrices component by component. The type is the common one.

    A NaN beside a number counts for nothing, as on all devices."""
    return _fold(operands, lambda a, b: a if a < b or b != b else b)


@lifted
def maximum(*operands: Any) -> Any:
    """The largest of two or more numbers, or of a list; of vectors and matrices component by component. The type is the common one.

    A NaN beside a number counts for nothing, as on all devices."""
    return _fold(operands, lambda a, b: a if a > b or b != b else b)


def total(x: Any, start: Any = None) -> Any:
    """sum()"""
    result = start
    for item in x:
        result = number(item) if result is None else add(result, item)
    return 0 if result is None else result


def number(x: Any) -> Any:
    """``+x`` of a number, a vector or a matrix; nothing else is added up or compared."""
    if not isinstance(x, (int, float, np.generic)) and not hasattr(x, "__pos__"):
        raise KernelTypeError(f"{x._text() if isinstance(x, Compound) else type(x).__name__} is not a number")
    return pos(x) if isinstance(x, (int, float, np.generic)) else +x


def some(x: Any) -> Any:
    """any()"""
    return x._any() if isinstance(x, Compound) else builtins.any(x)


def every(x: Any) -> Any:
    """all()"""
    return x._all() if isinstance(x, Compound) else builtins.all(x)


def negation(x: Any) -> Any:
    """``not x`` as a value: of a vector or a matrix, component by component."""
    return np.bool_(not x) if not isinstance(x, Compound) else x._map(lambda component: np.bool_(not component), (x,))


def decider(is_and: bool, x: Any) -> Any:
    """The first operand of ``and`` or ``or``, as the truth for Python: after a vector, the second is evaluated."""
    return is_and if isinstance(x, Compound) else x


def logic(is_and: bool, result: Any, first: Any) -> Any:
    """The value of ``first and second``, given Python's result, and the first operand. Of vectors it is one of u1, component by component."""
    if not isinstance(first, Compound) and not isinstance(result, Compound):
        return result

    def both(a: Any, b: Any) -> Any:
        return np.bool_((a and b) if is_and else (a or b))

    shape = first if isinstance(first, Compound) else result
    return shape._map(both, (first, result))


def matmul(a: Any, b: Any) -> Any:
    """``a @ b``"""
    return operator.matmul(a, b)


def _fold(operands: tuple[Any, ...], choose: Callable[[Any, Any], Any]) -> Any:
    if len(operands) == 1 and not isinstance(operands[0], (int, float, np.generic, Compound)):
        operands = tuple(operands[0])
    elif len(operands) < 2:
        raise KernelTypeError("min and max take two or more numbers, or a list of them")
    kinds = {type(operand) for operand in operands}
    if kinds <= {*PLAIN} and kinds != {bool}:
        return _fold_constants(operands, choose, float in kinds)
    result = operands[0]
    for operand in operands[1:]:
        result = choose(*both(result, operand))
    return number(result)


def _fold_constants(operands: tuple[Any, ...], choose: Callable[[Any, Any], Any], as_float: bool) -> Any:
    result = operands[0]
    for operand in operands[1:]:
        result = result if choose(operand, result) is result else operand
    return float(result) if as_float else int(result)


@lifted
def nearest(x: Any, digits: Any = None) -> Any:
    """round(): ties to even; keeps the type. Digits are for constants."""
    if digits is not None:
        if type(x) not in PLAIN or type(digits) not in PLAIN:
            raise KernelTypeError("`round` takes a number of digits for constants alone")
        return round(x, digits)
    x = value(_asked(x, "__round__"))
    return np.rint(x) if isinstance(x, np.floating) else x


def show(*things: Any, sep: str = " ", end: str = "\n") -> None:
    builtins.print(*(printed(values(thing)) for thing in things), sep=sep, end=end)


def printed(x: Any) -> Any:
    """The text of a value for print(): a float as Python writes it, with the digits that its type needs. numpy has rules of its own, which change."""
    if isinstance(x, (tuple, list)):
        return getattr(type(x), "_make", type(x))(_Inner(item) if isinstance(item, Compound) else printed(item) for item in x)
    if type(x) is dict:
        return {key: _Inner(item) if isinstance(item, Compound) else printed(item) for key, item in x.items()}
    if isinstance(x, (np.float16, np.float32)):
        return builtins.float(str(x))
    return x.item() if isinstance(x, np.generic) else x


class _Inner:
    """A vector, a matrix or a struct in a list: it has the same text as by itself."""

    def __init__(self, of: Compound) -> None:
        self.of = of

    def __repr__(self) -> str:
        return str(self.of)


class Formatted(builtins.float):
    """A number of f16 or f32 in an f-string or str.format: without a format as `printed`, with one as Python's float."""

    shortest: builtins.float

    def __format__(self, spec: str) -> str:
        return format(builtins.float(self), spec) if spec else str(self.shortest)


def formatted(x: Any) -> Any:
    if not isinstance(x, (np.float16, np.float32)):
        return printed(x) if type(x) in (tuple, list, dict) else x
    made = Formatted(x)
    made.shortest = printed(x)
    return made


def written(x: Any, spec: str) -> str:
    """A component or a member of something, in a format."""
    return format(formatted(x), spec)
