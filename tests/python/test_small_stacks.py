"""Recursion on threads with small stacks: an error where the stack is full, never a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import threading

import qd


@qd.real_func
def down(n: qd.i32) -> qd.i32:
    result = 0
    if n > 0:
        result = down(n - 1) + 1
    return result


@qd.kernel
def go(n: qd.i32) -> qd.i32:
    return down(n)


qd.init(arch=sys.argv[1], log_level="error")
go(1)


def run():
    assert go(20) == 20
    try:
        go(10_000_000)
    except qd.KernelAssertionError as error:
        print("the stack is full" in str(error))
    assert go(20) == 20


threading.stack_size(int(sys.argv[2]) << 10)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""


@pytest.mark.parametrize("arch", ["cpu", "python"])
@pytest.mark.parametrize("size", [128, 256, 512, 8192])
def test_a_recursion_without_an_end(arch: str, size: int, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, "program.py", arch, str(size)], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stdout == "True\n", done.stdout + done.stderr
