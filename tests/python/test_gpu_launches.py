"""Number of calls of the launcher to a GPU's driver, counted by the simulated drivers."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import coverage_commands
import pytest

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()
LIBRARY = BUILD / "tests/simulated_driver/libqd_simulated_gpu.so"

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")

PROGRAM = """
import ctypes
import json
import sys

import qd

array = qd.types.ndarray(dtype=qd.i32, ndim=1)
driver = ctypes.CDLL(sys.argv[1])
driver.qd_simulated_calls.restype = ctypes.c_ulong


@qd.func
def half(n):
    if n % 2 == 0:
        n = n // 2
    return n


@qd.kernel
def add(x: array, a: qd.i32):
    for i in x:
        if i > 3:
            x[i] += half(a)
    for i in x:
        x[i] -= 1


def calls(names):
    return [driver.qd_simulated_calls(name.encode()) for name in names]


qd.init(arch=qd.cuda, enable_fallback=False, log_level="error", coverage_switch=0)
x = qd.ndarray(qd.i32, shape=300)
graphs = ["cuGraphLaunch", "cuGraphInstantiateWithFlags"]
names = graphs + ["cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemsetD8Async", "cuEventRecord", "cuStreamSynchronize"]
add(x, 4)
qd.sync()
before = calls(names)
for _ in range(10):
    add(x, 4)
    if "read" in sys.argv:
        x.to_numpy(), x[3]
    if "wait" in sys.argv:
        qd.sync()
qd.sync()
print(json.dumps(dict(zip(names, [b - a for a, b in zip(before, calls(names))]))))
"""


def counted(folder: Path, *command: str | Path, more: str = "") -> dict[str, int]:
    (folder / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "QD_CUDA_DRIVER": str(LIBRARY)}
    environment.pop("QD_ARCH", None)
    words = ["program.py", str(LIBRARY), more]
    if command:
        done = subprocess.run([*command, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    else:
        done = coverage_commands.program(words, folder, environment)
    found: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return found


def run_tasks(calls: dict[str, int]) -> int:
    """A graph has two tasks, whose launches were captured."""
    return calls["cuLaunchKernel"] - 2 * calls["cuGraphInstantiateWithFlags"] + 2 * calls["cuGraphLaunch"]


def test_coverage_launches_nothing_more(tmp_path: Path) -> None:
    without = counted(tmp_path)
    measured = counted(tmp_path, BUILD / "cli/qd-cov", "run", "--branch")
    assert run_tasks(without) == run_tasks(measured) == 20
    assert measured["cuStreamSynchronize"] == without["cuStreamSynchronize"]  # no more waits
    assert measured["cuMemcpyHtoDAsync_v2"] <= 10 and measured["cuMemcpyDtoHAsync_v2"] <= 10


def test_counters_are_not_copied(tmp_path: Path) -> None:
    """The last task of a launch hands them over, and clears them for the next one."""
    measured = counted(tmp_path, BUILD / "cli/qd-cov", "run", "--branch", more="wait")
    assert run_tasks(measured) == 20 and measured["cuMemcpyHtoDAsync_v2"] == measured["cuMemcpyDtoHAsync_v2"] == measured["cuMemsetD8Async"] == 0


def test_launches_that_leave_nothing_copy_nothing(tmp_path: Path) -> None:
    """A launch with the same arguments is the driver's calls for its tasks and a mark."""
    without = counted(tmp_path)
    assert run_tasks(without) == 20
    graphs = {"cuGraphLaunch": 9, "cuGraphInstantiateWithFlags": 1, "cuLaunchKernel": 4}
    assert without == dict.fromkeys(without, 0) | graphs | {"cuEventRecord": 10}, "the third launch makes a graph of the two tasks"


def test_what_the_host_only_reads_is_not_copied_back(tmp_path: Path) -> None:
    assert counted(tmp_path, more="read")["cuMemcpyHtoDAsync_v2"] == 0
