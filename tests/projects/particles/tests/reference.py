"""Writes reference.json: a run under arch=qd.python, one thread of plain Python. `python -m tests.reference [FILE]`"""

import json
import sys
from pathlib import Path

import qd

from particles.scene import CUBES
from particles.simulation import Simulation
from particles.space import Cuboid, Space

REFERENCE_CELLS = 16
REFERENCE_STEPS = 100
REFERENCE_STEPS_3D = 10
CUBOIDS = (Cuboid("water", (0.3, 0.3, 0.3), (0.5, 0.4, 0.5)), Cuboid("jelly", (0.3, 0.45, 0.3), (0.5, 0.65, 0.5), (0.5, -3.0, 0.0)))


def cuboids() -> Space:
    return Space(CUBOIDS, cells=10, per_cell=1)


def rounded(values, digits: int) -> list[list[float]]:
    return [[round(float(a), digits) for a in row] for row in values]


def main() -> None:
    qd.init(arch=qd.python)
    simulation = Simulation(CUBES, cells=REFERENCE_CELLS, per_cell=1)
    simulation.run(REFERENCE_STEPS)
    space = cuboids()
    space.run(REFERENCE_STEPS_3D)
    data = {
        "time": simulation.time,
        "x": rounded(simulation.positions(), 6),
        "v": rounded(simulation.velocities(), 5),
        "x3": rounded(space.x.to_numpy(), 6),
        "v3": rounded(space.v.to_numpy(), 5),
    }
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference.json"
    path.write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
