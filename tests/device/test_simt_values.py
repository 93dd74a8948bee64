"""Values of all kinds that live from one barrier to the next, and shared arrays of all kinds, in debug mode too."""

from __future__ import annotations

from typing import Any

import blocks
import kernels_for_simt_values as kernels
import numpy as np
import pytest
import qd


@pytest.fixture(params=[False, True], ids=["", "debug"])
def debug(arch: str, request: pytest.FixtureRequest) -> bool:
    blocks.start(arch, debug=request.param)
    return bool(request.param)


def test_values_that_live_across_barriers(debug: bool) -> None:
    x = blocks.numbers(np.float32, 36)
    out = np.zeros_like(x)
    kernels.kept(x, out)
    t, other = np.arange(36) % 12, x.reshape(18, 2)[:, ::-1].reshape(36)
    plus, minus = x + other, x - other
    v = 6 * x + 1
    m = t + 6 + t
    np.testing.assert_array_equal(out, plus - minus + t + v + m + (t + 1) + (x + plus))


def test_vectors(debug: bool) -> None:
    x = blocks.numbers(np.float32, 24)
    out = np.zeros_like(x)
    kernels.vectors(x, out)
    first, second = 2 * (x + 1), -x + 1 - 3
    want = (100 * first + second).reshape(3, 8)[:, ::-1] + (0 + 2 + 4 + 6) + 10 * (1 + 3 + 5 + 7)
    np.testing.assert_array_equal(out.reshape(3, 8), want)


@pytest.mark.parametrize("dtype", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"])
def test_types(arch: str, dtype: str) -> None:
    blocks.start(arch)
    kind: Any = getattr(qd, dtype)
    x = blocks.numbers(kind.numpy, 20)
    out = np.zeros_like(x)
    kernels.of_type(kind)(x, out)
    np.testing.assert_array_equal(out.reshape(2, 10), x.reshape(2, 10)[:, ::-1])


def test_truth_values(arch: str) -> None:
    blocks.start(arch)
    x = blocks.numbers(np.int32, 20) % 2
    out = np.full_like(x, 7)
    kernels.of_type(qd.u1)(x, out)
    np.testing.assert_array_equal(out.reshape(2, 10), x.reshape(2, 10)[:, ::-1])


def test_fields_of_two_axes(debug: bool) -> None:
    x, out = qd.field(qd.i32, (4, 3)), qd.field(qd.i32, (4, 3))
    given = blocks.numbers(np.int32, 12).reshape(4, 3)
    x.from_numpy(given)
    kernels.grouped(x, out)
    want = given.reshape(2, 6)[:, ::-1].reshape(4, 3) + np.arange(4)[:, None]
    np.testing.assert_array_equal(out.to_numpy(), want)


def test_loops_of_threads(debug: bool) -> None:
    x = blocks.numbers(np.int32, 16)
    out = np.zeros_like(x)
    kernels.own_lengths(x, out)
    rounds = np.minimum(np.arange(16) % 8, 5)
    totals = (rounds * x + rounds * (rounds - 1) // 2).reshape(2, 8)
    np.testing.assert_array_equal(out.reshape(2, 8), np.roll(totals, -3, 1) + totals)


def test_many_blocks(arch: str) -> None:
    blocks.start(arch)
    x = np.arange(64 * (500 if arch != "python" else 5), dtype=np.int64)
    total = np.zeros(1, np.int64)
    for _ in range(3):
        kernels.many_blocks(x, total)
    assert total[0] == 3 * x.sum()


def test_print(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    blocks.start(arch)
    kernels.words(np.array([5, 6, 7, 8], np.int32))
    qd.sync()
    assert capfd.readouterr().out == "first 8\nlast 5 006\n"
