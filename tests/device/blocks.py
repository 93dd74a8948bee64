"""Subgroups of a size for tests of qd.simt: a program with them, and the way in which threads are cut into subgroups and tiles."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import qd

SIZES = (8, 16, 32, 64)


@qd.kernel
def waits():
    qd.loop_config(block_dim=1)
    for _ in range(1):
        qd.simt.block.sync()


def start(arch: str, size: int | None = None, **options: Any) -> int:
    """Starts a program whose subgroups have a size; skips where the device has another one. Gives the size."""
    qd.init(arch=arch, log_level="error", fast_math=False, **{"cpu_subgroup_size": size or 32, **options})
    needed()
    found = qd.simt.subgroup.group_size()
    if size is not None and found != size:
        pytest.skip(f"the subgroups of this device have {found} lanes")
    return found


def start_near(arch: str, size: int) -> int:
    """As `start`, with the size that the device has where it has one alone. Python has threads take turns, and 8 or 16 lanes, since more take long:
    the code there is the same for all sizes."""
    if arch == "python":
        size = SIZES[SIZES.index(size) % 2]
    return start(arch, cpu_subgroup_size=size)


def needed() -> None:
    """Skips where loops have no blocks."""
    try:
        waits()
    except qd.KernelCompilationError as error:
        lacks = re.search(r"arch=\w+ has no .*", str(error))
        if lacks is None:
            raise
        pytest.skip(lacks.group())


def tiles(x: np.ndarray[Any, Any], size: int) -> np.ndarray[Any, Any]:
    """A row for each `size` threads in a row."""
    return x.reshape(-1, size)


def numbers(dtype: Any, n: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Small numbers whose sums and products of a few are exact, the negative ones included."""
    random = np.random.default_rng(seed)
    low = -5 if np.issubdtype(dtype, np.signedinteger) or np.issubdtype(dtype, np.floating) else 0
    return random.integers(low, 6, n).astype(dtype)


def lowest(dtype: Any) -> Any:
    return -np.inf if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).min


def highest(dtype: Any) -> Any:
    return np.inf if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).max


def tells_who_meets(arch: str) -> None:
    """Skips where debug mode does not notice that only some threads of a block reach a barrier: NVIDIA's GPUs, but not their simulated driver."""
    device = next((device for device in qd.devices() if device.arch == arch), None)
    if device is not None and device.api.startswith("CUDA") and not device.name.startswith("Simulated"):
        pytest.skip("NVIDIA's GPUs do not tell which threads of a block reach a barrier")
