"""Memory layout of elements and their components."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov._dtypes import DataType


class Layout(enum.Enum):
    """AOS: an element's members and components stand together. SOA: each member, or each component of a vector or matrix, has memory of its own."""

    AOS = 0
    SOA = 1


@dataclass(frozen=True)
class Element:
    """The type of an element of an array: a number (`shape` ()), a vector (n,), or a matrix (n, m)."""

    dtype: DataType
    shape: tuple[int, ...] = ()

    @property
    def components(self) -> int:
        return math.prod(self.shape)

    @property
    def size(self) -> int:
        """Bytes of a component."""
        return np.dtype(self.dtype.numpy).itemsize


@dataclass(frozen=True)
class StridedLayout:
    """Layout of an array in a block, in bytes: the first component, the step to the next element on the innermost axis and to the next component."""

    offset: int
    stride: int
    component_stride: int


def together(elements: list[Element], count: int) -> tuple[int, list[StridedLayout]]:
    """AOS: `count` cells of all elements, each aligned as C aligns members. Gives the bytes of all cells, too."""
    offsets, end = [], 0
    for element in elements:
        end = _aligned(end, element.size)
        offsets.append(end)
        end += element.components * element.size
    stride = _aligned(end, max(element.size for element in elements))
    return stride * count, [StridedLayout(at, stride, element.size) for at, element in zip(offsets, elements)]


def apart(elements: list[Element], count: int) -> tuple[int, list[StridedLayout]]:
    """SOA of components: each component of each element has `count` neighbours of its own."""
    places, end = [], 0
    for element in elements:
        end = _aligned(end, 64)
        places.append(StridedLayout(end, element.size, element.size * count))
        end += element.size * count * element.components
    return end, places


def _aligned(at: int, to: int) -> int:
    return -(-at // to) * to


def view(memory: npt.NDArray[np.uint8], element: Element, place: StridedLayout, shape: tuple[int, ...], order: tuple[int, ...]) -> npt.NDArray[Any]:
    """An array of shape `shape + element.shape` on a block's bytes; `order` are the axes, outermost first."""
    strides, stride = [0] * len(shape), place.stride
    for axis in reversed(order):
        strides[axis] = stride
        stride *= shape[axis]
    inside = [place.component_stride * math.prod(element.shape[axis + 1 :]) for axis in range(len(element.shape))]
    made: npt.NDArray[Any] = np.ndarray(shape + element.shape, element.dtype.numpy, memory.data, place.offset, (*strides, *inside))
    return made
