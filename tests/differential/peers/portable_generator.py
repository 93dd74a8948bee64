"""Random kernels that the language's other implementations accept, too."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from kernel_generator import KernelGenerator

OURS_ALONE = re.compile(
    r"\*v\d+ ="  # u, *rest = ...
    r"|max\(\["  # max of a list
    r"|@ \[\["  # products with lists
    r"|@ \[u"
    r"|sum\(\[i"  # compiles for a while, and then ends the process
)
"""Expressions and statements that peers refuse."""


class PortableGenerator(KernelGenerator):
    """Leaves out parts of ours alone: decorators with parentheses, real funcs, kernels in classes that are not data-oriented, some expressions."""

    lanes = False  # an option of ours alone
    real_funcs = False  # Quadrants gives other results for some of them, where plain Python agrees with ours

    def decorators(self, decorator: str) -> None:
        self.emit(0, f"@{decorator}")

    def wrap(self, name: str, first: int) -> None:
        pass

    def accepted(self, choose: Callable[[], str]) -> str:
        while OURS_ALONE.search(text := choose()):
            pass
        return text

    def assertion(self, depth: int) -> None:
        """Peers evaluate asserts without debug mode too, and end the kernel in silence: only asserts that hold."""
        self.asserts = "never fail"
        super().assertion(depth)

    def simple(self) -> str:
        return self.accepted(super().simple)

    def vector(self) -> str:
        return self.accepted(super().vector)

    def emit(self, depth: int, text: str) -> None:
        if self.lines[-1] == "@qd.func":  # a func of the peers may not assign to parameters that have a compound type
            text = re.sub(r"^(def \w+)\(vec: VEC, b: qd\.i32\) -> VEC:", r"\1(vec, b):", text)
        text = text.replace("vec: VEC = [t, u]", "vec = qd.Vector([t, u])")
        super().emit(depth, text.replace("w: qd.types.ndarray(dtype=Body, ndim=1)", "w: qd.template()"))

    def programs(self, kernels: int) -> Iterator[str]:
        """A program for each of so many kernels of one file, for `program_server`: run() gives the results of some launches."""
        head, *bodies = self.source(kernels).split("@qd.kernel\n")
        head = head.replace("import qd\n", "import numpy as np\nimport qd\n\nqd.init(arch=qd.cpu, fast_math=False)\n", 1)
        # When a method has stored to components of self.pos behind a condition, Quadrants and Taichi forget a later `body.pos = ...`.
        head = head.replace("if self.pos[k] > 50:", "if qd.static(k == 1):")
        for number, body in enumerate(bodies):
            yield f"{head}@qd.kernel\n{body}\n\n{LAUNCHES.replace('KERNEL', str(number))}"


LAUNCHES = """def elements():
    if KERNEL % 5 == 3:
        return [Body.field(shape=8)]
    shape = {1: (8, 3), 2: (8, 2, 2)}.get(KERNEL % 5)
    return [np.arange(np.prod(shape), dtype=np.int32).reshape(shape) % 11] if shape else []


def launch(size, m):
    x = np.array([(i * 37 + KERNEL * 11) % 101 for i in range(8)], dtype=np.int32)
    y = np.zeros(8, dtype=np.int32)
    w = elements()
    result = kKERNEL(x, y, size, *w, *([m] if KERNEL % 5 == 0 else []))
    return [size, str(m), result, y, [array if isinstance(array, np.ndarray) else array.to_numpy() for array in w]]


def run():
    return [launch(size, m) for size, m in ((0, 1), (1, 3), (7, 0), (7, None), (0, 2), (7, 1), (1, 0))]
"""
