"""arch=qd.python: what the operators of a kernel mean, on numpy scalars.

A rewritten kernel (see `_rewrite`) calls these in place of Python's operators, so that types promote, integers wrap and floats round as they do
on a device. Python numbers (constants, captured globals) count as the default types."""

from __future__ import annotations

import builtins
import itertools
import operator
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from qd import _dtypes
from qd._dtypes import BY_NUMPY, DataType, convert, i64, promote, u1
from qd._errors import KernelSyntaxError, KernelTypeError
from qd._value import Compound, Memory, lifted


class _Local(threading.local):
    depth: int = 0
    iteration: int | None = None  # of the parallel loop around; None outside of one
    serial: bool = False  # the next loop
    arguments: tuple[tuple[str, Any], ...] = ()  # of the running kernel, in debug mode
    random: np.random.Generator | None = None


local = _Local()
_seed = 0
_debug = False
_bounds = False


def start(config: Any) -> None:
    """Takes over the options of qd.init."""
    global _seed, _debug, _bounds, local
    _seed, _debug, _bounds, local = config.random_seed, config.debug, config.check_out_of_bound, _Local()
    _common.clear()
    from qd import _checks

    _checks.start()


def debug() -> bool:
    return _debug


def inside() -> bool:
    """Whether this thread is running a kernel."""
    return local.depth > 0


def iteration() -> int:
    """What messages call the thread: the number of the parallel loop's iteration, 0 in serial code."""
    return local.iteration or 0


def outward(x: Any) -> Any:
    """A scalar as who asked gets it: typed in a kernel, a Python number on the host."""
    return x if local.depth else x.item()


def generator() -> np.random.Generator:
    if local.random is None:
        local.random = np.random.default_rng(_seed)
    return local.random


def value(x: Any) -> Any:
    """A Python number as the scalar that it is in a kernel, a copy of what has components; everything else unchanged."""
    kind = type(x)
    if kind is float:
        return _dtypes.Defaults.float.numpy(x)
    if kind is int:
        return constant(x)
    if kind is bool:
        return np.bool_(x)
    return x._copy() if isinstance(x, Compound) else x


def constant(x: int) -> Any:
    """An integer constant: of the default type, or i64 when it does not fit."""
    bits = _dtypes.Defaults.int.bits
    return convert(x, _dtypes.Defaults.int if -(1 << (bits - 1)) <= x < 1 << (bits - 1) else i64)


def values(x: Any) -> Any:
    """`value`, of what is in tuples and lists too."""
    if type(x) is tuple or type(x) is list:
        return type(x)(values(item) for item in x)
    return value(x)


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
        return (a if types[0] is common else common(a)), (b if types[1] is common else common(b))
    except KeyError:
        ta, tb = dtype_of(value(a)), dtype_of(value(b))
        if ta is None or tb is None:
            _common[types] = None
            return a, b
        dtype = promote(ta, tb)
        if not (int in types and i64 in (ta, tb)):  # not every int is an i64
            _common[types] = dtype.numpy
    except OverflowError:  # a Python int that does not fit
        ta, tb = dtype_of(value(a)), dtype_of(value(b))
        assert ta is not None and tb is not None
        dtype = promote(ta, tb)
    return convert(a, dtype), convert(b, dtype)


def typed_as_with(x: Any, other: Any) -> Any:
    """`x` in the common type of both."""
    return both(x, other)[0]


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


def scalar(x: Any) -> Any:
    """A number, for a place that holds one."""
    if isinstance(x, (Compound, list, tuple)):
        raise KernelTypeError(f"cannot assign {x._text() if isinstance(x, Compound) else 'several values'} to a number")
    return x


# --- operators -------------------------------------------------------------------------------------------------------


def _binary(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operate(a: Any, b: Any) -> Any:
        if type(a) is not type(b) or not isinstance(a, np.generic):
            a, b = both(a, b)
        return apply(a, b)

    return operate


def check_integers(name: str, a: Any, b: Any) -> None:
    """In debug mode: checks two numbers of one type."""
    if _debug:
        from qd import _checks

        _checks.integers(name, a, b)


def _arithmetic(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator that has no meaning of its own for u1: its operands become integers."""
    name = apply.__name__

    def operate(a: Any, b: Any) -> Any:
        if type(a) is not type(b) or not isinstance(a, np.generic):
            a, b = both(a, b)
        if type(a) is np.bool_:
            a, b = convert(a, _dtypes.Defaults.int), convert(b, _dtypes.Defaults.int)
        if _debug:
            check_integers(name, a, b)
        return apply(a, b)

    return operate


def _floats(a: Any, b: Any) -> tuple[Any, Any]:
    a, b = both(a, b)
    if isinstance(a, (np.integer, np.bool_)):
        a, b = convert(a, _dtypes.Defaults.float), convert(b, _dtypes.Defaults.float)
    return a, b


def div(a: Any, b: Any) -> Any:
    return operator.truediv(*_floats(a, b))


def shift(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The result has the type of the left operand."""

    def operate(a: Any, b: Any) -> Any:
        a, b = value(a), value(b)
        b = convert(b, BY_NUMPY[type(a)])
        check_integers(apply.__name__, a, b)
        return apply(a, b)

    return lifted(operate)


@lifted
def power(a: Any, b: Any) -> Any:
    a, b = both(a, b)
    check_integers("power", a, b)
    if isinstance(a, np.integer) and b < 0:
        # An integer's power is an integer: 1, -1, or 0.
        return convert(1 if a == 1 else (-1 if b % 2 else 1) if a == -1 else 0, BY_NUMPY[type(a)])
    return a**b


add = _arithmetic(operator.add)
sub = _arithmetic(operator.sub)
mul = _arithmetic(operator.mul)
floordiv = _arithmetic(operator.floordiv)
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


def neg(x: Any) -> Any:
    return -pos(x)


def pos(x: Any) -> Any:
    x = value(x)
    return convert(x, _dtypes.Defaults.int) if type(x) is np.bool_ else x


def invert(x: Any) -> Any:
    return ~value(x)


# --- memory ----------------------------------------------------------------------------------------------------------


def load(array: Any, index: Any) -> Any:
    if isinstance(array, Memory):
        return array._load(index)
    return array[_inside(array, index)]


def place(array: Any, index: Any) -> Any:
    """An element whose components are assigned to."""
    return array._place(index) if isinstance(array, Memory) else array[_inside(array, index)]


def store(new: Any, array: Any, index: Any) -> None:
    if isinstance(array, Memory):
        array._store(index, new)
    elif isinstance(array, np.ndarray):
        array[_inside(array, index)] = convert(scalar(new), BY_NUMPY[array.dtype.type])
    else:
        array[_inside(array, index)] = new


def _inside(array: Any, index: Any) -> Any:
    """An index of numbers alone; in debug mode it is checked against the array or matrix."""
    numbers = () if index is None else flat(index)
    if _bounds and not isinstance(array, (tuple, list)):
        from qd import _checks

        _checks.indices(array, numbers)
    return numbers


def part(start: Any, stop: Any, step: Any) -> slice:
    """The index ``start:stop:step``."""
    return slice(start, stop, step)


def flat(index: Any) -> Any:
    """An index of numbers alone: a vector stands for its components."""
    if isinstance(index, tuple):
        parts: list[Any] = []
        for part in index:
            parts += part if isinstance(part, Compound) else [part]
        return tuple(parts)
    return tuple(index) if isinstance(index, Compound) else index


def update(array: Any, index: Any, operate: Callable[[Any, Any], Any], operand: Any) -> None:
    """``array[index] op= operand``."""
    store(updated(load(array, index), operate, operand), array, index)


def update_member(owner: Any, name: str, operate: Callable[[Any, Any], Any], operand: Any) -> None:
    """``owner.name op= operand``."""
    store_member(updated(getattr(owner, name), operate, operand), owner, name)


def store_member(new: Any, owner: Any, name: str) -> None:
    """``owner.name = new``."""
    if not isinstance(owner, Compound):
        raise KernelTypeError(f".{name} of {type(owner).__name__} cannot be assigned to in a kernel: it is no struct and no vector")
    setattr(owner, name, new)


def updated(old: Any, operate: Callable[[Any, Any], Any], operand: Any) -> Any:
    """The new value of a place that holds `old`. Operators that are atomic on a device take the operand in the type of the place."""
    if operate in _ATOMIC_OPERATORS:
        operand = like(old, operand)
    return like(old, operate(old, operand))


_ATOMIC_OPERATORS = {add, sub, and_, or_, xor}

ATOMICS: dict[str, Callable[[Any, Any], Any]] = {
    "atomic_add": add,
    "atomic_sub": sub,
    "atomic_mul": mul,
    "atomic_min": lifted(lambda old, new: min(old, new)),
    "atomic_max": lifted(lambda old, new: max(old, new)),
    "atomic_and": and_,
    "atomic_or": or_,
    "atomic_xor": xor,
    "atomic_exchange": lambda old, new: new,
}
"""What an atomic does to the old value, by its name in qd."""


def exchanged(name: str, old: Any, operands: tuple[Any, ...]) -> Any:
    """The value that an atomic leaves in a place that holds `old`."""
    typed = [like(old, operand) for operand in operands]
    if name == "atomic_cas":
        return typed[1] if old == typed[0] else old
    return like(old, ATOMICS[name](old, typed[0]))


def atomic(name: str, array: Any, index: Any, *operands: Any) -> Any:
    """An atomic on an element; gives the old value."""
    old = load(array, index)
    store(exchanged(name, old, operands), array, index)
    return old


def atomic_member(name: str, owner: Any, member: str, *operands: Any) -> Any:
    """An atomic on a component or a member; gives the old value."""
    old = value(getattr(owner, member))
    store_member(exchanged(name, old, operands), owner, member)
    return old


def first(old: Any, _new: Any) -> Any:
    """``first(x, x := ...)``: the value from before the assignment."""
    return old


# --- loops -----------------------------------------------------------------------------------------------------------


def loop_range(*bounds: Any) -> Iterable[Any]:
    if len(bounds) > 2:
        raise KernelSyntaxError("range with a step is not supported in a kernel")
    return [np.int32(i) for i in range(*(int(bound) for bound in bounds))]


def iterate(things: Any) -> Iterable[Any]:
    """What a for statement of a kernel runs over; a field or an array gives its indices."""
    if isinstance(things, Memory):
        return indices(things._ranges())
    if isinstance(things, np.ndarray):
        return indices([range(n) for n in things.shape])
    return things  # type: ignore[no-any-return]


def iterate_in_parallel(things: Any) -> Iterable[Any]:
    """As `iterate`, for a loop that is a parallel one when the function is called at the top level of a kernel."""
    serial, local.serial = local.serial, False
    found = iterate(things)
    return found if serial or local.iteration is not None else _numbered(found)


def _numbered(things: Iterable[Any]) -> Iterable[Any]:
    for local.iteration, thing in enumerate(things):
        yield thing
    local.iteration = None


def indices(axes: list[range]) -> Iterable[Any]:
    """All index tuples of the axes, the last fastest; plain numbers when there is one axis."""
    if len(axes) == 1:
        return [np.int32(i) for i in axes[0]]
    return [tuple(np.int32(i) for i in index) for index in itertools.product(*axes)]


# --- Python's own functions ------------------------------------------------------------------------------------------


@lifted
def to_int(x: Any = 0) -> Any:
    return convert(x, _dtypes.Defaults.int)


@lifted
def to_float(x: Any = 0.0) -> Any:
    return convert(x, _dtypes.Defaults.float)


@lifted
def to_bool(x: Any = False) -> Any:
    return convert(x, u1)


@lifted
def absolute(x: Any) -> Any:
    x = value(x)
    return np.abs(to_int(x) if type(x) is np.bool_ else x)


@lifted
def minimum(*operands: Any) -> Any:
    return _fold(operands, lambda a, b: a if a < b else b)


@lifted
def maximum(*operands: Any) -> Any:
    return _fold(operands, lambda a, b: a if a > b else b)


def some(x: Any) -> Any:
    """any()"""
    return x._any() if isinstance(x, Compound) else builtins.any(x)


def every(x: Any) -> Any:
    """all()"""
    return x._all() if isinstance(x, Compound) else builtins.all(x)


def matmul(a: Any, b: Any) -> Any:
    """``a @ b``"""
    return operator.matmul(a, b)


def _fold(operands: tuple[Any, ...], choose: Callable[[Any, Any], Any]) -> Any:
    if len(operands) < 2:
        raise KernelTypeError("min and max take two or more numbers")
    result = operands[0]
    for operand in operands[1:]:
        result = choose(*both(result, operand))
    return pos(result)


@lifted
def nearest(x: Any) -> Any:
    """round(): ties to even; keeps the type."""
    x = value(x)
    return np.rint(x) if isinstance(x, np.floating) else x


def written(x: Any, spec: str) -> str:
    """A value in a format; without one, floats in as few digits as they need."""
    return format(x, spec) if spec else str(x)


def show(*things: Any, sep: str = " ", end: str = "\n") -> None:
    builtins.print(*(printed(values(thing)) for thing in things), sep=sep, end=end)


def printed(x: Any) -> Any:
    """What print() gets for a value: a float as Python writes it, with the digits that its type needs. numpy has rules of its own, which change."""
    return builtins.float(str(x)) if isinstance(x, (np.float16, np.float32)) else x


class Formatted(builtins.float):
    """A number of f16 or f32 in an f-string or str.format: without a format as `printed`, with one as Python's float."""

    shortest: builtins.float

    def __format__(self, spec: str) -> str:
        return format(builtins.float(self), spec) if spec else str(self.shortest)


def formatted(x: Any) -> Any:
    if not isinstance(x, (np.float16, np.float32)):
        return x
    made = Formatted(x)
    made.shortest = printed(x)
    return made


def float_of(x: Any) -> Any:
    """The operand of a math function: integers become the default float."""
    x = value(x)
    return x if isinstance(x, np.floating) else convert(x, _dtypes.Defaults.float)
