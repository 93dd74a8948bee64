"""Divisions by powers of a root in fast-math code, which processors approximate: errors, and the values at the ends of the range."""

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
            out[4, i] = 3.0 / root + root  # the root is needed anyway

    random = np.random.default_rng(0)
    x = np.concatenate([ENDS, 10.0 ** random.uniform(-12, 12, 4001), ENDS]).astype(np.float32)
    out = np.zeros((5, len(x)), np.float32)
    divide(x, out, len(x))
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64)
        root = np.sqrt(exact)
        expected = np.array([3.0 / root, 5.0 / root, 3.0 / (exact * root), 3.0 / root**3, 3.0 / root + root])
        usual = slice(len(ENDS), len(x) - len(ENDS))
        assert np.abs(out / expected - 1.0)[:, usual].max() < 12 * 2.0**-24
        # Other powers of numbers near the ends are too large or too small for an f32.
        for row in (0, 1, 4):
            np.testing.assert_allclose(out[row], expected[row], rtol=12 * 2.0**-24)
        for row in (2, 3):
            np.testing.assert_array_equal(np.isnan(out[row]), np.isnan(expected[row]))
            np.testing.assert_array_equal(out[row][-len(ENDS) :][:2], [np.inf, 0.0])
