"""Random kernels full of decisions: and, or, not, chained comparisons, conditional expressions and asserts, inside each other and in calls."""

from __future__ import annotations

import re

from kernel_generator import KernelGenerator

LONGEST = 60
"""Lines of a func with all that it calls, each time that it does."""


class DecisionGenerator(KernelGenerator):
    """A KernelGenerator with conditions of every shape."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.lengths: dict[str, int] = {}

    def func(self, name: str) -> None:
        """A func, which calls none where its code would be too long: conditions call so often that lengths multiply with each func that calls
        the last, and one kernel in twenty took longer to compile than all others."""
        first, others = len(self.lines), list(self.funcs)
        super().func(name)
        self.lengths[name] = self.length(first)
        if self.lengths[name] > LONGEST:
            del self.lines[first:]
            self.funcs = []
            super().func(name)
            self.funcs = [*others, name]
            self.lengths[name] = self.length(first)

    def length(self, first: int) -> int:
        """Lines from one on, with those of each call."""
        text = "\n".join(self.lines[first:])
        return text.count("\n") + sum(self.lengths.get(call, 0) for call in re.findall(r"\bf\d+(?=\()", text))

    def leaf(self, depth: int) -> str:
        """One condition; its operands may hold decisions of their own."""
        kind = self.number(0, 15)
        if kind == 0:
            return self.pick("t", "u", "u % 2", "t - u", "t / 2", "not u")
        if kind == 1:
            links = [
                f"{self.number(-1, 4)} <= u < {self.number(2, 7)}",
                f"u < t < {self.number(5, 90)}",
                f"0 < u + 1 <= t < {self.number(9, 500)} != 40",
            ]
            return self.pick(*links)
        if kind == 2:
            return f"qd.static({self.pick(*self.static_conditions, 'FLAG and LIMIT > 1', 'LIMIT > 1 if FLAG else LIMIT > 3')})"
        if kind == 3:
            return self.pick("FLAG", "LIMIT > 2", "not FLAG", "LIMIT", "True", "0")
        if kind in (4, 5) and self.funcs:
            argument = self.ternary(depth) if depth > 0 else "t"
            return f"{self.pick(*self.funcs)}({argument}, u) % 2 == {self.number(0, 1)}"
        if kind == 6 and depth > 0:
            return f"({self.formula(depth - 1)} if {self.formula(depth - 1)} else {self.comparison()})"
        if kind == 7 and depth > 0:
            return f"(1 if {self.formula(depth - 1)} else 2) == u"
        return self.comparison()

    def formula(self, depth: int) -> str:
        if depth == 0 or self.chance(5):
            leaf = self.leaf(depth)
            return f"not ({leaf})" if self.chance(6) else leaf
        operands = [self.formula(depth - 1) for _ in range(self.random.choice([2, 2, 2, 3]))]
        text = self.pick(" and ", " or ").join(f"({operand})" if self.chance(2) or " if " in operand else operand for operand in operands)
        return f"not ({text})" if self.chance(5) else text

    def wide(self) -> str:
        """More ways than there are bits in a word."""
        return " and ".join(f"({self.comparison()} or {self.comparison()})" for _ in range(self.number(6, 20)))

    def ternary(self, depth: int) -> str:
        return f"{self.arm(depth)} if {self.formula(depth)} else {self.arm(depth)}"

    def arm(self, depth: int) -> str:
        if depth > 0 and self.chance(4):
            return f"({self.ternary(depth - 1)})"
        return self.pick("t", "u", "1", "t + u")

    def condition(self) -> str:
        if self.decidable:
            return super().condition()
        if self.chance(12):
            # First, where evaluation surely comes.
            return f"({self.name()} := t % {self.number(2, 5)}) > 1 {self.pick('and', 'or')} ({self.formula(1)})"
        return self.wide() if self.chance(40) else self.formula(self.number(0, 2))

    def simple(self) -> str:
        kind = self.number(0, 9)
        if kind < 3:
            return f"t = ({self.ternary(self.number(0, 2))}) % 1000"
        if kind == 3:
            return f"u = 1 if {self.condition()} else u"
        if kind == 4:
            return f"t += ({self.comparison()} {self.pick('and', 'or')} {self.comparison()})"
        if kind == 5 and self.funcs:
            return f"t = {self.pick(*self.funcs)}({self.ternary(1)}, {self.ternary(0)})"
        if kind == 6:
            return f"{self.name()} = {self.formula(1)}"
        return super().simple()

    def assertion(self, depth: int) -> None:
        if self.asserts == "may fail":
            message = self.pick("", "", ', "wrong value"', f', "%d" % ({self.ternary(0)})')
            self.emit(depth, f"assert {self.formula(self.number(0, 1))}{message}")
        else:
            never = self.pick(
                "t > -2000",
                "t > -2000 and u == u",
                f"({self.formula(0)}) or t > -2000",
                "-2000 < t < 100000 or t == 4",
                "not (t < -2000 or u < -2000)",
            )
            self.emit(depth, f"assert {never}")
