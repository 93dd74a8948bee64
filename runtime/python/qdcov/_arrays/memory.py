"""Allocates blocks of memory for fields and ndarrays, on the device or, on arch=qd.python, in numpy."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov import _runtime
from qdcov._arrays.layout import Element, Layout, StridedLayout, apart, together, view


class Streams:
    """The program that has made a stream, the last one that has."""

    of: _runtime.Running | None = None


class Block:
    """Zeroed bytes that one or several arrays lie in. `native` is the native runtime's memory, None on arch=python. `of_host`: it is memory of the
    host, which may be looked at without a call of `map`; but a launch on a stream may be using it."""

    def __init__(self, size: int) -> None:
        program = _runtime.program()
        self.native: Any = None
        self.of_host = program is None or program.host_memory()
        if program is None:
            self.bytes: npt.NDArray[np.uint8] = np.zeros(size, np.uint8)
        else:
            self.native = program.memory(size)
            self.bytes = self.native.numpy()

    def map(self) -> Callable[[bool], None] | None:
        """The function to call before the host touches `bytes`, with True if it only reads: it waits for launches that use them. None if nothing has
        to be called: as long as launches are over when their call returns."""
        if self.native is None or (self.of_host and Streams.of is not _runtime.State.running):
            return None
        mapped: Callable[[bool], None] = self.native.map
        return mapped

    def data(self, element: Element, place: StridedLayout, shape: tuple[int, ...], order: tuple[int, ...]) -> npt.NDArray[Any]:
        return view(self.bytes, element, place, shape, order)


def allocate(elements: list[Element], shape: tuple[int, ...], layout: Layout = Layout.AOS) -> tuple[Block, list[StridedLayout]]:
    """A block for arrays of one shape: their elements together, or each component apart. A MemoryError when there is no such memory."""
    count = math.prod(shape)
    arrange: Callable[[list[Element], int], tuple[int, list[StridedLayout]]] = together if layout is Layout.AOS else apart
    size, places = arrange(elements, count)
    if size > sys.maxsize:
        raise MemoryError(f"an array of shape {shape} takes {size} bytes, which no address reaches")
    return Block(max(size, 1)), places
