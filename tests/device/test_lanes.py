"""Iterations that run as lanes of vectors: the same numbers as on arch=qd.python, and the same counters as one after the other."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_lanes as k

OnEach = Callable[[Callable[[], Any]], list[Any]]


@pytest.mark.parametrize("case", range(len(k.runs(np.random.default_rng(0)))))
def test_divergent_loops(on_each: OnEach, case: int) -> None:
    def call() -> list[Any]:
        kernel, arguments = k.runs(np.random.default_rng(case))[case]
        result = kernel(*arguments)
        return [result, *(argument for argument in arguments if isinstance(argument, np.ndarray))]

    expected, actual = on_each(call)
    for one, other in zip(expected, actual, strict=True):
        np.testing.assert_array_equal(one, other)


def drawn(back_end: str, vectorize: bool, threads: int, shape: tuple[int, int]) -> list[Any]:
    """Numbers that iterations draw: in a loop, in arms of an `if`, in a func that is inlined and in one that is called."""
    qd.init(arch=back_end, random_seed=7, fast_math=False, cpu_max_num_threads=threads)

    @qd.func
    def inlined() -> qd.f32:
        return qd.random() * qd.random()

    @qd.real_func
    def called(n: qd.i32) -> qd.f64:
        for _ in range(n):
            qd.random(qd.i32)
        return qd.random(qd.f64)

    @qd.kernel
    def draw(
        reals: qd.types.ndarray(dtype=qd.f32, ndim=2),
        doubles: qd.types.ndarray(dtype=qd.f64, ndim=2),
        integers: qd.types.ndarray(dtype=qd.u8, ndim=2),
    ):
        qd.loop_config(vectorize=vectorize)
        for i, j in reals:
            while qd.random() < 0.75:
                if qd.random(qd.f16) > qd.f16(0.5):
                    reals[i, j] += inlined()
                    continue
                integers[i, j] += qd.random(qd.u8)
                if qd.random(qd.i64) > 0:
                    doubles[i, j] += called(i % 3)
            reals[i, j] += qd.random()

    @qd.kernel
    def draw_without_calls(reals: qd.types.ndarray(dtype=qd.f32, ndim=2)):
        qd.loop_config(vectorize=vectorize)
        for i, j in reals:
            while qd.random() < 0.75:
                reals[i, j] += inlined()

    arrays = [np.zeros(shape, np.float32), np.zeros(shape, np.float64), np.zeros(shape, np.uint8), np.zeros(shape, np.float32)]
    draw(*arrays[:3])
    draw_without_calls(arrays[3])
    return arrays


@pytest.mark.parametrize("shape", [(5, 37), (37, 5), (300, 200)])
def test_iterations_draw_the_same_numbers(back_end: str, shape: tuple[int, int]) -> None:
    expected = drawn(back_end, False, 1, shape)
    assert len(np.unique(expected[0])) > 0.99 * expected[0].size
    for vectorize, threads in ((True, 1), (False, 2), (True, 2)):
        for one, other in zip(expected, drawn(back_end, vectorize, threads, shape), strict=True):
            np.testing.assert_array_equal(one, other)


def test_the_option_is_a_truth_value(back_end: str) -> None:
    qd.init(arch=back_end)

    @qd.kernel
    def both(x: qd.types.ndarray(dtype=qd.i32, ndim=1)):
        qd.loop_config(vectorize=None)
        for i in x:
            x[i] += 1
        qd.loop_config(vectorize=False)
        for i in x:
            x[i] *= 2

    x = np.arange(5, dtype=np.int32)
    both(x)
    assert x.tolist() == [2, 4, 6, 8, 10]
