"""Gain of `with qd.stream_parallel():`: loops side by side in blocks against the same loops one after the other. Prints; asserts nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

import qd

ROUNDS = 200
ARRAY = qd.types.ndarray(qd.i32, 1)


@qd.func
def work(v, rounds):
    for _ in range(rounds):
        v = v * 1664525 + 1013904223
    return v


@qd.kernel
def in_turn(x: ARRAY, y: ARRAY, rounds: qd.i32):
    for i in x:
        x[i] = work(x[i], rounds)
    for i in y:
        y[i] = work(y[i], rounds)


@qd.kernel
def in_blocks(x: ARRAY, y: ARRAY, rounds: qd.i32):
    with qd.stream_parallel():
        for i in x:
            x[i] = work(x[i], rounds)
    with qd.stream_parallel():
        for i in y:
            y[i] = work(y[i], rounds)


def microseconds(launch: Callable[[], None]) -> float:
    start = time.perf_counter()
    launch()
    return (time.perf_counter() - start) * 1e6


def compare(what: str, sizes: tuple[int, int], rounds: int) -> None:
    """The best of rounds in which both take turns."""
    x, y = (qd.ndarray(qd.i32, size) for size in sizes)
    for kernel in (in_turn, in_blocks):
        kernel(x, y, rounds)
    times = [[microseconds(lambda kernel=kernel: kernel(x, y, rounds)) for kernel in (in_turn, in_blocks)] for _ in range(ROUNDS)]
    turn, blocks = (min(column) for column in zip(*times))
    print(f"{what:45} in turn {turn:9.1f} us   in blocks {blocks:9.1f} us   {turn / blocks:4.2f} x")


def main() -> None:
    qd.init(log_level="error")
    compare("1 iteration each, 0.2 ms", (1, 1), 1_300_000)
    compare("1 iteration each, 2 us", (1, 1), 13_000)
    compare("1 iteration and 1,000", (1, 1000), 300_000)
    compare("3 iterations each", (3, 3), 300_000)
    compare("1,000,000 iterations each, a little work", (1_000_000, 1_000_000), 1)
    compare("1,000,000 iterations each, more work", (1_000_000, 1_000_000), 30)


if __name__ == "__main__":
    main()
