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
