"""Fields and ndarrays: memory that the host and kernels share."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from qdcov import _dtypes, _execution, _runtime
from qdcov._arrays import bounds, exchange, memory
from qdcov._arrays.layout import Element, Layout, StridedLayout
from qdcov._errors import KernelAssertionError, KernelIndexError, KernelRuntimeError, counted, counted_are
from qdcov._scalars.value import Memory
from qdcov._values import matrix_elements
from qdcov._values.matrix import Matrix, fitting


class ElementShape(tuple[int, ...]):
    """The shape of an array's elements: ``x.element_shape`` of the host, and ``x.element_shape()`` of kernels."""

    __slots__ = ()

    def __call__(self) -> list[int]:
        return list(self)


class Array(exchange.Exchange, Memory):
    """Elements of one type by their indices: numbers, vectors or matrices.

    `_data` is a numpy view of the memory, of shape `shape + element_shape` for any layout; `_handle` is the native runtime's handle (None
    on arch=python). `_map`, where it is not None, is called before the host touches `_data`.
    An element of several components shares the memory: ``x[i][0] = 1`` changes it."""

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_data",
        "_gone",
        "_grad",
        "_handle",
        "_map",
        "_offset",
        "_order",
        "_where",
        "dtype",
        "element_shape",
        "shape",
    )
    _kind = "array"

    def __init__(self, element: Element, shape: tuple[int, ...], order: tuple[int, ...] = (), offset: tuple[int, ...] = ()) -> None:
        self.dtype = element.dtype
        self.element_shape = ElementShape(element.shape)
        self.shape = shape
        self._grad: Any = None
        self._order = order or tuple(range(len(shape)))
        self._offset = offset
        self._handle: Any = None
        self._data: npt.NDArray[Any] | None = None
        self._where: tuple[memory.Block, StridedLayout] | None = None
        self._map: Callable[[bool], None] | None = None
        self._gone = "qd.reset() or qd.init() destroys all earlier allocations"

    def _allocate(self, layout: Layout = Layout.AOS) -> None:
        block, (place,) = memory.allocate([self._element], self.shape, layout)
        self._lie(block, place)

    def _native(self, memory: Any, place: StridedLayout) -> Any:
        """The native runtime's handle of an array at this place of its memory."""
        return _runtime.program().ndarray(memory, *self._native_layout(place))

    def _native_layout(self, place: StridedLayout) -> tuple[Any, ...]:
        where = (place.offset, place.stride, place.component_stride)
        order = () if self._order == tuple(range(len(self.shape))) else self._order
        return self.dtype.name, self.shape, self.element_shape, where, order

    def _lie(self, block: memory.Block, place: StridedLayout) -> None:
        """Puts this array at a place of a block."""
        self._handle = None if block.native is None else self._native(block.native, place)
        self._data = block.data(self._element, place, self.shape, self._order)
        self._where = block, place
        _runtime.own(self)
        self._map = block.map()  # behind `own`: see wait_for_streams

    @property
    def _element(self) -> Element:
        return Element(self.dtype, self.element_shape)

    @property
    def n(self) -> int:
        """Rows of an element; the components of a vector."""
        return self.element_shape[0] if self.element_shape else 1

    @property
    def m(self) -> int:
        """Columns of an element; 1 for a vector."""
        return self.element_shape[1] if len(self.element_shape) == 2 else 1

    @property
    def ndim(self) -> int:
        """The number of indices of an element."""
        return len(self.shape)

    @property
    def layout(self) -> tuple[int, ...] | None:
        """The axes in the order of their memory, outermost first; None if that is their own order."""
        return None if self._order in (tuple(range(len(self.shape))), (-1,)) else self._order

    def _live(self, only_reads: bool = False) -> npt.NDArray[Any]:
        """The elements for the host, which may write them unless it said that it only reads."""
        data = self._data  # another thread may call qd.reset while this one waits
        if data is None:
            raise KernelRuntimeError(f"{self!r} is gone: {self._gone}")
        mapped = self._map
        if mapped is not None:
            mapped(only_reads)
        return data

    def _release(self) -> None:
        self._data = None
        if self._handle is not None:
            self._handle.ends()
        self._handle = None
        self._where = None
        self._map = None

    # --- elements ---

    def _numbers(self, key: Any) -> tuple[int, ...]:
        """An index as a number for each axis."""
        index = key if type(key) is tuple else (() if key is None else (key,))
        if len(index) == len(self.shape):
            try:
                return tuple(map(operator.index, index))  # most: the rest takes much longer
            except TypeError:
                pass
        if any(isinstance(i, Matrix) for i in index):
            index = tuple(part for i in index for part in (i if isinstance(i, Matrix) else (i,)))
        if len(index) != len(self.shape):
            have = f"{len(self.shape)}d {self._kind} indexed with {len(index)}d indices"
            raise KernelIndexError(f"{have}: {self!r} has {counted(len(self.shape), 'axis')}, but {counted_are(len(index), 'index')} given")
        if any(isinstance(i, slice) for i in index):
            raise TypeError(
                f"Detected illegal element of type: {slice}. Please be aware that slicing a qd.field is not supported so far: "
                f"to_numpy() and from_numpy() of {self!r} are"
            )
        return tuple(int(i) if isinstance(i, np.bool_) else operator.index(i) for i in index)

    def _index(self, key: Any) -> tuple[int, ...]:
        """The position of an element in `_data`."""
        numbers = self._numbers(key)
        places = tuple(i - o for i, o in zip(numbers, self._offset)) if self._offset else numbers
        for i, n in zip(places, self.shape):
            if not 0 <= i < n:
                raise self._out_of_range(numbers)
        return places

    def _out_of_range(self, numbers: tuple[int, ...]) -> Exception:
        if _execution.inside() and _runtime.bounds():
            return bounds.out_of_range(self, numbers)
        name = f" {name}" if (name := getattr(self, "name", "")) else ""
        offset = f" offset {self._offset}" if self._offset else ""
        message = f"Accessing {self._kind}{name} of size {self.shape}{offset} with indices {numbers}: out of bounds"
        return KernelAssertionError(message) if _runtime.bounds() else IndexError(message)

    def __getitem__(self, key: Any) -> Any:
        _execution.check_element()
        found = self._live(True)[self._index(key)]
        if not self.element_shape:
            return found.item()
        return Matrix._of(found) if self._map is None else matrix_elements.Mapped._at(found, self._map, self._wrote)

    def __setitem__(self, key: Any, value: Any) -> None:
        _execution.check_element()
        self._live()[self._index(key)] = self._fitting(value)
        self._wrote()

    def _wrote(self) -> None:
        """Called when the host has written elements: other libraries that use the memory see them there."""
        where = self._where
        if self._map is not None and where is not None:
            where[0].native.written()

    def _fitting(self, value: Any) -> Any:
        return fitting(value, self.dtype, self.element_shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"len() of {self!r}, which has no axes")
        return self.shape[0]

    def __iter__(self) -> Any:
        raise TypeError(f"{self!r} is iterated in kernels only; on the host use to_numpy()")

    # --- elements in kernels of arch=python ---

    def _load(self, index: Any) -> Any:
        data, place = self._live(), self._index(index)
        fork = _execution.local.fork
        if fork is not None and not self.element_shape:
            fork.claim(self, data, place, "read")
        found = data[place]
        return Matrix._of(found.copy()) if self.element_shape else found

    def _place(self, index: Any) -> Any:
        found = self._live()[self._index(index)]
        return Matrix._of(found) if self.element_shape else found

    def _store(self, index: Any, new: Any) -> None:
        data, place = self._live(), self._index(index)
        fork = _execution.local.fork
        if fork is not None:
            fork.claim(self, data, place, "write")
        data[place] = self._fitting(new)

    def _element_like(self, indices: int) -> Any:
        return Matrix._of(np.ones(self.element_shape, self.dtype.numpy)) if self.element_shape else self.dtype.numpy(1)

    def _ranges(self) -> list[range]:
        starts = self._offset or (0,) * len(self.shape)
        return [range(start, start + n) for start, n in zip(starts, self.shape)]

    # --- all elements ---

    def fill(self, val: Any) -> None:
        """Sets every element to `val`: a number, or a vector or matrix of their shape."""
        self._live()[...] = self._fitting(val)
        self._wrote()

    def to_numpy(self, dtype: Any = None, *, copy: bool | None = True, keep_dims: bool = False) -> npt.NDArray[Any]:
        """The elements as a numpy array of shape `shape + element_shape`: a copy, or with ``copy=False`` a view of the same memory, ValueError where
        that is a device's; None takes a view where it can. `dtype` is the type of the array, without one the field's; `keep_dims` is for fields."""
        data = self._live(copy is True or not self._is_of_host())
        if copy is not True and not self._is_of_host():
            if copy is False:
                raise ValueError("to_numpy(copy=False): the memory is the device's, not the host's")
            copy = True
        if dtype is not None and np.dtype(dtype) != data.dtype:
            if copy is False:
                raise ValueError(f"to_numpy(copy=False) cannot convert {self.dtype} to {np.dtype(dtype)}")
            return data.astype(dtype, order="C")
        return data.copy(order="C") if copy else data

    def _is_of_host(self) -> bool:
        return self._where is None or self._where[0].of_host

    @property
    def grad(self) -> Any:
        """The gradient, an array like this one; None when there is none. ``needs_grad=True`` makes it."""
        return self._grad

    def has_grad(self) -> bool:
        """Whether there is a gradient."""
        return self.grad is not None and getattr(self.grad, "_placed", True)

    def has_dual(self) -> bool:
        """Whether there is a dual."""
        dual = getattr(self, "dual", None)
        return dual is not None and getattr(dual, "_placed", True)

    def from_numpy(self, arr: Any) -> None:
        """Sets every element from `arr`, an array of shape `shape + element_shape`."""
        if isinstance(arr, np.generic):  # what numpy makes of an array without axes
            arr = np.asarray(arr)
        if not isinstance(arr, np.ndarray):
            raise TypeError(f"from_numpy takes a numpy array, not {type(arr).__name__}")
        expected = self.shape + self.element_shape
        if self.m == 1 and self.element_shape and arr.shape in ((*self.shape, self.n), (*self.shape, self.n, 1)):
            arr = arr.reshape(expected)  # vectors as matrices of one column, or the other way round
        if arr.shape != expected:
            raise ValueError(f"Mismatch shape: {expected} expected, but {arr.shape} provided")
        np.copyto(self._live(), arr, casting="unsafe")
        self._wrote()

    def copy_from(self, other: Array) -> None:
        """Sets every element from `other`, a field, an ndarray or a tensor; ValueError for another shape, TypeError for an array of numpy."""
        other = other._unwrap() if hasattr(other, "_unwrap") else other
        if not isinstance(other, Array):
            raise TypeError(f"copy_from takes a field or ndarray, not {type(other).__name__}: from_numpy() copies arrays of numpy")
        self.from_numpy(other._live(True))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.to_numpy(dtype, copy=copy is not False)

    def __repr__(self) -> str:
        of = f", element_shape={self.element_shape}" if self.element_shape else ""
        return f"qd.{self._kind}({self.dtype}, shape={self.shape}{of})"


class Field(Array):
    """Memory that kernels reach by its name, or as a template. Zero when new. A field made without a shape has none before it is placed."""

    __slots__ = ("_companion_of", "_node", "_whole", "dual", "name", "needs_dual", "needs_grad")
    _kind = "field"
    _leaf: ClassVar[Callable[[Field], Any]]  # `placing` sets it: the node of a field

    def __init__(self, element: Element, shape: tuple[int, ...] | None, name: str, order: tuple[int, ...] = (), offset: tuple[int, ...] = ()) -> None:
        super().__init__(element, () if shape is None else shape, order, offset)
        self.name = name
        self.needs_grad = self.needs_dual = False
        self.dual: Field | None = None
        self._companion_of: tuple[weakref.ref[Field], str] | None = None
        self._node: Any = None  # of qd.root, where it was placed in one
        self._whole: Field | None = None  # the field whose component this is
        if shape is None:
            self._order = (-1,)

    def _take(self, kind: str, companion: Field) -> None:
        """Sets the "grad" or the "dual" of this field, with or without memory yet."""
        setattr(self, "_grad" if kind == "grad" else "dual", companion)
        companion._companion_of = weakref.ref(self), kind
        companion._tell()

    def _tell(self) -> None:
        """Tells the native runtime the fields whose gradient or dual this is."""
        if self._handle is None or self._companion_of is None:
            return
        reference, kind = self._companion_of
        of = reference()
        if of is not None and of._handle is not None:
            program = _runtime.program()
            (program.set_grad if kind == "grad" else program.set_dual)(of._handle, self._handle)

    def _native(self, memory: Any, place: StridedLayout) -> Any:
        return _runtime.program().field(memory, *self._native_layout(place), self._offset, self.name)

    def _lie(self, block: memory.Block, place: StridedLayout) -> None:
        super()._lie(block, place)
        self._tell()
        for companion in (self.grad, self.dual):
            if companion is not None:
                companion._tell()

    def _destroy(self) -> None:
        """Ends the field: later uses raise. Launches that have begun go on with its memory."""
        handle, running = self._handle, _runtime.State.running
        self._gone = "tree.destroy() has ended the fields of its tree"
        if handle is not None and running is not None and running.native is not None:
            running.native.destroy(handle)
        self._release()

    def get_scalar_field(self, *indices: int) -> Field:
        """The field of one component of the vectors or matrices, by its row (and its column). It lies in the memory of this field: a change of one is
        a change of the other, on the host and in kernels. Of a field of numbers, which has no indices, the field itself."""
        if len(indices) != len(self.element_shape) and not (len(self.element_shape) == 1 and len(indices) == 2 and indices[1] == 0):
            raise IndexError(f"{self!r} has elements of {counted(len(self.element_shape), 'axis')}, but {counted_are(len(indices), 'index')} given")
        numbers = [operator.index(i) for i in indices[: len(self.element_shape)]]
        if any(not 0 <= i < n for i, n in zip(numbers, self.element_shape)):
            raise IndexError(f"component {tuple(numbers)} of elements of shape {self.element_shape}")
        if not numbers:
            return self
        self._live()
        assert self._where is not None
        block, place = self._where
        component = int(np.ravel_multi_index(numbers, self.element_shape))
        part = Field(Element(self.dtype), self.shape, f"{self.name}[{', '.join(map(str, numbers))}]" if self.name else "", self._order, self._offset)
        part._node, part._whole = self._node, self
        if self._node is not None:
            self._node._add(part, self._offset)
        part._lie(block, StridedLayout(place.offset + component * place.component_stride, place.stride, place.component_stride))
        if part._handle is not None:
            _runtime.program().set_whole(part._handle, self._handle, component)
        for kind, companion in (("grad", self.grad), ("dual", self.dual)):
            if companion is not None and companion._placed:
                part._take(kind, companion.get_scalar_field(*numbers))
        return part

    def _from_first(self) -> Field:
        if not any(self._offset):
            return self
        same = Field(self._element, self.shape, self.name, self._order)
        same._data, same._where, same._map = self._live(True), self._where, self._map
        return same

    def to_numpy(self, dtype: Any = None, *, copy: bool | None = True, keep_dims: bool = False) -> npt.NDArray[Any]:
        """The elements as a numpy array of shape `shape + element_shape`, with `dtype` and `copy` as of an ndarray. Of elements with one column,
        vectors and matrices of n rows, the last axes are (n,), as in Taichi, and (n, 1) with `keep_dims`."""
        found = super().to_numpy(dtype, copy=copy)
        if not self.element_shape or self.m != 1:
            return found
        column = found if len(self.element_shape) == 1 else found[..., 0]
        return column[..., np.newaxis] if keep_dims else column

    def __str__(self) -> str:
        """The elements, as numpy shows them; of a field without memory what `repr` gives."""
        return repr(self) if self._data is None else str(self.to_numpy())

    @property
    def _name(self) -> str:  # as programs for Taichi and Quadrants read it
        return self.name

    @property
    def snode(self) -> Any:
        """The leaf of the tree of nodes that the field is: ``x.snode.parent()`` is the dense node around it."""
        return type(self)._leaf(self)

    def parent(self, n: int = 1) -> Any:
        """The node `n` levels above the field: 1 is the dense node that it is placed in; qd.root at the top, None above that."""
        return self.snode.parent(n)

    def _pickled(self) -> tuple[Any, ...]:
        """The arguments for `making.unpickled_field`, which makes a field like this."""
        companions = tuple(None if f is None or not f._placed else f.to_numpy() for f in (self.grad, self.dual))
        return self.dtype.name, self.element_shape, super().to_numpy(), self.layout, self._offset, self.name, companions

    @property
    def _placed(self) -> bool:
        return self._order != (-1,)

    def _live(self, only_reads: bool = False) -> npt.NDArray[Any]:
        if self._data is None and not self._placed:
            called = f"Field {self.name!r}" if self.name else f"A field of {self.dtype}"
            raise KernelRuntimeError(f"{called} is not placed: give qd.field a shape=, or place it with qd.root.dense(qd.i, n).place(x)")
        return super()._live(only_reads)


class Ndarray(Array):
    """Memory that kernels get as an argument."""

    __slots__ = ()
    _kind = "ndarray"
    _slice: ClassVar[Callable[[Ndarray, slice], Any]]  # `buffer_view` sets it: the view of a part

    def _take_grad(self, gradient: Ndarray) -> None:
        """Sets the gradient, of the same type and shape."""
        self._grad = gradient
        if self._handle is not None:
            _runtime.program().set_grad(self._handle, gradient._handle)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._slice(key)
        return super().__getitem__(key)

    def _load(self, index: Any) -> Any:
        return self._slice(index) if isinstance(index, slice) else super()._load(index)

    def __copy__(self) -> Ndarray:
        copied = new_ndarray(self._element, self.shape, self._order, self.grad is not None)
        copied.copy_from(self)
        if self.grad is not None:
            copied.grad.copy_from(self.grad)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Ndarray:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        grad = None if self.grad is None else self.grad.to_numpy()
        return _restore, (self.dtype.name, self.to_numpy(), len(self.element_shape), self._order, grad)


def _restore(dtype: str, data: npt.NDArray[Any], element_rank: int = 0, order: tuple[int, ...] = (), grad: Any = None) -> Ndarray:
    rank = data.ndim - element_rank
    array = new_ndarray(Element(_dtypes.BY_NAME[dtype], data.shape[rank:]), data.shape[:rank], order, grad is not None)
    array.from_numpy(data)
    if grad is not None:
        array.grad.from_numpy(grad)
    return array


def new_ndarray(element: Element, shape: tuple[int, ...], order: tuple[int, ...], needs_grad: bool) -> Ndarray:
    created = Ndarray(element, shape, order)
    created._allocate()
    if needs_grad:
        created._take_grad(new_ndarray(element, shape, order, False))
    return created


def wait_for_streams(running: _runtime.Running) -> None:
    """Makes the host wait, from now on, for launches that use an array before it touches the array. Until a program makes its first stream, there is
    no need to wait on a device whose launches are over when the call returns."""
    if memory.Streams.of is running:
        return
    with _runtime.State.lock:
        memory.Streams.of = running
        for array in list(_runtime.State.owned):
            if isinstance(array, Array) and array._where is not None:
                array._map = array._where[0].map()


def over(data: npt.NDArray[Any], element: Element) -> Ndarray:
    """An ndarray on the memory of a numpy array, whose last axes are the elements' own."""
    array = Ndarray(element, data.shape[: data.ndim - len(element.shape)])
    array._data = data
    return array
