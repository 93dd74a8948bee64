"""Three dimensions, against what physics says and against the same kernel run as plain Python."""

import json
from pathlib import Path

import numpy as np
import pytest
import qd

from particles import kernels_3d
from particles.space import Cuboid, Space, main
from tests.reference import CUBOIDS, REFERENCE_STEPS_3D, cuboids


def test_free_flight_keeps_momentum_mass_and_shape():
    space = Space([Cuboid("jelly", (0.4, 0.4, 0.4), (0.6, 0.6, 0.6), (1.0, -0.5, 0.25))], cells=10, per_cell=1, gravity=0.0)
    before, x = space.momentum(), space.x.to_numpy()
    assert space.count == 8
    space.run(2)
    np.testing.assert_allclose(space.momentum(), before, rtol=1e-4)
    assert space.grid_m.to_numpy().sum() == pytest.approx(space.count * space.mass, rel=1e-4)
    np.testing.assert_allclose(space.x.to_numpy() - x, np.tile(2 * space.dt * np.float32([1, -0.5, 0.25]), (8, 1)), atol=1e-5)
    np.testing.assert_allclose(space.f.to_numpy(), np.tile(np.eye(3), (8, 1, 1)), atol=1e-3)


def test_what_is_stretched_is_pulled_back():
    """The velocity gradient after a step has the sign that undoes the deformation; water does not mind shear."""
    for material, stretch, sign in (("jelly", np.diag([1.1, 1, 1]), -1), ("jelly", np.diag([0.9, 1, 1]), 1), ("water", np.diag([2.0, 0.5, 1]), 0)):
        space = Space([Cuboid(material, (0.4, 0.4, 0.4), (0.5, 0.5, 0.5))], cells=10, per_cell=1, gravity=0.0)
        space.f.from_numpy(np.float32([stretch]))
        space.run(1)
        assert np.sign(np.round(space.c.to_numpy()[0, 0, 0], 3)) == sign
        if material == "water":
            np.testing.assert_allclose(space.f.to_numpy()[0], np.eye(3), atol=1e-5)


def test_walls():
    @qd.kernel
    def at(velocity: kernels_3d.vec3, i: qd.i32, j: qd.i32, k: qd.i32) -> kernels_3d.vec3:
        return kernels_3d.inside_walls(velocity, qd.Vector([i, j, k]), 20)

    assert at([-1, -1, 1], 1, 10, 19).to_list() == [0, -1, 0]
    assert at([1, 1, -1], 1, 10, 19).to_list() == [1, 1, -1]


def test_program(capsys):
    main(["0"])
    assert "8704 particles, center 0.500, 0.390, 0.500, lowest 0.320" in capsys.readouterr().out


def test_reference():
    """The numbers of the same run under arch=qd.python (tests/reference.py)."""
    expected = json.loads((Path(__file__).parent / "reference.json").read_text())
    space = cuboids()
    assert space.count == sum(len(cuboid.lattice(0.1)) for cuboid in CUBOIDS)
    space.run(REFERENCE_STEPS_3D)
    np.testing.assert_allclose(space.x.to_numpy(), expected["x3"], atol=1e-5)
    np.testing.assert_allclose(space.v.to_numpy(), expected["v3"], atol=1e-3)
