"""Fields that a kernel gets as an argument and names as well: each sees the writes through the other."""

from __future__ import annotations

import numpy as np
import pytest
import qd

N = 70


@pytest.mark.parametrize("vectorize", [True, False])
def test_each_sees_writes_through_the_other(arch: str, vectorize: bool) -> None:
    f, seen = qd.field(qd.f32, N), qd.field(qd.f32, N)
    order = qd.field(qd.i32, N)
    order.from_numpy(np.random.default_rng(0).permutation(N).astype(np.int32))

    @qd.kernel
    def elements(x: qd.types.ndarray(qd.f32, 1)):
        qd.loop_config(vectorize=vectorize)
        for i in f:
            x[i] = 3.0
            if i > 3:
                seen[i] += f[i]
            if i < 50:
                seen[i] += f[i]

    @qd.kernel
    def additions(x: qd.types.ndarray(qd.f32, 1)):
        qd.loop_config(vectorize=vectorize)
        for i in f:
            x[order[i]] += 2.0
            f[order[i]] += 1.0
            seen[i] = f[order[i]]

    @qd.kernel
    def own_additions(x: qd.types.ndarray(qd.f32, 1)):
        qd.loop_config(vectorize=vectorize)
        for i in f:
            f[i] += 1.0
            x[i] += 2.0
            seen[i] = f[i] * 2.0

    index = np.arange(N)
    elements(f)
    np.testing.assert_array_equal(seen.to_numpy(), 3.0 * (index > 3) + 3.0 * (index < 50))
    additions(f)
    np.testing.assert_array_equal(f.to_numpy(), 6.0)
    np.testing.assert_array_equal(seen.to_numpy(), 6.0)
    own_additions(f)
    np.testing.assert_array_equal(f.to_numpy(), 9.0)
    np.testing.assert_array_equal(seen.to_numpy(), 18.0)


def test_vectors_and_structs(arch: str) -> None:
    f, seen = qd.Vector.field(3, qd.f32, N), qd.Vector.field(3, qd.f32, N)

    @qd.kernel
    def whole(x: qd.types.ndarray(qd.types.vector(3, qd.f32), 1)):
        qd.loop_config(vectorize=True)
        for i in f:
            x[i] = qd.Vector([1.0, 2.0, 3.0]) * i
            if i > 3:
                seen[i] += f[i]
            f[i] += f[i]
            seen[i] += x[i]

    whole(f)
    index = np.arange(N)[:, None] * np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(seen.to_numpy(), index * (2.0 + (np.arange(N) > 3))[:, None])


def test_one_element(arch: str) -> None:
    f, seen = qd.field(qd.i32, 4), qd.field(qd.i32, 4)

    @qd.kernel
    def first(x: qd.types.ndarray(qd.i32, 1), n: qd.i32):
        for _ in range(n):
            x[0] += 5
            seen[0] = f[0]
            f[1] += 7
            seen[1] = x[1]

    @qd.kernel
    def histogram(x: qd.types.ndarray(qd.i32, 1)):
        for i in range(100_000):
            x[i % 4] += 1
            f[i % 4] += 2

    first(f, 1)
    np.testing.assert_array_equal(f.to_numpy(), [5, 7, 0, 0])
    np.testing.assert_array_equal(seen.to_numpy(), [5, 7, 0, 0])
    f.fill(0)
    histogram(f)
    np.testing.assert_array_equal(f.to_numpy(), 75_000)
