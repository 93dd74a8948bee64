"""The command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import qd

from particles.picture import draw
from particles.scene import SCENES
from particles.simulation import Simulation, UnstableError


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="particles", description=__doc__)
    result.add_argument("--scene", choices=sorted(SCENES), default="dam")
    result.add_argument("--cells", type=int, default=64, help="cells of the grid, an axis")
    result.add_argument("--steps", type=int, default=200)
    result.add_argument("--every", type=int, default=0, help="print a line after so many steps")
    result.add_argument("--picture", action="store_true", help="draw where the particles end")
    result.add_argument("--save", metavar="FILE", help="write positions and velocities to a .npz file")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    qd.init(arch=qd.cpu)
    try:
        simulation = Simulation(SCENES[options.scene], cells=options.cells)
    except ValueError as error:
        print(f"particles: {error}", file=sys.stderr)
        return 2
    chunk = options.every if options.every > 0 else max(options.steps, 1)
    done = 0
    try:
        while done < options.steps:
            steps = min(chunk, options.steps - done)
            simulation.run(steps)
            done += steps
            print(simulation.summary())
    except UnstableError as error:
        print(f"particles: {error}", file=sys.stderr)
        return 1
    if options.picture:
        print(draw(simulation.positions(), simulation.kind.to_numpy()))
    if options.save:
        np.savez(options.save, x=simulation.positions(), v=simulation.velocities())
    return 0
