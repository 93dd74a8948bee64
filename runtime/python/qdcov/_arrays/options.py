"""The options that fields and ndarrays are made with, checked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._arrays.layout import Element
from qdcov._errors import KernelSyntaxError
from qdcov._values.matrix_type import MatrixType

MAX_RANK = 12
AXES = "ijklmnopqrst"
"""The letters of the axes."""


def shape_of(shape: Any) -> tuple[int, ...]:
    """The argument shape= as a tuple: of an integer, or of a tuple, a list or a numpy array of integers."""
    try:
        several = isinstance(shape, (tuple, list)) or (isinstance(shape, np.ndarray) and shape.ndim == 1)
        axes = tuple(operator.index(n) for n in shape) if several else (operator.index(shape),)
    except TypeError:
        raise TypeError(f"shape must be an integer or a tuple of integers, not {shape!r}") from None
    if len(axes) > MAX_RANK:
        raise ValueError(f"shape {axes} has {len(axes)} axes; at most {MAX_RANK} are supported")
    if any(n < 0 or n >= 1 << 31 for n in axes):
        raise ValueError(f"shape {axes}: each axis must be between 0 and 2**31 - 1")
    return axes


def name_of(name: Any) -> str:
    """The argument name= of a field."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a str, not {name!r}")
    return name


def order_of(order: str | None, rank: int) -> tuple[int, ...]:
    """The argument order= ("ji": the second axis outermost) as axes, outermost first."""
    if order is None:
        return tuple(range(rank))
    if not isinstance(order, str):
        raise TypeError(f"order must be a str such as 'ji', not {order!r}")
    axes = tuple(AXES.find(letter) for letter in order)
    if sorted(axes) != list(range(rank)):
        if len(axes) != rank:
            wrong = "The dimensionality of shape and order must be the same"
        else:
            wrong = "The axes in order must be different" if len({*axes}) != rank else "Invalid axis"
        raise KernelSyntaxError(f"{wrong}: order={order!r} must name each of the {rank} axes {AXES[:rank]!r} once, outermost first")
    return axes


def offset_of(offset: Any, rank: int) -> tuple[int, ...]:
    """The argument offset= as one number an axis; () when all are 0."""
    if offset is None:
        return ()
    try:
        numbers = tuple(operator.index(o) for o in offset) if isinstance(offset, (tuple, list)) else (operator.index(offset),)
    except TypeError:
        raise TypeError(f"offset must be an integer or a tuple of integers, not {offset!r}") from None
    if any(not -(1 << 31) <= o < 1 << 31 for o in numbers):
        raise ValueError(f"offset={offset}: each number must be of 32 bits")
    if len(numbers) != rank:
        raise KernelSyntaxError(f"The dimensionality of shape and offset must be the same: offset={offset}, but there are {rank} axes")
    return numbers if any(numbers) else ()


def check_no_shape(order: Any, offset: Any) -> None:
    """Refuses order= and offset= of a field without a shape."""
    if order is not None or offset is not None:
        given = "order" if offset is None else "offset"
        raise KernelSyntaxError(f"shape cannot be None when {given} is set; where a field is placed gives it otherwise")


def element_of(dtype: Any) -> Element:
    """The type of an element, from the argument dtype=: a scalar, vector or matrix type."""
    if isinstance(dtype, MatrixType):
        return Element(dtype.dtype, dtype.shape)
    return Element(_dtypes.require(dtype))
