"""Writes reference.json: a run under arch=qd.python, one thread of plain Python. `python -m tests.reference [FILE]`"""

import json
import sys
from pathlib import Path

import qd

from particles.scene import CUBES
from particles.simulation import Simulation

REFERENCE_CELLS = 16
REFERENCE_STEPS = 100


def main() -> None:
    qd.init(arch=qd.python)
    simulation = Simulation(CUBES, cells=REFERENCE_CELLS, per_cell=1)
    simulation.run(REFERENCE_STEPS)
    data = {
        "time": simulation.time,
        "x": [[round(float(a), 6) for a in row] for row in simulation.positions()],
        "v": [[round(float(a), 5) for a in row] for row in simulation.velocities()],
    }
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference.json"
    path.write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
