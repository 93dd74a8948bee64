"""Initial positions and velocities of particles."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from particles.materials import kind_of

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Block:
    """A rectangle full of one material, moving with one velocity. The box is the unit square."""

    material: str
    lower: tuple[float, float]
    upper: tuple[float, float]
    velocity: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        kind_of(self.material)
        for axis in (0, 1):
            if not 0 <= self.lower[axis] < self.upper[axis] <= 1:
                raise ValueError(f"block from {self.lower} to {self.upper} is empty or not in the unit square")

    @property
    def area(self) -> float:
        return (self.upper[0] - self.lower[0]) * (self.upper[1] - self.lower[1])

    def lattice(self, spacing: float) -> Floats:
        """Points in rows, `spacing` apart, as many as fit."""
        columns = max(1, math.floor((self.upper[0] - self.lower[0]) / spacing + 1e-6))
        rows = max(1, math.floor((self.upper[1] - self.lower[1]) / spacing + 1e-6))
        x = self.lower[0] + (np.arange(columns) + 0.5) * (self.upper[0] - self.lower[0]) / columns
        y = self.lower[1] + (np.arange(rows) + 0.5) * (self.upper[1] - self.lower[1]) / rows
        return np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2).astype(np.float32)


@dataclass(frozen=True)
class Scene:
    """Blocks, and the floor that they fall on."""

    blocks: tuple[Block, ...]
    gravity: float = -9.8
    sticky_floor: bool = False
    name: str = field(default="scene", compare=False)

    def sample(self, spacing: float, jitter: float = 0.0, seed: int = 0) -> tuple[Floats, Floats, Ints]:
        """Positions, velocities and materials of all particles."""
        if not self.blocks:
            raise ValueError(f"scene {self.name} has no blocks")
        positions, velocities, kinds = [], [], []
        random = np.random.default_rng(seed)
        for block in self.blocks:
            points = block.lattice(spacing)
            if jitter > 0:
                points += random.uniform(-jitter, jitter, points.shape).astype(np.float32) * np.float32(spacing)
            positions.append(points)
            velocities.append(np.broadcast_to(np.float32(block.velocity), points.shape))
            kinds.append(np.full(len(points), kind_of(block.material), np.int32))
        return np.concatenate(positions), np.concatenate(velocities), np.concatenate(kinds)


DAM = Scene((Block("water", (0.1, 0.1), (0.4, 0.6)),), name="dam")
CUBES = Scene(
    (
        Block("water", (0.15, 0.15), (0.35, 0.35)),
        Block("jelly", (0.4, 0.4), (0.6, 0.6)),
        Block("snow", (0.6, 0.7), (0.8, 0.9), (0.0, -2.0)),
    ),
    name="cubes",
)
SNOWBALL = Scene((Block("snow", (0.3, 0.4), (0.5, 0.6), (4.0, 0.0)),), sticky_floor=True, name="snowball")

SCENES = {scene.name: scene for scene in (DAM, CUBES, SNOWBALL)}
