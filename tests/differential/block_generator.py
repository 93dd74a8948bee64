"""Random kernels with blocks of threads, and the program that launches them.

The results do not depend on the order of threads between two meetings: a thread writes its own element of a shared array alone, and reads
others behind a `sync`. Threads come to a `sync` under conditions that are the same for the block, to operations of a subgroup under such that are the
same for the subgroup."""

from __future__ import annotations

import random

BLOCK_HEADER = '''"""Generated kernels."""

import qd

block, subgroup = qd.simt.block, qd.simt.subgroup
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)
LANES = {lanes}


@qd.func
def turned(row: qd.template(), value: qd.i32, by: qd.i32, size: qd.template()) -> qd.i32:
    row[block.thread_idx()] = value
    block.sync()
    found = row[(block.thread_idx() + by) % size]
    block.sync()
    return found


@qd.func
def grown(value: qd.i32, limit: qd.i32) -> qd.i32:
    while value < limit:
        value = value * 2 + 1
    return value
'''

DIMS = [8, 16, 24, 32]
"""Threads of a block. 24 is no multiple of most subgroups."""

ITERATIONS = 96
"""Of each launch: whole blocks of each of these."""


class BlockGenerator:
    """Writes kernels. `early`: iterations may end before others meet; devices with blocks of their own leave the result open then."""

    def __init__(self, seed: int, *, early: bool = False) -> None:
        self.random = random.Random(f"blocks {seed}")
        self.early = early
        self.lines: list[str] = []

    def source(self, kernels: int, lanes: int) -> str:
        self.lines = [BLOCK_HEADER.format(lanes=lanes)]
        for number in range(kernels):
            self.kernel(number)
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def kernel(self, number: int) -> None:
        self.dim, self.counters = self.random.choice(DIMS), 0
        self.add(0, f"\n@qd.kernel\ndef k{number}(x: Array, y: Array, z: Array, n: qd.i32):")
        before = self.chance(0.3)
        array = f"row = block.SharedArray({self.dim}, qd.i32)"
        if before:
            self.add(1, array)
        self.add(1, f"qd.loop_config(block_dim={self.dim})")
        loop = self.pick(f"for i in range({ITERATIONS})", "for i in x", "for i in range(x.shape[0])", "for p, q in qd.ndrange(x.shape[0] // 16, 16)")
        self.add(1, loop + ":")
        if "p, q" in loop:
            self.add(2, "i = p * 16 + q")
        if not before:
            self.add(2, array)
        self.add(2, "t = block.thread_idx()")
        if self.early:
            self.add(2, "row[t] = 0")  # others read it, and this thread may end before it stores anything
        self.add(2, "g = t // LANES")
        self.add(2, "a = x[i]")
        self.add(2, "b = i % 7")
        self.add(2, "u = n * 3")
        if self.chance(0.3):
            self.add(2, "v = qd.Vector([a, b, u])")
        else:
            self.add(2, "v = qd.Vector([0, 0, 0])")
        for _ in range(self.random.randrange(2, 6)):
            self.statement(2, "block", in_loop=False)
        self.add(2, "y[i] = (a * 7 + b * 3 + u) % 10007")
        self.add(2, "z[i] = (v[0] + v[1] * 5 + v[2]) % 10007")

    # --- expressions ---

    def own(self) -> str:
        """A number that differs between threads."""
        return self.pick("a", "b", "t", "i", "a + b", "b * 2", "a % 5", "t % 3 + u", "v[1]", "v[t % 3]", "u")

    def same_in_block(self) -> str:
        return self.pick(
            "n > 2",
            "n % 2 == 0",
            "u % 3 == 1",
            "u > 4 and n > 1",
            "u % 2 == 0 or n == 3",
            f"block.sync_any_nonzero(a > {self.random.randrange(900)})",
        )

    def same_in_subgroup(self) -> str:
        vote = f"subgroup.{self.pick('any_true', 'all_true')}({self.own()} > {self.random.randrange(60)})"
        return self.pick("g == 0", "g % 2 == n % 2", vote, f"{vote} == 1 and n > 1", f"g == 1 or {vote}", f"{vote} and {self.own()} >= 0 * a")

    def differs(self) -> str:
        return self.pick("a % 2 == 0", "t < 5", "b > 3 and a > 20", "t % 4 == 1 or b == 2", "a > 50", "b < n")

    # --- statements ---

    def statement(self, depth: int, flow: str, *, in_loop: bool) -> None:
        """`flow`: the threads that all come here: those of the block, of a subgroup, or the thread itself alone."""
        kinds = ["plain", "branch", "loop"]
        if flow == "block":
            kinds += ["meet", "meet", "turn", "block branch", "block loop", "block while", "reduce"]
        if flow in ("block", "subgroup"):
            kinds += ["lanes", "lanes", "lanes", "subgroup branch", "subgroup loop"]
        kind = self.random.choice(kinds if depth < 6 else [kind for kind in kinds if kind in ("plain", "meet", "turn", "lanes", "reduce")])
        getattr(self, kind.replace(" ", "_"))(depth, flow, in_loop)

    def plain(self, depth: int, flow: str, in_loop: bool) -> None:
        self.add(depth, self.pick(
            f"a = ({self.own()} + {self.own()} * 3) % 1009", f"b = ({self.own()} + b) % 101", f"v[{self.random.randrange(3)}] = {self.own()} % 503",
            f"v[t % 3] = ({self.own()} + 1) % 401", "a = grown(a % 50, 20)", f"a += 1 if {self.differs()} else 2",
        ))  # fmt: skip

    def branch(self, depth: int, flow: str, in_loop: bool) -> None:
        self.add(depth, f"if {self.differs()}:")
        self.body(depth + 1, "thread")
        if self.early and flow == "block" and not in_loop and self.chance(0.4):
            self.add(depth + 1, self.pick("y[i] = -1", "b += 1"))
            self.add(depth + 1, "continue")
        elif self.chance(0.5):
            self.add(depth, "else:")
            self.body(depth + 1, "thread")

    def loop(self, depth: int, flow: str, in_loop: bool) -> None:
        k = self.counter()
        self.add(depth, f"for {k} in range({self.pick('b % 3', 't % 4', 'n', '3')}):")
        self.add(depth + 1, f"a = (a + {k}) % 1009")
        if self.chance(0.5):
            self.add(depth + 1, f"if {self.differs()}:")
            self.add(depth + 2, self.pick("break", "continue"))
            self.add(depth + 1, "b = (b + a) % 101")

    def counter(self) -> str:
        self.counters += 1
        return f"k{self.counters}"

    def body(self, depth: int, flow: str, *, in_loop: bool = True) -> None:
        for _ in range(self.random.randrange(1, 3)):
            self.statement(depth, flow, in_loop=in_loop)

    def meet(self, depth: int, flow: str, in_loop: bool) -> None:
        self.add(depth, f"row[t] = {self.own()} % 701")
        self.add(depth, "block.sync()")
        if self.chance(0.4):
            self.plain(depth, flow, in_loop)
        self.add(depth, f"a = (a + row[(t + {self.pick('1', 'n', 'b', 'a % 7')}) % {self.dim}]) % 1009")
        self.add(depth, "block.sync()")

    def turn(self, depth: int, flow: str, in_loop: bool) -> None:
        self.add(depth, f"b = turned(row, {self.own()} % 97, {self.pick('1', 'n', '3')}, {self.dim})")

    def reduce(self, depth: int, flow: str, in_loop: bool) -> None:
        name = self.pick("reduce_all_add", "reduce_all_min", "inclusive_add", "exclusive_add", "reduce_all_max")
        self.add(depth, f"a = block.{name}({self.own()} % 50, {self.dim}, qd.i32) % 1009")

    def lanes(self, depth: int, flow: str, in_loop: bool) -> None:
        own = self.own()
        self.add(depth, self.pick(
            f"a = (a + subgroup.shuffle({own}, {self.pick('0', 'n', '(t + 1) % LANES', 't ^ 1', 'b')})) % 1009",
            f"b = qd.cast(subgroup.ballot({self.differs()}) % 89, qd.i32)",
            f"a = subgroup.shuffle_xor({own}, {self.pick('1', '2', 'n')}) % 1009",
            f"b = subgroup.shuffle_down({own}, {self.pick('1', 'n')}) % 101",
            f"v[{self.random.randrange(3)}] = subgroup.shuffle_up({own}, 1) % 503",
        ))  # fmt: skip

    def block_branch(self, depth: int, flow: str, in_loop: bool) -> None:
        self.add(depth, f"if {self.same_in_block()}:")
        self.body(depth + 1, "block")
        if self.chance(0.5):
            self.add(depth, "else:")
            self.body(depth + 1, "block")

    def subgroup_branch(self, depth: int, flow: str, in_loop: bool) -> None:
        self.add(depth, f"if {self.same_in_subgroup()}:")
        self.body(depth + 1, "subgroup")
        if self.chance(0.5):
            self.add(depth, "else:")
            self.body(depth + 1, "subgroup")

    def block_loop(self, depth: int, flow: str, in_loop: bool) -> None:
        k = self.counter()
        self.add(depth, f"for {k} in range({self.pick('n % 4', '3', 'u % 3', 'n - 1')}):")
        self.body(depth + 1, "block")
        self.add(depth + 1, f"a = (a + {k}) % 1009")
        if self.chance(0.4):
            self.add(depth + 1, f"if {self.pick('n > 3', f'{k} == n % 3', f'{k} == 1 and u > 5')}:")
            self.add(depth + 2, "break")
            self.body(depth + 1, "block")
        elif self.chance(0.4):
            self.add(depth + 1, f"if {self.differs()}:")
            self.add(depth + 2, "continue")
            self.body(depth + 1, "thread")

    def subgroup_loop(self, depth: int, flow: str, in_loop: bool) -> None:
        k = self.counter()
        if self.chance(0.3):
            other = self.counter()
            self.add(depth, f"for {k}, {other} in qd.ndrange(g % 3, (1, n % 3 + 1)):")
            self.add(depth + 1, f"b = (b + {other}) % 101")
        else:
            self.add(depth, f"for {k} in range({self.pick('g % 3', '(g + n) % 4', 'g')}):")
        self.body(depth + 1, "subgroup")
        self.add(depth + 1, f"a = (a + {k}) % 1009")
        if self.chance(0.4):
            self.add(depth + 1, f"if {self.pick('g > 1', f'{k} == 1', f'{k} == g and n > 2')}:")
            self.add(depth + 2, "break")
            self.body(depth + 1, "subgroup")
        elif self.chance(0.3):
            self.add(depth + 1, f"if {self.differs()}:")
            self.add(depth + 2, "continue")
            self.body(depth + 1, "thread")

    def block_while(self, depth: int, flow: str, in_loop: bool) -> None:
        name = self.counter()
        self.add(depth, f"{name} = n % 4")
        self.add(depth, f"while {name} > 0{self.pick('', ' and u >= 0', ' and n < 5')}:")
        self.add(depth + 1, f"{name} -= 1")
        self.body(depth + 1, "block")
        if self.chance(0.3):
            self.add(depth + 1, f"if {name} == 1:")
            self.add(depth + 2, "break")
            self.body(depth + 1, "block")


def block_driver(kernels: int, arch: str, lanes: int, *, debug: bool) -> str:
    """A program that launches every kernel of `generated.py` a few times, and prints the arrays after each launch."""
    return f'''import numpy as np
import qd
qd.init(arch="{arch}", debug={debug}, cpu_subgroup_size={lanes})
import generated

for k in range({kernels}):
    for n in (1, 3, 4):
        x = (np.arange({ITERATIONS}, dtype=np.int32) * 37 + k) % 101
        y, z = np.zeros_like(x), np.zeros_like(x)
        getattr(generated, f"k{{k}}")(x, y, z, n)
        print((k, n), y.tolist(), z.tolist())
'''
