"""Annotations of a kernel's parameters: templates and arrays."""

from __future__ import annotations

from typing import Any

from qdcov import _dtypes
from qdcov._errors import KernelTypeError
from qdcov._near_names import with_near_keywords
from qdcov._values.compound import TypeMaker
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType


class Template:
    """A parameter that the kernel is compiled for: a field, a number, a string, a function, None, or any object.

    `element_type` and `ndim`, and Taichi's names for them, `tensor` and `dim`, tell a reader what is expected; they have no effect."""

    def __init__(self, element_type: Any = object, ndim: int | None = None, *, tensor: Any = None, dim: int | None = None) -> None:
        pass

    def __repr__(self) -> str:
        return "qd.template()"


def template(element_type: Any = object, ndim: int | None = None, *, tensor: Any = None, dim: int | None = None) -> Template:
    """The annotation of a template parameter; ``qd.Template`` means the same. `element_type` and `ndim`, which Taichi calls `tensor` and `dim`, tell
    a reader what is expected, and have no effect."""
    return Template(element_type, ndim, tensor=tensor, dim=dim)


class Ref(Template):
    """A parameter of a func that stands for a variable or an element of the caller, of this type."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = _dtypes.require(dtype)

    def __repr__(self) -> str:
        return f"qd.ref({self.dtype})"


def ref(dtype: Any) -> Ref:
    """The annotation of a func's parameter that is passed by reference: an assignment to it is one to the caller's variable or element.

    It has the meaning of qd.template(); `dtype` tells a reader the expected type."""
    return Ref(dtype)


ANY_EXTENT = -1
"""An extent of elements that the array of a call decides."""


class NDArray:
    """The annotation of an array parameter: ``qd.types.ndarray(dtype, ndim)`` or ``qd.types.NDArray[dtype, ndim]``."""

    __slots__ = ("boundary", "dtype", "element_shape", "ndim", "needs_grad", "struct")

    def __init__(
        self,
        dtype: _dtypes.DataType | None = None,
        ndim: int | None = None,
        element_shape: tuple[int, ...] | None = None,
        needs_grad: bool | None = None,
        struct: Any = None,
        boundary: str = "unsafe",
    ) -> None:
        self.dtype = dtype
        self.ndim = ndim
        self.element_shape = element_shape
        self.needs_grad = needs_grad
        self.struct = struct  # of arrays of structs: their type
        self.boundary = boundary

    def __class_getitem__(cls, key: Any) -> NDArray:
        return ndarray[key]

    def __or__(self, other: None) -> OptionalArray:
        return OptionalArray(self) if other is None else NotImplemented

    __ror__ = __or__

    def __repr__(self) -> str:
        of = f", element_shape={self.element_shape}" if self.element_shape else ""
        of += ", boundary='clamp'" if self.boundary == "clamp" else ""
        return f"qd.types.ndarray(dtype={self.dtype}, ndim={self.ndim}{of})"


class OptionalArray:
    """The annotation of an array parameter for which a call may pass None."""

    __slots__ = ("of",)

    def __init__(self, of: NDArray) -> None:
        self.of = of

    def __repr__(self) -> str:
        return f"{self.of} | None"


@TypeMaker
@with_near_keywords
def ndarray(
    dtype: Any = None,
    ndim: int | None = None,
    element_dim: int | None = None,
    element_shape: tuple[int, ...] | None = None,
    field_dim: None = None,
    needs_grad: bool | None = None,
    boundary: str = "unsafe",
) -> NDArray:
    """The annotation of an array parameter. A call must pass all that is given: `dtype` is the type of an element, a number's, a vector's or a
    matrix's, whose numbers may be of another type in arrays of other libraries; `ndim` the number of indices; `element_shape` (n,) or (n, m) that of
    its elements, and `element_dim` 1 or 2 takes vectors or matrices of any shape; ``needs_grad=True`` takes arrays with a gradient. With
    ``boundary="clamp"`` the kernel reads and writes the nearest element where an index is out of range. `field_dim` was an older name of `ndim`:
    ValueError for a number."""
    if field_dim is not None:
        raise ValueError("The field_dim argument for ndarray type is already deprecated. Please use ndim instead.")
    if element_dim not in (None, 0, 1, 2):
        raise KernelTypeError(f"element_dim is 0, 1 for vectors, or 2 for matrices, not {element_dim!r}")
    given = dtype.shape if isinstance(dtype, MatrixType) else element_shape
    if element_dim is not None and given is not None and len(given) != element_dim:
        raise KernelTypeError(f"element_dim={element_dim} is not that of elements of shape {tuple(given)}")
    if boundary not in ("unsafe", "clamp"):
        raise KernelTypeError(f'boundary is "unsafe" or "clamp", not {boundary!r}')
    if isinstance(dtype, MatrixType):
        if element_shape is not None and tuple(element_shape) != dtype.shape:
            raise KernelTypeError(f"element_shape={element_shape} is not that of {dtype!r}")
        return NDArray(dtype.dtype, ndim, dtype.shape, needs_grad, None, boundary)
    if isinstance(dtype, StructType):
        return NDArray(None, ndim, None, needs_grad, dtype, boundary)
    kind = None if dtype is None else _dtypes.require(dtype)
    if element_shape is None and element_dim:
        element_shape = (ANY_EXTENT,) * element_dim
    if element_shape is None:
        element_shape = () if kind is not None or element_dim == 0 else None
    return NDArray(kind, ndim, None if element_shape is None else tuple(element_shape), needs_grad, None, boundary)


def is_template(annotation: Any) -> bool:
    return isinstance(annotation, Template) or annotation is Template


def as_array(annotation: Any) -> NDArray | None:
    """The array that an annotation asks for, or None."""
    if isinstance(annotation, NDArray):
        return annotation
    if annotation is NDArray or annotation is ndarray:
        return NDArray()
    return None
