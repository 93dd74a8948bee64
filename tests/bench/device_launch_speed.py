"""Time of launches on a GPU: one after the other, each waited for, passes of a do-while, the first launch of a program. Prints; asserts nothing.

Usage: device_launch_speed.py [vulkan | cuda | amdgpu]. QD_VISIBLE_DEVICE chooses the device."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import qd

Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)
Flag = qd.types.ndarray(dtype=qd.i32, ndim=0)


@qd.kernel
def serial(x: Ints):
    x[0] += 1


@qd.kernel
def parallel(x: Ints):
    for i in x:
        x[i] += 1


@qd.kernel(graph=True)
def passes(x: Ints, left: Flag):
    while qd.graph.do_while(left):
        for i in x:
            x[i] += 1
        for _ in range(1):
            left[()] -= 1


def best(call: Callable[[], Any], count: int, rounds: int = 7) -> float:
    """Microseconds for one of `count` launches that a call makes: the best of some calls."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times) / count * 1e6


def launches(kernel: Any, x: qd.Ndarray, count: int) -> None:
    for _ in range(count):
        kernel(x)
    qd.sync()


def waited(kernel: Any, x: qd.Ndarray, count: int) -> None:
    for _ in range(count):
        kernel(x)
        qd.sync()


def repeated(x: qd.Ndarray, left: qd.Ndarray, count: int) -> None:
    left.from_numpy(np.array(count, np.int32))
    passes(x, left)
    qd.sync()


def first_launch(arch: str) -> None:
    """Prints, for a new process, the milliseconds from qd.init to the end of its first launch."""
    begin = time.perf_counter()
    qd.init(arch=arch, log_level="error")
    x = qd.ndarray(qd.i32, 64)
    launches(parallel, x, 1)
    print((time.perf_counter() - begin) * 1e3)


def first_launches(arch: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        kept = {"QD_OFFLINE_CACHE_FILE_PATH": "qd", "MESA_SHADER_CACHE_DIR": "mesa", "CUDA_CACHE_PATH": "cuda"}
        environment = {**os.environ, **{variable: f"{folder}/{name}" for variable, name in kept.items()}}
        command = [sys.executable, __file__, arch, "first"]
        times = [float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout) for _ in range(6)]
    print(f"first launch, nothing kept         {times[0]:9.1f} ms")
    print(f"first launch, everything kept      {min(times[1:]):9.1f} ms")


def main(arch: str) -> None:
    qd.init(arch=arch, enable_fallback=False, log_level="error")
    print(*(device.name for device in qd.devices() if device.arch == arch), sep=", ")
    x, left = qd.ndarray(qd.i32, 64), qd.ndarray(qd.i32, ())
    for kernel in (serial, parallel):
        launches(kernel, x, 100)
        print(f"{kernel.__name__:9} launches in a row         {best(partial(launches, kernel, x, 5000), 5000):9.2f} us")
        print(f"{kernel.__name__:9} launches, each waited for {best(partial(waited, kernel, x, 500), 500):9.2f} us")
    for count in (1, 10, 1000):
        print(f"passes of a do-while, {count:5} a launch  {1e6 / best(partial(repeated, x, left, count), count):9.0f} a second")
    first_launches(arch)


if __name__ == "__main__":
    named = sys.argv[1] if len(sys.argv) > 1 else "vulkan"
    first_launch(named) if sys.argv[2:] == ["first"] else main(named)
