"""Tensors: qd.tensor makes fields and ndarrays in one way."""

from __future__ import annotations

import enum
from typing import Any

from qdcov._arrays import making, options, struct_arrays
from qdcov._arrays.arrays import Array, Field, Ndarray
from qdcov._errors import KernelRuntimeError
from qdcov._near_names import with_near_keywords
from qdcov._scalars.value import Memory
from qdcov._values.compound import matrix, vector
from qdcov._values.matrix import Matrix
from qdcov._values.struct import StructType
from qdcov._values.vector import Vector


class Backend(enum.IntEnum):
    """Kind of a qd.tensor: an ndarray (an argument; no compilation for another shape) or a field (known to the kernels compiled for it; faster)."""

    FIELD = 0
    NDARRAY = 1


class Tensor(Memory):
    """An array, whichever back end it has. As the annotation of a parameter: any of them."""

    __slots__ = ("__dict__", "_impl")

    def __init__(self, impl: Any) -> None:
        if not isinstance(impl, (Array, struct_arrays.StructArray)):
            raise TypeError(f"qd.Tensor wraps a field or an ndarray, not {type(impl).__name__}")
        self._impl = impl

    def _unwrap(self) -> Any:
        """The field or ndarray."""
        return self._impl

    def __getattr__(self, name: str) -> Any:
        if name == "_impl":  # not set: a copy or an unpickled one that is being made
            raise AttributeError(name)
        return getattr(self._impl, name)

    # numpy before 2.0 and others look for these in the class.
    def __dlpack__(self, **options: Any) -> Any:
        return self._impl.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._impl.__dlpack_device__()

    @property
    def shape(self) -> tuple[int, ...]:
        """The extent of each axis, whatever the layout."""
        shape: tuple[int, ...] = self._impl.shape
        return shape

    @property
    def grad(self) -> Any:
        """The gradient as a tensor, None when there is none."""
        grad = self._impl.grad
        return None if grad is None or not getattr(grad, "_placed", True) else wrap(grad)

    def has_grad(self) -> bool:
        """Whether there is a gradient."""
        return bool(self._impl.has_grad())

    def has_dual(self) -> bool:
        """Whether there is a dual: a field made with needs_dual=True has one."""
        return bool(self._impl.has_dual())

    @property
    def layout(self) -> tuple[int, ...] | None:
        """The axes in the order of their memory, outermost first; None if that is their own order."""
        layout: tuple[int, ...] | None = self._impl.layout
        return layout

    def __getitem__(self, key: Any) -> Any:
        return self._impl[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._impl[key] = value

    def __len__(self) -> int:
        return len(self._impl)

    def __iter__(self) -> Any:
        return iter(self._impl)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name for name in dir(self._impl) if not name.startswith("_"))})

    def copy_from(self, other: Any) -> None:
        """Sets every element from `other`, an array of the same shape; ValueError for another shape."""
        self._impl.copy_from(unwrapped(other))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._impl.__array__(dtype, copy)

    def __copy__(self) -> Any:
        if not isinstance(self._impl, Ndarray):
            raise KernelRuntimeError(f"{self!r} cannot be copied: make another one and use copy_from()")
        return wrap(self._impl.__copy__())

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        if isinstance(self._impl, Field):
            return _field_tensor, (self._impl._pickled(),)
        if not isinstance(self._impl, Ndarray):
            raise KernelRuntimeError(f"{self!r} cannot be pickled: use to_numpy()")
        return wrap, (self._impl,)

    def _load(self, index: Any) -> Any:
        return self._impl._load(index)

    def _place(self, index: Any) -> Any:
        return self._impl._place(index)

    def _store(self, index: Any, new: Any) -> None:
        self._impl._store(index, new)

    def _ranges(self) -> list[range]:
        ranges: list[range] = self._impl._ranges()
        return ranges

    def __repr__(self) -> str:
        return f"qd.{type(self).__name__}({self._impl!r})"


class VectorTensor(Tensor):
    """An array of vectors."""

    __slots__ = ()


class MatrixTensor(Tensor):
    """An array of matrices."""

    __slots__ = ()


def wrap(impl: Any) -> Tensor:
    """The tensor that `impl`, a field or an ndarray, is."""
    if isinstance(impl, Tensor):
        return impl
    kinds = {1: VectorTensor, 2: MatrixTensor}
    return kinds.get(len(getattr(impl, "element_shape", ())), Tensor)(impl)


def unwrapped(thing: Any) -> Any:
    """The array of `thing`, a tensor; everything else as it is."""
    return thing._impl if isinstance(thing, Tensor) else thing


@with_near_keywords
def tensor(dtype: Any, shape: Any, backend: Backend = Backend.NDARRAY, layout: Any = None, needs_grad: bool = False) -> Tensor:
    """A new array, zeroed, of the kind `backend`. `dtype` is a scalar, vector, matrix or struct type, `shape` the number of elements along each axis.

    ``needs_grad=True`` makes one of the same shape, `grad`. `layout` are the axes as they lie in memory, outermost first,
    ``(1, 0)`` for columns that lie together; shape and indices stay the same."""
    axes = options.shape_of(shape)
    order = None
    if layout is not None:
        numbers = tuple(layout)
        if sorted(numbers) != list(range(len(axes))):
            raise ValueError(f"layout={layout} must name each of the {len(axes)} axes once, outermost first")
        order = "".join(options.AXES[n] for n in numbers)
    try:
        backend = Backend(backend)
    except ValueError:
        raise ValueError(f"backend is qd.Backend.NDARRAY or qd.Backend.FIELD, not {backend!r}") from None
    if backend is Backend.FIELD:
        return wrap(making.field(dtype, axes, order=order, needs_grad=needs_grad))
    if isinstance(dtype, StructType):
        if order is not None:
            raise KernelRuntimeError("qd.tensor(layout=...) of structs is there for backend=qd.Backend.FIELD alone")
        return wrap(dtype.ndarray(axes, needs_grad=needs_grad))
    return wrap(making.ndarray(dtype, axes, needs_grad=needs_grad, order=order))


def _field_tensor(pickled: tuple[Any, ...]) -> Tensor:
    """A new field like one that was pickled, as a tensor."""
    return wrap(making.unpickled_field(*pickled))


def vector_tensor(n: int, dtype: Any, shape: Any, **options: Any) -> Tensor:
    """A tensor of vectors of `n` components of the type `dtype`; `shape` and the `options` are those of qd.tensor."""
    return tensor(vector(n, dtype), shape, **options)


def matrix_tensor(n: int, m: int, dtype: Any, shape: Any, **options: Any) -> Tensor:
    """A tensor of matrices of `n` rows and `m` columns of the type `dtype`; `shape` and the `options` are those of qd.tensor."""
    return tensor(matrix(n, m, dtype), shape, **options)


_constructors: dict[Any, Any] = {Vector: vector_tensor, Matrix: matrix_tensor}
for _class, _function in _constructors.items():
    _class.tensor = staticmethod(_function)
