"""What stands in the annotations of a kernel's parameters: templates and arrays."""

from __future__ import annotations

from typing import Any

from qd import _dtypes
from qd._errors import KernelTypeError


class Template:
    """A parameter that the kernel is compiled for: a field, a number, a string, a function, None, or any object."""

    def __repr__(self) -> str:
        return "qd.template()"


def template() -> Template:
    """The annotation of a template parameter; ``qd.Template`` means the same."""
    return Template()


class NDArray:
    """The annotation of an array parameter: ``qd.types.ndarray(dtype, ndim)`` or ``qd.types.NDArray[dtype, ndim]``."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, dtype: _dtypes.DataType | None = None, ndim: int | None = None) -> None:
        self.dtype = dtype
        self.ndim = ndim

    def __class_getitem__(cls, key: Any) -> NDArray:
        dtype, ndim = key if isinstance(key, tuple) else (key, None)
        return ndarray(dtype, ndim)

    def __repr__(self) -> str:
        return f"qd.types.ndarray(dtype={self.dtype}, ndim={self.ndim})"


def ndarray(
    dtype: Any = None,
    ndim: int | None = None,
    element_dim: int | None = None,
    element_shape: tuple[int, ...] | None = None,
    needs_grad: bool | None = None,
    boundary: str = "unsafe",
) -> NDArray:
    """The annotation of an array parameter. `dtype` and `ndim`, when given, are what a call must pass."""
    if element_dim or element_shape:
        raise KernelTypeError("arrays of vectors and matrices (element_dim, element_shape) are not supported yet")
    if needs_grad:
        raise KernelTypeError("needs_grad is not supported yet")
    if boundary != "unsafe":
        raise KernelTypeError(f"boundary={boundary!r} is not supported yet")
    return NDArray(None if dtype is None else _dtypes.require(dtype), ndim)


def is_template(annotation: Any) -> bool:
    return isinstance(annotation, Template) or annotation is Template


def as_array(annotation: Any) -> NDArray | None:
    """The array that an annotation asks for, or None."""
    if isinstance(annotation, NDArray):
        return annotation
    if annotation is NDArray or annotation is ndarray:
        return NDArray()
    return None
