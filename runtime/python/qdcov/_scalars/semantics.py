"""Meaning of a kernel's operators on arch=qd.python, on numpy scalars.

A rewritten kernel (`_interpreter.rewrite`) calls these in place of Python's operators, so that types promote, integers wrap and floats round as they
do on a device. Python numbers (constants, captured globals) count as the default types."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._dtypes import BY_NUMPY, DataType, convert, i64, promote, u64
from qdcov._errors import KernelTypeError
from qdcov._execution import Options
from qdcov._scalars import checks
from qdcov._scalars.value import Compound, Memory, lifted


def start() -> None:
    """Forgets conversions that depend on the default types of a run of qd.init."""
    _common.clear()


def value(x: Any) -> Any:
    """A Python number as its scalar in a kernel, a copy of a value with components; everything else unchanged."""
    kind = type(x)
    if kind is float:
        return _dtypes.Defaults.float.numpy(x)
    if kind is int:
        return constant(x)
    if kind is bool:
        return np.bool_(x)
    return x._copy() if isinstance(x, Compound) else x


def constant(x: int) -> Any:
    """An integer constant: of the default type, of i64 or of u64, the first that it fits."""
    for dtype in (_dtypes.Defaults.int, i64, u64):
        if dtype.holds(x):
            return dtype.numpy(x)
    raise KernelTypeError(f"the integer {x} does not fit any type: the largest are i64 and u64")


PLAIN = (int, float, bool)
"""The types of constants. They are as exact as Python has them until they meet a number of a kernel, or are stored."""


def exactly(apply: Callable[..., Any], *operands: Any) -> Any:
    """The result of Python's operator for constants; None if there is none, but the operator of a kernel has one."""
    try:
        result = apply(*operands)
    except (ZeroDivisionError, OverflowError):
        return None
    except (TypeError, ValueError) as error:
        raise KernelTypeError(str(error)) from None
    return result if type(result) in PLAIN else None  # a power may be complex


def values(x: Any) -> Any:
    """The `value` of items in tuples and lists too; constants in there stay constants."""
    if isinstance(x, (tuple, list)):
        make = getattr(type(x), "_make", type(x))  # of a named tuple
        return make(item if type(item) in PLAIN else values(item) for item in x)
    return value(x)


def unpacked(x: Any) -> Any:
    """The values for several targets: items, components, or the members of a struct."""
    members = getattr(x, "_parts", None)
    return values(x) if members is None else members()


def dtype_of(x: Any) -> DataType | None:
    return BY_NUMPY.get(type(x))


_common: dict[tuple[type, type], Any] = {}
"""The numpy type that operands of two Python types meet in; None when one is no number. Learned, as it is the same for most values of a type."""


def both(a: Any, b: Any) -> tuple[Any, Any]:
    """Two operands in their common type; unchanged when one is no number. A Python number is converted at once, without rounding on the way."""
    types = type(a), type(b)
    try:
        common = _common[types]
        if common is None:
            return a, b
        if (types[0] is int and not _dtypes.Defaults.int.holds(a)) or (types[1] is int and not _dtypes.Defaults.int.holds(b)):
            raise OverflowError
        return (a if types[0] is common else common(a)), (b if types[1] is common else common(b))
    except KeyError:
        ta, tb = _operand_types(a, b)
        if ta is None or tb is None:
            _common[types] = None
            return a, b
        dtype = promote(ta, tb)
        usual = _dtypes.Defaults.int  # not every int is one
        if (types[0] is not int or ta is usual) and (types[1] is not int or tb is usual):
            _common[types] = dtype.numpy
    except OverflowError:  # a Python int that does not fit the default
        ta, tb = _operand_types(a, b)
        assert ta is not None and tb is not None
        dtype = promote(ta, tb)
    return convert(a, dtype), convert(b, dtype)


def _operand_types(a: Any, b: Any) -> tuple[DataType | None, DataType | None]:
    """The types of two operands. An integer that fits no integer type is a float beside one."""
    if type(a) is int and isinstance(b, np.floating) and a.bit_length() > 63:
        return dtype_of(b), dtype_of(b)
    if type(b) is int and isinstance(a, np.floating) and b.bit_length() > 63:
        return dtype_of(a), dtype_of(a)
    return dtype_of(value(a)), dtype_of(value(b))


def typed_as_with(x: Any, other: Any) -> Any:
    """`x` in the common type of both."""
    if isinstance(other, Compound) and not isinstance(x, Compound):
        return other._all_of(x)
    if isinstance(x, Compound) and isinstance(other, Compound):
        return x._typed_as_with(other)
    return both(x, other)[0]


def number_typed_as_with(x: Any, other: Any) -> Any:
    """A number in the common type of both; a vector as it is."""
    return x if isinstance(x, Compound) else typed_as_with(x, other)


def one_like(x: Any) -> Any:
    """1 in the type of a number; ones in place of a vector's components; everything else as it is."""
    x = value(x)
    return type(x)(1) if isinstance(x, np.generic) else x._ones() if isinstance(x, Compound) else x


def element_like(x: Any, indices: int) -> Any:
    """A value of the type of an element by so many indices; None when that is not known."""
    if isinstance(x, np.ndarray):
        return x.dtype.type(1)
    if isinstance(x, (Memory, Compound)):
        return x._element_like(indices)
    return np.int32(1) if isinstance(x, tuple) and all(isinstance(item, (int, np.int32)) for item in x) else None


def cast(x: Any, to: Any) -> Any:
    dtype = _dtypes.resolve(to)
    if dtype is None:
        return to._cast(x) if hasattr(to, "_cast") else value(x)
    return x._to(dtype) if isinstance(x, Compound) else convert(x, dtype)


def like(old: Any, new: Any) -> Any:
    """`new` for a variable that holds `old`: a variable keeps the type of its first value."""
    if type(old) is type(new) and isinstance(old, np.generic):
        return new
    if isinstance(old, Compound):
        return old._like(new)
    dtype = dtype_of(old)
    return value(new) if dtype is None else convert(scalar(new), dtype)


def assigned(old: Any, new: Any) -> Any:
    """`new` as the value of a variable that holds `old`; a number is none for all components of a vector."""
    if isinstance(old, Compound) and not isinstance(new, (Compound, list, tuple, dict)):
        raise KernelTypeError(f"a number cannot be assigned to {old._text()}: use fill()")
    if isinstance(old, (Memory, np.ndarray)) and not isinstance(new, (Memory, np.ndarray)):
        raise KernelTypeError("the name stands for an array: a value needs another name")
    return like(old, new)


def scalar(x: Any) -> Any:
    """A number, for a place that holds one."""
    if not isinstance(x, (int, float, np.generic)):
        what = "None" if x is None else f"an object of class '{type(x).__name__}'"
        if isinstance(x, (Compound, list, tuple)):
            what = x._text() if isinstance(x, Compound) else "several values"
        raise KernelTypeError(f"cannot assign {what} to a number")
    return x


def _are_numbers(*operands: Any) -> bool:
    """Numbers of a kernel, not objects of the program."""
    return all(isinstance(operand, np.generic) for operand in operands)


# --- operators -------------------------------------------------------------------------------------------------------


_REFLECTED = {
    "add": "__radd__", "sub": "__rsub__", "mul": "__rmul__", "truediv": "__rtruediv__", "floordiv": "__rfloordiv__", "mod": "__rmod__",
    "pow": "__rpow__", "and_": "__rand__", "or_": "__ror__", "xor": "__rxor__", "lshift": "__rlshift__", "rshift": "__rrshift__",
    "eq": "__eq__", "ne": "__ne__", "lt": "__gt__", "le": "__ge__", "gt": "__lt__", "ge": "__le__",
}  # fmt: skip
"""The method that the right operand has for an operator, by the name of the operator's function."""


def with_object(apply: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """``a op b`` of operands that are no two numbers: an object to the right of a number gets it as it is. numpy would hand on a number of Python."""
    if isinstance(a, np.generic) and not isinstance(b, (np.generic, np.ndarray, int, float, Compound)):
        method = getattr(type(b), _REFLECTED[apply.__name__], None)
        found = NotImplemented if method is None else method(b, a)
        if found is not NotImplemented:
            return found
    return apply(a, b)


_NUMBERS = BY_NUMPY.keys() - {np.bool_}
"""Types of which two numbers of one are operated on as they are."""


def _binary(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operate(a: Any, b: Any) -> Any:
        if type(a) is type(b) and type(a) in _NUMBERS:
            return apply(a, b)
        if type(a) is not type(b) or not isinstance(a, np.generic):
            if type(a) in PLAIN and type(b) in PLAIN and (known := exactly(apply, a, b)) is not None:
                return known
            a, b = both(a, b)
        return apply(a, b) if type(a) is type(b) else with_object(apply, a, b)

    return operate


def check_integers(name: str, a: Any, b: Any) -> None:
    """In debug mode: checks two numbers of one type."""
    if Options.debug:
        checks.integers(name, a, b)


def _arithmetic(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator that has no meaning of its own for u1: its operands become integers."""
    name = apply.__name__

    def operate(x: Any, y: Any) -> Any:
        if type(x) is type(y) and type(x) in _NUMBERS and not Options.debug:
            return apply(x, y)
        if type(x) is not type(y) or not isinstance(x, np.generic):
            if type(x) in PLAIN and type(y) in PLAIN and (known := exactly(apply, x, y)) is not None:
                return known
            x, y = both(x, y)
        if type(x) is np.bool_ and type(y) is np.bool_:
            x, y = convert(x, _dtypes.Defaults.int), convert(y, _dtypes.Defaults.int)
        if Options.debug:
            check_integers(name, x, y)
        return apply(x, y) if type(x) is type(y) else with_object(apply, x, y)

    return operate


def _floor_divided(a: Any, b: Any) -> Any:
    """``a // b``: of floats the quotient, rounded down. Python computes it from the remainder, and its result may be one less."""
    if isinstance(a, np.float16):
        return np.float16(np.floor(np.float32(a) / np.float32(b)))
    return np.floor(a / b) if isinstance(a, np.floating) else operator.floordiv(a, b)


_floor_divided.__name__ = "floordiv"


def _floats(a: Any, b: Any) -> tuple[Any, Any]:
    """Two operands as floats; of two integers each for itself."""
    if all(isinstance(x, (int, np.integer, np.bool_)) for x in (a, b)):
        return convert(a, _dtypes.Defaults.float), convert(b, _dtypes.Defaults.float)
    return both(a, b)


def div(a: Any, b: Any) -> Any:
    if type(a) in PLAIN and type(b) in PLAIN and (known := exactly(operator.truediv, a, b)) is not None:
        return known
    return with_object(operator.truediv, *_floats(a, b))


def shift(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The result has the type of the left operand."""

    def operate(a: Any, b: Any) -> Any:
        if type(a) in PLAIN and type(b) in PLAIN and (known := exactly(apply, a, b)) is not None:
            return known
        a, b = signed(a), value(b)
        if not _are_numbers(a, b):
            return with_object(apply, a, b)
        b = convert(b, BY_NUMPY[type(a)])
        check_integers(apply.__name__, a, b)
        return apply(a, b)

    return lifted(operate)


@lifted
def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """``base ** exponent``, of vectors and matrices component by component. Integers stay integers; in debug mode a negative exponent of one is an
    error. A modulus is for constants."""
    a, b = base, exponent
    if modulus is not None:
        if not all(type(x) in PLAIN for x in (a, b, modulus)):
            raise KernelTypeError("`pow` takes a modulus for constants alone")
        return pow(a, b, modulus)
    if type(a) in PLAIN and type(b) in PLAIN and (known := exactly(operator.pow, a, b)) is not None:
        return known
    if type(b) in (int, bool) and isinstance(a, np.integer) and BY_NUMPY[type(a)].holds(b):
        b = type(a)(b)  # a product of the base: i8 ** 2 is an i8
    a, b = both(a, b)
    if not _are_numbers(a, b):
        return with_object(operator.pow, a, b)
    check_integers("power", a, b)
    if isinstance(a, np.integer) and b < 0:
        # An integer's power is an integer: 1, -1, or 0.
        return convert(1 if a == 1 else (-1 if b % 2 else 1) if a == -1 else 0, BY_NUMPY[type(a)])
    return a**b


add = _arithmetic(operator.add)
sub = _arithmetic(operator.sub)
mul = _arithmetic(operator.mul)
floordiv = _arithmetic(_floor_divided)
mod = _arithmetic(operator.mod)
and_ = _binary(operator.and_)
or_ = _binary(operator.or_)
xor = _binary(operator.xor)
lshift = shift(operator.lshift)
rshift = shift(operator.rshift)
eq = _binary(operator.eq)
ne = _binary(operator.ne)
lt = _binary(operator.lt)
le = _binary(operator.le)
gt = _binary(operator.gt)
ge = _binary(operator.ge)

_EACH = "component by component"
mod.__doc__ = f"``a % b`` with the sign of `b`, as in Python; of vectors and matrices {_EACH}."
and_.__doc__ = f"``a & b`` of integers or truths; of vectors and matrices {_EACH}."
or_.__doc__ = f"``a | b`` of integers or truths; of vectors and matrices {_EACH}."
xor.__doc__ = f"``a ^ b`` of integers or truths; of vectors and matrices {_EACH}."
lshift.__doc__ = f"``a << b`` of integers, in the type of `a`; of vectors and matrices {_EACH}."
rshift.__doc__ = f"``a >> b`` of integers, in the type of `a`: a signed one keeps its sign; of vectors and matrices {_EACH}."


def neg(x: Any) -> Any:
    return -signed(x) if isinstance(x, np.generic) else -x


def pos(x: Any) -> Any:
    return signed(x) if isinstance(x, np.generic) else +x


def signed(x: Any) -> Any:
    """A number of a kernel; u1 becomes an integer."""
    x = value(x)
    return convert(x, _dtypes.Defaults.int) if type(x) is np.bool_ else x


def invert(x: Any) -> Any:
    """``~x`` of an integer; of a truth its opposite."""
    return ~x if type(x) is int else ~value(x)


def float_of(x: Any) -> Any:
    """The operand of a math function: integers become the default float."""
    x = value(x)
    return x if isinstance(x, np.floating) else convert(x, _dtypes.Defaults.float)
