"""Roots in fast-math code: divisions by their powers, which processors approximate, and comparisons; errors, and the values at the ends of the
range."""

from __future__ import annotations

import numpy as np
import qd

ENDS = np.array([0.0, np.inf, np.nan, -1.0, 1e-38, 1e-42, 3e38], np.float32)


def test_quotients_by_roots(back_end: str) -> None:
    qd.init(arch=back_end, fast_math=True)

    @qd.kernel
    def divide(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.f32, ndim=2), n: qd.i32):
        for i in range(n):
            root = qd.sqrt(x[i])
            out[0, i] = 3.0 / root
            out[1, i] = 5.0 / root
        for i in range(n):
            out[2, i] = 3.0 / (x[i] * qd.sqrt(x[i]))
        for i in range(n):
            root = qd.sqrt(x[i])
            out[3, i] = 3.0 / (root * root * root)
        for i in range(n):
            root = qd.sqrt(x[i])
            out[4, i] = 3.0 / root + root  # the root is needed for itself
        for i in range(n):
            root = qd.sqrt(x[i])
            out[5, i] = root
            if x[i] > 1.0:
                out[5, i] = root + 0.0 / root

    random = np.random.default_rng(0)
    x = np.concatenate([ENDS, 10.0 ** random.uniform(-12, 12, 4001), ENDS]).astype(np.float32)
    out = np.zeros((6, len(x)), np.float32)
    divide(x, out, len(x))
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64)
        root = np.sqrt(exact)
        expected = np.array([3.0 / root, 5.0 / root, 3.0 / (exact * root), 3.0 / root**3, 3.0 / root + root, root])
        usual = slice(len(ENDS), len(x) - len(ENDS))
        assert np.abs(out / expected - 1.0)[:, usual].max() < 12 * 2.0**-24
        # Other powers of numbers near the ends are too large or too small for an f32.
        for row in (0, 1, 4, 5):
            np.testing.assert_allclose(out[row], expected[row], rtol=12 * 2.0**-24)
        for row in (2, 3):
            np.testing.assert_array_equal(np.isnan(out[row]), np.isnan(expected[row]))
            np.testing.assert_array_equal(out[row][-len(ENDS) :][:2], [np.inf, 0.0])


def test_comparisons_of_roots(back_end: str) -> None:
    qd.init(arch=back_end, fast_math=True)

    @qd.kernel
    def compare(x: qd.types.ndarray(dtype=qd.f32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=2)):
        for i in x:
            root = qd.sqrt(x[i])
            out[0, i] = root < 20.0
            out[1, i] = root <= 20.0
            out[2, i] = root > 20.0
            out[3, i] = not root >= 20.0
            out[4, i] = 20.0 > root and not root > 0.25
            length = qd.Vector([x[i], 2.0 * x[i]]).norm()
            out[5, i] = length < 20.0
            out[6, i] = not length < 20.0
            out[7, i] = qd.sqrt(x[i]) > 1e30  # whose square is no f32
            out[8, i] = qd.sqrt(x[i]) < -1.0
            out[9, i] = qd.sqrt(x[i]) > 1e-30

    x = np.array([*ENDS, -0.0, -500.0, -300.0, -np.inf, 399.0, 401.0, 8.9, 9.0, -8.9, -9.0, 0.04, 0.07], np.float32)
    out = np.zeros((10, len(x)), np.int32)
    compare(x, out)
    with np.errstate(all="ignore"):
        root = np.sqrt(x)
        length = np.sqrt(x * x + 4.0 * x * x)
        expected = [root < 20, root <= 20, root > 20, ~(root >= 20), (root < 20) & ~(root > 0.25), length < 20, ~(length < 20)]
        expected += [root > 1e30, root < -1, root > np.float32(1e-30)]
    np.testing.assert_array_equal(out, np.array(expected, np.int32))
