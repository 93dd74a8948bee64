"""Times of kernels on arch=qd.python, in the form that the native program has for compiled ones."""

from __future__ import annotations

import collections
import threading
import time
import types
from collections.abc import Callable
from typing import Any, Protocol

Times = tuple[int, int, int, int]
"""Times of launches: their number, the total, the shortest, the longest; in nanoseconds."""

KernelRow = tuple[str, str, int, Times, list[tuple[str, Times]]]
"""Name, file and first line of a kernel, the times of its launches, and its tasks with theirs."""

Record = tuple[int, int, int, int]
"""Record of a task that ran: the indices of its kernel and of its task, its begin and its time; in nanoseconds."""

MOST_RECORDS = 1 << 20
"""Largest number of records that are kept, the latest ones; the times of kernels have them all."""


class Profile(Protocol):
    """The profiler of kernels: the native program, or `KernelTimes`."""

    def device_name(self) -> str: ...
    def finish_launches(self) -> None: ...
    def kernel_times(self) -> list[KernelRow]: ...
    def kernel_records(self) -> tuple[list[Record], int]: ...
    def clear_kernel_times(self) -> None: ...


class KernelTimes:
    """The time of each call, by the clock on the wall: Python runs a kernel as one serial task. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, int, str], int] = {}  # of each kernel: file, first line, name
        self._times: list[Times] = []  # by row
        self._records: collections.deque[Record] = collections.deque(maxlen=MOST_RECORDS)
        self._dropped = 0

    def measured(self, function: types.FunctionType, run: Callable[..., Any]) -> Callable[..., Any]:
        """`run`, which runs the kernel that `function` is, with its time added here. A call that raises counts, too."""
        kernel = function.__code__.co_filename, function.__code__.co_firstlineno, function.__name__

        def measured(run: Callable[..., Any]) -> Callable[..., Any]:
            def launch(*args: Any, **kwargs: Any) -> Any:
                begin = time.perf_counter_ns()
                try:
                    return run(*args, **kwargs)
                finally:
                    self._add(kernel, begin, time.perf_counter_ns() - begin)

            return launch

        launch: Any = measured(run)
        launch.observations = getattr(run, "observations", {})
        if hasattr(run, "resume"):  # a kernel with checkpoints
            launch.resume = measured(run.resume)
        return launch  # type: ignore[no-any-return]

    def _add(self, kernel: tuple[str, int, str], begin: int, took: int) -> None:
        with self._lock:
            row = self._rows.setdefault(kernel, len(self._times))
            if row == len(self._times):
                self._times.append((0, 0, took, took))
            count, total, least, most = self._times[row]
            self._times[row] = count + 1, total + took, min(least, took), max(most, took)
            self._dropped += len(self._records) == MOST_RECORDS
            self._records.append((row, 0, begin, took))

    def device_name(self) -> str:
        return "the Python interpreter"

    def finish_launches(self) -> None:
        """Does nothing: a call is over when it returns, and those of other threads are not waited for."""

    def kernel_times(self) -> list[KernelRow]:
        with self._lock:
            kernels = zip(self._rows, self._times)
            return [(name, file, line, times, [(f"{name}:{line} python", times)]) for (file, line, name), times in kernels]

    def kernel_records(self) -> tuple[list[Record], int]:
        with self._lock:
            records, dropped = list(self._records), self._dropped
        origin = min((begin for _, _, begin, _ in records), default=0)
        return [(kernel, task, begin - origin, took) for kernel, task, begin, took in records], dropped

    def clear_kernel_times(self) -> None:
        with self._lock:
            self._rows.clear()
            self._times.clear()
            self._records.clear()
            self._dropped = 0
