"""A program with all annotations, for type checkers in strict mode (test_types.py).

They find an error in each line with a comment `wrong`, and no other. These lines never run, the others do."""

from typing import Protocol, TypeAlias

import numpy as np
import qd
import qd.math
from qd.types import NDArray

vec6: TypeAlias = qd.types.vector[6, qd.f32]
mat23: TypeAlias = qd.types.matrix[2, 3, qd.f32]
Cells: TypeAlias = NDArray[qd.i32, 2]

qd.init(arch=qd.cpu, log_level="error")


@qd.kernel
def limit(x: NDArray[qd.f32, 1], top: qd.f32) -> qd.i32:
    clipped = 0
    for i in x:
        if x[i] > top:
            x[i] = top
            clipped += 1
    return clipped


@qd.kernel
def fill(cells: Cells, any_array: NDArray, shape: qd.Template) -> None:
    for i, j in cells:
        cells[i, j] += i - j
    for i, j in qd.ndrange(shape[0], (0, shape[1])):
        cells[i, j] += 1
    for place in qd.grouped(cells):
        cells[place] *= 2
    for k in qd.static(range(2)):
        any_array[k] = qd.sin(k) + qd.math.pi


@qd.func
def mixed(a: qd.f32, b: qd.f32, part: qd.f32 = 0.5) -> qd.f32:
    return a * (1 - part) + b * part


@qd.real_func
def fib(n: qd.i32) -> qd.i32:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@qd.kernel
def numbers(v: qd.math.vec2, m: qd.math.mat2, w: vec6) -> tuple[qd.math.vec2, qd.u1]:
    turned = m @ v
    turned.xy = turned.yx
    turned.y += mixed(v.x, 2, part=0.25) + w[5]
    rows = mat23(0)
    print(turned.norm(), qd.f64(fib(7)), qd.cast(2.5, qd.i8), rows[1, 2])
    return qd.math.vec2(turned.x, 1), v.x > 1


@qd.dataclass
class Particle:
    pos: qd.math.vec3
    mass: qd.f32

    @qd.func
    def push(self, force: qd.math.vec3, dt: qd.f32) -> None:
        self.pos += force / self.mass * dt


particles = qd.field(Particle, shape=3)


@qd.kernel
def step(one: Particle, dt: qd.f32) -> Particle:
    for i in particles:
        particles[i].mass = i + 1
        particles[i].push(qd.Vector([0.0, -6.0, 0.0]), dt)
    p = Particle(pos=qd.math.vec3(1, 2, 3), mass=5)
    p.push(one.pos, dt)
    p.mass *= 2
    return p


@qd.data_oriented
class Counter:
    def __init__(self, n: int) -> None:
        self.cells = qd.field(qd.i32, shape=n)
        self.step = 2

    @qd.func
    def next(self, i: qd.i32) -> qd.i32:
        return qd.i32(self.cells[i]) + self.step

    @qd.kernel
    def run(self, times: qd.i32) -> None:
        for i in self.cells:
            for _ in range(times):
                self.cells[i] = self.next(i)

    @staticmethod
    @qd.kernel
    def double(n: qd.i32) -> qd.i32:
        return 2 * n


class Runs(Protocol):
    def run(self, times: int, /) -> None: ...


@qd.kernel(graph=True)
def settle(x: NDArray[qd.f32, 1], left: NDArray[qd.i32, 0]) -> None:
    while qd.graph.do_while(left):
        for i in x:
            x[i] *= 0.5
        for _ in range(1):
            left[None] -= 1


x = np.linspace(0.0, 2.0, 5, dtype=np.float32)
clipped: int = limit(x, 1.5) + limit(x, 0.5) + limit(x, top=1)
cells = np.zeros((2, 3), dtype=np.int32)
fill(cells, np.zeros(2), cells.shape)
pair, larger = numbers(qd.math.vec2(1, 2), qd.math.mat2(1), vec6(1))
moved = step(Particle(pos=qd.math.vec3(1), mass=1), 0.5)
counter = Counter(3)
counter.run(2)
left = qd.ndarray(qd.i32, shape=())
left.fill(2)
settle(qd.ndarray(qd.f32, shape=3), left)
stream = qd.create_stream()
limit(x, 1.0, qd_stream=stream)
qd.sync()
print(clipped, cells.tolist(), pair.x, larger, moved.mass, counter.cells[0], Counter.double(4))
print(x.dtype == qd.f32, np.zeros(1, qd.f64), qd.cfg.arch, qd.__version__ != "")

if __name__ == "never":
    limit("x", 1.0)  # wrong for pyright
    limit(x, "1.0")  # wrong
    limit()  # wrong
    limit(x, bottom=1.0)  # wrong
    limit.grad(x, 1.0, 2.0)  # wrong
    mixed(1.0)  # wrong
    counter.run("2")  # wrong
    counter.run(1, 2)  # wrong
    Counter.double(x)  # wrong
    text: str = limit(x, 1.0)  # wrong
    qd.kernl(limit)  # wrong
    qd.math.vec9(1)  # wrong
    qd.types.vectr(3)  # wrong
    settle(x)  # wrong

    class Doubled(Counter):
        @qd.kernel
        def run(self, times: qd.i32) -> None:  # wrong for pyright
            Counter.double(times)

    runs: Runs = counter  # wrong for pyright
