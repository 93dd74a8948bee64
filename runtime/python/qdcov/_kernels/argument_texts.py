"""Descriptions of kernels' arguments and of the expected ones, for messages."""

from __future__ import annotations

from typing import Any

from qdcov._arrays.arrays import Array
from qdcov._arrays.buffer_view import BufferView
from qdcov._dtypes import DataType
from qdcov._values.matrix import Matrix
from qdcov._values.struct import Struct


def kind_text(dtype: DataType | None, element: tuple[int, ...]) -> str:
    """The type of an element, for messages."""
    name = "" if dtype is None else dtype.name
    if not element:
        return name
    if element[0] < 0:
        return f"{name} {'vectors' if len(element) == 1 else 'matrices'}".strip()
    return f"{name} vector of {element[0]}".strip() if len(element) == 1 else f"{name} {element[0]}x{element[1]} matrix".strip()


def array_text(dtype: DataType | None, rank: int | None, element: tuple[int, ...] | None = ()) -> str:
    """An ndarray, for messages."""
    of = "" if rank is None else f" of {rank} dimension{'' if rank == 1 else 's'}"
    if element:
        return f"ndarray of {kind_text(dtype, element)}{'' if rank is None else ' with' + of[3:]}"
    return f"{'' if dtype is None else dtype.name + ' '}ndarray{of}"


def refused_elements(dtype: Any) -> str:
    """The problem of an array whose elements no kernel has: a numpy dtype, or a buffer's format."""
    way_out = "" if getattr(dtype, "isnative", True) else "; pass x.astype(x.dtype.newbyteorder('=')), a copy in this computer's order of bytes"
    return f"arrays of {dtype} are not supported{way_out}"


def text(given: Any) -> str:
    """An argument, for messages."""
    if given is None:
        return "None"
    if isinstance(given, str):
        return f"str '{given}'"
    if isinstance(given, (bool, int, float)):
        return f"{type(given).__name__} {given}"
    if isinstance(given, (tuple, list)):
        return f"{type(given).__name__} of {len(given)}"
    if isinstance(given, Matrix):
        return kind_text(given.dtype, given.shape)
    if isinstance(given, Struct):
        return f"struct {given._type.name}"
    if isinstance(given, Array):
        return array_text(given.dtype, len(given.shape), given.element_shape).replace("ndarray", given._kind)
    if isinstance(given, BufferView):
        return "BufferView"
    return f"an object of class '{type(given).__name__}'"
