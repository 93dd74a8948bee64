"""A signal handler that raises ends the kernel that the main thread is in, wherever that is; one that returns does not."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import hung_programs
import kernels_in_flight
import kernels_without_end
import pytest
import qd
from coverage import CoverageData

HERE = Path(__file__).resolve().parent
SOON = 5.0  # seconds, on a computer that has other things to do; a quiet one takes a tenth


class Enough(BaseException):
    """As KeyboardInterrupt: no Exception, which the runtime may take for the answer "no" to a question that it asks the program."""


def enough(number: int, frame: FrameType | None) -> None:
    raise Enough


@contextmanager
def handler(number: int, function: Any) -> Iterator[None]:
    before = signal.signal(number, function)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def signals(number: int = signal.SIGINT, after: float = 0.3, times: int = 1) -> Iterator[Callable[[], float]]:
    """Sends a signal to this process; gives the seconds since the first."""
    first: list[float] = []

    def send() -> None:
        for _ in range(times):
            time.sleep(after)
            first.append(time.monotonic())
            os.kill(os.getpid(), number)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield lambda: time.monotonic() - first[0]
    finally:
        thread.join()


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    qd.init(log_level="error", cpu_max_num_threads=request.param)
    yield request.param
    qd.reset()


@pytest.mark.parametrize("kernel", kernels_without_end.ALL, ids=lambda kernel: kernel.__name__)
def test_an_interrupt_ends_a_kernel_without_end(kernel: Any, threads: int, capfd: pytest.CaptureFixture[str]) -> None:
    x = qd.ndarray(qd.i32, 8)
    with signals() as since, pytest.raises(KeyboardInterrupt):
        kernel(x)
    assert since() < SOON
    # The program goes on, and can be interrupted again.
    assert kernels_without_end.branches(3, 0) == 1
    y = qd.ndarray(qd.i32, 100_000)
    kernels_in_flight.busy(y, 1)
    assert (y.to_numpy() == 1013904223).all()
    with handler(signal.SIGALRM, enough), pytest.raises(Enough):
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        kernel(x)


def test_a_handler_that_returns_lets_the_kernel_go_on(threads: int) -> None:
    seen: list[int] = []
    x = qd.ndarray(qd.i32, 1000)
    want = kernels_in_flight.serial(x, 150_000_000)
    values = x.to_numpy()
    x.fill(0)
    with handler(signal.SIGUSR1, lambda *_: seen.append(kernels_without_end.branches(-1, 0))), signals(signal.SIGUSR1, 0.05, 3):
        assert kernels_in_flight.serial(x, 150_000_000) == want
    assert seen == [2] * len(seen) and 1 <= len(seen) <= 3 and (x.to_numpy() == values).all()


def test_a_handler_may_launch_and_make_arrays(threads: int) -> None:
    made: list[int] = []

    def launch(number: int, frame: FrameType | None) -> None:
        y = qd.ndarray(qd.i32, 100_000)
        kernels_in_flight.busy(y, 3)
        made.append(int(y[7]))
        if len(made) == 2:
            raise Enough

    x = qd.ndarray(qd.i32, 8)
    with handler(signal.SIGUSR1, launch), signals(signal.SIGUSR1, 0.5, 2), pytest.raises(Enough):
        kernels_without_end.parallel(x)
    assert made[0] == made[1] != 0


def test_an_interrupt_of_a_launch_in_a_handler_reaches_the_outer_one(threads: int) -> None:
    x = qd.ndarray(qd.i32, 8)

    def launch(number: int, frame: FrameType | None) -> None:
        kernels_without_end.serial(x)

    with handler(signal.SIGUSR1, launch), signals(signal.SIGUSR1, 0.2), signals(signal.SIGINT, 1.0) as since, pytest.raises(KeyboardInterrupt):
        kernels_without_end.nested(x)
    assert since() < SOON


def test_an_interrupt_ends_waiting_for_a_kernel_of_another_thread() -> None:
    qd.init(log_level="error", cpu_max_num_threads=2)
    x, y = qd.ndarray(qd.i32, 100_000), qd.ndarray(qd.i32, 100_000)
    kernels_in_flight.busy(y, 1)
    other = threading.Thread(target=lambda: kernels_in_flight.busy(x, 20_000))
    other.start()
    time.sleep(0.1)
    with signals() as since, pytest.raises(KeyboardInterrupt):
        while True:
            kernels_in_flight.busy(y, 1)
    assert since() < SOON
    with signals() as since, pytest.raises(KeyboardInterrupt):
        qd.sync()
        time.sleep(10)
    other.join()
    # Launches of other threads go on, as their Python code does.
    assert len(set(x.to_numpy())) == 1 and x[0] != 0
    qd.sync()


def test_sync_waits_for_kernels_of_other_threads() -> None:
    qd.init(log_level="error", cpu_max_num_threads=2)
    x = qd.ndarray(qd.i32, 1000)
    want = kernels_in_flight.serial(x, 100_000_000)
    got: list[int] = []
    other = threading.Thread(target=lambda: got.append(kernels_in_flight.serial(x, 100_000_000)))
    other.start()
    time.sleep(0.05)
    qd.sync()
    last = int(x.to_numpy()[(100_000_000 - 1) % 1000])
    assert last == want
    other.join()
    assert got == [want]


def test_the_signal_that_stops_threads_is_free_for_others(threads: int) -> None:
    seen: list[int] = []
    x = qd.ndarray(qd.i32, 8)
    with handler(signal.SIGURG, lambda number, _: seen.append(number)):
        with signals(signal.SIGURG, 0.3, 2), signals(signal.SIGINT, 1.5), pytest.raises(KeyboardInterrupt):
            kernels_without_end.parallel(x)
        assert seen == [signal.SIGURG] * 2
        os.kill(os.getpid(), signal.SIGURG)
        assert len(seen) == 3


def test_many_interrupts(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ends its launch, unless Python runs the handler in a callback of a weak reference or of the garbage collector: it drops that error."""
    x = qd.ndarray(qd.i32, 8)
    dropped: list[object] = []

    def once_more(error: object) -> None:
        dropped.append(error)
        signal.setitimer(signal.ITIMER_REAL, 0.1, 20)

    monkeypatch.setattr(sys, "unraisablehook", once_more)
    signals_seen = 0

    def count(number: int, frame: FrameType | None) -> None:
        nonlocal signals_seen
        signals_seen += 1
        raise Enough

    for k in range(12):
        kernel = kernels_without_end.ALL[k % 4]
        with handler(signal.SIGALRM, count), pytest.raises(Enough):
            signal.setitimer(signal.ITIMER_REAL, 0.01 * k + 0.001, 20)
            while True:
                kernel(x)
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert signals_seen == 12 + len(dropped)


def test_a_child_can_be_interrupted(threads: int) -> None:
    x = qd.ndarray(qd.i32, 8)
    with signals(), pytest.raises(KeyboardInterrupt):
        kernels_without_end.parallel(x)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            qd.init(log_level="error", cpu_max_num_threads=2)
            with signals():
                kernels_without_end.parallel(qd.ndarray(qd.i32, 8))
        except KeyboardInterrupt:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_arrays_of_numpy_are_let_go_of(threads: int) -> None:
    import numpy as np

    x = np.zeros(8, np.int32)
    with signals(), pytest.raises(KeyboardInterrupt):
        kernels_without_end.serial(x)
    x.resize(16, refcheck=True)
    assert x.size == 16 and ctypes.c_int.from_buffer(x).value == x[0]


COVERED = """
import signal
import sys

import kernels_without_end as kernels
import qd

qd.init(log_level="error", coverage_switch=int(sys.argv[1]))
assert kernels.branches(3, 0) == 1
signal.alarm(1)
def stop(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, stop)
try:
    kernels.branches(-3, 1)
except TimeoutError:
    pass
else:
    sys.exit("not interrupted")
for _ in range(50):
    assert kernels.branches(3, 0) == 1
"""


@pytest.mark.parametrize("switch", [0, 1, 2, 3])
def test_an_interrupted_launch_counts_as_failed(switch: int, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(HERE), os.environ["PYTHONPATH"]])
    environment = {**os.environ, "PYTHONPATH": paths, "QD_KERNEL_COVERAGE": "1"}
    done = hung_programs.run([sys.executable, "-c", COVERED, str(switch)], cwd=tmp_path, timeout=60, env=environment)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    (data,) = tmp_path.glob("_qd_kcov.*")
    read = CoverageData(basename=str(data))
    read.read()
    source = HERE / "kernels_without_end.py"
    lines = source.read_text().splitlines()
    covered = {lines[number - 1].strip() for number in read.lines(str(source)) or [] if number > 0}
    assert {"result = 0", "if x > 0:", "result = 1", "while forever > 0:", "return result"} <= covered
    assert not {"result = 2", "result += 1"} & covered


@qd.kernel
def speak(n: qd.i32):
    print("n is", n)


class Pipe:
    """Standard output whose other end does something."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def write(self, text: str) -> int:
        raise self.error

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), BrokenPipeError("nobody reads")], ids=lambda error: type(error).__name__)
def test_what_printing_raises_the_launch_raises(error: BaseException, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as during, pytest.raises(type(error)) as raised:
        during.setattr(sys, "stdout", Pipe(error))
        speak(7)
    assert raised.value is error
    speak(8)


@qd.data_oriented
class Interrupting:
    """Ctrl-C while the compiler reads this object."""

    @property
    def n(self) -> int:
        raise KeyboardInterrupt

    def __getitem__(self, index: int) -> int:
        raise KeyboardInterrupt

    @qd.kernel
    def attribute(self) -> qd.i32:
        return self.n

    @qd.kernel
    def item(self) -> qd.i32:
        return self[0]


@pytest.mark.parametrize("kernel", ["attribute", "item"])
def test_an_interrupt_while_a_kernel_is_compiled(kernel: str, threads: int) -> None:
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            getattr(Interrupting(), kernel)()


class Row(list):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        raise KeyboardInterrupt


@qd.kernel
def first(v: qd.types.vector(2, qd.i32)) -> qd.i32:
    return v[0]


def test_an_interrupt_while_arguments_are_looked_at(threads: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        first(Row([1, 2]))


class Asked:
    """An object whose values kernels read when they are compiled; the offline cache reads them again."""

    interrupts = 0

    @property
    def n(self) -> int:
        if self.interrupts > 0:
            self.interrupts -= 1
            raise KeyboardInterrupt
        return 3


ASKED = Asked()


@qd.kernel
def of_global() -> qd.i32:
    return ASKED.n


def test_an_interrupt_while_the_offline_cache_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QD_OFFLINE_CACHE_FILE_PATH", str(tmp_path))
    options = {"log_level": "error", "offline_cache": True}
    qd.init(**options)
    assert of_global() == 3
    qd.init(**options)
    ASKED.interrupts = 1
    with pytest.raises(KeyboardInterrupt):
        of_global()
    assert of_global() == 3
