"""The kernel profiler: counts and times of kernels, on each architecture. The oracle is a clock around the launches."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Iterator

import in_place
import long_loops
import numpy as np
import pytest
import qd

Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def add(x: qd.types.ndarray(ndim=1), value: qd.i32):
    for i in x:
        x[i] += value


@qd.kernel
def two_loops(x: Ints) -> qd.i32:
    for i in x:
        x[i] = i
    total = 0
    qd.loop_config(name="sum_up")
    for i in x:
        total += x[i]
    return total


@qd.kernel
def fails(x: Ints):
    for i in x:
        x[i] = 1
    for i in x:
        assert x[i] == 2
    for i in x:
        x[i] = 3


@qd.kernel
def rounds(x: Ints, n: qd.i32):
    for _ in range(1):
        for k in range(n):
            x[0] = x[0] * 1664525 + k


class Other:
    @staticmethod
    @qd.kernel
    def add(x: Ints):
        for i in x:
            x[i] -= 1


@pytest.fixture
def profiled(arch: str) -> Iterator[str]:
    qd.init(arch=arch, log_level="error", kernel_profiler=True)
    yield arch


def table(capsys: pytest.CaptureFixture[str], mode: str = "count") -> str:
    capsys.readouterr()
    qd.profiler.print_kernel_profiler_info(mode)
    return capsys.readouterr().out


def test_counts_and_times(profiled: str) -> None:
    x = qd.ndarray(qd.i32, 16)
    begin = time.perf_counter()
    for _ in range(5):
        add(x, 1)
    two_loops(x)
    qd.sync()
    wall = time.perf_counter() - begin
    of_add, of_two = qd.profiler.query_kernel_profiler_info("add"), qd.profiler.query_kernel_profiler_info("two_loops")
    assert (of_add.counter, of_two.counter) == (5, 1)
    assert 0 < of_add.min <= of_add.avg <= of_add.max
    assert 0 < of_two.min == of_two.avg == of_two.max
    total = qd.profiler.get_kernel_profiler_total_time()
    assert total == pytest.approx((5 * of_add.avg + of_two.avg) / 1e3)
    assert total < wall
    qd.profiler.clear_kernel_profiler_info()
    assert qd.profiler.get_kernel_profiler_total_time() == 0.0
    assert qd.profiler.query_kernel_profiler_info("add").counter == 0


def test_time_is_that_of_the_work(profiled: str) -> None:
    long_loops.needed()
    x = qd.ndarray(qd.i32, 1)
    rounds(x, 1)
    qd.sync()
    n = 100  # until a launch takes long enough to be seen by any clock
    while True:
        qd.profiler.clear_kernel_profiler_info()
        begin = time.perf_counter()
        rounds(x, n)
        qd.sync()
        wall = time.perf_counter() - begin
        measured = qd.profiler.get_kernel_profiler_total_time()
        assert measured <= wall
        if wall > 0.1:
            assert measured > wall / 5, "time that the kernel took is missing"
            return
        n *= 4


def test_tasks(profiled: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = qd.ndarray(qd.i32, 1000)
    for _ in range(3):
        assert two_loops(x) == 499500
    text = table(capsys)
    assert re.search(r"^\[100\.00% +\d+\.\d{6} s +3x \|(?: +\d+\.\d{4}){3} ms\] two_loops$", text, re.MULTILINE), text
    assert re.search(r"^\[100\.00%\] Total execution time: \d+\.\d{6} s   number of results: 1$", text, re.MULTILINE), text
    trace = table(capsys, "trace")
    if profiled == "python":  # one task
        assert "for" not in text.replace("for (", "")
        assert "Number of records:  3\n" in trace
        return
    first = two_loops._function.__code__.co_firstlineno
    rows = re.findall(r" (\d+)x .*\]   (two_loops:.*)$", text, re.MULTILINE)
    assert ("3", f"two_loops:{first + 2} for") in rows
    assert ("3", f"two_loops:{first + 6} for (sum_up)") in rows
    assert qd.profiler.query_kernel_profiler_info(f"two_loops:{first + 2} for").counter == 3
    assert f"Number of records:  {3 * len(rows)}\n" in trace
    begins = [float(begin) for begin in re.findall(r"^\[ *(\d+\.\d+) ms \|", trace, re.MULTILINE)]
    assert begins[0] == 0.0 and begins == sorted(begins) and len(begins) == 3 * len(rows)


def test_variants_share_a_row(profiled: str, capsys: pytest.CaptureFixture[str]) -> None:
    add(np.zeros(3, np.int32), 1)
    add(np.zeros(3, np.float32), 1)
    assert qd.profiler.query_kernel_profiler_info("add").counter == 2
    text = table(capsys)
    assert "number of results: 1\n" in text
    assert text.count("add") == 1, text


def test_kernels_of_one_name(profiled: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = np.zeros(3, np.int32)
    add(x, 5)
    Other.add(x)
    Other.add(x)
    places = [f"add (test_profiler.py:{kernel._function.__code__.co_firstlineno})" for kernel in (add, Other.__dict__["add"].__func__)]
    text = table(capsys)
    assert all(place in text for place in places), text
    assert qd.profiler.query_kernel_profiler_info("add").counter == 3


def test_launches_of_other_threads(profiled: str) -> None:
    def launch() -> None:
        x = np.zeros(8, np.int32)
        for _ in range(50):
            add(x, 1)

    threads = [threading.Thread(target=launch) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert qd.profiler.query_kernel_profiler_info("add").counter == 200


def test_what_fails_counts_until_then(arch: str, capsys: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=arch, log_level="error", kernel_profiler=True, debug=True)
    x = qd.ndarray(qd.i32, 100)
    with pytest.raises(qd.KernelAssertionError):
        fails(x)
        qd.sync()
    assert qd.profiler.query_kernel_profiler_info("fails").counter == 1
    if arch != "python":
        assert len(re.findall(r"\] +fails:\d+ for$", table(capsys), re.MULTILINE)) == 2
    with pytest.raises(qd.KernelRuntimeTypeError):
        fails(3.5)
    with pytest.raises(qd.KernelRuntimeTypeError):
        add(x, "one")
    if arch != "python":  # there, the interpreter looks at the arguments in the call
        assert qd.profiler.query_kernel_profiler_info("fails").counter == 1
        assert qd.profiler.query_kernel_profiler_info("add").counter == 0


def test_what_is_interrupted_counts_until_then(profiled: str) -> None:
    in_place.needed()

    def stop(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(InterruptedError):
            rounds(np.zeros(1, np.int32), 2**31 - 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    result = qd.profiler.query_kernel_profiler_info("rounds")
    assert result.counter == 1 and result.max > 1.0


def test_a_failure_stays_for_the_next_wait(profiled: str) -> None:
    qd.init(arch=profiled, log_level="error", kernel_profiler=True, debug=True)
    x = qd.ndarray(qd.i32, 100)
    try:
        fails(x)
    except qd.KernelAssertionError:  # a device whose launches are over when the call returns
        return
    assert qd.profiler.query_kernel_profiler_info("fails").counter == 1
    with pytest.raises(qd.KernelAssertionError):
        qd.sync()


def test_a_new_program_begins_anew(profiled: str) -> None:
    add(np.zeros(3, np.int32), 1)
    assert qd.profiler.get_kernel_profiler_total_time() > 0
    qd.init(arch=profiled, log_level="error", kernel_profiler=True)
    assert qd.profiler.get_kernel_profiler_total_time() == 0


def test_off(arch: str, capsys: pytest.CaptureFixture[str]) -> None:
    add(np.zeros(3, np.int32), 1)
    how = r"the kernel profiler is off: qd.init\(kernel_profiler=True\), or QD_KERNEL_PROFILER=1, turns it on"
    with pytest.warns(UserWarning, match=how) as warned:
        qd.profiler.print_kernel_profiler_info()
        assert qd.profiler.query_kernel_profiler_info("add") is None
        assert qd.profiler.get_kernel_profiler_total_time() == 0.0
        qd.profiler.clear_kernel_profiler_info()
        assert not qd.profiler.set_kernel_profiler_toolkit()
    assert len(warned) == 5 and {row.filename for row in warned} == {__file__}
    assert capsys.readouterr().out == ""


def test_before_init() -> None:
    qd.reset()
    with pytest.raises(RuntimeError, match=r"qd\.init\(\) has not been called"):
        qd.profiler.print_kernel_profiler_info()


def test_by_the_environment(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_KERNEL_PROFILER", "1")
    qd.init(arch=arch, log_level="error")
    add(np.zeros(3, np.int32), 1)
    assert qd.profiler.query_kernel_profiler_info("add").counter == 1


def test_wrong_arguments(profiled: str) -> None:
    with pytest.raises(ValueError, match="mode must be 'count' or 'trace', not 'all'"):
        qd.profiler.print_kernel_profiler_info("all")
    with pytest.warns(UserWarning, match="no toolkit 'cupti'"):
        assert not qd.profiler.set_kernel_profiler_toolkit("cupti")
    assert qd.profiler.set_kernel_profiler_toolkit("default")
    with pytest.raises(AttributeError, match=r"qd\.profiler\.CuptiMetric is not supported yet"):
        _ = qd.profiler.CuptiMetric
