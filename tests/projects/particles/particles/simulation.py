"""A simulation: the memory that kernels work on, and the order in which they run."""

from __future__ import annotations

import numpy as np
import qd

from particles import kernels
from particles.materials import NAMES, Elasticity
from particles.scene import Floats, Scene


class UnstableError(RuntimeError):
    """Particles have left the box: the time step was too long for the material."""


class Simulation:
    """Particles of a scene on a grid of `cells` by `cells` cells. `qd.init` comes first."""

    def __init__(
        self,
        scene: Scene,
        cells: int = 64,
        elasticity: Elasticity | None = None,
        per_cell: int = 2,
        jitter: float = 0.0,
        dt: float | None = None,
    ) -> None:
        if cells < 3 * kernels.WALL:
            raise ValueError(f"a grid of {cells} cells has no room between its walls")
        self.scene = scene
        self.cells = cells
        self.elasticity = elasticity if elasticity is not None else Elasticity()
        self.dx = 1.0 / cells
        self.wish = dt if dt is not None else self.sound_step()
        self.time = 0.0
        spacing = self.dx / per_cell
        self.volume = spacing * spacing
        self.mass = self.volume  # density 1

        positions, velocities, kinds = scene.sample(spacing, jitter)
        self.count = len(positions)
        self.x = qd.ndarray(qd.f32, (self.count, 2))
        self.v = qd.ndarray(qd.f32, (self.count, 2))
        self.c = qd.ndarray(qd.f32, (self.count, 4))
        self.f = qd.ndarray(qd.f32, (self.count, 4))
        self.plastic = qd.ndarray(qd.f32, self.count)
        self.kind = qd.ndarray(qd.i32, self.count)
        self.x.from_numpy(positions)
        self.v.from_numpy(np.ascontiguousarray(velocities))
        self.c.fill(0.0)
        self.f.from_numpy(np.tile(np.float32([1, 0, 0, 1]), (self.count, 1)))
        self.plastic.fill(1.0)
        self.kind.from_numpy(kinds)
        nodes = (cells + 1, cells + 1)
        self.grid_vx = qd.field(qd.f32, shape=nodes)
        self.grid_vy = qd.field(qd.f32, shape=nodes)
        self.grid_m = qd.field(qd.f32, shape=nodes)

    def sound_step(self) -> float:
        """A step in which sound crosses two fifths of a cell. Snow hardens, so its sound is faster than the elasticity says."""
        sound = (self.elasticity.lam + 2 * self.elasticity.mu) ** 0.5
        names = {block.material for block in self.scene.blocks}
        if "snow" in names:
            sound *= 2.3
        return 0.4 * self.dx / sound

    def substep(self) -> float:
        """One time step; gives its length."""
        grid = (self.grid_vx, self.grid_vy, self.grid_m)
        dt = float(kernels.stable_step(self.v, self.wish, self.dx, 0.25))
        kernels.clear_grid(*grid)
        kernels.deform(self.c, self.f, self.plastic, self.kind, dt)
        kernels.particles_to_grid(
            self.x,
            self.v,
            self.c,
            self.f,
            self.plastic,
            self.kind,
            *grid,
            dt,
            self.dx,
            self.mass,
            self.volume,
            self.elasticity.mu,
            self.elasticity.lam,
        )
        kernels.update_grid(*grid, dt, self.scene.gravity, int(self.scene.sticky_floor))
        kernels.grid_to_particles(self.x, self.v, self.c, self.grid_vx, self.grid_vy, dt, self.dx)
        self.time += dt
        return dt

    def run(self, steps: int) -> None:
        """Several time steps. Raises UnstableError when a particle has left the box."""
        for _ in range(steps):
            self.substep()
        margin = self.dx
        lost = kernels.first_outside(self.x, margin, 1.0 - margin)
        if lost >= 0:
            where = self.positions()[lost]
            raise UnstableError(f"particle {lost} is at {where[0]:.3f}, {where[1]:.3f} after {self.time:.4f} s")

    def positions(self) -> Floats:
        return self.x.to_numpy()

    def velocities(self) -> Floats:
        return self.v.to_numpy()

    def momentum(self) -> tuple[float, float]:
        return self.mass * kernels.total(self.v, 0), self.mass * kernels.total(self.v, 1)

    def center(self) -> tuple[float, float]:
        return kernels.total(self.x, 0) / self.count, kernels.total(self.x, 1) / self.count

    def kinetic_energy(self) -> float:
        return float(kernels.kinetic_energy(self.v, self.mass))

    def mass_on_grid(self) -> float:
        """The mass that the last time step handed to the grid."""
        return float(kernels.grid_mass(self.grid_m))

    def counts(self) -> dict[str, int]:
        """Number of particles of each material."""
        counts = qd.ndarray(qd.i32, len(NAMES))
        counts.fill(0)
        kernels.count_kinds(self.kind, counts)
        return {name: int(counts[kind]) for name, kind in NAMES.items()}

    def summary(self) -> str:
        x, y = self.center()
        parts = [f"{number} {name}" for name, number in self.counts().items() if number]
        return f"t = {self.time:.4f} s: {', '.join(parts)}; center {x:.3f}, {y:.3f}; energy {self.kinetic_energy():.5f}"
