"""Copies of large arrays go through memory that the system may not move. On the simulated drivers, which copy late."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_graph_programs import DRIVER, LIBRARY, run_program

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")

PROGRAM = """
import ctypes
import sys

import numpy as np
import qd

arch, library, refused = sys.argv[1], ctypes.CDLL(sys.argv[2]), sys.argv[3:]
library.qd_simulated_live.restype = ctypes.c_long


@qd.kernel
def add(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    for i in x:
        x[i] += i


qd.init(arch=arch, enable_fallback=False, log_level="error")
add(qd.ndarray(qd.i32, 1))  # launches take such memory, too
qd.sync()
host = library.qd_simulated_live(b"host")
for name in refused:
    library.qd_simulated_fail(f"{name}=2@1+".encode())
piece = 1 << 20  # of 4 bytes
for length in (1, (1 << 14) - 1, 1 << 14, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 7):
    x, numbers = qd.ndarray(qd.i32, length), np.arange(length, dtype=np.int32)[::-1].copy()
    for _ in range(2):
        x.from_numpy(numbers)
        add(x)
        got = x.to_numpy()
        assert np.array_equal(got, numbers + np.arange(length, dtype=np.int32)), (length, np.flatnonzero(got != numbers + np.arange(length))[:3])
        numbers = got
assert library.qd_simulated_live(b"host") == host + (0 if refused else 2)
qd.sync()
del x
qd.reset()
"""


@pytest.mark.parametrize("arch", DRIVER)
@pytest.mark.parametrize("seed", ["1", "2"])
def test_large_arrays_arrive_whole(tmp_path: Path, arch: str, seed: str) -> None:
    run_program(tmp_path, arch, PROGRAM, QD_SIMULATED_SEED=seed)


@pytest.mark.parametrize("arch", DRIVER)
def test_a_driver_without_such_memory_copies_at_once(tmp_path: Path, arch: str) -> None:
    run_program(tmp_path, arch, PROGRAM, {"cuda": "cuMemHostAlloc", "amdgpu": "hipHostMalloc"}[arch])
