"""Places a disk below falling drops, so that they bounce off it to a target: gradient descent over the time steps of their fall.

A drop feels gravity and, inside the disk, a spring that pushes it out; drops do not feel each other.
`python -m particles.placing [TARGET]`"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import qd

from particles.scene import Block, Floats

RADIUS = 0.15
STIFFNESS = 4000.0
GRAVITY = -9.8
DT = 2e-3
STEPS = 200
BLOCK = Block("water", (0.46, 0.75), (0.54, 0.8))

vec2 = qd.math.vec2
Drops = qd.types.ndarray(vec2, 1)
Point = qd.types.ndarray(vec2, 0)
Number = qd.types.ndarray(qd.f32, 0)


@qd.kernel
def fall(start: Drops, center: Point, end: Drops):
    """Positions of drops that are at rest in the beginning, after STEPS time steps."""
    for p in start:
        x = start[p]
        v = vec2(0.0)
        for _ in range(STEPS):
            offset = x - center[None]
            distance = offset.norm(1e-6)
            force = vec2(0.0, GRAVITY)
            if distance < RADIUS:
                force += STIFFNESS * (RADIUS - distance) / distance * offset
            v += DT * force
            x += DT * v
        end[p] = x


@qd.kernel
def average(end: Drops, landing: Number):
    for p in end:
        landing[None] += end[p].x / end.shape[0]


@qd.kernel
def square(landing: Number, target: qd.f32, loss: Number):
    loss[None] += (landing[None] - target) ** 2


class Placing:
    """Drops of a block, and the disk in their way. `qd.init` comes first."""

    def __init__(self, center: tuple[float, float], block: Block = BLOCK, spacing: float = 0.01) -> None:
        drops = block.lattice(spacing)
        self.start, self.end = (qd.Vector.ndarray(2, qd.f32, len(drops), needs_grad=True) for _ in range(2))
        self.start.from_numpy(drops)
        self.center = qd.Vector.ndarray(2, qd.f32, (), needs_grad=True)
        self.center.from_numpy(np.float32(center))
        self.landing, self.loss = (qd.ndarray(qd.f32, (), needs_grad=True) for _ in range(2))

    def slope(self, target: float) -> Floats:
        """Runs a fall; `loss` is then the squared distance of the drops' average end from `target`. Returns its gradient by the disk's center."""
        for array in (self.start, self.end, self.center, self.landing):
            array.grad.fill(0)
        self.landing.fill(0)
        with qd.ad.Tape(self.loss):
            fall(self.start, self.center, self.end)
            average(self.end, self.landing)
            square(self.landing, target, self.loss)
        return self.center.grad.to_numpy()

    def place(self, target: float, tolerance: float = 1e-3, rounds: int = 40) -> int:
        """Moves the disk until the drops end around `target`. Returns the number of falls that this took; ValueError after `rounds`."""
        for done in range(1, rounds + 1):
            slope = self.slope(target)
            loss = self.loss[None]
            if loss <= tolerance**2:
                return done
            center, steepness = self.center.to_numpy(), float(slope @ slope)
            if steepness == 0.0:
                raise ValueError(f"no drop touches the disk at {center[0]:.3f}, {center[1]:.3f}")
            # A linear miss, whose square the loss is, would be gone after twice this step.
            self.center.from_numpy(center - np.float32(loss / steepness) * slope)
        raise ValueError(f"the drops end around {self.landing[None]:.3f} after {rounds} rounds, and not around {target}")


def main(arguments: Sequence[str]) -> int:
    qd.init(arch=qd.cpu)
    placing = Placing((0.48, 0.4))
    try:
        falls = placing.place(float(arguments[0]) if arguments else 0.8)
    except ValueError as error:
        print(f"particles: {error}", file=sys.stderr)
        return 2
    x, y = placing.center.to_numpy()
    print(f"disk at {x:.3f}, {y:.3f}: the drops end around {placing.landing[None]:.3f}; {falls} falls")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
