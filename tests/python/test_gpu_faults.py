"""Failures on a GPU: the error has the driver's words, and the process writes the coverage that it has. On the simulated drivers."""

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
import os
import sys

import qd

array = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def add(x: array):
    for i in x:
        if i >= 0:
            x[i] += 1  # ran


@qd.kernel
def far_away(x: array, at: qd.i32):
    for i in x:
        x[at + i] = 1


def main():
    qd.init(arch=sys.argv[1], enable_fallback=False, log_level="error")
    x = qd.ndarray(qd.i32, shape=64)
    {body}


main()
"""


@pytest.fixture(params=["cuda", "amdgpu"])
def arch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv({"cuda": "QD_CUDA_DRIVER", "amdgpu": "QD_HIP_DRIVER"}[request.param], str(LIBRARY))
    monkeypatch.delenv("QD_ARCH", raising=False)
    return str(request.param)


def run(folder: Path, arch: str, body: str, *command: str) -> subprocess.CompletedProcess[str]:
    program = folder / "program.py"
    program.write_text(PROGRAM.replace("{body}", body.replace("\n", "\n    ")))
    if not command:
        return coverage_commands.program([program, arch], folder, timeout=100)
    return subprocess.run([*command, program, arch], cwd=folder, capture_output=True, text=True, timeout=100, check=False)


ILLEGAL = """\
add(x)
far_away(x, 1 << 29)
try:
    print(x.to_numpy())
except qd.KernelRuntimeError as error:
    print("told:", error)
try:
    add(x)
    qd.sync()
except qd.KernelRuntimeError as error:
    print("again:", error)
try:
    qd.init(arch=sys.argv[1], enable_fallback=False, log_level="error")
    qd.ndarray(qd.i32, shape=8)
except RuntimeError as error:
    print("anew:", error)
qd.init(arch=qd.cpu, log_level="error")
y = qd.ndarray(qd.i32, shape=4)
add(y)
print(y.to_numpy().tolist())
"""


def test_an_illegal_access(arch: str, tmp_path: Path) -> None:
    done = run(tmp_path, arch, ILLEGAL, str(BUILD / "cli/qd-cov"), "run", "--branch")
    assert done.returncode == 0, done.stderr
    told, again, anew, on_cpu = done.stdout.splitlines()
    assert told.startswith("told: kernel far_away: ") and "an illegal memory access was encountered" in told, told
    assert "the device is lost" in again or "an illegal memory access" in again, again
    assert "an illegal memory access was encountered" in anew, anew
    assert on_cpu == "[1, 1, 1, 1]"

    report = subprocess.run([BUILD / "cli/qd-cov", "json", "-q", "-o", "-"], cwd=tmp_path, capture_output=True, text=True, check=True)
    (file,) = json.loads(report.stdout)["files"].values()
    lines = (tmp_path / "program.py").read_text().splitlines()
    ran = next(number for number, line in enumerate(lines, 1) if "# ran" in line)
    assert ran in file["executed_lines"]


def test_coverage_of_launches_before_the_fault_is_kept(arch: str, tmp_path: Path) -> None:
    """The first launch has not been waited for when the second one loses the device."""
    done = run(tmp_path, arch, "add(x)\nfar_away(x, 1 << 29)\nqd.sync()", str(BUILD / "cli/qd-cov"), "run", "--branch")
    assert done.returncode == 1 and "kernel far_away: " in done.stderr, done.stderr
    report = subprocess.run([BUILD / "cli/qd-cov", "json", "-q", "-o", "-"], cwd=tmp_path, capture_output=True, text=True, check=True)
    (file,) = json.loads(report.stdout)["files"].values()
    lines = (tmp_path / "program.py").read_text().splitlines()
    ran = next(number for number, line in enumerate(lines, 1) if "# ran" in line)
    assert ran in file["executed_lines"]


def test_no_memory(arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_SIMULATED_MEMORY", str(64 << 20))
    body = """\
try:
    qd.ndarray(qd.f32, shape=(1 << 26,))
except MemoryError as error:
    print(error)
y = qd.ndarray(qd.i32, shape=4)
add(y)
print(y.to_numpy().tolist())
"""
    done = run(tmp_path, arch, body)
    assert done.returncode == 0, done.stderr
    error, works = done.stdout.splitlines()
    assert "allocating 268435456 bytes: " in error and "out of memory" in error and "bytes of 67108864 are taken" in error
    assert works == "[1, 1, 1, 1]"


def test_too_large_blocks(arch: str, tmp_path: Path) -> None:
    body = """\
@qd.kernel
def large(x: array):
    qd.loop_config(block_dim=128)
    for i in x:
        kept = qd.simt.block.SharedArray((40000,), qd.f32)
        kept[0] = 1.0


try:
    large(x)
except qd.KernelCompilationError as error:
    print(error)
"""
    done = run(tmp_path, arch, body)
    assert done.returncode == 0, done.stderr
    assert "bytes of shared memory per block" in done.stdout, done.stdout


def test_the_child_of_a_fork(arch: str, tmp_path: Path) -> None:
    body = """\
add(x)
qd.sync()
child = os.fork()
if child == 0:
    try:
        qd.init(arch=sys.argv[1], enable_fallback=False, log_level="error")
    except RuntimeError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
add(x)
print(x.to_numpy()[0])
"""
    done = run(tmp_path, arch, body)
    assert done.returncode == 0, done.stderr
    error, works = done.stdout.splitlines()
    assert f"{arch} not available: this process is a child of a fork, and its parent had used " in error
    assert works == "2"


def test_a_device_that_does_not_answer(arch: str, tmp_path: Path) -> None:
    body = """\
@qd.kernel
def endless(x: array):
    for i in x:
        while x[0] >= 0:
            x[i] += 0


qd.init(arch=sys.argv[1], enable_fallback=False, log_level="error", device_timeout=1)
x = qd.ndarray(qd.i32, shape=64)
add(x)
endless(x)
try:
    qd.sync()
except qd.KernelRuntimeError as error:
    print(error)
os._exit(0)
"""
    done = run(tmp_path, arch, body)
    assert "kernel endless: the device got no further for 1 s (device_timeout)" in done.stdout, (done.stdout, done.stderr)


def test_another_device(arch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_SIMULATED_DEVICES", "2")
    body = """\
print([d.name for d in qd.devices() if d.arch == sys.argv[1]])
for device in (1, "gpu 0", 7):
    try:
        qd.init(arch=sys.argv[1], device=device, log_level="error")
        y = qd.ndarray(qd.i32, shape=4)
        add(y)
        print(y.to_numpy()[0])
    except RuntimeError as error:
        print(error)
"""
    done = run(tmp_path, arch, body)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['Simulated GPU 0', 'Simulated GPU 1']",
        "1",
        "1",
        f"{arch} not available: there is no device 7; there are 0: Simulated GPU 0, 1: Simulated GPU 1",
    ]
