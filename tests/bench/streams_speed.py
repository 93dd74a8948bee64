"""Gain of streams: work of two streams beside each other against the same work on one; and the cost of a launch. Prints; asserts nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import qd

ROUNDS = 100


@qd.kernel
def serial(x: qd.types.ndarray(dtype=qd.i32, ndim=1), rounds: qd.i32):
    v = x[0]
    k = 0
    while k < rounds:
        v = v * 1664525 + 1013904223
        k += 1
    x[0] = v


@qd.kernel
def parallel(x: qd.types.ndarray(dtype=qd.i32, ndim=1), rounds: qd.i32):
    for i in x:
        v = x[i]
        for _ in range(rounds):
            v = v * 1664525 + 1013904223
        x[i] = v


@qd.kernel
def nothing():
    pass


def seconds(work: Callable[[], None]) -> float:
    """The best of some rounds."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def compare(what: str, kernel: Any, size: int, rounds: int, launches: int) -> None:
    """The same launches on the default stream, on one stream, and on two."""
    arrays = [qd.ndarray(qd.i32, size) for _ in range(2)]
    streams = [qd.create_stream() for _ in range(2)]

    def on(chosen: list[Any]) -> Callable[[], None]:
        def work() -> None:
            for _ in range(launches):
                for array, stream in zip(arrays, chosen):
                    kernel(array, rounds, qd_stream=stream)
            qd.sync()

        return work

    default, one, two = (seconds(on(chosen)) * 1e3 for chosen in ([None, None], [streams[0]] * 2, streams))
    print(f"{what:37} default {default:7.2f} ms   one stream {one:7.2f} ms   two streams {two:7.2f} ms   {one / two:4.2f} x")
    for stream in streams:
        stream.destroy()


def launch_cost(stream: Any, wait: Callable[[], None], launches: int) -> float:
    """Microseconds a launch; `wait` is called behind so many."""

    def work() -> None:
        for _ in range(launches):
            nothing(qd_stream=stream)
        wait()

    return seconds(work) / launches * 1e6


def plain_cost() -> float:
    def work() -> None:
        for _ in range(20_000):
            nothing()

    return seconds(work) / 20_000 * 1e6


def main() -> None:
    qd.init(log_level="error")
    print(f"launch without qd_stream, before there are streams {plain_cost():6.2f} us")
    compare("serial, 2 x 5 launches", serial, 1, 3_000_000, 5)
    compare("serial, 2 x 100 short launches", serial, 1, 100_000, 100)
    compare("parallel, 1 iteration, 2 x 5", parallel, 1, 3_000_000, 5)
    compare("parallel, 3 iterations, 2 x 5", parallel, 3, 1_000_000, 5)
    compare("parallel, 64 iterations, 2 x 10", parallel, 64, 30_000, 10)
    compare("parallel, 100,000 iterations, 2 x 10", parallel, 100_000, 30, 10)
    print(f"launch without qd_stream, beside streams           {plain_cost():6.2f} us")
    with qd.create_stream() as stream:
        print(f"launch with qd_stream, 1000 then a wait            {launch_cost(stream, stream.synchronize, 1000):6.2f} us")
        print(f"launch with qd_stream, each with a wait            {launch_cost(stream, stream.synchronize, 1):6.2f} us")


if __name__ == "__main__":
    main()
