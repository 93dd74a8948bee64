"""Gradients of stencils: sums over neighbours, and the elements near the bounds of the loop, at all small sizes."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
import qd

WEIGHTS_2 = {(0, 0): 2, (-1, 0): 3, (0, 2): 5, (1, -1): 7}
WEIGHTS_3 = {(0, 0, 0): 2, (-1, 0, 1): 3, (1, 0, 0): 5, (0, 0, -2): 7}
PAD = 2

array = qd.types.ndarray(dtype=qd.f32, needs_grad=True)


@qd.kernel
def line(x: array, y: array, n: qd.i32):
    for i in range(2, 2 + n):
        y[i] = 2.0 * x[i] + 3.0 * x[i - 2] + 5.0 * x[i + 1]


@qd.kernel
def plane(x: array, y: array, n: qd.i32, m: qd.i32):
    for i, j in qd.ndrange((2, 2 + n), (2, 2 + m)):
        y[i, j] = 2.0 * x[i, j] + 3.0 * x[i - 1, j] + 5.0 * x[i, j + 2] + 7.0 * x[i + 1, j - 1]


@qd.kernel
def space(x: array, y: array, n: qd.i32, m: qd.i32, o: qd.i32):
    for i, j, k in qd.ndrange((2, 2 + n), (2, 2 + m), (2, 2 + o)):
        y[i, j, k] = 2.0 * x[i, j, k] + 3.0 * x[i - 1, j, k + 1] + 5.0 * x[i + 1, j, k] + 7.0 * x[i, j, k - 2]


@qd.kernel
def long_line(x: array, y: array, n: qd.i32):
    for i in range(2, 2 + n):
        s = 2.0 * x[i] + 3.0 * x[i - 2] - x[i + 1]
        y[i] = qd.sqrt(s * s + 1.0) + qd.exp(-s * s)


@qd.kernel
def long_plane(x: array, y: array, n: qd.i32, m: qd.i32):
    for i, j in qd.ndrange((2, 2 + n), (2, 2 + m)):
        s = 2.0 * x[i, j] + 3.0 * x[i - 1, j] - x[i, j + 2] + 7.0 * x[i + 1, j - 1]
        y[i, j] = qd.sqrt(s * s + 1.0) + qd.exp(-s * s)


@qd.kernel
def long_space(x: array, y: array, n: qd.i32, m: qd.i32, o: qd.i32):
    for i, j, k in qd.ndrange((2, 2 + n), (2, 2 + m), (2, 2 + o)):
        s = 2.0 * x[i, j, k] - x[i - 1, j, k + 1] + 5.0 * x[i + 1, j, k] + 7.0 * x[i, j, k - 2]
        y[i, j, k] = qd.sqrt(s * s + 1.0) + qd.exp(-s * s)


def gradient(
    kernel: Any, sizes: tuple[int, ...], given: np.ndarray[Any, Any], at: np.ndarray[Any, Any] | None = None, before: float = 0.0
) -> np.ndarray[Any, Any]:
    """x.grad behind the gradient at the point `at`. It was `before` everywhere."""
    x, y = (qd.ndarray(qd.f32, given.shape, needs_grad=True) for _ in range(2))
    y.grad.from_numpy(given)
    x.grad.fill(before)
    if at is not None:
        x.from_numpy(at)
    kernel.grad(x, y, *sizes)
    return np.asarray(x.grad.to_numpy())


@pytest.mark.parametrize(
    ("kernel", "weights"), [(line, {(0,): 2, (-2,): 3, (1,): 5}), (plane, WEIGHTS_2), (space, WEIGHTS_3)], ids=["line", "plane", "space"]
)
def test_sums_at_all_sizes(back_end: str, kernel: Any, weights: dict[tuple[int, ...], int]) -> None:
    """Sizes from no iteration to more than twice the stencil's width on each axis."""
    qd.init(arch=back_end, log_level="error")
    axes = len(next(iter(weights)))
    random = np.random.default_rng(axes)
    for sizes in itertools.product([range(8), (0, 1, 2, 3, 5, 7), (0, 1, 3, 7)][axes - 1], repeat=axes):
        given = random.integers(-9, 10, [size + 2 * PAD for size in sizes]).astype(np.float32)
        expected = np.zeros_like(given)
        middle = [slice(PAD, PAD + size) for size in sizes]
        for distance, weight in weights.items():
            expected[tuple(slice(s.start + d, s.stop + d) for s, d in zip(middle, distance))] += weight * given[tuple(middle)]
        np.testing.assert_array_equal(gradient(kernel, sizes, given), expected, str(sizes))
        if 0 in sizes:  # nothing is added, not even a zero: the elements may not exist
            assert np.signbit(gradient(kernel, sizes, given, before=-0.0)).all(), str(sizes)


@pytest.mark.parametrize(
    ("kernel", "weights", "large"),
    [
        (long_line, {(0,): 2, (-2,): 3, (1,): -1}, [(1500,)]),
        (long_plane, {**WEIGHTS_2, (0, 2): -1}, [(33, 4), (32, 366), (3, 367), (70, 800)]),
        (long_space, {**WEIGHTS_3, (-1, 0, 1): -1}, [(33, 4, 3), (3, 9, 200), (40, 20, 70)]),
    ],
    ids=["line", "plane", "space"],
)
def test_sums_of_long_computations(back_end: str, kernel: Any, weights: dict[tuple[int, ...], int], large: list[tuple[int, ...]]) -> None:
    """These are done once for all neighbours where that pays: in tiles, of which the large sizes have several."""
    qd.init(arch=back_end, log_level="error")
    axes = len(next(iter(weights)))
    random = np.random.default_rng(axes)
    for sizes in [*itertools.product([range(8), (0, 1, 2, 3, 7), (0, 1, 5)][axes - 1], repeat=axes), *large]:
        shape = [size + 2 * PAD for size in sizes]
        given, at = random.uniform(-1, 1, (2, *shape))
        middle = tuple(slice(PAD, PAD + size) for size in sizes)
        places = {distance: tuple(slice(m.start + d, m.stop + d) for m, d in zip(middle, distance)) for distance in weights}
        s = sum(weight * at[places[distance]] for distance, weight in weights.items())
        passed = given[middle] * (s / np.sqrt(s * s + 1) - 2 * s * np.exp(-s * s))
        expected = np.full(shape, 0.5)
        for distance, weight in weights.items():
            expected[places[distance]] += weight * passed
        found = gradient(kernel, sizes, given.astype(np.float32), at.astype(np.float32), 0.5)
        if 0 in sizes:
            assert np.signbit(gradient(kernel, sizes, given.astype(np.float32), at.astype(np.float32), -0.0)).all(), str(sizes)
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5, err_msg=str(sizes))


def test_no_thread_adds_to_a_whole_row(back_end: str, capfd: pytest.CaptureFixture[str]) -> None:
    """All loops of the gradient are parallel: on a GPU, a thread that walks along a row takes longer than all others together."""
    qd.init(arch=back_end, log_level="error", print_ir=True, offline_cache=False)
    gradient(plane, (3, 4), np.ones((7, 8), np.float32))
    printed = capfd.readouterr()
    ir = printed.out + printed.err
    compiled = ir[ir.rindex("\n# ") :]
    assert len(re.findall("^task parallel", compiled, re.MULTILINE)) == 4
    assert not re.search(" = for ", compiled), compiled
