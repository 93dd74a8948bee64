"""Code after a loop that never ends is looked over like any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd


@qd.kernel
def name_of_the_loop(n: qd.i32):
    while True:
        y = n
    print(y)


@qd.kernel
def unknown_name(n: qd.i32):
    while 1:
        pass
    for i in range(n):
        print(nowhere + i)  # noqa: F821


@qd.kernel
def nested(n: qd.i32):
    while n > 3:
        while True:
            y = n
        if y > 2:
            break


@qd.kernel
def after_an_if(n: qd.i32):
    if n > 3:
        while True:
            y = 1
    else:
        while True:
            pass
    print(y)


@qd.func
def endless(n):
    m = n
    while True:
        m += 1
    return z  # noqa: F821


@qd.kernel
def in_a_func(n: qd.i32) -> qd.i32:
    return endless(n)


@qd.real_func
def returns_from_the_loop(n: qd.i32) -> qd.i32:
    m = n
    while True:
        m += 1
        if m > 10:
            return m
    return nowhere  # noqa: F821


@qd.kernel
def in_a_real_func(n: qd.i32) -> qd.i32:
    return returns_from_the_loop(n)


@qd.func
def endless_but_right(n):
    m = n
    while True:
        m += 1
    return m


@qd.real_func
def found(n: qd.i32) -> qd.i32:
    m = n
    while True:
        m += 1
        while True:
            m += 2
            if m > 10:
                return m
            if m > 5:
                break
        if m > 100:
            return -1
    m = n
    return m + 1


@qd.kernel
def right(n: qd.i32, out: qd.types.ndarray(qd.i32, 1)) -> qd.i32:
    result = 0
    if n > 100:
        result = endless_but_right(n)
    for i in out:
        if n > 100:
            while True:
                out[i] += 1
            out[i] = 5
        else:
            out[i] = found(i)
    while True:
        if result > 3:
            break
        result += 1
    return result


WRONG = [name_of_the_loop, unknown_name, nested, after_an_if, in_a_func, in_a_real_func]


@pytest.mark.parametrize("kernel", WRONG, ids=lambda kernel: kernel.__name__)
def test_errors_are_told(back_end: str, kernel: Any) -> None:
    with pytest.raises(qd.KernelNameError):
        kernel(1)


def test_dead_code_does_nothing(arch: Any) -> None:
    out = np.zeros(12, np.int32)
    assert right(1, out) == 4
    expected = []
    for i in range(12):
        m = i
        while True:
            m += 3
            while m <= 5:
                m += 2
            if m > 10:
                break
        expected.append(m)
    assert out.tolist() == expected
