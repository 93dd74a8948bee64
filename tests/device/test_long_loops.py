"""Loops run to their end; a driver that ends long ones early makes that an error of the launch, and results are never wrong in silence."""

from __future__ import annotations

import re

import long_loops
import numpy as np
import pytest
import qd

Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)
MANY = 70_000


@qd.kernel
def counted(x: Ints, n: qd.i32):
    for i in x:
        s = 0
        for j in range(n):
            s += j & 1
        x[i] = s


@qd.kernel
def nested(x: Ints, n: qd.i32, m: qd.i32):
    for i in x:
        s = 0
        for j in range(n):
            for k in range(m):
                s += (j ^ k) & 1
        x[i] = s


@qd.kernel
def known(x: Ints):
    for i in x:
        s = 0
        for j in range(700):
            for k in range(100):
                s += (j ^ k) & 1
        x[i] = s


@qd.func
def rounds(n: qd.i32) -> qd.i32:
    done = 0
    while done < n:
        done += 1
    return done


@qd.kernel
def apart(x: Ints, n: qd.i32):
    for i in x:
        if i % 2 == 0:
            x[i] = rounds(n)
        else:
            x[i] = rounds(n + 1)


@qd.kernel
def one_of_them(x: Ints, which: qd.i32, n: qd.i32):
    for i in x:
        x[i] = rounds(n) if i == which else 1


@qd.kernel
def followed(x: Ints, y: Ints, n: qd.i32):
    for i in x:
        x[i] = rounds(n)
    for i in y:
        y[i] += 1


def right_or_told(launch: object, x: qd.Ndarray, expected: np.ndarray) -> bool:
    """Whether the launch came to its end, and then with the right result."""
    try:
        launch()  # type: ignore[operator]
        got = x.to_numpy()
    except qd.KernelRuntimeError as error:
        assert re.search(long_loops.ENDED, str(error))
        return False
    np.testing.assert_array_equal(got, expected)
    return True


@qd.kernel
def alone(n: qd.i32) -> qd.i32:
    """Serial code: a driver that runs it in a vector must not run its loops for the other elements."""
    steps = 0
    k = n
    while k != 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        steps += 1
    more = 0
    while k != n:
        k += 1
        more += 1
    return 1000 * more + steps


@qd.kernel
def in_blocks_of_five(x: Ints):
    qd.loop_config(block_dim=5)
    for i in x:
        k = i + 1
        while k != 101:
            k += 1
        x[i] = k


def array_of(size: int = 100) -> qd.Ndarray:
    return qd.ndarray(qd.i32, size)


def test_vectors_that_are_not_full(back_end: str) -> None:
    assert [alone(n) for n in (1, 2, 27)] == [0, 1001, 26111]
    x = array_of()
    assert right_or_told(lambda: in_blocks_of_five(x), x, np.full(100, 101))


def test_one_loop(back_end: str) -> None:
    x = array_of()
    assert right_or_told(lambda: counted(x, 1000), x, np.full(100, 500))
    right_or_told(lambda: counted(x, MANY), x, np.full(100, MANY // 2))


def test_loops_in_loops(back_end: str) -> None:
    x = array_of()
    assert right_or_told(lambda: nested(x, 100, 100), x, np.full(100, 5000))
    right_or_told(lambda: nested(x, 700, 100), x, np.full(100, 35000))
    right_or_told(lambda: known(x), x, np.full(100, 35000))


def test_many_iterations_with_loops(back_end: str) -> None:
    """The loops of one iteration do not count for those of another one, which runs beside it or after it on the same thread."""
    beside, after = array_of(1000), array_of(70_000)
    assert right_or_told(lambda: nested(beside, 20, 1000), beside, np.full(1000, 10_000))
    assert right_or_told(lambda: counted(beside, 20_000), beside, np.full(1000, 10_000))
    assert right_or_told(lambda: nested(after, 20, 50), after, np.full(70_000, 500))
    assert right_or_told(lambda: counted(after, 1000), after, np.full(70_000, 500))


@pytest.mark.parametrize("n", [1000, 30_000, 32_760, 32_780, 40_000, 65_500, 65_540])
def test_loops_of_neighbours_that_go_different_ways(back_end: str, n: int) -> None:
    x = array_of()
    right_or_told(lambda: apart(x, n), x, n + np.arange(100) % 2)


@pytest.mark.parametrize("which", [0, 3, 7, 64, 99])
def test_one_long_loop_among_short_ones(back_end: str, which: int) -> None:
    x = array_of()
    right_or_told(lambda: one_of_them(x, which, MANY), x, np.where(np.arange(100) == which, MANY, 1))


@pytest.mark.parametrize("n", [*range(65_528, 65_540), 65_790, 131_071, 131_072])
def test_around_the_limit(back_end: str, n: int) -> None:
    try:
        assert long_loops.rounds_of(n) == n
    except qd.KernelRuntimeError as error:
        assert "kernel rounds_of" in str(error)
        assert re.search(long_loops.ENDED, str(error))


def test_what_follows_does_not_run_and_later_launches_do(back_end: str) -> None:
    x, y = array_of(), array_of()
    ended = not right_or_told(lambda: followed(x, y, MANY), x, np.full(100, MANY))
    assert y.to_numpy().tolist() == [0 if ended else 1] * 100
    assert right_or_told(lambda: followed(x, y, 10), x, np.full(100, 10))
    assert y.to_numpy().tolist() == [1 if ended else 2] * 100
