"""Annotations of kernel parameters."""

from __future__ import annotations

from qd._annotations import NDArray as NDArray
from qd._annotations import ndarray as ndarray
