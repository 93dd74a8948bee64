"""arch=qd.python: elements, components and members as places that are read, changed and walked over."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from qd import _semantics
from qd._dtypes import BY_NUMPY, convert, i32
from qd._errors import KernelSyntaxError, KernelTypeError
from qd._layout import Element
from qd._semantics import add, and_, like, mul, or_, scalar, sub, value, xor
from qd._value import Compound, Memory, lifted


def load(array: Any, index: Any) -> Any:
    if isinstance(array, Memory):
        return array._load(index)
    if isinstance(index, slice) and isinstance(array, np.ndarray):
        from qd import _arrays

        return _arrays.over(array, Element(BY_NUMPY[array.dtype.type]))._load(index)
    return array[_inside(array, index)]


def place(array: Any, index: Any) -> Any:
    """An element whose components are assigned to."""
    return array._place(index) if isinstance(array, Memory) else array[_inside(array, index)]


def store(new: Any, array: Any, index: Any) -> None:
    if isinstance(array, Memory):
        array._store(index, new)
    elif isinstance(array, np.ndarray):
        array[_inside(array, index)] = convert(scalar(new), BY_NUMPY[array.dtype.type])
    elif isinstance(array, (list, tuple, dict)):
        raise KernelTypeError(f"a {type(array).__name__} has no elements that can be assigned in a kernel")
    else:
        array[_inside(array, index)] = new


def _inside(array: Any, index: Any) -> Any:
    """An index of numbers alone; in debug mode it is checked against the array or matrix."""
    numbers = () if index is None else flat(index)
    if isinstance(array, np.ndarray):
        numbers = _numbers(array, numbers if isinstance(numbers, tuple) else (numbers,))
    if _semantics.bounds() and not isinstance(array, (tuple, list)):
        from qd import _checks

        _checks.indices(array, numbers)
    return numbers


def _numbers(array: Any, index: tuple[Any, ...]) -> tuple[Any, ...]:
    """What numpy would take for a part, a mask or a list of elements is no index of a kernel."""
    if len(index) != array.ndim:
        raise IndexError(f"the array has {array.ndim} axes, but {len(index)} indices were given")
    for i in index:
        if not isinstance(i, (int, np.integer, np.bool_)):
            raise KernelTypeError(f"an index is a number, a vector, or a tuple of numbers, not {i!r}")
    return tuple(int(i) if isinstance(i, (bool, np.bool_)) else i for i in index)


def part(start: Any, stop: Any, step: Any) -> slice:
    """The index ``start:stop:step``."""
    return slice(start, stop, step)


_CHANGING = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault", "popitem"}


def receiver(x: Any, method: str) -> Any:
    """What a method is called on. Arrays have methods on the host alone, and containers do not change."""
    if isinstance(x, (list, dict)) and method in _CHANGING:
        raise KernelTypeError(f"the method `{method}` of a {type(x).__name__} cannot be called in a kernel: lists and dicts do not change there")
    if isinstance(x, np.ndarray) or (isinstance(x, Memory) and not hasattr(x, "subview")):
        raise KernelTypeError(f"`{method}` is called on an array, which has no methods in kernels: only its elements can be read and changed there")
    return x


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
    return [np.int32(i) for i in range(*(bound_of_loop(bound) for bound in bounds))]


def bound_of_loop(bound: Any) -> int:
    """A bound as an i32: loops count in those."""
    if type(bound) is int and not i32.holds(bound):
        raise KernelTypeError("the bound of a loop does not fit i32")
    return int(convert(bound, i32))


def constant_range(*bounds: Any) -> Iterable[int]:
    """The range of a comprehension, whose numbers are constants."""
    return range(*(int(bound) for bound in bounds))


def length(x: Any) -> Any:
    """len(): of an array or a view a number of the kernel, of what is known at compile time a constant."""
    return np.int32(len(x)) if _is_array(x) else len(x)


def measure(x: Any, name: str) -> Any:
    """``x.shape``, ``x.size`` or ``x.offset``: numbers of the kernel where an array or a view has them, constants elsewhere."""
    found = getattr(x, name)
    if not _is_array(x):
        return found
    return tuple(np.int32(n) for n in found) if name == "shape" else np.int32(found)


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray) or (isinstance(x, Memory) and getattr(x, "_kind", "") != "field")


def iterate(things: Any) -> Iterable[Any]:
    """What a for statement of a kernel runs over; a field or an array gives its indices."""
    if isinstance(things, Memory):
        return indices(things._ranges())
    if isinstance(things, np.ndarray):
        return indices([range(n) for n in things.shape])
    return things  # type: ignore[no-any-return]


def iterate_in_parallel(things: Any) -> Iterable[Any]:
    """As `iterate`, for a loop that is a parallel one when the function is called at the top level of a kernel."""
    serial, _semantics.local.serial = _semantics.local.serial, False
    found = iterate(things)
    return found if serial or _semantics.local.iteration is not None else _numbered(found)


def _numbered(things: Iterable[Any]) -> Iterable[Any]:
    for _semantics.local.iteration, thing in enumerate(things):
        yield thing
    _semantics.local.iteration = None  # after a failure it stays, for the message


def indices(axes: list[range]) -> Iterable[Any]:
    """All index tuples of the axes, the last fastest; plain numbers when there is one axis."""
    if len(axes) == 1:
        return [np.int32(i) for i in axes[0]]
    return [tuple(np.int32(i) for i in index) for index in itertools.product(*axes)]
