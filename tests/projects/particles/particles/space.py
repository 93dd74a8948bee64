"""The same in three dimensions: cuboids of water and jelly in a box. `python -m particles.space [STEPS]`"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import qd

from particles import kernels_3d
from particles.materials import Elasticity
from particles.scene import Floats


@dataclass(frozen=True)
class Cuboid:
    """Particles of one material between two corners, with a velocity."""

    material: str
    lower: tuple[float, float, float]
    upper: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def lattice(self, spacing: float) -> Floats:
        axes = [a + spacing * (0.5 + np.arange(round((b - a) / spacing))) for a, b in zip(self.lower, self.upper, strict=True)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3).astype(np.float32)


DROPS = (
    Cuboid("water", (0.25, 0.3125, 0.25), (0.75, 0.4375, 0.75)),
    Cuboid("jelly", (0.4375, 0.5625, 0.4375), (0.5625, 0.6875, 0.5625), (0.0, -2.0, 0.0)),
)


class Space:
    """Cuboids on a grid of `cells` nodes an axis. `qd.init` comes first."""

    def __init__(
        self, cuboids: Sequence[Cuboid], cells: int = 32, per_cell: int = 2, elasticity: Elasticity | None = None, gravity: float = -9.8
    ) -> None:
        elasticity = elasticity if elasticity is not None else Elasticity()
        spacing = 1.0 / cells / per_cell
        points = [cuboid.lattice(spacing) for cuboid in cuboids]
        repeats = [len(lattice) for lattice in points]
        self.count = sum(repeats)
        self.x = qd.Vector.ndarray(3, qd.f32, self.count)
        self.v = qd.Vector.ndarray(3, qd.f32, self.count)
        self.c = qd.Matrix.ndarray(3, 3, qd.f32, self.count)
        self.f = qd.Matrix.ndarray(3, 3, qd.f32, self.count)
        self.shear = qd.ndarray(qd.f32, self.count)
        self.x.from_numpy(np.concatenate(points))
        self.v.from_numpy(np.repeat(np.float32([cuboid.velocity for cuboid in cuboids]), repeats, axis=0))
        self.f.fill(qd.Matrix.identity(qd.f32, 3))
        self.shear.from_numpy(np.repeat(np.float32([elasticity.mu * (cuboid.material == "jelly") for cuboid in cuboids]), repeats))
        self.grid_v = qd.Vector.ndarray(3, qd.f32, (cells, cells, cells))
        self.grid_m = qd.ndarray(qd.f32, (cells, cells, cells))
        self.volume = spacing**3
        self.mass = self.volume  # density 1
        self.lam, self.gravity = elasticity.lam, gravity
        self.dt = 0.3 / cells / (elasticity.lam + 2 * elasticity.mu) ** 0.5

    def run(self, steps: int) -> None:
        arrays = (self.x, self.v, self.c, self.f, self.shear, self.grid_v, self.grid_m)
        for _ in range(steps):
            kernels_3d.step(*arrays, self.dt, self.mass, self.volume, self.lam, self.gravity)

    def momentum(self) -> Floats:
        return np.asarray(self.mass * self.v.to_numpy().sum(axis=0, dtype=np.float64))

    def summary(self) -> str:
        x = self.x.to_numpy()
        return f"{self.count} particles, center {', '.join(f'{a:.3f}' for a in x.mean(axis=0))}, lowest {x[:, 1].min():.3f}"


def main(arguments: Sequence[str]) -> None:
    qd.init(arch=qd.cpu)
    space = Space(DROPS)
    space.run(int(arguments[0]) if arguments else 200)
    print(space.summary())


if __name__ == "__main__":
    main(sys.argv[1:])
