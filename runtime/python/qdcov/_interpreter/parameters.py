"""Conversion of arguments for a kernel or func on arch=qd.python, by the annotations of its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._arrays import arrays, buffer_view, clamped_arrays, exchange, options, tensor
from qdcov._arrays.annotations import ANY_EXTENT, NDArray, as_array, is_template
from qdcov._arrays.arrays import Array, Ndarray
from qdcov._arrays.buffer_view import BufferView, ViewAnnotation
from qdcov._arrays.layout import Element
from qdcov._arrays.struct_arrays import StructArray
from qdcov._dtypes import DataType, u1
from qdcov._errors import KernelRuntimeTypeError, KernelSyntaxError, KernelTypeError
from qdcov._kernels import source
from qdcov._kernels.argument_texts import array_text, kind_text, refused_elements, text
from qdcov._scalars import semantics
from qdcov._scalars.value import Members, Reference
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType


def is_dataclass(kind: Any) -> bool:
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


def of_kernel(where: str, kind: Any, given: Any) -> Any:
    """The argument of a kernel. Raises when it does not fit its annotation."""
    given = tensor.unwrapped(given)
    if is_template(kind):
        return given
    dtype = _dtypes.resolve(kind)
    if dtype is not None:
        return _scalar(where, dtype, given)
    if isinstance(kind, (MatrixType, StructType)):
        return _compound(where, kind, given)
    if kind is BufferView or isinstance(kind, ViewAnnotation):
        return _view(where, kind, given)
    if kind is tensor.Tensor:
        if given is not None and not isinstance(given, (Array, StructArray)):
            raise KernelRuntimeTypeError(f"{where}: expected a qd.Tensor, a field or an ndarray, got {text(given)}")
        return given
    if is_dataclass(kind):
        return _members(where, kind, given)
    wanted = as_array(kind)
    if wanted is None:
        raise KernelSyntaxError(f"{where}: the annotation {kind!r} is not supported")
    array = _array(where, wanted, given)
    return _clamped(array) if wanted.boundary == "clamp" else array


def _clamped(array: Any) -> Any:
    if isinstance(array, StructArray):
        return type(array)(array._type, array.shape, {name: _clamped(member) for name, member in array.members.items()})
    return clamped_arrays.clamped(array)


def of_func(kind: Any) -> Callable[[Any], Any]:
    """The conversion of arguments for a parameter of a func: numbers, vectors, matrices and structs by value, everything else and values of templates
    unchanged. It is of one run of qd.init, whose types the annotation may name."""
    if is_template(kind):
        return _itself
    if isinstance(kind, (MatrixType, StructType)) or _dtypes.resolve(kind) is not None:
        return lambda given: given.of if isinstance(given, Reference) else semantics.cast(given, kind)
    return _value


def _itself(given: Any) -> Any:
    return given.of if isinstance(given, Reference) else given


def _value(given: Any) -> Any:
    return given.of if isinstance(given, Reference) else semantics.value(given)


def _compound(where: str, kind: Any, given: Any) -> Any:
    try:
        if isinstance(given, (int, float, np.generic)):
            raise KernelTypeError("a number is not enough")
        return kind._cast(given)
    except (KernelTypeError, TypeError, ValueError):
        expected = kind.name if isinstance(kind, StructType) else kind_text(kind.dtype, kind.shape)
        raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {text(given)}") from None


def _view(where: str, kind: Any, given: Any) -> Any:
    wanted = kind.dtype if isinstance(kind, ViewAnnotation) else None
    expected = "BufferView" if wanted is None else f"BufferView of {_of(wanted)}"
    if not isinstance(given, BufferView):
        raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {text(given)}")
    if not isinstance(given.arr, Ndarray):  # the attribute can be set
        raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {text(given.arr)}")
    if wanted is not None and options.element_of(wanted) != given.arr._element:
        raise KernelRuntimeTypeError(f"{where}: expected {expected}, got BufferView of {kind_text(given.dtype, given.element_shape)}")
    given.arr._live()
    buffer_view.check(where, given)
    return given


def _of(dtype: Any) -> str:
    element = options.element_of(dtype)
    return kind_text(element.dtype, element.shape)


def _members(where: str, kind: Any, given: Any) -> Members:
    if not isinstance(given, kind):
        raise KernelRuntimeTypeError(f"{where}: expected {kind.__name__}, got {text(given)}")
    made = Members()
    for name, annotation in source.evaluated_members(kind).items():
        begin, _, rest = where.partition('" of')
        setattr(made, name, of_kernel(f'{begin}.{name}" of{rest}', annotation, getattr(given, name)))
    return made


def _array(where: str, wanted: NDArray, given: Any) -> Any:
    if wanted.struct is not None:
        if not isinstance(given, StructArray) or given._type != wanted.struct or wanted.ndim not in (None, len(given.shape)):
            raise KernelRuntimeTypeError(f"{where}: expected ndarray of {wanted.struct.name}, got {text(given)}")
        return given
    expected = array_text(wanted.dtype, wanted.ndim, wanted.element_shape)
    if not isinstance(given, (Array, np.ndarray, BufferView)) and hasattr(given, "__dlpack__"):
        given = exchange.as_numpy(given, where)
    if isinstance(given, BufferView) or not isinstance(given, (Array, np.ndarray)):
        raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {text(given)}")
    array: Any = given._live() if isinstance(given, Array) else given
    have = _dtypes.BY_NUMPY.get(array.dtype.type) if array.dtype.isnative else None
    if have is None:
        raise KernelRuntimeTypeError(f"{where}: {refused_elements(array.dtype)}")
    element = given.element_shape if isinstance(given, Array) else _foreign_element(wanted, array.shape)
    rank = array.ndim - len(element)
    any_numbers = not isinstance(given, Array) and wanted.element_shape and ANY_EXTENT not in wanted.element_shape
    fits = (wanted.dtype is None or have is wanted.dtype or any_numbers) and (wanted.ndim is None or rank == wanted.ndim)
    if not fits or (wanted.element_shape is not None and not _fits(wanted.element_shape, element)):
        raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {array_text(have, rank, element)}")
    if wanted.needs_grad and getattr(given, "grad", None) is None:
        raise KernelRuntimeTypeError(f"{where}: expected an ndarray with a gradient; make it with needs_grad=True")
    if isinstance(given, Ndarray):
        return given
    if rank > options.MAX_RANK or any(extent >= 1 << 31 for extent in array.shape):
        raise KernelRuntimeTypeError(f"{where}: the array has more than {options.MAX_RANK} axes, or an axis of 2**31 or more")
    if not isinstance(given, Array) and not array.flags.c_contiguous and not array.flags.f_contiguous:
        raise ValueError(f"{where}: the array is not contiguous; pass numpy.ascontiguousarray(...) of it")
    return arrays.over(array, Element(have, element)) if element else array


def _fits(wanted: tuple[int, ...], element: tuple[int, ...]) -> bool:
    return len(wanted) == len(element) and all(extent in (ANY_EXTENT, given) for extent, given in zip(wanted, element))


def _foreign_element(wanted: NDArray, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the elements of a numpy array: its last axes, when the annotation asks for vectors or matrices."""
    rank = len(wanted.element_shape or ())
    return shape[len(shape) - rank :] if rank <= len(shape) else ()


def _scalar(where: str, dtype: DataType, given: Any) -> Any:
    number = given.item() if isinstance(given, np.generic) else given
    if isinstance(number, bool):
        number = int(number)
    if not isinstance(number, (int, float) if dtype.is_float else int):
        raise KernelRuntimeTypeError(f"{where}: expected {dtype.name}, got {text(number)}")
    if not dtype.is_float and dtype is not u1:
        low, high = (-(1 << (dtype.bits - 1)) if dtype.is_signed else 0), 1 << dtype.bits
        if dtype.is_signed and dtype.bits < 64 and high // 2 <= number < high:
            number -= high  # 255 is -1 for an i8: its 8 bits
        if dtype.bits == 64:
            high += low
        if not low <= number < high:
            raise _out_of_range(where, dtype, int(number))
    try:
        return _dtypes.convert(number, dtype)
    except OverflowError:
        raise _out_of_range(where, dtype, int(number)) from None


def _out_of_range(where: str, dtype: DataType, number: int) -> KernelRuntimeTypeError:
    bits = number.bit_length()
    shown = f"an integer of {bits} bits" if bits > 128 else str(number)
    return KernelRuntimeTypeError(f"{where}: expected {dtype.name}, got {shown}, which is out of its range")
