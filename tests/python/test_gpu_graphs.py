"""Tasks that a kernel repeats are graphs of the driver, which one call launches. On the simulated drivers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()
LIBRARY = BUILD / "tests/simulated_driver/libqd_simulated_gpu.so"

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")

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


@pytest.fixture(params=["cuda", "amdgpu"])
def arch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv({"cuda": "QD_CUDA_DRIVER", "amdgpu": "QD_HIP_DRIVER"}[request.param], str(LIBRARY))
    monkeypatch.delenv("QD_ARCH", raising=False)
    return str(request.param)


def run(folder: Path, arch: str, body: str, *options: str, **environment: str) -> None:
    program = folder / "program.py"
    program.write_text(PROGRAM + body)
    command = [sys.executable, program, arch, str(LIBRARY), *options]
    ran = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=100, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


DO_WHILE = """
left = qd.ndarray(qd.i32, ())
left[()] = 20
before = calls()
repeated(x, left)
expected = 0
for _ in range(20):
    expected = (expected + 1) * 2
assert x.to_numpy().tolist() == [expected] * 1000
# Two iterations and the one that is captured are launched task by task: three loops, and what asks for the condition.
assert since(before) == [12, 18, 1], since(before)
left[()] = 20
before = calls()
repeated(x, left)
qd.sync()
assert since(before) == [0, 20, 0], "the next launch has the same memory, and the graph of it"
"""


def test_the_body_of_a_do_while_is_one_call(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, DO_WHILE)


PARAMETERS = """
expected = np.zeros(1000, np.int64)


def step(n, a):
    steps(x, n, a)
    expected[:n] = (expected[:n] + a) * 2 - a
    assert np.array_equal(x.to_numpy(), expected), (n, a)


for a in range(6):
    step(1000, a)
before = calls()
for a in range(5):
    step(1000, -2 * a)
assert since(before) == [0, 5, 0], "other numbers in the same graph"
step(10, 3)
step(1000, 3)
z = qd.ndarray(qd.i32, 1000)
steps(z, 1000, 1)
assert z[3] == 1 and z[999] == 1, "another array in the same graph"

qd.sync()
del x, y, z
qd.reset()
gc.collect()
assert driver.qd_simulated_live(b"graph") == 0 and driver.qd_simulated_live(b"event") == 0
"""


def test_a_graph_takes_new_parameters(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, PARAMETERS)


SECTIONS = """
a = b = 0
before = calls()
for _ in range(12):
    sections(x, y)
    a, b = a * 3 + 1, (b + 2) * 2
assert x.to_numpy().tolist() == [a] * 1000 and y.to_numpy().tolist() == [b] * 1000
assert since(before)[1:] == [10, 1], since(before)
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_sections_of_a_fork_are_in_the_graph(tmp_path: Path, arch: str, seed: str) -> None:
    run(tmp_path, arch, SECTIONS, QD_SIMULATED_SEED=seed)


EACH_TIME = """
z = qd.ndarray(qd.f32, 1000)
seen = []
for _ in range(6):
    drawn(z)
    seen.append(z.to_numpy().tobytes())
assert len(set(seen)) == 6, "random numbers are new each time"
for k in range(6):
    assert checked(x, 0) == 1000 * (k + 1)
for k in range(2):
    try:
        checked(x, 10**6)
    except qd.KernelAssertionError as error:
        assert "too small" in str(error)
    else:
        raise AssertionError("not told")
assert checked(x, 0) == 9000
"""


def test_graphs_draw_and_fail_as_launches_do(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, EACH_TIME, "debug")


WITHOUT = """
for a in range(6):
    steps(x, 1000, 1)
assert x[0] == 63 and calls()[1] == 0
"""


@pytest.mark.parametrize("function", ["StreamBeginCapture", "StreamEndCapture", "GraphInstantiateWithFlags"])
def test_a_driver_that_makes_no_graph_launches_tasks(tmp_path: Path, arch: str, function: str) -> None:
    prefix = {"cuda": "cu", "amdgpu": "hip"}[arch]
    suffix = "_v2" if (arch, function) == ("cuda", "StreamBeginCapture") else ""
    run(tmp_path, arch, WITHOUT, QD_SIMULATED_FAIL=f"{prefix}{function}{suffix}=801@1+")
