"""Whole simulations against what physics says, and against the same kernels run as plain Python."""

import json
from pathlib import Path

import numpy as np
import pytest

from particles.scene import CUBES, DAM, Block, Scene
from particles.simulation import Simulation, UnstableError
from tests.reference import REFERENCE_CELLS, REFERENCE_STEPS

FREE = Scene((Block("jelly", (0.4, 0.4), (0.6, 0.6), (1.0, 0.5)),), gravity=0.0)


def test_free_flight_keeps_momentum_and_mass():
    simulation = Simulation(FREE, cells=16, jitter=0.2)
    px, py = simulation.momentum()
    mass = simulation.count * simulation.mass
    assert (px, py) == pytest.approx((mass * 1.0, mass * 0.5), rel=1e-4)
    x, y = simulation.center()
    simulation.run(12)
    assert simulation.momentum() == pytest.approx((px, py), rel=1e-3)
    assert simulation.mass_on_grid() == pytest.approx(mass, rel=1e-4)
    assert simulation.center() == pytest.approx((x + 1.0 * simulation.time, y + 0.5 * simulation.time), abs=1e-3)


def test_free_fall():
    simulation = Simulation(Scene((Block("water", (0.4, 0.5), (0.6, 0.7)),)), cells=16)
    _, y = simulation.center()
    simulation.run(12)
    assert simulation.center()[1] == pytest.approx(y - 9.8 * simulation.time**2 / 2, abs=2e-3)
    assert simulation.momentum()[1] == pytest.approx(-9.8 * simulation.time * simulation.count * simulation.mass, rel=1e-2)


@pytest.mark.parametrize("scene", [DAM, CUBES], ids=lambda scene: scene.name)
def test_particles_stay_in_the_box(scene):
    simulation = Simulation(scene, cells=16, per_cell=1)
    simulation.run(25)
    positions = simulation.positions()
    assert np.isfinite(positions).all()
    assert positions.min() > simulation.dx
    assert positions.max() < 1 - simulation.dx
    assert simulation.mass_on_grid() == pytest.approx(simulation.count * simulation.mass, rel=1e-4)


def test_walls_stop_particles():
    scene = Scene((Block("jelly", (0.6, 0.4), (0.75, 0.6), (8.0, 0.0)),), gravity=0.0)
    simulation = Simulation(scene, cells=16, per_cell=1)
    simulation.run(25)
    assert simulation.positions()[:, 0].max() < 1 - simulation.dx
    assert simulation.momentum()[0] < 8.0 * simulation.count * simulation.mass


def test_energy_is_not_made_from_nothing():
    simulation = Simulation(FREE, cells=16, jitter=0.2)
    before = simulation.kinetic_energy()
    simulation.run(10)
    assert 0 < simulation.kinetic_energy() <= before * 1.001


def test_too_long_steps_are_noticed():
    simulation = Simulation(FREE, cells=16)
    simulation.x[3, 0] = 0.01
    with pytest.raises(UnstableError, match="particle 3 is at 0.010"):
        simulation.run(0)


def test_grid_must_have_room():
    with pytest.raises(ValueError, match="no room between its walls"):
        Simulation(DAM, cells=8)


def test_summary_names_what_is_there():
    simulation = Simulation(CUBES, cells=16, per_cell=1)
    text = simulation.summary()
    assert text.startswith("t = 0.0000 s: 9 water, 9 jelly, 9 snow; center ")


def test_reference():
    """The numbers of the same run under arch=qd.python (tests/reference.py)."""
    expected = json.loads((Path(__file__).parent / "reference.json").read_text())
    simulation = Simulation(CUBES, cells=REFERENCE_CELLS, per_cell=1)
    simulation.run(REFERENCE_STEPS)
    assert simulation.time == pytest.approx(expected["time"], rel=1e-5)
    np.testing.assert_allclose(simulation.positions(), expected["x"], atol=2e-4)
    np.testing.assert_allclose(simulation.velocities(), expected["v"], atol=2e-2)
