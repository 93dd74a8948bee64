"""Annotations of kernel parameters, and types of vectors, matrices and structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qdcov import _dtypes

if TYPE_CHECKING:
    from qdcov._typed.annotations import *  # noqa: F403
    from qdcov._typed.scalars import *  # noqa: F403
else:
    from qdcov._arrays.annotations import NDArray as NDArray
    from qdcov._arrays.annotations import Template as Template
    from qdcov._arrays.annotations import ndarray as ndarray
    from qdcov._arrays.annotations import ref as ref
    from qdcov._arrays.annotations import template as template
    from qdcov._values.compound import matrix as matrix
    from qdcov._values.compound import struct as struct
    from qdcov._values.compound import vector as vector

    f16, f32, f64 = _dtypes.f16, _dtypes.f32, _dtypes.f64
    float16, float32, float64 = f16, f32, f64
    i8, i16, i32, i64 = _dtypes.i8, _dtypes.i16, _dtypes.i32, _dtypes.i64
    int8, int16, int32, int64 = i8, i16, i32, i64
    u1, u8, u16, u32, u64 = _dtypes.u1, _dtypes.u8, _dtypes.u16, _dtypes.u32, _dtypes.u64
    uint1, uint8, uint16, uint32, uint64 = u1, u8, u16, u32, u64


def is_real(dtype: Any) -> bool:
    """Whether a dtype is one of floating-point numbers."""
    return _dtypes.require(dtype).is_float


def is_integral(dtype: Any) -> bool:
    """Whether a dtype is one of integers; u1 is one."""
    return not _dtypes.require(dtype).is_float


def is_signed(dtype: Any) -> bool:
    """Whether a dtype is one of integers with a sign."""
    known = _dtypes.require(dtype)
    return known.is_signed and not known.is_float


NOT_YET = frozenset({"quant", "sparse_matrix_builder", "texture", "rw_texture"})
"""Types of the language that this version does not have."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in NOT_YET:
            raise AttributeError(f"qd.types.{name} is not supported yet")
        raise AttributeError(f"module 'qd.types' has no attribute {name!r}")
