"""`and` and `or` as values: the operand that decides, in the type of all operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qd


@qd.func
def count(calls: qd.template(), value: qd.i32) -> qd.i32:
    calls[0] += 1
    return value


@qd.kernel
def of_integers(a: qd.i32, b: qd.i32, out: qd.types.ndarray(qd.i32, 1)):
    out[0] = a and b
    out[1] = a or b
    out[2] = a and b and 7
    out[3] = 0 or a or b
    out[4] = (a or b) and (b or -1)
    out[5] = a > 2 and b
    out[6] = not (a and b)
    out[7] = (a and b) + (a or 3)


@qd.kernel
def of_floats(a: qd.i32, b: qd.f32, c: qd.f64, out: qd.types.ndarray(qd.f64, 1)):
    out[0] = a and b
    out[1] = a or b
    out[2] = b or c
    out[3] = a and b and c
    out[4] = (b or 0.25) / 2


@qd.kernel
def short(a: qd.i32, calls: qd.types.ndarray(qd.i32, 1)) -> qd.i32:
    return count(calls, a) and count(calls, 5) or count(calls, 9)


@qd.kernel
def of_types(a: qd.u8, b: qd.i64, c: qd.u1) -> qd.i64:
    wide = a and b
    flag = c and a
    return wide * 3 + flag


@qd.kernel
def of_elements(x: qd.types.ndarray(qd.i32, 1), n: qd.i32) -> qd.i32:
    """The second operand must not be read where the first decides."""
    return n < 2 and x[n]


@qd.kernel
def in_conditions(a: qd.i32, b: qd.i32) -> qd.i32:
    result = 0
    if a and b:
        result += 1
    if a or b > 3:
        result += 2
    i = a
    while i and b:
        i -= 1
        result += 10
    return result if a and not b else result + 100


@pytest.mark.parametrize("short_circuit", [True, False])
@pytest.mark.parametrize(("a", "b"), [(0, 0), (0, 5), (3, 0), (3, -5), (1, 2)])
def test_operands_of_integers(arch: str, a: int, b: int, short_circuit: bool) -> None:
    qd.init(arch=arch, log_level="error", short_circuit_operators=short_circuit)
    out = np.zeros(8, np.int32)
    of_integers(a, b, out)
    assert out.tolist() == [a and b, a or b, a and b and 7, 0 or a or b, (a or b) and (b or -1), a > 2 and b, not (a and b), (a and b) + (a or 3)]


@pytest.mark.parametrize("a", [0, 2])
@pytest.mark.parametrize("b", [0.0, 0.5, float("nan")])
def test_operands_of_floats(arch: Any, a: int, b: float) -> None:
    out = np.zeros(5)
    of_floats(a, b, 0.1, out)
    np.testing.assert_array_equal(out, [a and b, a or b, b or 0.1, a and b and 0.1, (b or 0.25) / 2])


@pytest.mark.parametrize(("a", "result", "calls"), [(0, 9, 2), (4, 5, 2)])
def test_what_decides_is_all_that_is_evaluated(arch: Any, a: int, result: int, calls: int) -> None:
    counts = np.zeros(1, np.int32)
    assert short(a, counts) == result
    assert counts[0] == calls


def test_types_are_promoted(arch: Any) -> None:
    assert of_types(200, 1 << 40, True) == 3 * (1 << 40) + 200
    assert of_types(0, 1 << 40, False) == 0


def test_elements_that_are_not_there_are_not_read(arch: str) -> None:
    qd.init(arch=arch, debug=True, log_level="error")
    assert of_elements(np.array([7, 8], np.int32), 1) == 8
    assert of_elements(np.array([7, 8], np.int32), 5) == 0


def test_conditions_ask_for_the_truth_alone(arch: Any) -> None:
    assert in_conditions(0, 0) == 100
    assert in_conditions(2, 0) == 2
    assert in_conditions(2, 5) == 1 + 2 + 20 + 100
