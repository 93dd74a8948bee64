"""Views of a part of a 1-D ndarray."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from qdcov import _dtypes, _execution
from qdcov._arrays.arrays import Ndarray, over
from qdcov._arrays.clamped_arrays import Clamped
from qdcov._arrays.layout import Element
from qdcov._arrays.tensor import unwrapped
from qdcov._errors import KernelAssertionError, KernelRuntimeTypeError, KernelSyntaxError
from qdcov._scalars import callstack
from qdcov._scalars.value import Memory
from qdcov._values.matrix import Matrix


class ViewAnnotation:
    """``qd.BufferView[dtype]``: the annotation of a view of elements of one type; None: of any."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: Any = None) -> None:
        self.dtype = dtype

    def __repr__(self) -> str:
        return "qd.BufferView" if self.dtype is None else f"qd.BufferView[{self.dtype!r}]"


class BufferView(Memory):
    """`size` elements of a 1-D ndarray from `offset` on. ``array[a:b]`` makes one, too; ``view[a:b]`` and `subview` make views of a part."""

    __slots__ = ("arr", "offset", "size")
    arr: Ndarray
    offset: int
    size: int

    def __init__(self, arr: Ndarray, offset: int, size: int) -> None:
        self._set(arr, offset, size)
        length = self.arr.shape[0]
        if not (0 <= self.offset and 0 <= self.size and self.offset + self.size <= length):
            if _execution.inside():
                if _execution.debug():
                    message = f"BufferView construction out of range: offset={self.offset}, size={self.size}, ndarray length={length}."
                    raise KernelAssertionError(f"{message}\n{callstack.text()}")
                self.offset, self.size = max(self.offset, 0), max(self.size, 0)
                return
            raise ValueError(f"BufferView out of range: offset={self.offset}, size={self.size}, ndarray length={length}")

    def __class_getitem__(cls, dtype: Any) -> ViewAnnotation:
        return ViewAnnotation(dtype)

    @classmethod
    def _of(cls, arr: Ndarray, offset: int, size: int) -> BufferView:
        made = object.__new__(cls)
        made._set(arr, offset, size)
        return made

    def _set(self, arr: Any, offset: int, size: int) -> None:
        arr = unwrapped(arr)
        if isinstance(arr, np.ndarray) and _execution.inside():
            arr = over(arr, Element(_dtypes.BY_NUMPY[arr.dtype.type]))
        if isinstance(arr, BufferView):
            raise TypeError("BufferView takes an ndarray, not another BufferView: use view.subview(offset, size) or view[a:b]")
        if not isinstance(arr, Ndarray):
            raise TypeError(f"BufferView takes an ndarray, not {type(arr).__name__}")
        if len(arr.shape) != 1:
            raise TypeError(f"BufferView takes a 1D ndarray, not one of {len(arr.shape)} dimensions")
        if arr.grad is not None:
            raise TypeError("BufferView takes an ndarray without a gradient, not one made with needs_grad=True")
        self.arr = arr
        self.offset, self.size = operator.index(offset), operator.index(size)

    @property
    def shape(self) -> tuple[int]:
        """The number of elements, as a tuple of one."""
        return (self.size,)

    @property
    def ndim(self) -> int:
        """1: views have one axis."""
        return 1

    @property
    def dtype(self) -> _dtypes.DataType:
        """The type of the numbers in the elements."""
        return self.arr.dtype

    @property
    def element_shape(self) -> tuple[int, ...]:
        """The shape of an element: () of a number, (n,) of a vector, (n, m) of a matrix."""
        return self.arr.element_shape

    def get_ndarray(self) -> Ndarray:
        """The ndarray that this is a part of."""
        return self.arr

    def subview(self, offset: Any, size: Any) -> BufferView:
        """`size` elements of this view from `offset` on."""
        at, extent = operator.index(offset), operator.index(size)
        if not (0 <= at and 0 <= extent and at + extent <= self.size):
            if not _execution.inside():
                raise ValueError(f"subview out of range: offset={at}, size={extent}, parent size={self.size}")
            if _execution.debug():
                what = f"subview offset={at}, subview size={extent}, parent size={self.size}."
                raise KernelAssertionError(f"BufferView subview Out Of Range: {callstack.thread()}, {what}\n{callstack.text()}")
            at, extent = max(at, 0), max(extent, 0)
        return BufferView._of(self.arr, self.offset + at, extent)

    # --- elements ---

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self.subview(*span(key, self.size))
        raise TypeError("BufferView indexing on the host requires a slice: view[a:b]; elements are for kernels (or view.get_ndarray())")

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Any:
        raise TypeError("a BufferView is iterated in kernels only")

    def _at(self, index: Any) -> int:
        if isinstance(index, tuple) and len(index) == 1:
            index = index[0]
        at = operator.index(index[0] if isinstance(index, Matrix) else index)
        if _execution.debug() and not 0 <= at < self.size and not isinstance(self.arr, Clamped):
            what = f"got index {at} (offset={self.offset}, size={self.size})."
            raise KernelAssertionError(f"BufferView Out Of Range: {callstack.thread()}, {what}\n{callstack.text()}")
        return self.offset + at

    def _load(self, index: Any) -> Any:
        return self[index] if isinstance(index, slice) else self.arr._load(self._at(index))

    def _place(self, index: Any) -> Any:
        return self.arr._place(self._at(index))

    def _store(self, index: Any, new: Any) -> None:
        self.arr._store(self._at(index), new)

    def _element_like(self, indices: int) -> Any:
        return self.arr._element_like(indices)

    def _is_part_of(self, array: Any) -> bool:
        return self.arr is array

    def _ranges(self) -> list[range]:
        return [range(self.size)]

    def __repr__(self) -> str:
        return f"qd.BufferView({self.arr!r}, offset={self.offset}, size={self.size})"


def check(where: str, view: BufferView) -> None:
    """Raises when a view that a kernel gets is no part of its ndarray: its attributes can be set."""
    numbers = isinstance(view.offset, (int, np.integer)) and isinstance(view.size, (int, np.integer))
    numbers = numbers and not isinstance(view.offset, bool) and not isinstance(view.size, bool) and len(view.arr.shape) == 1
    if not (numbers and 0 <= view.offset and 0 <= view.size and view.offset + view.size <= view.arr.shape[0]):
        what = f"offset={view.offset!r}, size={view.size!r}, ndarray of shape {view.arr.shape!r}"
        raise KernelRuntimeTypeError(f"{where}: BufferView out of range: {what}")


def span(key: slice, length: int) -> tuple[int, int]:
    """Offset and size of a slice ``[a:b]`` of so many elements: on the host by Python's rules for lists, in kernels counted from the start."""
    if key.step is not None and _execution.inside():
        raise KernelSyntaxError("a slice of a BufferView has no explicit step (not even step=1) in a kernel: write view[a:b]")
    if key.step is not None and operator.index(key.step) != 1:
        raise ValueError(f"BufferView slices take step=1, not step={key.step}")
    if not _execution.inside():
        start, stop, _ = key.indices(length)
        return start, max(stop - start, 0)
    start = 0 if key.start is None else operator.index(key.start)
    stop = length if key.stop is None else operator.index(key.stop)
    if not _execution.debug():
        start, stop = min(max(start, 0), length), min(max(stop, 0), length)
    return start, stop - start


def _slice(array: Ndarray, key: slice) -> BufferView:
    return BufferView(array, *span(key, array.shape[0] if array.shape else 0))


Ndarray._slice = _slice
