"""New fields and ndarrays, of numbers, vectors, matrices or structs."""

from __future__ import annotations

from typing import Any

from qdcov import _dtypes, _runtime
from qdcov._arrays.arrays import Field, new_ndarray
from qdcov._arrays.layout import Element, Layout
from qdcov._arrays.options import AXES, check_no_shape, element_of, name_of, offset_of, order_of, shape_of
from qdcov._errors import KernelRuntimeTypeError, KernelTypeError
from qdcov._near_names import with_near_keywords
from qdcov._values.compound import matrix, vector
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType


@with_near_keywords
def field(
    dtype: Any,
    shape: Any = None,
    order: str | None = None,
    name: str = "",
    offset: Any = None,
    needs_grad: bool = False,
    needs_dual: bool = False,
    layout: Layout = Layout.AOS,
) -> Any:
    """A new field, zeroed. Its elements are of the type `dtype`: a scalar, vector, matrix or struct type. `shape` has the number of elements along
    each axis; ``shape=()`` is a single element, read and set as ``f[None]``; without a shape the field is placed later, with qd.root.

    `order` ("ji") gives the axes of the memory, outermost first, `offset` the first index of each axis, `layout` how components of vectors lie,
    `name` a name for messages. ``needs_grad=True`` and ``needs_dual=True`` make a field of the same shape each, `grad` and `dual`.
    KernelRuntimeTypeError for these two and elements that are no floats; KernelSyntaxError for an `order` or `offset` without a shape."""
    if isinstance(dtype, StructType):
        return dtype.field(shape, order=order, name=name, offset=offset, needs_grad=needs_grad, needs_dual=needs_dual, layout=layout)
    element = element_of(dtype)
    if (needs_grad or needs_dual) and not element.dtype.is_float:
        raise KernelRuntimeTypeError(f"{element.dtype} is not supported for field with `needs_grad=True` or `needs_dual=True`: a gradient has floats")
    _runtime.config()
    name = name_of(name)
    if shape is None:
        check_no_shape(order, offset)
        return unplaced(element, name, needs_grad, needs_dual)
    axes = shape_of(shape)
    ordered, begin = order_of(order, len(axes)), offset_of(offset, len(axes))
    created = Field(element, axes, name, ordered, begin)
    created._allocate(layout)
    created.needs_grad, created.needs_dual = needs_grad, needs_dual
    for kind, wanted in (("grad", needs_grad), ("dual", needs_dual)):
        if wanted:
            companion = Field(element, axes, f"{name}.{kind}" if name else "", ordered, begin)
            companion._allocate(layout)
            created._take(kind, companion)
    return created


def unpickled_field(dtype: str, element: tuple[int, ...], data: Any, layout: Any, offset: Any, name: str, companions: tuple[Any, Any]) -> Field:
    """A new field with the elements, gradients and duals of one that was pickled."""
    kind = _dtypes.BY_NAME[dtype]
    of = kind if not element else vector(element[0], kind) if len(element) == 1 else matrix(element[0], element[1], kind)
    order = None if layout is None else "".join(AXES[axis] for axis in layout)
    grad, dual = companions
    axes = data.shape[: data.ndim - len(element)]
    made: Field = field(of, axes, order, name, offset or None, needs_grad=grad is not None, needs_dual=dual is not None)
    made.from_numpy(data)
    for companion, numbers in ((made.grad, grad), (made.dual, dual)):
        if companion is not None and numbers is not None:
            companion.from_numpy(numbers)
    return made


def unplaced(element: Element, name: str, needs_grad: bool, needs_dual: bool) -> Field:
    created = Field(element, None, name)
    created.needs_grad, created.needs_dual = needs_grad, needs_dual
    for kind in ("grad", "dual") if element.dtype.is_float else ():
        created._take(kind, Field(element, None, f"{name}.{kind}" if name else ""))
    return created


@with_near_keywords
def ndarray(dtype: Any, shape: Any, needs_grad: bool = False, order: str | None = None) -> Any:
    """A new ndarray, zeroed. `dtype` is a scalar, vector, matrix or struct type; `shape` has the number of elements along each axis, () for one
    element. `order` ("ji") gives the axes of the memory, outermost first. ``needs_grad=True`` makes an ndarray of the same shape, `grad`:
    KernelTypeError for elements that are no floats."""
    if isinstance(dtype, StructType):
        return dtype.ndarray(shape, needs_grad=needs_grad)
    element, axes = element_of(dtype), shape_of(shape)
    if needs_grad and not element.dtype.is_float:
        raise KernelTypeError(f"needs_grad=True is for ndarrays of floats, not of {element.dtype}")
    return new_ndarray(element, axes, order_of(order, len(axes)), needs_grad)


MatrixType._field, MatrixType._ndarray = field, ndarray
