"""Programs with work in flight on streams: interrupts, forks, the end of the interpreter, coverage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hung_programs
import kernels_in_flight
import kernels_without_end
import numpy as np
import pytest
import qd
from coverage import CoverageData

HERE = Path(__file__).resolve().parent
SOON = 5.0  # seconds, on a computer that has other things to do

PROGRAM = """
import os
import sys
import threading

import kernels_in_flight as kernels
import kernels_without_end
import qd

qd.init(log_level="error", cpu_max_num_threads=2, offline_cache=False)
x = qd.ndarray(qd.i32, 1000)
stream = qd.create_stream()
"""


def run(program: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(HERE), str(cwd), os.environ["PYTHONPATH"]])
    (cwd / "program.py").write_text(PROGRAM + program)
    command = [sys.executable, "program.py"]
    return hung_programs.run(command, cwd=cwd, timeout=60, env={**os.environ, "PYTHONPATH": paths, **environment})


def interrupted(wait: Callable[[], Any]) -> float:
    """Seconds from a Ctrl-C to the end of a wait."""
    sent: list[float] = []

    def send() -> None:
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        wait()
    thread.join()
    return time.monotonic() - sent[0]


@qd.kernel
def wait_for_flag(flag: qd.types.ndarray(), x: qd.types.ndarray()):
    for _ in range(1):
        while qd.atomic_add(flag[0], 0) == 0:
            pass
        x[0] += 1


def test_an_interrupt_ends_a_wait_and_the_launch_goes_on() -> None:
    qd.init(log_level="error", cpu_max_num_threads=2)
    flag, x, own = qd.ndarray(qd.i32, 1), qd.ndarray(qd.i32, 1), np.zeros(1, np.int32)
    view, stream, event = flag.to_numpy(copy=False), qd.create_stream(), qd.create_event()
    wait_for_flag(flag, x, qd_stream=stream)
    event.record(stream)
    waits = [stream.synchronize, qd.sync, lambda: x[0], lambda: x.fill(3), event.synchronize, event.wait, stream.destroy]
    for wait in [*waits, lambda: kernels_in_flight.busy(own, 1, qd_stream=stream)]:
        assert interrupted(wait) < SOON
    view[0] = 1
    stream.synchronize()
    assert x[0] == 1 and own[0] == 0
    qd.reset()


def test_an_interrupt_of_a_reset_ends_the_launch() -> None:
    qd.init(log_level="error", cpu_max_num_threads=2)
    x, stream = qd.ndarray(qd.i32, 8), qd.create_stream()
    for kernel in (kernels_without_end.serial, kernels_without_end.parallel):
        kernel(x, qd_stream=stream)
    assert interrupted(qd.reset) < SOON
    qd.init(log_level="error")
    assert kernels_in_flight.finished(1) == 1
    qd.reset()


def test_the_end_of_the_interpreter_waits(tmp_path: Path) -> None:
    done = run("kernels.speaks(x, 3, qd_stream=stream)\nkernels.busy(x, 300_000, qd_stream=stream)\n", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "round 1\nround 2\nround 3\n", "")


@pytest.mark.parametrize("wait", ["stream.synchronize()", "x.to_numpy()", "qd.sync()", "stream.destroy()"])
def test_the_end_of_the_interpreter_beside_a_thread_that_waits(wait: str, tmp_path: Path) -> None:
    program = f"""
kernels.busy(x, 3_000_000, qd_stream=stream)
threading.Thread(target=lambda: {wait}, daemon=True).start()
print("at the end")
"""
    done = run(program, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "at the end\n", "")


def test_a_failure_that_nobody_was_told_of_is_told_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text("import qd\n\n\n@qd.kernel\ndef fails(x: qd.i32):\n    assert x > 3, 'too small'\n")
    done = run("import failing\nqd.init(debug=True, log_level='error')\nfailing.fails(2, qd_stream=qd.create_stream())\n", tmp_path)
    assert "KernelAssertionError" in done.stderr and "too small" in done.stderr


def test_the_child_of_a_fork_starts_anew(tmp_path: Path) -> None:
    program = """
kernels.busy(x, 1_000_000, qd_stream=stream)
event = qd.create_event()
event.record(stream)
child = os.fork()
if child == 0:
    for call in (stream.synchronize, stream.destroy, event.synchronize):
        try:
            call()
        except RuntimeError as error:
            assert "was made before the last qd.init / qd.reset" in str(error)
    qd.init(log_level="error")
    y = qd.ndarray(qd.i32, 10)
    with qd.create_stream() as own:
        kernels.busy(y, 1, qd_stream=own)
    assert y[0] == 1013904223
    del stream, event
    sys.exit(0)
_, status = os.waitpid(child, 0)
assert status == 0, status
stream.synchronize()
"""
    done = run(program, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def lines_by_context(folder: Path, source: Path) -> dict[str, set[str]]:
    """The text of the lines that kernels of a file reached, by context."""
    (file,) = folder.glob("_qd_kcov.*")
    data = CoverageData(basename=str(file))
    data.read()
    text = source.read_text().splitlines()
    found: dict[str, set[str]] = {}
    for line, contexts in data.contexts_by_lineno(str(source)).items():
        for context in contexts:
            found.setdefault(context, set()).add(text[line - 1].strip())
    return found


def test_launches_that_nobody_waited_for_are_covered(tmp_path: Path) -> None:
    done = run("kernels.busy(x, 2, qd_stream=stream)\n", tmp_path, QD_KERNEL_COVERAGE="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "x[i] = v" in lines_by_context(tmp_path, HERE / "kernels_in_flight.py")["qd:cpu"]


BRANCHING = """
import qd

@qd.kernel
def way(x: qd.types.ndarray(), n: qd.i32, rounds: qd.i32):
    for _ in range(1):
        k = 0
        while k < rounds:
            x[0] += k
            k += 1
        if n == 1:
            x[1] = 1
        else:
            x[1] = 2
"""


def test_hits_belong_to_the_test_that_launched(tmp_path: Path) -> None:
    kernels = tmp_path / "branching.py"
    kernels.write_text(BRANCHING)
    program = """
import qd_coverage
import branching
other = qd.create_stream()
qd_coverage.switch_context("one")
branching.way(x, 1, 20_000_000, qd_stream=stream)
qd_coverage.switch_context("two")
branching.way(x, 2, 1, qd_stream=other)
other.synchronize()
qd_coverage.switch_context("three")
"""
    done = run(program, tmp_path, QD_KERNEL_COVERAGE="1")
    assert (done.returncode, done.stderr) == (0, "")
    found = lines_by_context(tmp_path, kernels)
    assert "x[1] = 1" in found["one|qd:cpu"] and "x[1] = 2" not in found["one|qd:cpu"]
    assert "x[1] = 2" in found["two|qd:cpu"] and "x[1] = 1" not in found["two|qd:cpu"]
    assert "three|qd:cpu" not in found


def test_the_profiler_sees_launches_on_streams() -> None:
    qd.init(log_level="error", kernel_profiler=True)
    with qd.create_stream() as stream:
        for _ in range(5):
            kernels_in_flight.finished(1, qd_stream=stream)
    assert qd.profiler.query_kernel_profiler_info("finished").counter == 5
    qd.reset()
