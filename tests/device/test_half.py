"""f16: the same numbers compiled and as plain Python, which is numpy's float16."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_half as k

OnEach = Callable[[Callable[[], Any]], list[Any]]

EVERY = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
"""All numbers of the type, NaNs among them."""


def filled(kernel: qd.Kernel, columns: int, *before: Any, dtype: Any = np.float16) -> Any:
    out = np.zeros((len(before[0]), columns), dtype=dtype)
    kernel(*before, out)
    return out


def operands(size: int) -> tuple[Any, Any]:
    """Numbers of all magnitudes, and all pairs of special ones."""
    random = np.random.default_rng(3)
    special = np.array([0.0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3, 65504, -65504, 6e-8, 6.1e-5, np.inf, -np.inf, np.nan], dtype=np.float16)
    pairs = np.array([(a, b) for a in special for b in special], dtype=np.float16)
    bits = random.integers(0, 1 << 16, (2, size), dtype=np.uint16).view(np.float16)
    return np.concatenate([pairs[:, 0], bits[0]]), np.concatenate([pairs[:, 1], bits[1]])


def same(a: Any, b: Any) -> None:
    """Equal; NaN equals NaN."""
    np.testing.assert_array_equal(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))


@pytest.mark.parametrize("fast_math", [False, True])
def test_arithmetic(back_end: str, fast_math: bool) -> None:
    x, y = operands(2000)
    qd.init(arch=back_end, log_level="error", fast_math=fast_math)
    compiled = filled(k.arithmetic, 16, x, y)
    qd.init(arch="python", log_level="error")
    # min and max of NaN differ: a comparison with NaN chooses either.
    usual = ~(np.isnan(x) | np.isnan(y))
    python = filled(k.arithmetic, 16, x[usual], y[usual])
    if fast_math:
        np.testing.assert_allclose(compiled[usual].astype(np.float64), python.astype(np.float64), rtol=2e-3)
    else:
        same(compiled[usual], python)
        with np.errstate(all="ignore"):
            same(compiled[:, :4], np.stack([x + y, x - y, x * y, x / y], axis=1))


def test_vectors(on_each: OnEach) -> None:
    x, y = operands(2000)
    usual = ~(np.isnan(x) | np.isnan(y))
    x, y = x[usual].copy(), y[usual].copy()

    def call() -> Any:
        out = np.zeros((3, len(x)), dtype=np.float16)
        k.in_vectors(x, y, out[0], out[1], out[2])
        return out

    same(*on_each(call))


def test_divisions(on_each: OnEach) -> None:
    x, y = operands(1000)
    usual = np.isfinite(x) & np.isfinite(y) & (y != 0)
    same(*on_each(lambda: filled(k.divisions, 3, x[usual], y[usual])))


def test_comparisons(on_each: OnEach) -> None:
    x, y = operands(500)
    same(*on_each(lambda: filled(k.comparisons, 10, x, y, dtype=np.int32)))


def test_functions(on_each: OnEach) -> None:
    x = np.linspace(0.01, 0.99, 300, dtype=np.float16)
    compiled, python = on_each(lambda: filled(k.functions, 15, x))
    # libm's results and numpy's may round to neighbours.
    np.testing.assert_allclose(compiled.astype(np.float64), python.astype(np.float64), rtol=1.1e-3)
    assert (compiled == python).mean() > 0.99


def test_conversion_from_doubles_rounds_once(back_end: str) -> None:
    """Every number, every tie between two, and the doubles next to each: a detour over f32 would make ties of them."""
    finite = np.unique(EVERY[np.isfinite(EVERY)]).astype(np.float64)
    ties = (finite[1:] + finite[:-1]) / 2
    near = np.concatenate([finite, ties, [65519.999999999, 65520.0, 1e300, -1e300, np.inf, -np.inf, np.nan, 1e-300, 2.98e-8, 2.9802322387695312e-8]])
    numbers = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)])
    with np.errstate(over="ignore"):
        singles = numbers.astype(np.float32)
    for kernel, given in ((k.from_doubles, numbers), (k.from_singles, singles)):
        for fast_math in (False, True):
            qd.init(arch=back_end, log_level="error", fast_math=fast_math)
            out = np.zeros(len(given), dtype=np.float16)
            kernel(given, out)
            with np.errstate(over="ignore"):
                same(out, given.astype(np.float16))


def test_conversion_from_integers(on_each: OnEach) -> None:
    a = np.array([0, 1, -1, 2047, 2048, 2049, 2051, 65503, 65519, 65520, -65520, 1 << 40, -(1 << 62), (1 << 62) + 1], dtype=np.int64)
    b = np.array([0, 1, 7, 2049, 2051, 4098, 65519, 65520, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1, 33, 34], dtype=np.uint64)
    compiled, python = on_each(lambda: filled(k.from_integers, 5, a, b))
    same(compiled, python)
    with np.errstate(over="ignore"):
        same(compiled[:, 0], a.astype(np.float16))


def test_conversion_to_others_is_exact(on_each: OnEach) -> None:
    def call() -> Any:
        numbers = EVERY[::7].copy()
        wide, whole = np.zeros((len(numbers), 2)), np.zeros((len(numbers), 7), dtype=np.int64)
        k.to_others(numbers, wide, whole)
        return wide, whole

    compiled, python = on_each(call)
    same(compiled[0], python[0])
    same(compiled[0][:, 0], EVERY[::7].astype(np.float64))
    np.testing.assert_array_equal(compiled[1], python[1])


@pytest.mark.parametrize("h", [0.1, 1, -3.5, 65504])
def test_types(on_each: OnEach, h: float) -> None:
    def call() -> Any:
        out = np.zeros(12)
        k.types_of_operations(h, out)
        return out

    compiled, python = on_each(call)
    assert compiled.tolist() == python.tolist()
    assert python[6] == np.float64(np.float16(0.1))
    assert python[8] == 2048
    assert python[10] == 1.0009765625 + 0.0009765625  # a tie goes to the even one
    assert python[11] == 1.0009765625


def test_arguments_and_results(on_each: OnEach) -> None:
    # The double lies above a tie by less than f32 can say.
    above = 1 + 2**-11 + 2**-40
    compiled, python = on_each(lambda: [k.results(0.1, 0.1), k.results(3, above), k.results(above, 70000.0)])
    assert compiled == python
    assert python[0][:2] == (float(np.float16(0.1)),) * 2
    assert python[2][0] == 1 + 2**-10
    assert python[2][1] == float("inf")


def test_atomics(on_each: OnEach) -> None:
    def call() -> Any:
        places = np.zeros(11, dtype=np.float16)
        places[9], places[10] = 2.5, 1.5
        return k.atomics(300, places), places.tolist()

    compiled, python = on_each(call)
    assert compiled == python == (300.0, [300, -300, -299, 299, 75, 75, 75, 75, 2.5, 7.5, 9])


def test_text(on_each: OnEach, capsys: pytest.CaptureFixture[str]) -> None:
    def call() -> str:
        k.show(np.concatenate([EVERY[:31744:61], np.array([np.inf, -np.inf, np.nan, -0.0, -1.5], dtype=np.float16)]))
        return capsys.readouterr().out

    compiled, python = on_each(call)
    assert compiled == python


def test_fields_ndarrays_and_funcs(on_each: OnEach) -> None:
    def call() -> Any:
        x = qd.field(qd.f16, shape=8)
        x.fill(0.1)
        assert x[3] == float(np.float16(0.1))
        x[3] = 1 + 2**-11 + 2**-40
        assert x[3] == 1 + 2**-10
        k.funcs(x, 8)
        y = qd.ndarray(qd.float16, shape=8)
        y.copy_from(x)
        assert y.to_numpy().dtype == np.float16
        return y.to_numpy().tolist()

    compiled, python = on_each(call)
    assert compiled == python


def test_random(on_each: OnEach) -> None:
    for out in on_each(lambda: filled_randomly(4000)):
        assert out.min() >= 0
        assert out.max() < 1
        assert abs(float(out.astype(np.float64).mean()) - 0.5) < 0.02
        assert len(np.unique(out)) > 1500


def filled_randomly(size: int) -> Any:
    out = np.zeros(size, dtype=np.float16)
    k.draw(out)
    return out
