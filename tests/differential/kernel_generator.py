"""Random kernels: every nesting of the language's control flow, with conditions that depend on data.

The programs are deterministic in parallel too: an iteration reads the input and writes its own element only. Values stay small, so that no
integer wraps."""

from __future__ import annotations

import random
import re

HEADER = '''"""Generated kernels."""

import qd

LIMIT = {limit}
FLAG = {flag}

'''


class KernelGenerator:
    """Writes one source file with some funcs and kernels. The same seed writes the same file."""

    def __init__(self, seed: int, asserts: bool = False) -> None:
        self.random = random.Random(seed)
        self.asserts = asserts
        self.lines: list[str] = []
        self.funcs: list[str] = []
        self.names = 0

    def source(self, kernels: int) -> str:
        """A file with `kernels` kernels, named k0, k1, ..."""
        self.lines = HEADER.format(limit=self.random.randint(1, 5), flag=self.random.choice(["True", "False"])).split("\n")
        for number in range(max(1, kernels // 3)):
            self.func(f"f{number}")
        for number in range(kernels):
            name, first = f"k{number}", len(self.lines)
            self.kernel(name)
            if self.chance(4):
                self.wrap(name, first)
        return "\n".join(self.lines).rstrip("\n") + "\n"

    # --- functions ---------------------------------------------------------------------------------------------------

    def func(self, name: str) -> None:
        self.emit(0, "@qd.func")
        self.emit(0, f"def {name}(a: qd.i32, b: qd.i32) -> qd.i32:")
        if self.chance(3):
            self.emit(1, '"""A func."""')
        self.emit(1, "t = a")
        self.emit(1, "u = b % 7")
        self.body(1, 1, in_loop=False)
        self.emit(1, "return (t + u) % 1000")
        self.emit(0, "")
        self.funcs.append(name)

    def wrap(self, name: str, first: int) -> None:
        """Puts the kernel that begins at a line into a function or a class."""
        inside = ["    " + line if line else "" for line in self.lines[first:]]
        if self.chance(2):
            head, tail = [f"def make_{name}():"], [f"    return {name}", "", "", f"{name} = make_{name}()"]
        else:
            inside.insert(next(i for i, line in enumerate(inside) if line), "    @staticmethod")
            head, tail = [f"class Class_{name}:"], ["", f"{name} = Class_{name}.{name}"]
        self.lines[first:] = [*head, *inside, *tail, "", ""]

    def kernel(self, name: str) -> None:
        for _ in range(self.random.randint(0, 2)):
            self.emit(0, "")
        self.emit(0, self.random.choice(["@qd.kernel", "@qd.kernel", "@qd.kernel()", "@qd.kernel  # a kernel"]))
        if self.chance(3):
            self.emit(0, f"def {name}(")
            self.emit(1, "x: qd.types.ndarray(dtype=qd.i32, ndim=1),")
            self.emit(1, "y: qd.types.ndarray(dtype=qd.i32, ndim=1),")
            self.emit(1, "n: qd.i32,")
            self.emit(0, "):")
        else:
            self.emit(0, f"def {name}(x: qd.types.ndarray(dtype=qd.i32, ndim=1), y: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32):")
        if self.chance(3):
            self.emit(1, '"""A kernel')
            self.emit(1, 'with a docstring."""')
        for _ in range(self.random.randint(1, 3)):
            self.top_level()
        self.emit(0, "")

    def top_level(self) -> None:
        kind = self.random.randint(0, 5)
        if kind == 0:
            # Serial code that decides something.
            # Its variables have names of their own: a kernel's variable that a parallel loop assigns would be a race.
            first = len(self.lines)
            self.emit(1, "t = n")
            self.emit(1, "u = n % 3")
            self.emit(1, f"if n > {self.random.randint(0, 3)}: u = 2")
            # Inside an `if` loops are serial, those of funcs too.
            self.emit(1, f"if t >= {self.random.randint(0, 3)}:")
            self.body(2, 2, in_loop=False)
            self.emit(1, "y[0] = (t + u) % 1000")
            self.lines[first:] = [re.sub(r"\b([tu])\b(?! is)", r"\1_serial", line) for line in self.lines[first:]]
            return
        header = ["for i in range(n):", "for i in x:", "for i in range(LIMIT - 3):", "for i in range(1, n):", "for i in qd.ndrange(n):"][kind - 1]
        if self.chance(6):
            self.emit(1, "qd.loop_config(serialize=True)")
        self.emit(1, header)
        self.emit(2, "t = x[i]")
        self.emit(2, "u = i % 5")
        self.body(2, 3, in_loop=True, can_break=False)
        if self.lines[-1] != "        continue":
            self.emit(2, "y[i] = t + u")

    # --- statements --------------------------------------------------------------------------------------------------

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text if text else "")

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def name(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def condition(self) -> str:
        simple = [
            f"t % {self.random.randint(2, 5)} == {self.random.randint(0, 4)}",
            f"u > {self.random.randint(-1, 6)}",
            f"t < {self.random.randint(0, 600)}",
            f"{self.random.randint(0, 3)} <= u < {self.random.randint(2, 6)}",
            "t > 100000",
            "u != u",
        ]
        kind = self.random.randint(0, 5)
        first, second = self.random.choice(simple), self.random.choice(simple)
        if kind == 0:
            return f"{first} and {second}"
        if kind == 1:
            return f"{first} or not ({second})"
        if kind == 2 and self.funcs:
            return f"{self.random.choice(self.funcs)}(t, u) % 2 == {self.random.randint(0, 1)}"
        return first

    def simple(self) -> str:
        choices = [
            f"t = (t * {self.random.randint(2, 5)} + u) % 1000",
            f"u = (u + {self.random.randint(1, 4)}) % 9",
            "t += u",
            "t = t if u > 2 else u",
            "u ^= 1",
            "pass",
            f"t = qd.static(LIMIT) + u; u = u % {self.random.randint(3, 6)}",
        ]
        if self.funcs:
            choices.append(f"t = {self.random.choice(self.funcs)}(t, u)")
        return self.random.choice(choices)

    def body(self, depth: int, nesting: int, in_loop: bool, can_break: bool = True) -> None:
        count = self.random.choice([1, 1, 2, 2, 3])
        for number in range(count):
            if self.statement(depth, nesting, in_loop, can_break, last=number == count - 1):
                return

    def statement(self, depth: int, nesting: int, in_loop: bool, can_break: bool, last: bool) -> bool:
        """One statement; True when nothing may follow it in its block."""
        kind = self.random.randint(0, 12)
        if kind <= 4 and nesting > 0:
            self.conditional(depth, nesting, in_loop, can_break)
        elif kind == 5 and nesting > 0:
            variable = self.name()
            self.emit(depth, f"for {variable} in range({self.random.choice(['u', 'u - 2', '3', '0', '1, 3', 'u, 4'])}):")
            self.body(depth + 1, nesting - 1, True)
        elif kind == 6 and nesting > 0:
            self.while_loop(depth, nesting)
        elif kind == 7 and nesting > 0:
            if self.chance(2):
                self.emit(depth, f"for {self.name()} in qd.static(range({self.random.randint(0, 3)})):")
                self.body(depth + 1, nesting - 1, False)
            else:
                self.emit(depth, f"if qd.static({self.random.choice(['FLAG', 'not FLAG', 'LIMIT > 2', 'LIMIT == 0'])}):")
                self.body(depth + 1, nesting - 1, in_loop, can_break)
                if self.chance(2):
                    self.emit(depth, "else:")
                    self.body(depth + 1, nesting - 1, in_loop, can_break)
        elif kind == 8:
            self.emit(depth, "t = (")
            self.emit(depth + 1, f"t + {self.random.randint(1, 9)}")
            self.emit(depth, ") % 1000")
        elif kind == 9:
            self.emit(depth, f"if {self.condition()}: {self.random.choice(['t += 1', 'u = 1', 'pass'])}")
        elif kind == 10 and in_loop and last:
            self.emit(depth, "break" if can_break and self.chance(2) else "continue")
            return True
        elif kind == 11 and self.asserts:
            self.emit(depth, f'assert t >= -{self.random.randint(1, 9)}, "t is negative"')
        else:
            self.emit(depth, self.simple())
        return False

    def conditional(self, depth: int, nesting: int, in_loop: bool, can_break: bool) -> None:
        self.emit(depth, f"if {self.condition()}:")
        self.body(depth + 1, nesting - 1, in_loop, can_break)
        for _ in range(self.random.choice([0, 0, 1])):
            self.emit(depth, f"elif {self.condition()}:")
            self.body(depth + 1, nesting - 1, in_loop, can_break)
        if self.chance(2):
            self.emit(depth, "else:")
            if self.chance(4):
                self.emit(depth, "    # a comment")
            self.body(depth + 1, nesting - 1, in_loop, can_break)

    def while_loop(self, depth: int, nesting: int) -> None:
        counter = self.name()
        self.emit(depth, f"{counter} = 0")
        bound = self.random.choice(["u", "3", "0", "u - 3"])
        if self.chance(3):
            self.emit(depth, "while True:")
            self.emit(depth + 1, f"{counter} += 1")
            self.emit(depth + 1, f"if {counter} > {bound}:")
            self.emit(depth + 2, "break")
        else:
            self.emit(depth, f"while {counter} < {bound}:")
            self.emit(depth + 1, f"{counter} += 1")
        self.body(depth + 1, nesting - 1, True)


def driver(kernels: int, arch: str, debug: bool = False) -> str:
    """A program that launches every kernel of `generated.py` on a few inputs and prints the results."""
    return f'''import numpy as np
import qd
qd.init(arch=qd.{arch}, debug={debug})
import generated
# More than once: kernels of which all is covered change their code.
for size in (0, 1, 7, 7, 0, 7, 1):
    for k in range({kernels}):
        x = np.array([(i * 37 + k * 11) % 101 for i in range(8)], dtype=np.int32)
        y = np.zeros(8, dtype=np.int32)
        getattr(generated, f"k{{k}}")(x, y, size)
        print(k, size, y.tolist())
'''
