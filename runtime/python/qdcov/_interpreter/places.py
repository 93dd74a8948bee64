"""Places on arch=qd.python: elements, components and members that are read and changed."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _execution
from qdcov._arrays import arrays, bounds
from qdcov._arrays.layout import Element
from qdcov._dtypes import BY_NUMPY, convert
from qdcov._errors import KernelTypeError, counted, counted_are
from qdcov._interpreter import claims, objects
from qdcov._scalars import callstack, loops
from qdcov._scalars.builtins import matmul, maximum, minimum
from qdcov._scalars.semantics import add, and_, div, floordiv, like, lshift, mod, mul, or_, power, rshift, scalar, sub, value, xor
from qdcov._scalars.value import Compound, Made, Memory
from qdcov._values.matrix import Matrix
from qdcov.simt._tiles import is_tile


def load(array: Any, index: Any) -> Any:
    if isinstance(array, Memory):
        return array._load(_one_index(index))
    if isinstance(array, Matrix):
        return array[_inside(array, index)]
    if isinstance(array, (list, tuple)):
        return array[index]
    if objects.is_captured(array) and objects.is_constant(index):
        return objects.constant(array[index])
    if isinstance(index, slice) and isinstance(array, np.ndarray):
        return arrays.over(array, Element(BY_NUMPY[array.dtype.type]))._load(index)
    inside = _inside(array, index)
    if isinstance(array, np.ndarray):
        claims.numbers(array, inside, "read")
    return array[inside]


def place(array: Any, index: Any) -> Any:
    """The place of an element whose components are assigned to."""
    return array._place(_one_index(index)) if isinstance(array, Memory) else array[_inside(array, index)]


def store(new: Any, array: Any, index: Any) -> None:
    if isinstance(array, Memory):
        array._store(_one_index(index), new)
    elif isinstance(array, np.ndarray):
        inside = _inside(array, index)
        claims.numbers(array, inside, "write")
        array[inside] = convert(scalar(new), BY_NUMPY[array.dtype.type])
    elif isinstance(array, (list, tuple, dict)):
        raise KernelTypeError(f"a {type(array).__name__} has no elements that can be assigned in a kernel")
    else:
        array[_inside(array, index)] = new


_INDICES = frozenset({int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64})
"""Types of most numbers that index an array."""


def _one_index(index: Any) -> Any:
    """A list as the tuple that it stands for: numpy would take it for several elements."""
    return tuple(index) if type(index) is list else index


def _inside(array: Any, index: Any) -> Any:
    """An index of numbers alone; in debug mode it is checked against the array or matrix."""
    numbers = index if type(index) in _INDICES else () if index is None else flat(_one_index(index))
    if isinstance(array, np.ndarray):
        numbers = _numbers(array, numbers if isinstance(numbers, tuple) else (numbers,))
    if _execution.Options.bounds and not isinstance(array, (tuple, list)):
        bounds.indices(array, numbers)
    return numbers


def _numbers(array: Any, index: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuses an index that numpy would take for a part, a mask or a list of elements: it is none in a kernel."""
    if len(index) != array.ndim:
        raise IndexError(f"the array has {counted(array.ndim, 'axis')}, but {counted_are(len(index), 'index')} given")
    for i in index:
        if type(i) not in _INDICES and not isinstance(i, (int, np.integer, np.bool_)):
            raise KernelTypeError(f"an index is a number, a vector, or a tuple of numbers, not {i!r}")
    if len(index) == 1 and type(index[0]) in _INDICES:
        return index
    return tuple(int(i) if isinstance(i, (bool, np.bool_)) else i for i in index)


def part(start: Any, stop: Any, step: Any) -> slice:
    """The index ``start:stop:step``."""
    return slice(start, stop, step)


class _Filled:
    """An array whose elements all become the same: the one method that arrays have in kernels."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def fill(self, val: Any) -> None:
        for index in loops.iterate(self.array):
            store(val, self.array, index)


_CHANGING = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault", "popitem"}


OUTER = {ast.Add: "_add_outer", ast.Sub: "_subtract_outer"}
"""The method of a tile that ``+= qd.outer(a, b)`` calls, and that of ``-=``."""


def receiver(x: Any, method: str) -> Any:
    """The object that a method is called on. Arrays have methods on the host alone, and containers do not change."""
    if method in OUTER.values() and not is_tile(x):
        what = x._text() if isinstance(x, Compound) else type(x).__name__
        raise KernelTypeError(f"{callstack.place()}`+=` and `-=` with qd.outer(a, b) change a tile, not {what}")
    if isinstance(x, (list, dict)) and method in _CHANGING:
        raise KernelTypeError(f"the method `{method}` of a {type(x).__name__} cannot be called in a kernel: lists and dicts do not change there")
    if objects.is_captured(x) and method != "fill":
        return x
    if isinstance(x, np.ndarray) or (isinstance(x, Memory) and not hasattr(x, "subview")):
        if method == "fill":
            return _Filled(x)
        what = "which has no methods but `fill` in kernels: only its elements can be read and changed there"
        raise KernelTypeError(f"`{method}` is called on an array, {what}")
    return objects.bearer(x, method)


def flat(index: Any) -> Any:
    """An index of numbers alone: a vector stands for its components."""
    if isinstance(index, tuple):
        parts: list[Any] = []
        for part in index:
            parts += part if isinstance(part, Compound) else [part]
        return tuple(parts)
    return tuple(index) if isinstance(index, Compound) else index


def update(array: Any, index: Any, operate: Callable[[Any, Any], Any], operand: Any) -> None:
    """Updates an element: ``array[index] op= operand``."""
    with claims.at_once if operate in _ATOMIC_OPERATORS else claims.one_by_one:
        store(updated(load(array, index), operate, operand), array, index)


def update_member(owner: Any, name: str, operate: Callable[[Any, Any], Any], operand: Any) -> None:
    """Updates a member: ``owner.name op= operand``."""
    store_member(updated(getattr(owner, name), operate, operand), owner, name)


def store_member(new: Any, owner: Any, name: str) -> None:
    """``owner.name = new``."""
    if isinstance(owner, Made):
        objects.set_attribute(owner, name, new)
        return
    if not isinstance(owner, Compound):
        raise KernelTypeError(f".{name} of {type(owner).__name__} cannot be assigned to in a kernel: it is no struct and no vector")
    setattr(owner, name, new)


def updated(old: Any, operate: Callable[[Any, Any], Any], operand: Any) -> Any:
    """The new value of a place that holds `old`. Operators that are atomic on a device take the operand in the type of the place."""
    if isinstance(old, Made):
        return _IN_PLACE[operate](old, operand)
    if isinstance(operand, Made):
        return like(old, operate(old, operand))
    if operate in _ATOMIC_OPERATORS:
        operand = like(old, operand)
    return like(old, operate(old, operand))


_ATOMIC_OPERATORS = {add, sub, and_, or_, xor}

_IN_PLACE: dict[Callable[[Any, Any], Any], Callable[[Any, Any], Any]] = {
    add: operator.iadd, sub: operator.isub, mul: operator.imul, div: operator.itruediv, floordiv: operator.ifloordiv, mod: operator.imod,
    power: operator.ipow, lshift: operator.ilshift, rshift: operator.irshift, and_: operator.iand, or_: operator.ior, xor: operator.ixor,
    matmul: operator.imatmul,
}  # fmt: skip

ATOMICS: dict[str, Callable[[Any, Any], Any]] = {
    "atomic_add": add,
    "atomic_sub": sub,
    "atomic_mul": mul,
    "atomic_min": minimum,
    "atomic_max": maximum,
    "atomic_and": and_,
    "atomic_or": or_,
    "atomic_xor": xor,
    "atomic_exchange": lambda old, new: new,
}
"""Operations of atomics on the old value, by their names in qd."""


def exchanged(name: str, old: Any, operands: tuple[Any, ...]) -> Any:
    """The value that an atomic leaves in a place with the value `old`."""
    typed = [like(old, operand) for operand in operands]
    if name == "atomic_cas":
        return typed[1] if old == typed[0] else old
    return like(old, ATOMICS[name](old, typed[0]))


def atomic(name: str, array: Any, index: Any, *operands: Any) -> Any:
    """An atomic on an element; gives the old value."""
    with claims.at_once:
        old = load(array, index)
        store(exchanged(name, old, operands), array, index)
    return old


def atomic_member(name: str, owner: Any, member: str, *operands: Any) -> Any:
    """An atomic on a component or a member; gives the old value."""
    old = value(getattr(owner, member))
    store_member(exchanged(name, old, operands), owner, member)
    return old


def first(old: Any, _new: Any) -> Any:
    """The value from before the assignment: ``first(x, x := ...)``."""
    return old
