"""Programs for tests on simulated drivers, of graphs above all: kernels of several tasks, and counts of the calls to a simulated driver."""

from __future__ import annotations

import os
from pathlib import Path

import coverage_commands

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()
LIBRARY = BUILD / "tests/simulated_driver/libqd_simulated_gpu.so"
DRIVER = {"cuda": "QD_CUDA_DRIVER", "amdgpu": "QD_HIP_DRIVER"}

PROGRAM = """
import ctypes
import gc
import sys

import numpy as np
import qd

array, number = qd.types.ndarray(dtype=qd.i32, ndim=1), qd.types.ndarray(dtype=qd.i32, ndim=0)
driver = ctypes.CDLL(sys.argv[2])
driver.qd_simulated_calls.restype = ctypes.c_ulong
driver.qd_simulated_live.restype = ctypes.c_long
PREFIX = "cu" if sys.argv[1] == "cuda" else "hip"
LAUNCH = "cuLaunchKernel" if sys.argv[1] == "cuda" else "hipModuleLaunchKernel"


def calls():
    return [driver.qd_simulated_calls(name.encode()) for name in (LAUNCH, PREFIX + "GraphLaunch", PREFIX + "GraphInstantiateWithFlags")]


def since(before):
    return [now - then for now, then in zip(calls(), before)]


@qd.kernel(graph=True)
def repeated(x: array, left: number):
    while qd.graph.do_while(left):
        for i in x:
            x[i] += 1
        for i in x:
            x[i] *= 2
        for _ in range(1):
            left[()] -= 1


@qd.kernel
def steps(x: array, n: qd.i32, a: qd.i32):
    for i in range(n):
        x[i] += a
    for i in range(n):
        x[i] *= 2
    for i in range(n):
        x[i] -= a


@qd.kernel
def sections(x: array, y: array):
    with qd.stream_parallel():
        for i in x:
            x[i] = x[i] * 3 + 1
    with qd.stream_parallel():
        for i in y:
            y[i] += 2
        for i in y:
            y[i] *= 2


@qd.kernel
def drawn(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        x[i] = qd.random(qd.f32)
    for i in x:
        x[i] += 1


@qd.kernel
def checked(x: array, least: qd.i32) -> qd.i32:
    s = 0
    for i in x:
        x[i] += 1
    for i in x:
        assert x[i] >= least, "too small"
        s += x[i]
    return s


qd.init(arch=sys.argv[1], enable_fallback=False, log_level="error", debug="debug" in sys.argv)
x, y = qd.ndarray(qd.i32, 1000), qd.ndarray(qd.i32, 1000)
"""


def run_program(folder: Path, arch: str, text: str, *options: str, **environment: str) -> None:
    """Runs a program on the simulated driver of `arch`. Its arguments are the arch, the driver's library and the options."""
    program = folder / "program.py"
    program.write_text(text)
    variables = {name: value for name, value in os.environ.items() if name != "QD_ARCH"} | {DRIVER[arch]: str(LIBRARY)} | environment
    ran = coverage_commands.program([program, arch, LIBRARY, *options], environment=variables, timeout=100)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def run(folder: Path, arch: str, body: str, *options: str, **environment: str) -> None:
    """Runs PROGRAM and the body behind it. The option "debug" is that of qd.init."""
    run_program(folder, arch, PROGRAM + body, *options, **environment)
