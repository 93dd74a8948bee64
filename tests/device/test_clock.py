"""qd.clock_counter: it goes on while an iteration works, and the measured statements stand between its two readings."""

from __future__ import annotations

import numpy as np
import pytest
import qd

Times = qd.types.ndarray(dtype=qd.i64, ndim=1)
Steps = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def measure(steps: Steps, times: Times, results: Steps):
    for i in steps:
        begin = qd.clock_counter()
        x = i
        for _ in range(steps[i]):
            x = x * 1103515245 + 12345
        results[i] = x
        times[i] = qd.clock_counter() - begin


def test_more_work_takes_more_cycles(arch: str) -> None:
    steps = np.array([0, 20, 20_000], dtype=np.int32)
    times, results = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int32)
    least = np.full(3, 2**62)
    for _ in range(5):  # an interruption makes a time longer, never shorter
        measure(steps, times, results)
        least = np.minimum(least, times)
    assert (least >= 0).all()
    assert least[2] > 20 * least[1] > 0 or least[2] > 20_000


def test_the_counter_never_goes_back_in_one_iteration(arch: str) -> None:
    @qd.kernel
    def ordered() -> qd.i32:
        wrong = 0
        for _ in range(1):
            last = qd.clock_counter()
            for _ in range(1000):
                now = qd.clock_counter()
                wrong += int(now < last)
                last = now
        return wrong

    assert ordered() == 0


def test_the_frequency_is_not_known_on_the_cpu() -> None:
    with pytest.raises(NotImplementedError, match="qd.profiler gives times"):
        qd.clock_freq_hz()
