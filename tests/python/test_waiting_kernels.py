"""Kernels that wait for a write of another thread."""

from __future__ import annotations

import sys
from pathlib import Path

import hung_programs

WAITING = """
import threading
import time

import numpy as np
import qd

qd.init(arch=qd.cpu, log_level="error")


@qd.kernel
def wait(flag: qd.types.ndarray(dtype=qd.i32, ndim=1)) -> qd.i32:
    rounds = 0
    while qd.volatile_load(flag[0]) == 0:
        rounds = 1
    return flag[0] + rounds


flag = np.ones(1, np.int32)
assert wait(flag) == 1
flag[0] = 0
threading.Timer(0.3, lambda: flag.__setitem__(0, 7)).start()
assert wait(flag) == 8
"""


def test_a_kernel_sees_what_the_host_writes_meanwhile(tmp_path: Path) -> None:
    """An ordinary load would stand in front of the loop, which would never end."""
    program = tmp_path / "waiting.py"
    program.write_text(WAITING)
    hung_programs.run([sys.executable, program], check=True, timeout=60)
