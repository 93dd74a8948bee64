"""Annotations of kernel parameters, and types of vectors, matrices and structs."""

from __future__ import annotations

from qd._annotations import NDArray as NDArray
from qd._annotations import ndarray as ndarray
from qd._annotations import template as template
from qd._compound import matrix as matrix
from qd._compound import struct as struct
from qd._compound import vector as vector
