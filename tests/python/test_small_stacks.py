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


for size in (128, 256, 512, 8192):
    threading.stack_size(size << 10)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    print(size)
"""


@pytest.mark.parametrize("arch", ["cpu", "python"])
def test_a_recursion_without_an_end(arch: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, "program.py", arch], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stdout.split() == "True 128 True 256 True 512 True 8192".split(), done.stdout + done.stderr


CONTAINERS = """
import sys
import threading

import qd


@qd.kernel
def of_number(x: qd.i32) -> qd.i32:
    return x


@qd.kernel
def of_template(x: qd.template()):
    pass


def run():
    nested = []
    nested.append(nested)
    for kernel in (of_number, of_template):
        for value in (nested, {"a": nested}, (1, nested)):
            try:
                kernel(value)
            except RecursionError as error:
                print(error)


qd.init(log_level="error")
sys.setrecursionlimit(10**9)
threading.stack_size(int(sys.argv[1]) << 10)
thread = threading.Thread(target=run)
thread.start()
thread.join()
run()
"""


@pytest.mark.parametrize("size", [256, 8192])
def test_a_list_that_contains_itself(size: int, tmp_path: Path) -> None:
    """The error comes whatever limit of recursion the program has set."""
    (tmp_path / "program.py").write_text(CONTAINERS)
    done = subprocess.run([sys.executable, "program.py", str(size)], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 12 and all(line.startswith("the stack is full in a") for line in lines), done.stdout + done.stderr


LIMIT = """
import os
import sys
import threading
import time

import qd

entered = threading.Barrier(2)


@qd.kernel
def wait():
    qd.static(entered.wait())


@qd.kernel
def wait_longer():
    qd.static(entered.wait(), time.sleep(0.2))


qd.init(arch=qd.python, log_level="error")
sys.setrecursionlimit(1234)
threads = [threading.Thread(target=kernel) for kernel in (wait, wait_longer)]
for thread in threads:
    thread.start()
time.sleep(0.1)
pid = os.fork()
if pid == 0:
    os._exit(0 if sys.getrecursionlimit() == 1234 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
for thread in threads:
    thread.join()
print(sys.getrecursionlimit())
"""


def test_kernels_of_threads_leave_the_recursion_limit_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LIMIT)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stdout == "0\n1234\n", done.stdout + done.stderr
