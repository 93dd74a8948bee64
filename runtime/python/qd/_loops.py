"""arch=qd.python: what the loops of a kernel run over, and how long things are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

from qd import _execution
from qd._dtypes import convert, i32
from qd._errors import KernelSyntaxError, KernelTypeError
from qd._value import Memory


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
    serial, _execution.local.serial, _execution.local.block_dim = _execution.local.serial, False, None
    found = iterate(things)
    return found if serial or _execution.local.iteration is not None else _numbered(found)


def singles(indices: Iterable[Any]) -> Iterable[Any]:
    """What ``for (i,) in ...`` unpacks: the index of one axis is a number, where that of several is a tuple."""
    return (index if isinstance(index, (tuple, list)) else (index,) for index in indices)


def _numbered(things: Iterable[Any]) -> Iterable[Any]:
    for _execution.local.iteration, thing in enumerate(things):
        yield thing
    _execution.local.iteration = None  # after a failure it stays, for the message


def indices(axes: list[range]) -> Iterable[Any]:
    """All index tuples of the axes, the last fastest; plain numbers when there is one axis."""
    if len(axes) == 1:
        return [np.int32(i) for i in axes[0]]
    return [tuple(np.int32(i) for i in index) for index in itertools.product(*axes)]
