"""Indices of 64 bits, and unsigned ones: debug mode compares them as they are, and none is cut to one that is in range."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_wide_indices as k

WRONG = {
    "i64": (2**32 + 1, -(2**32) + 1, 2**63 - 1, -(2**63) + 1, 2**31, -1, 4),
    "u32": (2**31 + 1, 2**32 - 1, 4),
    "u64": (2**32 + 1, 2**63 + 1, 2**64 - 2, 2**31, 4),
    "i32": (-(2**31) + 1, 2**31 - 2, -1, 4),
}
PLACES = sorted(k.kernels("i64"))
LENGTHS = {"view_end", "view_begin", "view_size"}
"""Here 4 is a bound that is right."""


@pytest.fixture
def memory(arch: str) -> k.Memory:
    qd.init(arch=arch, log_level="error", debug=True, fast_math=False, cpu_max_num_threads=2)
    return k.Memory()


@pytest.mark.parametrize("place", PLACES)
def test_index_out_of_range(memory: k.Memory, place: str) -> None:
    for index, numbers in WRONG.items():
        use = k.kernels(index)[place]
        for number in numbers:
            if number == 4 and place in LENGTHS | {"part_size"}:
                continue
            if place == "shifted_element" and number == -1:
                continue  # one of its indices
            if place == "loop_index" and number in (2**63 - 1, 2**32 - 1):
                continue  # no loop
            with pytest.raises(qd.KernelAssertionError) as caught:
                use(memory, number)
                qd.sync()
            if place not in LENGTHS:
                assert str(number) in str(caught.value), f"{index} {number}"


@pytest.mark.parametrize("place", PLACES)
def test_index_in_range(memory: k.Memory, place: str) -> None:
    for index in WRONG:
        k.kernels(index)[place](memory, 1)
        qd.sync()


@qd.kernel
def clamped(x: qd.types.ndarray(dtype=qd.i32, ndim=1, boundary="clamp"), i: qd.i64, u: qd.u64, out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    out[0] = x[i]
    out[1] = x[u]


def test_clamped_indices(arch: str) -> None:
    x, out = np.arange(1, 5, dtype=np.int32), np.zeros(2, np.int32)
    for i, u, wanted in ((2**32, 2**32, (4, 4)), (-(2**32), 2**63, (1, 4)), (2, 2**64 - 1, (3, 4)), (-(2**63), 0, (1, 1))):
        clamped(x, i, u, out)
        assert tuple(out.tolist()) == wanted
