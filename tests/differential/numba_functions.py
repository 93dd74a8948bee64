"""Random functions for Numba: each statement that concerns control flow, at random depth, on lines of its own or shared."""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD = """\
import numpy as np
from numba import njit, prange
"""
CALLS = """\


if __name__ == "__main__":
    for function in ({names}):
        for a, b in ({arguments}):
            try:
                function(a, b)
            except Exception:
                pass
"""


class _Function:
    """The lines of a function while it is written."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines: list[str] = []
        self.loops = 0
        self.in_try = False
        self.statements = 0

    def number(self) -> str:
        return self.chance.choice(["a", "b", "n", "n", str(self.chance.randint(-2, 6))])

    def comparison(self) -> str:
        return f"{self.number()} {self.chance.choice(['<', '>', '==', '!=', '<=', '>='])} {self.number()}"

    def condition(self, indent: str) -> str:
        kind = self.chance.randrange(8)
        if kind == 0:
            return f"{self.comparison()} and {self.comparison()}"
        if kind == 1:
            return f"not {self.comparison()} or {self.comparison()}"
        if kind == 2:
            return f"({self.comparison()}\n{indent}        and {self.comparison()})"
        if kind == 3:
            return f"({self.comparison()} or\n{indent}        {self.comparison()})"
        return self.comparison()

    def value(self, indent: str) -> str:
        kind = self.chance.randrange(6)
        if kind == 0:
            return f"{self.number()} if {self.comparison()} else {self.number()}"
        if kind == 1:
            return f"({self.number()}\n{indent}         + {self.number()})"
        if kind == 2:
            return f"max({self.number()},\n{indent}        {self.number()})"
        return f"{self.number()} + {self.number()}"

    def block(self, depth: int, indent: str, in_loop: bool) -> None:
        for _ in range(self.chance.randint(1, 3)):
            if self.statement(depth, indent, in_loop):
                return

    def statement(self, depth: int, indent: str, in_loop: bool) -> bool:
        """Writes a statement; True if control never passes it."""
        self.statements += 1
        kinds: list[Callable[[int, str, bool], bool]] = [self.assign, self.assign, self.short]
        if depth > 0 and self.statements < 25:
            kinds += [self.branch, self.branch, self.counted, self.conditional, self.attempt, self.match]
        if in_loop:
            kinds += [self.leave]
        if not self.in_try and depth < 3:  # Numba has no return in try
            kinds += [self.give_back]
        return self.chance.choice(kinds)(depth, indent, in_loop)

    def assign(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.lines.append(f"{indent}n {self.chance.choice(['=', '+=', '-='])} {self.value(indent)}")
        return False

    def short(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.lines.append(f"{indent}{self.chance.choice(['pass', f'if {self.comparison()}: n += 1', 'n += 1; n -= 1', 'for _ in range(2): n += 1'])}")
        return False

    def branch(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.lines.append(f"{indent}if {self.condition(indent)}:")
        self.block(depth - 1, indent + "    ", in_loop)
        for _ in range(self.chance.choice([0, 0, 1, 2])):
            self.lines.append(f"{indent}elif {self.condition(indent)}:")
            self.block(depth - 1, indent + "    ", in_loop)
        if self.chance.random() < 0.5:
            self.lines.append(f"{indent}else:")
            self.block(depth - 1, indent + "    ", in_loop)
        return False

    def counted(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.loops += 1
        self.lines.append(f"{indent}for i{self.loops} in range({self.chance.choice(['3', 'a', '1'])}):")
        self.loop_body(depth, indent)
        return False

    def conditional(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.loops += 1
        counter = f"w{self.loops}"
        self.lines.append(f"{indent}{counter} = 0")
        self.lines.append(f"{indent}while {counter} < 4{self.chance.choice(['', f' and {self.comparison()}'])}:")
        self.lines.append(f"{indent}    {counter} += 1")
        self.loop_body(depth, indent)
        return False

    def loop_body(self, depth: int, indent: str) -> None:
        self.block(depth - 1, indent + "    ", True)
        if self.chance.random() < 0.3:
            self.lines.append(f"{indent}else:")
            self.block(depth - 1, indent + "    ", False)

    def leave(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.lines.append(f"{indent}if {self.comparison()}:")
        self.lines.append(f"{indent}    {self.chance.choice(['break', 'continue'])}")
        return False

    def give_back(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.lines.append(f"{indent}{self.chance.choice(['return n', 'return a', 'raise ValueError', 'return n'])}")
        return True

    def attempt(self, depth: int, indent: str, in_loop: bool) -> bool:
        if self.in_try or in_loop:
            return self.assign(depth, indent, in_loop)
        self.in_try = True
        self.lines.append(f"{indent}try:")
        self.block(depth - 1, indent + "    ", False)
        if self.chance.random() < 0.6:
            self.lines += [f"{indent}    if {self.comparison()}:", f"{indent}        raise ValueError"]
        self.lines.append(f"{indent}except Exception:")
        self.block(depth - 1, indent + "    ", False)
        self.in_try = False
        return False

    def match(self, depth: int, indent: str, in_loop: bool) -> bool:
        self.lines.append(f"{indent}match {self.number()}:")
        for number in range(self.chance.randint(1, 2)):
            self.lines.append(f"{indent}    case {number} | {number + 3}:")
            self.block(depth - 1, indent + "        ", in_loop)
        if self.chance.random() < 0.5:
            self.lines.append(f"{indent}    case _:")
            self.block(depth - 1, indent + "        ", in_loop)
        return False


def program(seed: int, count: int) -> str:
    """A module with functions, and calls of these."""
    chance = random.Random(seed)
    text = HEAD
    names = []
    for number in range(count):
        function = _Function(chance)
        ends = chance.random() < 0.5
        function.block(3, "    ", False)
        names.append(f"f{number}")
        text += "\n\n@njit\n" + f"def f{number}(a, b):\n    n = 0\n" + "\n".join(function.lines) + "\n"
        text += "    return n\n" if ends else "    if n > 1:\n        return 1\n    return 0\n"
    arguments = ", ".join(f"({chance.randint(-1, 5)}, {chance.randint(-1, 5)})" for _ in range(3))
    return text + CALLS.format(names="".join(f"{name}, " for name in names), arguments=arguments)
