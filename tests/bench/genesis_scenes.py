"""Scenes of Genesis (PyPI genesis-world), one a process: build, first step and steps a second, on the runtime that `import quadrants` gives.

    python -m qd.compat quadrants tests/bench/genesis_scenes.py franka --steps 300    # this runtime
    python tests/bench/genesis_scenes.py franka --steps 300                           # Quadrants

Prints one line of JSON; --save FILE keeps the scene's state after the last step, for comparisons. `ci/genesis` runs all of them in both."""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

STARTED = time.perf_counter()
State = dict[str, Callable[[], Any]]
SCENES: dict[str, Callable[[Any, Any], tuple[Any, State]]] = {}
STEPS = {"two_bodies": 1000, "franka": 1000, "noslip": 300, "batch": 300, "terrain": 300, "inverse_kinematics": 300}
"""Steps that are timed, where it is not 30."""
DOUBLES = {"sap"}
"""Scenes that need 64-bit floats."""


def scene(function: Callable[[Any, Any], tuple[Any, State]]) -> Callable[[Any, Any], tuple[Any, State]]:
    SCENES[function.__name__] = function
    return function


def _scene(gs: Any, plane: bool = True, **options: Any) -> Any:
    made = gs.Scene(show_viewer=False, **options)
    if plane:
        made.add_entity(gs.morphs.Plane())
    return made


def _particles(*entities: Any) -> State:
    return {f"particles{i}": entity.get_particles_pos for i, entity in enumerate(entities)}


@scene
def two_bodies(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=0.01))
    box = made.add_entity(gs.morphs.Box(size=(0.2, 0.2, 0.2), pos=(0, 0, 0.4)))
    sphere = made.add_entity(gs.morphs.Sphere(radius=0.1, pos=(0.05, 0, 0.9)))
    return made, {"box": box.get_pos, "sphere": sphere.get_pos}


def _franka(gs: Any, made: Any) -> Any:
    return made.add_entity(gs.morphs.MJCF(file="xml/franka_emika_panda/panda.xml"))


@scene
def franka(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=0.01))
    arm = _franka(gs, made)
    box = made.add_entity(gs.morphs.Box(size=(0.04, 0.04, 0.04), pos=(0.65, 0, 0.02)))
    return made, {"joints": arm.get_qpos, "box": box.get_pos}


@scene
def noslip(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=0.01), rigid_options=options.RigidOptions(noslip_iterations=5))
    boxes = [made.add_entity(gs.morphs.Box(size=(0.1, 0.1, 0.1), pos=(0.005 * i, 0, 0.05 + 0.101 * i))) for i in range(4)]
    return made, {f"box{i}": box.get_pos for i, box in enumerate(boxes)}


@scene
def batch(gs: Any, options: Any) -> tuple[Any, State]:
    made, state = franka(gs, options)
    made.n_envs_of_scene = 16
    return made, state


@scene
def gjk(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=0.01), rigid_options=options.RigidOptions(use_gjk_collision=True))
    bodies = [
        made.add_entity(gs.morphs.Mesh(file="meshes/duck.obj", scale=0.03, pos=(0, 0, 0.1))),
        made.add_entity(gs.morphs.Box(size=(0.1, 0.1, 0.1), pos=(0, 0.01, 0.3))),
    ]
    return made, {f"body{i}": body.get_pos for i, body in enumerate(bodies)}


@scene
def terrain(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, plane=False, sim_options=options.SimOptions(dt=0.01))
    kinds = [["flat_terrain", "pyramid_stairs_terrain"], ["wave_terrain", "sloped_terrain"]]
    made.add_entity(
        gs.morphs.Terrain(n_subterrains=(2, 2), subterrain_size=(3.0, 3.0), horizontal_scale=0.25, vertical_scale=0.005, subterrain_types=kinds)
    )
    sphere = made.add_entity(gs.morphs.Sphere(radius=0.2, pos=(1.5, 1.5, 1.0)))
    return made, {"sphere": sphere.get_pos}


@scene
def inverse_kinematics(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=0.01))
    arm = _franka(gs, made)
    hand = np.array([0.5, 0.1, 0.4]), np.array([0, 1, 0, 0])
    return made, {"joints": lambda: arm.inverse_kinematics(link=arm.get_link("hand"), pos=hand[0], quat=hand[1])}


@scene
def sensors(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=0.01))
    box = made.add_entity(gs.morphs.Box(size=(0.2, 0.2, 0.2), pos=(0, 0, 0.3)))
    imu = made.add_sensor(gs.sensors.IMU(entity_idx=box.idx))
    contact = made.add_sensor(gs.sensors.ContactForce(entity_idx=box.idx))
    return made, {"imu": lambda: imu.read().lin_acc, "contact": contact.read}


@scene
def mpm(gs: Any, options: Any) -> tuple[Any, State]:
    box = options.MPMOptions(lower_bound=(-0.5, -0.5, -0.1), upper_bound=(0.5, 0.5, 1.0), grid_density=32)
    made = _scene(gs, sim_options=options.SimOptions(dt=4e-3, substeps=10), mpm_options=box)
    kinds = gs.materials.MPM
    entities = [
        made.add_entity(material=kinds.Elastic(), morph=gs.morphs.Box(pos=(0, 0, 0.3), size=(0.2, 0.2, 0.2))),
        made.add_entity(material=kinds.Liquid(), morph=gs.morphs.Box(pos=(0.25, 0, 0.3), size=(0.1, 0.1, 0.1))),
    ]
    return made, _particles(*entities)


@scene
def materials(gs: Any, options: Any) -> tuple[Any, State]:
    box = options.MPMOptions(lower_bound=(-0.6, -0.5, -0.1), upper_bound=(0.6, 0.5, 1.0), grid_density=32)
    made = _scene(gs, sim_options=options.SimOptions(dt=4e-3, substeps=10), mpm_options=box)
    kinds = (gs.materials.MPM.Sand(), gs.materials.MPM.Snow(), gs.materials.MPM.ElastoPlastic(), gs.materials.MPM.Liquid(viscous=True))
    places = [gs.morphs.Box(pos=(-0.42 + 0.28 * i, 0, 0.3), size=(0.15, 0.15, 0.15)) for i in range(4)]
    return made, _particles(*[made.add_entity(material=kind, morph=place) for kind, place in zip(kinds, places, strict=True)])


@scene
def sph(gs: Any, options: Any) -> tuple[Any, State]:
    box = options.SPHOptions(lower_bound=(-0.5, -0.5, 0.0), upper_bound=(0.5, 0.5, 1), particle_size=0.02)
    made = _scene(gs, sim_options=options.SimOptions(dt=4e-3, substeps=10), sph_options=box)
    water = made.add_entity(material=gs.materials.SPH.Liquid(sampler="regular"), morph=gs.morphs.Box(pos=(0, 0, 0.3), size=(0.2, 0.2, 0.2)))
    return made, _particles(water)


@scene
def pbd(gs: Any, options: Any) -> tuple[Any, State]:
    made = _scene(gs, sim_options=options.SimOptions(dt=4e-3, substeps=10), pbd_options=options.PBDOptions(particle_size=0.02))
    cloth = gs.morphs.Mesh(file="meshes/cloth.obj", scale=0.5, pos=(0, 0, 0.3))
    entities = [
        made.add_entity(material=gs.materials.PBD.Cloth(), morph=cloth),
        made.add_entity(material=gs.materials.PBD.Elastic(), morph=gs.morphs.Box(pos=(0.6, 0, 0.3), size=(0.1, 0.1, 0.1))),
        made.add_entity(material=gs.materials.PBD.Liquid(sampler="regular"), morph=gs.morphs.Box(pos=(1.2, 0, 0.3), size=(0.1, 0.1, 0.1))),
    ]
    return made, _particles(*entities)


def _fem(gs: Any, options: Any, implicit: bool) -> tuple[Any, State]:
    simulation = options.SimOptions(dt=1 / 60, substeps=2) if implicit else options.SimOptions(dt=5e-4, substeps=2)
    made = _scene(gs, sim_options=simulation, fem_options=options.FEMOptions(use_implicit_solver=implicit))
    model = {"model": "linear_corotated"} if implicit else {}
    block = made.add_entity(material=gs.materials.FEM.Elastic(E=1e5, **model), morph=gs.morphs.Box(pos=(0, 0, 0.15), size=(0.2, 0.2, 0.2)))
    return made, {"vertices": lambda: block.get_state().pos}


@scene
def fem(gs: Any, options: Any) -> tuple[Any, State]:
    return _fem(gs, options, False)


@scene
def fem_implicit(gs: Any, options: Any) -> tuple[Any, State]:
    return _fem(gs, options, True)


@scene
def coupled(gs: Any, options: Any) -> tuple[Any, State]:
    box = options.MPMOptions(lower_bound=(-0.5, -0.5, -0.1), upper_bound=(0.5, 0.5, 1.0), grid_density=32)
    made = _scene(gs, sim_options=options.SimOptions(dt=4e-3, substeps=10), mpm_options=box)
    water = made.add_entity(material=gs.materials.MPM.Liquid(), morph=gs.morphs.Box(pos=(0, 0, 0.15), size=(0.3, 0.3, 0.2)))
    duck = made.add_entity(
        material=gs.materials.Rigid(needs_coup=True, coup_friction=0.1), morph=gs.morphs.Mesh(file="meshes/duck.obj", scale=0.03, pos=(0, 0, 0.5))
    )
    return made, {**_particles(water), "duck": duck.get_pos}


@scene
def smoke(gs: Any, options: Any) -> tuple[Any, State]:
    import quadrants as qd

    @qd.data_oriented
    class Jet:
        """A source of smoke at a place of the unit cube, which blows upwards."""

        @qd.func
        def get_pos(self, t: qd.f32):
            return qd.Vector([0.5, 0.5, 0.1])

        @qd.func
        def get_tan_dir(self, t: qd.f32):
            return qd.Vector([0.0, 0.0, 1.0])

        @qd.func
        def get_factor(self, i: qd.i32, j: qd.i32, k: qd.i32, dx: qd.f32, t: qd.f32):
            distance = (qd.Vector([i, j, k]) * dx - self.get_pos(t)).norm()
            return qd.exp(-distance * distance / 0.01)

    made = _scene(gs, plane=False, sim_options=options.SimOptions(dt=1e-2), sf_options=options.SFOptions(res=32, solver_iters=50, decay=0.025))
    made.sim.sf_solver.set_jets([Jet()])
    return made, {"velocity": lambda: made.sim.sf_solver.grid.v.to_numpy()}


@scene
def sap(gs: Any, options: Any) -> tuple[Any, State]:
    simulation, implicit = options.SimOptions(dt=1 / 60, substeps=2), options.FEMOptions(use_implicit_solver=True)
    made = _scene(gs, plane=False, sim_options=simulation, fem_options=implicit, coupler_options=options.SAPCouplerOptions())
    material = gs.materials.FEM.Elastic(model="linear_corotated", E=1e5, nu=0.4)
    ball = made.add_entity(material=material, morph=gs.morphs.Sphere(pos=(0, 0, 0.11), radius=0.1))
    box = made.add_entity(gs.morphs.Box(pos=(0.02, 0, 0.3), size=(0.15, 0.15, 0.15)))
    return made, {"ball": lambda: ball.get_state().pos, "box": box.get_pos}


def _array(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value, dtype=np.float64)


def measure(name: str, steps: int, precision: str, save: str | None) -> dict[str, Any]:
    """Builds a scene and steps it."""
    import genesis as gs

    times = {"import": time.perf_counter() - STARTED}
    begin = time.perf_counter()

    def lap(part: str) -> None:
        nonlocal begin
        now = time.perf_counter()
        times[part] = now - begin
        begin = now

    gs.init(backend=gs.cpu, precision=precision, logging_level="error", seed=0)
    made, state = SCENES[name](gs, gs.options)
    made.build(n_envs=getattr(made, "n_envs_of_scene", 0))
    lap("build")
    made.step()
    lap("first step")
    for _ in range(20):
        made.step()
    begin = time.perf_counter()
    for _ in range(steps):
        made.step()
    lap("steps")
    found = {part: _array(read()) for part, read in state.items()}
    if save:
        np.savez(save, **found)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    finite = all(np.isfinite(part).all() for part in found.values())
    return {"scene": name, "steps/s": steps / times["steps"], "MiB": memory, "finite": finite, **times}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", choices=list(SCENES))
    parser.add_argument("--steps", type=int)
    parser.add_argument("--save")
    given = parser.parse_args()
    precision = "64" if given.scene in DOUBLES else "32"
    print(json.dumps(measure(given.scene, given.steps or STEPS.get(given.scene, 30), precision, given.save)))


if __name__ == "__main__":
    main()
