"""Annotations of kernel parameters, and types of vectors, matrices and structs."""

from __future__ import annotations

from typing import Any

from qd._annotations import NDArray as NDArray
from qd._annotations import ndarray as ndarray
from qd._annotations import template as template
from qd._compound import matrix as matrix
from qd._compound import struct as struct
from qd._compound import vector as vector

NOT_YET = frozenset({"quant", "sparse_matrix_builder", "texture", "rw_texture"})
"""Types of the language that this version does not have."""


def __getattr__(name: str) -> Any:
    if name in NOT_YET:
        raise AttributeError(f"qd.types.{name} is not supported yet")
    raise AttributeError(f"module 'qd.types' has no attribute {name!r}")
