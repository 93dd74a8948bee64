"""Compile-time containers, unpacking, walruses, formats and the smaller functions: the same on every architecture."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_containers as k


def filled(kernel: Any, *before: Any, size: int = 12, dtype: Any = np.float32) -> list[Any]:
    out = np.zeros(size, dtype=dtype)
    kernel(*before, out)
    return out.tolist()  # type: ignore[no-any-return]


def test_comprehensions(arch: Any) -> None:
    for n in (1, 5):
        nested = [[i + j * n for i in range(2)] for j in range(3)]
        assert filled(k.comprehensions, n) == [
            4 + 4, 10 * n, 12 * n, 2, max(n, 3, 7) - n, (n in (0, 1, 4, 9)) + 2 * (n > 9),
            10 * (n + 1) + 3, 2 * n + 3, nested[2][1], sum(map(sum, nested)), 11, 3.5,
        ]  # fmt: skip


def test_displays(arch: Any) -> None:
    n = 6
    assert filled(k.displays, n) == [
        1 + 70, n + 3.5, n + 3.5 + 7, 7, 800 + n, n + 20 + 300 + 12000 + 50000, 78, 18, 2.5 + 12 + 1, 67, 13, 32,
    ]  # fmt: skip


def test_what_is_known_at_compile_time(arch: Any) -> None:
    assert filled(k.compile_time) == [1, 3, 1 + 2 + 11 + 12, 2 * 3 + 3, 26, 3, 22, 5, 7, 8, 6, 0]


def test_calls_and_walruses(arch: Any) -> None:
    assert k.calls(4) == 300 + 40 + 1 + 600 + 50 + 4
    n = 3
    total = 4 * n
    while (rest := n - total // 3) > 1:
        total += rest
    assert k.walruses(n) == total + total + 1 + 16


def test_the_order_of_loops(arch: Any) -> None:
    out = np.zeros((2, 3), dtype=np.int32)
    k.orders(out)
    assert out.tolist() == [[6, 103, 206], [11, 114, 217]] or out[1, 0] == 11
    expected = np.zeros((2, 3), dtype=np.int32)
    for j in range(3):
        for i in range(2):
            expected[i, j] = expected[0, 0] + i * 10 + j
            expected[0, 0] += 1
    for j in range(1, 3):
        expected[:, j] += 100 * j
    assert (out == expected).all()


@pytest.mark.parametrize("a", [0.75, -13.5, 1e-310, 0.0, 1e300])
def test_functions(arch: Any, a: float) -> None:
    got = filled(k.functions, a, 7, size=7, dtype=np.float64)
    mantissa, exponent = math.frexp(a)
    expected = [mantissa, exponent, math.log2(abs(a) + 1), math.inf if a > 1000 else 2.0**a, 1, a + 14 + 1]
    np.testing.assert_allclose(got[:6], expected, rtol=1e-12)
    fract = a - math.floor(a)
    np.testing.assert_allclose(got[6], min(max(a, 0), 1) + fract + a % 3 + (a > 0) - (a < 0), rtol=1e-12)


def test_normal_numbers(arch: Any) -> None:
    out = np.zeros(3000, dtype=np.float32)
    k.normal(out)
    assert abs(out.mean()) < 0.1 and abs(out.std() - 1) < 0.1 and abs(out).max() < 7


def test_prints(arch: Any, capfd: pytest.CaptureFixture[str]) -> None:
    k.prints(7, 2.5)
    qd.sync()
    assert capfd.readouterr().out.split("\n")[:4] == ["n=7    7 2.50 'one' s|[7, 2];", "7-  2.5% 2.5 0007", "7/2.5 7", "0, 7, 14"]


def test_what_is_wrong_says_so(back_end: str) -> None:
    @qd.kernel
    def filter_at_run_time(n: qd.i32) -> qd.i32:
        return sum([i for i in range(3) if i < n])

    @qd.kernel
    def length_at_run_time(n: qd.i32) -> qd.i32:
        return sum([i + 1 for i in range(n)])

    @qd.kernel
    def no_such_key(n: qd.i32) -> qd.i32:
        return {"a": n}["b"]

    @qd.kernel
    def too_many(n: qd.i32) -> qd.i32:
        return len([i for i in range(2000) for j in range(2000)])

    @qd.kernel
    def membership(n: qd.i32) -> qd.i32:
        return 1 if n in (1, 2) else 0

    @qd.kernel
    def unpacks(n: qd.i32):
        a, *b, c, d = n, 1  # noqa: F841

    for kernel, message in [
        (filter_at_run_time, "`n` is known only at run time"),
        (length_at_run_time, "`n` is known only at run time"),
        (no_such_key, "the dict has no key 'b'"),
        (too_many, "more than a million iterations"),
        (membership, "`in` is only supported under qd.static"),
        (unpacks, "2 values cannot be unpacked into 4 targets"),
    ]:
        with pytest.raises(qd.KernelCompilationError) as caught:
            kernel(3)
        assert message in str(caught.value), str(caught.value)
