"""Bounds checks of arch=qd.python in debug mode: indices that are out of range of a field, an ndarray, a vector or a matrix."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from qdcov import _execution
from qdcov._dtypes import BY_NUMPY
from qdcov._errors import KernelAssertionError
from qdcov._scalars import callstack, checks
from qdcov._scalars.value import Members, Memory
from qdcov._values.matrix_elements import Clamped


class SharedArray(np.ndarray[Any, Any]):
    """The numbers of an array that the threads of a block share (qd.simt)."""


def out_of_range(array: Any, numbers: tuple[int, ...]) -> KernelAssertionError:
    """The error of an access to an element that is not there."""
    lines = callstack.lines()
    if getattr(array, "_kind", "ndarray") == "field":
        offset = f" offset {array._offset}" if array._offset else ""
        what = f"{array.dtype.name} {array.name}" if array.name else array.dtype.name
        message = f"Accessing field ({what}) of size {array.shape}{offset} with indices {numbers}: out of bounds"
        return KernelAssertionError(checks.named(message, lines))
    if isinstance(getattr(array, "_data", array), SharedArray):
        dtype = BY_NUMPY[getattr(array, "_data", array).dtype.type]
        return KernelAssertionError(
            checks.named(f"Accessing SharedArray ({dtype.name}) of size {array.shape} with indices {numbers}: out of bounds", lines)
        )
    number, name = argument(array)
    message = f"[kernel={lines[0][2] if lines else '?'}] Out of bound access to ndarray at arg {number} with indices {list(numbers)}"
    return KernelAssertionError(checks.whole(f"{message}\n{name} has size {array.shape}: out of bounds", lines))


def argument(array: Any) -> tuple[int, str]:
    """The argument of the running kernel that an ndarray is, or is a part of."""
    for number, (name, value) in enumerate(_execution.local.arguments):
        found = _path(name, value, array)
        if found:
            return number, found
    return len(_execution.local.arguments), "the ndarray"


def _path(name: str, value: Any, array: Any) -> str:
    if value is array or (isinstance(value, Memory) and value._is_part_of(array)):
        return name
    parts: dict[str, Any] = vars(value) if isinstance(value, Members) else getattr(value, "members", {})
    if dataclasses.is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return next((found for part, inner in parts.items() if (found := _path(f"{name}.{part}", inner, array))), "")


def indices(array: Any, index: Any) -> None:
    """Checks the indices of an element of a numpy array, or of a component of a vector or matrix."""
    numbers = index if isinstance(index, tuple) else (index,)
    if not all(isinstance(number, (int, np.integer)) for number in numbers):
        return
    if isinstance(array, Clamped):
        return
    shape = array.shape if isinstance(array, np.ndarray) else array._values.shape
    if len(numbers) != len(shape) or all(0 <= i < n for i, n in zip(numbers, shape)):
        return
    numbers = tuple(int(number) for number in numbers)
    if isinstance(array, np.ndarray):
        raise out_of_range(array, numbers)
    text = f"Out of bound access to a [{array.n}, {array.m}] matrix with index [{', '.join(map(str, numbers))}]"
    raise KernelAssertionError(checks.named(text, callstack.lines()))
