"""Blocks of loops that run side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

VEC = qd.types.ndarray(qd.i32, 1)
FLAG = qd.types.ndarray(qd.i32, 0)
TWICE = True


@qd.kernel
def two_blocks(x: VEC, y: VEC, n: qd.i32):
    """Blocks."""
    with qd.stream_parallel():
        """The first."""
        for i in x:
            x[i] = n + i
        for i in x:
            x[i] *= 2
    qd.static_assert(TWICE)
    with qd.stream_parallel():
        pass  # noqa: PIE790
        qd.static_assert(TWICE, "never")
        for i in range(y.shape[0]):
            y[i] = i - n
            if y[i] < 0:
                continue
            while y[i] > 100:
                y[i] -= 100
    with qd.stream_parallel():
        pass


def test_blocks(arch: Any) -> None:
    x, y = np.zeros(5, np.int32), np.zeros(300, np.int32)
    two_blocks(x, y, 3)
    assert x.tolist() == [6, 8, 10, 12, 14]
    assert y.tolist() == [(i - 4) % 100 + 1 if i - 3 > 100 else i - 3 for i in range(300)]


@qd.kernel
def fills(x: VEC):
    for i in x:
        x[i] = i


@qd.kernel
def blocks_in_order(x: VEC, y: VEC):
    with qd.stream_parallel():
        qd.loop_config(block_dim=64)
        for i in x:
            x[i] += 1
        for i in qd.grouped(x):
            x[i] *= 3
    with qd.stream_parallel():
        for i in y:
            y[i] += 2
        if qd.static(TWICE):
            for i in y:
                y[i] *= 5
        for k in qd.static(range(2)):
            for i in y:
                y[i] -= k


def test_what_was_launched_before_happens_before(arch: Any) -> None:
    x, y = qd.ndarray(qd.i32, 100), qd.ndarray(qd.i32, 50)
    for _ in range(3):
        fills(x)
        fills(y)
        blocks_in_order(x, y)
    assert x.to_numpy().tolist() == [(i + 1) * 3 for i in range(100)] and y.to_numpy().tolist() == [(i + 2) * 5 - 1 for i in range(50)]


@qd.kernel
def draws(x: qd.types.ndarray(qd.f64, 1), y: qd.types.ndarray(qd.f64, 1)):
    with qd.stream_parallel():
        for i in x:
            x[i] = qd.random(qd.f64)
    with qd.stream_parallel():
        for i in y:
            y[i] = qd.random(qd.f64)


def test_random_numbers_of_blocks_differ(arch: Any) -> None:
    x, y = np.zeros(500), np.zeros(500)
    draws(x, y)
    both = np.concatenate([x, y])
    assert len(set(both.tolist())) == 1000 and abs(both.mean() - 0.5) < 0.1


@qd.func
def fill(x: qd.template(), value: qd.i32):
    n = x.shape[0]
    for i in range(n):
        x[i] = value


@qd.func
def fill_and_double(x: qd.template(), value: qd.i32):
    fill(x, value)
    for i in x:
        x[i] *= 2


@qd.data_oriented
class Store:
    def __init__(self) -> None:
        self.x = qd.field(qd.i32, 6)

    @qd.func
    def add(self, value: qd.i32):
        for i in self.x:
            self.x[i] += value


@qd.real_func
def sum_of(x: VEC, y: VEC) -> qd.i32:
    total = 0
    for i in range(x.shape[0]):
        total += x[i]
    y[0] = total
    return total


@qd.kernel
def blocks_of_funcs(x: VEC, y: VEC, store: qd.template()):
    with qd.stream_parallel():
        fill_and_double(x, 3)
        for i in x:
            x[i] += i
        sum_of(x, y)
    with qd.stream_parallel():
        store.add(1)
        for _ in qd.static(range(2)):
            store.add(2)


def test_calls_of_funcs(arch: Any) -> None:
    """Their loops are loops of the block."""
    store = Store()
    x, y = qd.ndarray(qd.i32, 5), qd.ndarray(qd.i32, 1)
    blocks_of_funcs(x, y, store)
    qd.sync()
    assert (x.to_numpy().tolist(), y[0], store.x.to_numpy().tolist()) == ([6, 7, 8, 9, 10], 40, [5] * 6)


@qd.data_oriented
class Pair:
    def __init__(self) -> None:
        self.x = qd.field(qd.i32, 4)
        self.y = qd.field(qd.i32, 4)

    @qd.kernel
    def fill(self):
        with qd.stream_parallel():
            for i in self.x:
                self.x[i] = i
        with qd.stream_parallel():
            for i in self.y:
                self.y[i] = i * i


def test_methods(arch: Any) -> None:
    pair = Pair()
    pair.fill()
    assert pair.x.to_numpy().tolist() == [0, 1, 2, 3] and pair.y.to_numpy().tolist() == [0, 1, 4, 9]


@qd.kernel
def of_the_same_elements(x: VEC, y: VEC, cell: FLAG):
    with qd.stream_parallel():
        for i in x:
            x[i] = 1
        for i in range(y.shape[0]):
            y[i] = x[i]
    with qd.stream_parallel():
        for i in x:
            if i > 5:
                x[i] = 2
        for _ in range(3):
            qd.atomic_add(cell[()], 1)
    with qd.stream_parallel():
        for _ in range(2):
            qd.atomic_add(cell[()], 1)
        for i in x:
            x[i] += 1  # here


def test_blocks_that_use_the_same_elements_are_told(arch: Any, capfd: pytest.CaptureFixture[str]) -> None:
    if arch == "python":
        pytest.skip("the compiler says it")
    x, y, cell = qd.ndarray(qd.i32, 3), qd.ndarray(qd.i32, 3), qd.ndarray(qd.i32, ())
    of_the_same_elements(x, y, cell)
    told = [line for line in capfd.readouterr().err.splitlines() if "side by side" in line]
    lines = Path(__file__).read_text().splitlines()
    here = lines.index("            x[i] += 1  # here") + 1
    there = lines.index("def of_the_same_elements(x: VEC, y: VEC, cell: FLAG):") + 4
    assert len(told) == 1, told
    assert told[0].endswith(
        f"{Path(__file__).name}:{here}: an element of `x` is written here, and written in line {there} in another block: "
        "the blocks run side by side, in any order"
    )
