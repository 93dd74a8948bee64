"""Failures on Vulkan: the error names a remedy, the program goes on, and coverage from before is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import coverage
import pytest
from qdcov._start import why_not

NO_VULKAN = why_not("vulkan")
pytestmark = pytest.mark.skipif(bool(NO_VULKAN), reason=NO_VULKAN)
BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()

KERNELS = """\
import qd
Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)

@qd.kernel
def few(x: Ints):
    for i in x:
        if x[i] < 5:
            x[i] += 1
        else:
            x[i] = 0

@qd.kernel
def many(x: Ints, n: qd.i32):
    for i in x:
        done = 0
        while done < n + (x[i] & 1):
            done += 1
        x[i] = done

@qd.kernel
def endless(x: Ints):
    for i in x:
        done = 1
        while done != 0:
            done = x[0] * 2 + 1
        x[i] = done
"""

SLOW = """\
import qd, time
from kernels import few, many, endless
qd.init(arch=qd.vulkan, device_timeout=0.5, log_level="error")
x, y = qd.ndarray(qd.i32, 10), qd.ndarray(qd.i32, 4_000_000)
few(x)
print(x.to_numpy()[0])
begin = time.perf_counter()
try:
    {launch}
    few(x)
    qd.sync()
except qd.KernelRuntimeError as error:
    print(error)
assert time.perf_counter() - begin < 20
few(x)
print(x.to_numpy()[0])
qd.init(arch=qd.vulkan, log_level="error")
x = qd.ndarray(qd.i32, 10)
few(x)
print(x.to_numpy()[0])
"""


def run(folder: Path, program: str, *before: str, **more: str) -> str:
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "program.py").write_text(program)
    environment = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": str(folder / "cache"), **more}
    done = subprocess.run([*before, sys.executable, "program.py"], cwd=folder, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("_", range(2))
def test_a_launch_that_takes_too_long(tmp_path: Path, _: int) -> None:
    """A launch that takes too long ends with an error that names the kernel; the next launch runs, and the device is not lost."""
    first, error, second, third = run(tmp_path, SLOW.format(launch="many(y, 30_000)")).splitlines()
    assert (first, second, third) == ("1", "3", "1")
    assert error == "kernel many: the device got no further for 0.5 s (device_timeout)"


def test_coverage_of_what_ran_is_kept(tmp_path: Path) -> None:
    run(tmp_path, SLOW.format(launch="many(y, 30_000)"), str(BUILD / "cli/qd-cov"), "run", "--branch", "--")
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    lines = set(data.lines(str(tmp_path / "kernels.py")) or [])
    assert {6, 7, 8} <= lines
    assert 10 not in lines


def test_a_loop_without_end(tmp_path: Path) -> None:
    """A driver may end it itself."""
    output = run(tmp_path, SLOW.format(launch="endless(y)")).splitlines()
    assert output[1].startswith("kernel endless: ")
    assert "device_timeout" in output[1] or "ends the loops" in output[1]
    assert output[2:] == ["3", "1"]


CHILD = """\
import os, qd
from kernels import few
qd.init(arch=qd.vulkan, log_level="error")
x = qd.ndarray(qd.i32, 10)
few(x)
child = os.fork()
if child == 0:
    try:
        few(x)
    except (RuntimeError, TypeError) as error:
        print(error)
    try:
        qd.init(arch=qd.vulkan, enable_fallback=False, log_level="error")
    except RuntimeError as error:
        print(error)
    qd.init(log_level="error")
    x = qd.ndarray(qd.i32, 10)
    few(x)
    print(x.to_numpy()[0], flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
few(x)
print(x.to_numpy()[0])
"""


def test_the_child_of_a_fork(tmp_path: Path) -> None:
    launch, start, on_the_cpu, of_the_parent = run(tmp_path, CHILD).splitlines()
    assert "qd.init" in launch
    assert "child of a fork" in start and "'spawn'" in start
    assert (on_the_cpu, of_the_parent) == ("1", "2")


MEMORY = """\
import qd
from kernels import few
qd.init(arch=qd.vulkan, log_level="error")
x = qd.ndarray(qd.i32, 10)
few(x)
for make in (qd.ndarray, qd.field):
    try:
        kept = [make(qd.f64, (1 << 31) - 1) for _ in range(100)]
    except MemoryError as error:
        print(error)
few(x)
print(x.to_numpy()[0])
"""


def test_more_memory_than_there_is(tmp_path: Path) -> None:
    *errors, value = run(tmp_path, MEMORY).splitlines()
    assert len(errors) == 2 and value == "2"
    for error in errors:
        assert "17179869176 bytes are more than" in error or "the device has no room for" in error


def test_without_a_driver(tmp_path: Path) -> None:
    program = 'import qd, warnings\nwarnings.simplefilter("ignore")\nqd.init(arch=qd.vulkan)\n'
    assert run(tmp_path, program, VK_ICD_FILENAMES="/nowhere", VK_DRIVER_FILES="/nowhere") == "[qd] Starting on arch=cpu\n"


SHORT = """\
import qd
from kernels import few
qd.init(arch=qd.vulkan, log_level="error")
x = qd.ndarray(qd.i32, 4)
few(x)
print(x.to_numpy()[0])
"""


def test_without_a_loader(tmp_path: Path) -> None:
    for name in ("libvulkan.so.1", "libvulkan.so"):
        (tmp_path / name).write_text("no library")
    program = "import qd\nprint(qd._start.why_not('vulkan'))\nprint([str(device.arch) for device in qd.devices()])\n"
    reason, archs = run(tmp_path, program, LD_LIBRARY_PATH=str(tmp_path)).splitlines()
    assert (reason, archs) == ("vulkan not available: there is no loader (libvulkan.so.1)", "['cpu']")


@pytest.mark.parametrize("damage", ["x", "", None])
def test_a_damaged_cache(tmp_path: Path, damage: str | None) -> None:
    """Kernels run in spite of damaged files in the cache, and the next run finds good entries again."""
    assert run(tmp_path, SHORT) == "1\n"
    kept = [path for path in (tmp_path / "cache").rglob("*") if path.is_file() and path.suffix in (".code", ".driver")]
    assert kept
    for path in kept:
        whole = path.read_bytes()
        path.write_bytes(damage.encode() if damage is not None else whole[:-1] + bytes([whole[-1] ^ 1]))
    assert run(tmp_path, SHORT) == "1\n"
    assert run(tmp_path, SHORT) == "1\n"
