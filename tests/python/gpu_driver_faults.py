"""A program on a simulated GPU whose driver fails where it is told to: ARCH LIBRARY. test_failing_gpu_drivers.py runs it.

Prints the outcome of each failure, a line of JSON each."""

# mypy: ignore-errors
from __future__ import annotations

import ctypes
import json
import os
import re
import sys
import time
from pathlib import Path

import qd

ARCH, LIBRARY = sys.argv[1:3]
TABLE = Path(__file__).resolve().parents[2] / "runtime/device/gpu/driver.h"
HOST_ALLOCATE = b"cuMemHostAlloc" if ARCH == "cuda" else b"hipHostMalloc"
KINDS = ("memory", "host", "stream", "event", "module", "context", "graph")

driver = ctypes.CDLL(LIBRARY)
driver.qd_simulated_fail.argtypes = driver.qd_simulated_live.argtypes = driver.qd_simulated_calls.argtypes = [ctypes.c_char_p]
driver.qd_simulated_live.restype = ctypes.c_long
driver.qd_simulated_calls.restype = ctypes.c_ulong
array = qd.types.ndarray(dtype=qd.i32, ndim=1)
staged: list[int] = []  # calls of HOST_ALLOCATE for large transfers


@qd.kernel
def add(x: array, a: qd.i32):
    for i in x:
        x[i] += a


@qd.kernel
def total(x: array) -> qd.i32:
    s = 0
    for i in x:
        s += x[i]
    return s


@qd.kernel
def checked(x: array):
    for i in x:
        if i == 3:
            print("at", i, x[i])
        assert x[i] >= 0


@qd.kernel(graph=True)
def repeated(x: array, left: qd.types.ndarray(dtype=qd.i32, ndim=0)):
    while qd.graph.do_while(left):
        for i in x:
            x[i] += 1
        for _ in range(1):
            left[()] -= 1


class Interfaced:
    """An array of another library."""

    def __init__(self, interface: dict[str, object]) -> None:
        self.__cuda_array_interface__ = interface


def stage() -> range:
    """Calls that allocate the host's memory for large transfers, which do without it where they must. It is allocated once in each program."""
    large = qd.ndarray(qd.i32, shape=1 << 15)
    before = driver.qd_simulated_calls(HOST_ALLOCATE)
    assert not large.to_numpy().any()
    return range(before + 1, driver.qd_simulated_calls(HOST_ALLOCATE) + 1)


def program() -> None:
    qd.init(arch=ARCH, enable_fallback=False, log_level="error", kernel_profiler=True)
    staged.extend(stage())
    x, left, numbers = qd.ndarray(qd.i32, shape=64), qd.ndarray(qd.i32, shape=()), qd.field(qd.f32, shape=8)
    numbers.fill(1.0)
    left[()] = 2
    add(x, 1)
    stream, event = qd.create_stream(), qd.create_event()
    add(x, 2, qd_stream=stream)
    event.record(stream)
    event.wait()
    repeated(x, left)
    checked(x)
    assert total(x) == 64 * 5
    assert x.to_numpy()[0] == 5
    qd.sync()
    qd.init(arch=ARCH, enable_fallback=False, log_level="error")  # without the profiler, there are graphs
    staged.extend(stage())
    y, left = qd.ndarray(qd.i32, shape=64), qd.ndarray(qd.i32, shape=())
    left[()] = 6
    repeated(y, left)
    add(Interfaced(y.__cuda_array_interface__), 1)
    qd.sync()
    assert y.to_numpy()[0] == 7


def outcome(failure: str) -> dict[str, object]:
    name, _, rest = failure.partition("=")
    called = driver.qd_simulated_calls(name.encode())
    number = int(rest.partition("@")[2] or 0)
    staged.clear()
    driver.qd_simulated_fail(failure.encode())
    begin, error, lost = time.monotonic(), "", False
    try:
        program()
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    optional = name == HOST_ALLOCATE.decode() and called + number in staged
    if error:
        before = driver.qd_simulated_calls(name.encode())
        try:
            qd.ndarray(qd.i32, shape=1)
        except RuntimeError as raised:
            lost = "the device is lost" in str(raised)
        called += driver.qd_simulated_calls(name.encode()) - before
    try:
        qd.reset()
    except Exception as raised:
        error += f"; reset: {raised}"
    calls = driver.qd_simulated_calls(name.encode()) - called
    result = {"failure": failure, "error": error, "seconds": time.monotonic() - begin, "failed_in_last_call": calls == number, "lost": lost}
    result["optional"] = optional
    if calls < number:  # the host waits more often in one run than in another
        result["failure"] = ""
    live = {kind: driver.qd_simulated_live(kind.encode()) for kind in KINDS}
    return result | {"left": {kind: count for kind, count in live.items() if count}}


def names() -> list[str]:
    rows = re.findall(r'X\(\w+, "(\w*)",\s*"(\w*)"', TABLE.read_text())
    return [name for name in (row[ARCH != "cuda"] for row in rows) if name]


def calls() -> dict[str, int]:
    return {name: driver.qd_simulated_calls(name.encode()) for name in names()}


print(json.dumps(outcome("")), flush=True)  # opens the driver
before = calls()
print(json.dumps(outcome("")), flush=True)
counts = {name: after - before[name] for name, after in calls().items()}
results = (1, 2, 700)
for place, (name, count) in enumerate(counts.items()):
    numbers = sorted({1, 2, count // 2, count} & set(range(1, count + 1)))
    # Each number and each result of a function, and over all functions each number with each result.
    for i in range(max(len(numbers), len(results)) if numbers else 0):
        number, result = numbers[i % len(numbers)], results[(i + place) % len(results)]
        os.environ["QD_OFFLINE_CACHE"] = str(int(result != 1 and "Link" not in name))  # kernels are read, or compiled anew, which takes longer
        print(json.dumps(outcome(f"{name}={result}@{number}")), flush=True)
        driver.qd_simulated_reset()
        (driver.cuInit if ARCH == "cuda" else driver.hipInit)(0)
