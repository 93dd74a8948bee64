"""Iterables of a kernel's loops, and lengths, on arch=qd.python."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from qdcov import _execution
from qdcov._dtypes import DataType, convert, i32, i64, u32, u64
from qdcov._errors import KernelSyntaxError
from qdcov._scalars.semantics import dtype_of, value
from qdcov._scalars.value import Memory


def loop_range(*bounds: Any) -> Iterable[Any]:
    if len(bounds) > 2:
        raise KernelSyntaxError("Range should have 1 or 2 arguments, found 3: a step is not supported in kernels")
    return indices([Axis.between(*bounds)])


class Axis:
    """The indices of a loop, and the type that it counts in."""

    def __init__(self, numbers: range, counts: DataType) -> None:
        self.numbers, self.counts = numbers, counts

    @staticmethod
    def of_array(numbers: range) -> Axis:
        """An axis of an array. With an offset, indices may be beyond i32."""
        return Axis(numbers, i32 if i32.holds(numbers.stop) else i64)

    @staticmethod
    def between(*bounds: Any) -> Axis:
        """The axis of one bound, the end, or of two. It counts in the type of its bounds: a constant takes that of the other bound where it fits."""
        if len(bounds) == 1:
            bounds = (0, *bounds)
        begin, end = (_count_of(bound) for bound in bounds)
        if _adapts(bounds[0], end):
            counts = end
        elif _adapts(bounds[1], begin):
            counts = begin
        else:
            counts = common_count(begin, end)
        return Axis(range(*(_number_of(bound) for bound in bounds)), counts)

    def __iter__(self) -> Iterator[Any]:
        return map(self.counts.numpy, self.numbers)


def common_count(a: DataType, b: DataType) -> DataType:
    """The type that a loop counts in, by those of its bounds: the wider one; of a signed and an unsigned one i64."""
    if a.is_signed != b.is_signed:
        return i64
    return a if a.bits > b.bits else b


def _count_of(bound: Any) -> DataType:
    """The type that a bound asks for: its own; i64 for u32, so that `i - 1` is a number of the loop's, too; i32 for narrower ones, and for floats."""
    if type(bound) is int:
        for wanted in (i32, i64, u64):
            if wanted.holds(bound):
                return wanted
    own = dtype_of(value(bound))
    return i64 if own is u32 else own if own in (i64, u64) else i32


def _adapts(bound: Any, to: DataType) -> bool:
    return type(bound) is int and to.holds(bound)


def _number_of(bound: Any) -> int:
    return int(bound) if isinstance(bound, (int, np.integer)) else int(convert(bound, i32))


def constant_range(*bounds: Any) -> Iterable[int]:
    """The range of a comprehension, whose numbers are constants."""
    return range(*(int(bound) for bound in bounds))


def length(x: Any) -> Any:
    """The length by len(): of an array or a view a number of the kernel, of values known at compile time a constant."""
    return np.int32(len(x)) if _is_array(x) else len(x)


def measure(x: Any, name: str) -> Any:
    """The value of ``x.shape``, ``x.size`` or ``x.offset``: numbers of the kernel if an array or a view has them, constants elsewhere."""
    found = getattr(x, name)
    if not _is_array(x):
        return found
    return tuple(np.int32(n) for n in found) if name == "shape" else np.int32(found)


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray) or (isinstance(x, Memory) and getattr(x, "_kind", "") != "field")


def iterate(things: Any) -> Iterable[Any]:
    """The iterable of a for statement of a kernel; a field or an array gives its indices."""
    if isinstance(things, Memory):
        return indices([Axis.of_array(numbers) for numbers in things._ranges()])
    if isinstance(things, np.ndarray):
        return indices([Axis.of_array(range(n)) for n in things.shape])
    return things  # type: ignore[no-any-return]


def iterate_in_parallel(things: Any, variables: str | tuple[str, ...] | None) -> Iterable[Any]:
    """The iterable of a loop that is a parallel one when the function is called at the top level of a kernel. `variables`: the names of its loop
    variables, for messages."""
    local = _execution.local
    serial, block_dim, local.serial, local.block_dim = local.serial, local.block_dim, False, None
    found = iterate(things)
    return found if serial or local.iteration is not None else _numbered(found, variables, block_dim or _execution.Options.block_dim)


def singles(indices: Iterable[Any]) -> Iterable[Any]:
    """The iterable of ``for (i,) in ...``: the index of one axis is a number; unpacking needs a tuple."""
    return (index if isinstance(index, (tuple, list)) else (index,) for index in indices)


def _numbered(things: Iterable[Any], variables: str | tuple[str, ...] | None, block_dim: int) -> Iterable[Any]:
    _execution.local.variables, _execution.local.width = variables, block_dim
    for _execution.local.iteration, _execution.local.index in enumerate(things):
        yield _execution.local.index
    _execution.local.iteration = None  # after a failure it stays, for the message


def indices(axes: list[Axis]) -> Iterable[Any]:
    """All index tuples of the axes, the last fastest; plain numbers when there is one axis."""
    if len(axes) == 1:
        return axes[0]
    if not axes:
        return [()]
    return ((first, *others) for first in axes[0] for others in itertools.product(*axes[1:]))
