"""Funcs with requires_top_level=True: their loops are the kernel's own, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd


@qd.func(requires_top_level=True)
def two_phases(x: qd.template(), by: qd.i32):
    for i in x:
        x[i] += by
    for i in range(1):
        x[i] = x[x.shape[0] - 1] * 10


@qd.func
def between(x: qd.template()):
    two_phases(x, 1)


@qd.func
def under_an_if(x: qd.template(), n: qd.i32):
    if n > 0:
        between(x)


@qd.kernel
def good(x: qd.types.ndarray(qd.i32, 1)):
    two_phases(x, 2)
    between(x)
    for _ in qd.static(range(2)):
        if qd.static(True):
            two_phases(x, 1)


@qd.kernel
def in_a_loop(x: qd.types.ndarray(qd.i32, 1), n: qd.i32):
    for _ in range(n):
        two_phases(x, 1)


@qd.kernel
def by_another(x: qd.types.ndarray(qd.i32, 1), n: qd.i32):
    while n > 3:
        between(x)


@qd.kernel
def deep(x: qd.types.ndarray(qd.i32, 1), n: qd.i32):
    under_an_if(x, n)


@qd.real_func
def real(x: qd.types.ndarray(qd.i32, 1)):
    two_phases(x, 1)


@qd.kernel
def in_a_real_func(x: qd.types.ndarray(qd.i32, 1), n: qd.i32):
    real(x)


def test_at_the_top_level(arch: Any) -> None:
    x = np.arange(4, dtype=np.int32)
    good(x)
    assert x[1:].tolist() == [6, 7, 8] and x[0] == 80


@pytest.mark.parametrize("kernel", [in_a_loop, by_another, deep, in_a_real_func], ids=lambda kernel: kernel.__name__)
def test_nowhere_else(arch: Any, kernel: Any) -> None:
    with pytest.raises(qd.KernelSyntaxError, match="`two_phases` has requires_top_level=True"):
        kernel(np.zeros(4, np.int32), 1)
