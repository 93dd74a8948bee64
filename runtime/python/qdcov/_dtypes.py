"""The scalar types of the kernel language, and their conversions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov import _execution
from qdcov._errors import KernelTypeError


class DataType:
    """A scalar type. Calling it converts: ``qd.f32(x)``."""

    __slots__ = ("_end", "_low", "bits", "is_float", "is_signed", "name", "numpy")

    def __init__(self, name: str, numpy: type[np.generic], bits: int) -> None:
        self.name = name
        self.numpy = numpy
        self.bits = bits
        self.is_float = name[0] == "f"
        self.is_signed = name[0] in "if"
        self._low = -(1 << (bits - 1)) if self.is_signed else 0
        self._end = self._low + (1 << bits)

    def __call__(self, value: Any) -> Any:
        of_components = getattr(value, "_to", None)
        if type(value) is int and not self.is_float and self.bits > 1 and not self.holds(value) and _execution.inside():
            advice = f"another type has room for it, and qd.cast(..., {self}) keeps its lowest {self.bits} bits"
            raise KernelTypeError(f"the constant {value} exceeded the range of specified dtype {self.name}: {advice}")
        return convert(value, self) if of_components is None else of_components(self)

    def holds(self, value: int) -> bool:
        """Whether an integer type has the value of an integer."""
        return self._low <= value < self._end

    def to_string(self) -> str:
        """The name, without a package: "f32"."""
        return self.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """numpy's name for this type; with it, ``numpy.zeros(3, qd.f32)`` works, and types compare with those of numpy arrays."""
        return np.dtype(self.numpy)

    def __repr__(self) -> str:
        return f"qd.{self.name}"

    def __reduce__(self) -> str:
        return self.name


u1 = DataType("u1", np.bool_, 1)
i8 = DataType("i8", np.int8, 8)
i16 = DataType("i16", np.int16, 16)
i32 = DataType("i32", np.int32, 32)
i64 = DataType("i64", np.int64, 64)
u8 = DataType("u8", np.uint8, 8)
u16 = DataType("u16", np.uint16, 16)
u32 = DataType("u32", np.uint32, 32)
u64 = DataType("u64", np.uint64, 64)
f16 = DataType("f16", np.float16, 16)
f32 = DataType("f32", np.float32, 32)
f64 = DataType("f64", np.float64, 64)

int8, int16, int32, int64 = i8, i16, i32, i64
uint1, uint8, uint16, uint32, uint64 = u1, u8, u16, u32, u64
float16, float32, float64 = f16, f32, f64

ALL = (u1, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64)
BY_NUMPY: dict[type[np.generic], DataType] = {t.numpy: t for t in ALL}
BY_NAME: dict[str, DataType] = {t.name: t for t in ALL}


class Defaults:
    """The types of Python's int and float in a kernel; set by qd.init."""

    int: DataType = i32
    float: DataType = f32


UNSIGNED = object()
"""The unsigned type of the default int's width, where a type is named: that of qd.math.uvec2."""


def resolve(annotation: Any) -> DataType | None:
    """The type that `annotation` names: a type of qd, Python's int, float, bool, or a numpy type. None: it names no scalar type."""
    if isinstance(annotation, DataType):
        return annotation
    if annotation is int:
        return Defaults.int
    if annotation is float:
        return Defaults.float
    if annotation is bool:
        return u1
    if annotation is UNSIGNED:
        return u64 if Defaults.int.bits == 64 else u32
    if isinstance(annotation, np.dtype):
        return BY_NUMPY.get(annotation.type)
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return BY_NUMPY.get(np.dtype(annotation).type)
    return None


def require(annotation: Any) -> DataType:
    """As `resolve`, for an argument named dtype."""
    dtype = resolve(annotation)
    if dtype is None:
        raise KernelTypeError(f"{annotation!r} is not a scalar type; known are {', '.join(t.name for t in ALL)}, int, float and bool")
    return dtype


def convert(value: Any, dtype: DataType) -> Any:
    """The scalar `value` as a numpy scalar of `dtype`, by the rules of the device: integers wrap, u1 is ``!= 0``.

    Floats to integers lose their fraction; a value out of range gives the nearest integer that there is, NaN gives 0."""
    kind = dtype.numpy
    if type(value) is kind:
        return value
    if not isinstance(value, (int, float, np.generic)):
        raise KernelTypeError(f"{'None' if value is None else f'an object of class {type(value).__name__!r}'} is not a number")
    if kind is np.bool_:
        return np.bool_(value != 0)
    if dtype.is_float:
        return kind(value)
    if isinstance(value, (float, np.floating)):
        return _nearest(float(value), dtype)
    return wrap(int(value), dtype)


def _nearest(value: float, dtype: DataType) -> Any:
    if value != value:
        return dtype.numpy(0)
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    high = low + (1 << dtype.bits) - 1
    return dtype.numpy(low if value <= low else high if value >= high else int(value))


def wrap(value: int, dtype: DataType) -> Any:
    """An integer modulo the width of `dtype`."""
    value &= (1 << dtype.bits) - 1
    if dtype.is_signed and value >> (dtype.bits - 1):
        value -= 1 << dtype.bits
    return dtype.numpy(value)


def converted(values: npt.NDArray[Any], dtype: DataType) -> npt.NDArray[Any]:
    """A copy of an array in another type, by the rules for scalars."""
    if values.dtype.type is dtype.numpy:
        return np.array(values)
    made: npt.NDArray[Any] = np.empty(values.shape, dtype.numpy)
    made.reshape(-1)[:] = [convert(x, dtype) for x in values.ravel()]
    return made


def promote(a: DataType, b: DataType) -> DataType:
    """The type of an operation on both: float beats integer, the wider wins, unsigned beats signed of the same width."""
    if a is b:
        return a
    if a.is_float != b.is_float:
        return a if a.is_float else b
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return b if a.is_signed else a
