"""Single kernels against numpy."""

import numpy as np
import pytest
import qd

from particles import kernels
from particles.materials import JELLY, WATER


def vectors(values):
    result = qd.ndarray(qd.f32, np.shape(values))
    result.from_numpy(np.float32(values))
    return result


def test_stable_step_keeps_what_is_stable():
    assert kernels.stable_step(vectors([[0.1, 0.0], [0.0, 0.2]]), 0.5, 1.0, 0.25) == 0.5


def test_stable_step_halves_until_it_is():
    # 5 · step must not be more than 0.25.
    assert kernels.stable_step(vectors([[3.0, 4.0], [0.0, 1.0]]), 0.4, 1.0, 0.25) == pytest.approx(0.05)


def test_sums():
    values = np.random.default_rng(5).normal(size=(200, 2)).astype(np.float32)
    v = vectors(values)
    assert kernels.total(v, 0) == pytest.approx(values[:, 0].sum(), abs=1e-3)
    assert kernels.total(v, 1) == pytest.approx(values[:, 1].sum(), abs=1e-3)
    assert kernels.kinetic_energy(v, 2.0) == pytest.approx((values**2).sum(), rel=1e-4)


def test_first_outside():
    x = np.full((40, 2), 0.5, np.float32)
    assert kernels.first_outside(vectors(x), 0.1, 0.9) == -1
    x[31, 0] = 0.95
    assert kernels.first_outside(vectors(x), 0.1, 0.9) == 31


def test_count_kinds():
    kind = qd.ndarray(qd.i32, 7)
    kind.from_numpy(np.int32([WATER, JELLY, JELLY, WATER, JELLY, 9, -1]))
    counts = qd.ndarray(qd.i32, 3)
    counts.fill(0)
    kernels.count_kinds(kind, counts)
    assert counts.to_numpy().tolist() == [2, 3, 0]


def test_weights_of_the_three_nodes_sum_to_one():
    """Mass that particles hand to the grid arrives there, wherever in its cell a particle is."""
    cells = 8
    x = np.random.default_rng(6).uniform(0.3, 0.7, (50, 2))
    count = len(x)
    grid = [qd.field(qd.f32, shape=(cells + 1, cells + 1)) for _ in range(3)]
    still = vectors(np.zeros((count, 2)))
    identity = vectors(np.tile([1, 0, 0, 1], (count, 1)))
    plastic = qd.ndarray(qd.f32, count)
    plastic.fill(1.0)
    kind = qd.ndarray(qd.i32, count)
    kind.fill(JELLY)
    kernels.clear_grid(*grid)
    kernels.particles_to_grid(
        vectors(x), still, vectors(np.zeros((count, 4))), identity, plastic, kind, *grid, 1e-4, 1 / cells, 3.0, 1e-3, 400.0, 400.0
    )
    mass = grid[2].to_numpy()
    assert mass.sum() == pytest.approx(3.0 * count, rel=1e-5)
    # The center of mass stays where it is.
    nodes = np.arange(cells + 1) / cells
    assert (mass.sum(axis=1) * nodes).sum() / mass.sum() == pytest.approx(x[:, 0].mean(), abs=1e-5)
    # Undeformed particles that rest push nobody.
    assert np.abs(grid[0].to_numpy()).max() < 1e-5
