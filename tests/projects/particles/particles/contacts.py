"""Pushes balls apart that overlap, in one launch: the pairs are found and pushed until no overlap is left.

Nobody knows beforehand how many pairs there are. When the list is full, the launch yields at its checkpoint, the host makes a longer list, and the
launch goes on there."""

from __future__ import annotations

import enum

import numpy as np
import qd

from particles.scene import Floats

MAX_PASSES = 200


class Stage(enum.IntEnum):
    """The checkpoints of `separate`."""

    PAIRS = 1
    END = 2


@qd.kernel(graph=True, checkpoints=True)
def separate(
    x: qd.types.ndarray(dtype=qd.math.vec2, ndim=1),
    pairs: qd.types.ndarray(dtype=qd.math.ivec2, ndim=1),
    count: qd.types.ndarray(dtype=qd.i32, ndim=0),
    full: qd.types.ndarray(dtype=qd.i32, ndim=0),
    again: qd.types.ndarray(dtype=qd.i32, ndim=0),
    passes: qd.types.ndarray(dtype=qd.i32, ndim=0),
    radius: qd.f32,
    tolerance: qd.f32,
):
    with qd.checkpoint(Stage.PAIRS, yield_on=full):
        for _ in range(1):
            count[None] = 0
        for i in x:
            for j in range(i + 1, x.shape[0]):
                if (x[i] - x[j]).norm() < 2.5 * radius:  # they may come to overlap while others are pushed
                    place = qd.atomic_add(count[None], 1)
                    if place < pairs.shape[0]:
                        pairs[place] = qd.Vector([i, j])
                    else:
                        full[None] = 1
    while qd.graph.do_while(again):
        largest = 0.0
        for k in range(count[None]):
            i, j = pairs[k][0], pairs[k][1]
            offset = x[i] - x[j]
            distance = offset.norm() + 1e-9
            overlap = 2 * radius - distance
            if overlap > tolerance:
                x[i] += 0.25 * overlap / distance * offset
                x[j] -= 0.25 * overlap / distance * offset
                qd.atomic_max(largest, overlap)
        for _ in range(1):  # in a loop: a launch that has yielded does not run it
            passes[None] += 1
            if largest == 0.0 or passes[None] == MAX_PASSES:
                again[None] = 0
    with qd.checkpoint(Stage.END):
        for i in x:
            x[i] = qd.math.clamp(x[i], radius, 1 - radius)


class Contacts:
    """Balls of one radius in the unit square; the list of pairs has room for `room` of them at first. `qd.init` comes first."""

    def __init__(self, x: Floats, radius: float, room: int = 64) -> None:
        self.x = qd.ndarray(qd.math.vec2, len(x))
        self.x.from_numpy(x)
        self.pairs = qd.ndarray(qd.math.ivec2, room)
        self.radius = radius
        self.yields = 0
        self.count, self.full, self.again, self.passes = (qd.ndarray(qd.i32, ()) for _ in range(4))

    def separate(self, tolerance: float = 1e-4) -> int:
        """Pushes until no two balls overlap by more than `tolerance`, a length. Returns the number of passes, MAX_PASSES at most."""
        self.again[None], self.passes[None] = 1, 0
        arguments = self.count, self.full, self.again, self.passes, self.radius, tolerance
        status = separate(self.x, self.pairs, *arguments)
        while status.yielded:
            assert status.checkpoint is Stage.PAIRS
            self.yields += 1
            self.pairs = qd.ndarray(qd.math.ivec2, 2 * self.pairs.shape[0])
            self.full[None] = 0
            status = separate.resume(self.x, self.pairs, *arguments, from_checkpoint=status)
        return int(self.passes[None])

    def overlap(self) -> float:
        """The largest overlap of two balls; 0 where there is none."""
        x = self.x.to_numpy()
        distances = np.linalg.norm(x[:, None] - x[None, :], axis=-1)
        np.fill_diagonal(distances, np.inf)
        return max(0.0, 2 * self.radius - float(distances.min()))
