"""Small ndarrays of qd.i32 for tests of graph kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import qd


def flag(value: int = 0) -> Any:
    made = qd.ndarray(qd.i32, ())
    made[()] = value
    return made


def numbers(*values: int) -> Any:
    made = qd.ndarray(qd.i32, len(values))
    made.from_numpy(np.array(values, np.int32))
    return made
