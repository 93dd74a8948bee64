"""Random statements of kernels: every nesting of the language's control flow, with conditions that depend on data.

The variables are `t` and `u`; values stay small, so that no integer wraps."""

from __future__ import annotations

import itertools
import random

NESTINGS = ("if", "elif", "else", "for", "while", "static for", "static if")
IN_ORDER = list(itertools.product(NESTINGS, repeat=4))
SPINES = [IN_ORDER[i * 1804 % len(IN_ORDER)] for i in range(len(IN_ORDER))]
"""Every nesting of control flow, four deep. Already the first 100 have every pair of nestings, and the first 186 all that are three deep."""


class StatementGenerator:
    """Writes lines of function bodies."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.funcs: list[str] = []
        self.names = 0
        self.asserts = "never fail"
        """Whether asserts "may fail": in serial code alone. In a parallel loop, the work that other iterations have done by then is not defined."""
        self.spine: list[str] = []
        """Nestings to write next, one inside the other."""
        self.decidable = False
        """Whether each condition is sometimes true and sometimes false."""
        self.returns = ""
        """The expression of every `return`; empty: there is none."""
        self.static_conditions = ["FLAG", "not FLAG", "LIMIT > 2", "LIMIT == 0"]
        self.static_counts = ["0", "1", "2"]

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text if text else "")

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def name(self) -> str:
        self.names += 1
        return f"v{self.names}"

    # --- expressions -------------------------------------------------------------------------------------------------

    def comparison(self) -> str:
        if self.decidable:
            return self.pick("t % 2 == 0", "u > 1", "t < 40")
        return self.pick(
            f"t % {self.number(2, 5)} == {self.number(0, 4)}",
            f"u > {self.number(-1, 6)}",
            f"t < {self.number(0, 600)}",
            f"{self.number(0, 3)} <= u < {self.number(2, 6)}",
            "t > 100000",
            "u != u",
        )

    def condition(self) -> str:
        kind = 9 if self.decidable else self.number(0, 9)
        first, second = self.comparison(), self.comparison()
        if kind == 0:
            return f"{first} and {second}"
        if kind == 1:
            return f"{first} or not ({second})"
        if kind == 2 and self.funcs:
            return f"{self.pick(*self.funcs)}(t, u) % 2 == {self.number(0, 1)}"
        if kind == 3:
            return f"({self.name()} := t % {self.number(2, 5)}) > 1"
        if kind == 4:
            return f"not ({first} and ({second} or {self.comparison()}))"
        return first

    def header(self, depth: int, keyword: str, condition: str) -> None:
        """A condition on one line, or on several."""
        if " and " not in condition or self.chance(2):
            self.emit(depth, f"{keyword} {condition}:")
            return
        first, second = condition.split(" and ", 1)
        if self.chance(2):
            self.emit(depth, f"{keyword} {first} \\")
            self.emit(depth + 2, f"and {second}:")
        else:
            self.emit(depth, f"{keyword} (")
            self.emit(depth + 2, first)
            self.emit(depth + 2, f"and {second}")
            self.emit(depth, "):")

    # --- simple statements -------------------------------------------------------------------------------------------

    def simple(self) -> str:
        choices = [
            f"t = (t * {self.number(2, 5)} + u) % 1000",
            f"u = (u + {self.number(1, 4)}) % 9",
            "t += u",
            "t = t if u > 2 else u",
            "u ^= 1",
            "pass",
            '"a bare string"',
            "t, u = t + 1, u % 5",
            f"t = qd.static(LIMIT) + u; u = u % {self.number(3, 6)}",
            f"{self.name()}: qd.i32 = t",
            f"t = (t + sum([i * u for i in range({self.number(0, 3)})])) % 1000",
            "t = max([t % 7, *(u, 3)]) + len([i for i in range(4) if i % 2 == 1])",
            f"u, *{self.name()} = u % 5, t, 1",
            "t = {'a': t, 'b': u}['b'] + (t, u)[::-1][1] % 9",
        ]
        if self.funcs:
            choices.append(f"t = {self.pick(*self.funcs)}(t, u)")
        return self.pick(*choices)

    def on_header_line(self) -> str:
        """A statement, or two, behind the colon of a header."""
        return self.pick("t += 1", "u = 1", "pass", "t += 1; u = 2", "t = (t + u) % 1000; pass")

    def assertion(self, depth: int) -> None:
        condition = f"t >= -{self.number(1, 9)}"
        if self.asserts == "may fail" and self.chance(2):
            condition = self.pick(f"t % {self.number(5, 11)} != {self.number(1, 4)}", f"u < {self.number(4, 8)} and t < 900", "t >= 0 and u > 0")
        if self.chance(3):
            self.emit(depth, f"assert {condition}, \\")
            self.emit(depth + 1, '"wrong value"')
        else:
            self.emit(depth, f"assert {condition}" + self.pick("", ', "wrong value"'))

    def multi_line(self, depth: int) -> None:
        if self.chance(3):
            self.emit(depth, f"t = t + \\\n{'    ' * depth}    {self.number(1, 9)}")
            return
        self.emit(depth, "t = (")
        self.emit(depth + 1, f"t + {self.number(1, 9)}" + self.pick("", "  # more"))
        if self.funcs and self.chance(3):
            self.emit(depth + 1, f"+ {self.pick(*self.funcs)}(")
            self.emit(depth + 2, "t,")
            self.emit(depth + 2, "u,")
            self.emit(depth + 1, ")")
        self.emit(depth, ") % 1000")

    # --- compound statements -----------------------------------------------------------------------------------------

    def body(self, depth: int, nesting: int, in_loop: bool, can_break: bool = True) -> None:
        if self.chance(12):
            self.emit(depth, self.pick("# a comment", ""))
        count = self.random.choice([1, 1, 2, 2, 3])
        for number in range(count):
            if self.statement(depth, nesting, in_loop, can_break, last=number == count - 1):
                return

    def statement(self, depth: int, nesting: int, in_loop: bool, can_break: bool, last: bool) -> bool:
        """One statement; True when nothing may follow it in its block."""
        kind = self.number(0, 14)
        if self.spine or (kind <= 7 and nesting > 0):
            what = self.spine.pop(0) if self.spine else NESTINGS[max(0, kind - 1)]
            if what == "for":
                self.for_loop(depth, nesting)
            elif what == "while":
                self.while_loop(depth, nesting)
            elif what == "static for":
                self.static_for(depth, nesting)
            elif what == "static if":
                self.static_if(depth, nesting, in_loop, can_break)
            else:
                self.conditional(depth, nesting, in_loop, can_break, what)
        elif kind == 8:
            self.multi_line(depth)
        elif kind == 9:
            self.one_line(depth, in_loop, can_break)
        elif kind == 10 and in_loop and last:
            self.emit(depth, "break" if can_break and self.chance(2) else "continue")
            return True
        elif kind == 11:
            self.assertion(depth)
        elif kind == 12 and self.returns:
            if last:
                self.emit(depth, f"return {self.returns}")
                return True
            self.emit(depth, f"if {self.condition()}: return {self.returns}")
        else:
            self.emit(depth, self.simple())
        return False

    def one_line(self, depth: int, in_loop: bool, can_break: bool) -> None:
        kind = self.number(0, 4)
        if kind == 0:
            self.emit(depth, f"for {self.name()} in range({self.pick('u', '2', '0')}): {self.on_header_line()}")
        elif kind == 1:
            counter = self.name()
            self.emit(depth, f"{counter} = 0; t += 1")
            self.emit(depth, f"while {counter} < {self.pick('u', '2', '0')}: {counter} += 1" + self.pick("", "; t = (t + u) % 1000"))
        elif kind == 2 and in_loop:
            self.emit(depth, f"if {self.condition()}: " + self.pick("continue", "break" if can_break else "t += 1; continue"))
        else:
            if self.chance(4):
                self.emit(depth, "if (")
                self.emit(depth + 2, self.condition())
                self.emit(depth, f"): {self.on_header_line()}")
            else:
                self.emit(depth, f"if {self.condition()}: {self.on_header_line()}")
            if self.chance(3):
                self.emit(depth, f"elif {self.condition()}: {self.on_header_line()}")
            if self.chance(3):
                self.emit(depth, f"else: {self.on_header_line()}")

    def conditional(self, depth: int, nesting: int, in_loop: bool, can_break: bool, arm: str) -> None:
        """The rest of the spine goes into one arm."""
        spine, self.spine = self.spine, []

        def arm_body(name: str) -> None:
            self.spine = spine if name == arm else []
            self.body(depth + 1, nesting - 1, in_loop, can_break)

        constant = arm == "if" and self.chance(20)
        self.header(depth, "if", self.pick("True", "False", "1", "0") if constant else self.condition())
        arm_body("if")
        for number in range(1 if arm == "elif" else self.random.choice([0, 0, 1, 2])):
            self.header(depth, "elif", self.condition())
            arm_body("elif" if number == 0 else "")
        if arm == "else" or self.chance(2):
            self.emit(depth, "else:" + self.pick("", "  # otherwise"))
            if self.chance(4):
                self.emit(depth, "    # a comment")
            arm_body("else")

    def for_loop(self, depth: int, nesting: int) -> None:
        if self.chance(5):
            self.emit(depth, f"for {self.name()}, {self.name()} in qd.ndrange({self.pick('u', '2', '0')}, {self.pick('2', '(1, 3)')}):")
        elif self.chance(6):
            self.emit(depth, f"for {self.name()} in range(")
            self.emit(depth + 2, f"{self.number(0, 2)},")
            self.emit(depth + 2, "u,")
            self.emit(depth, "):")
        else:
            self.emit(depth, f"for {self.name()} in range({self.pick('u', 'u - 2', '3', '0', '1, 3', 'u, 4')}):")
        self.body(depth + 1, nesting - 1, True)

    def while_loop(self, depth: int, nesting: int) -> None:
        counter = self.name()
        self.emit(depth, f"{counter} = 0")
        bound = self.pick("u", "3", "0", "u - 3")
        if self.chance(3):
            self.emit(depth, f"while {self.pick('True', '1')}:")
            self.emit(depth + 1, f"{counter} += 1")
            self.emit(depth + 1, f"if {counter} > {bound}:")
            self.emit(depth + 2, "break")
        else:
            condition = self.pick(f"{counter} < {bound}", f"not {counter} >= {bound}", f"{counter} < {bound} and {self.comparison()}")
            self.header(depth, "while", condition)
            self.emit(depth + 1, f"{counter} += 1")
        self.body(depth + 1, nesting - 1, True)

    def static_for(self, depth: int, nesting: int) -> None:
        variable = self.name()
        self.emit(depth, f"for {variable} in qd.static(range({self.pick(*self.static_counts)})):")
        jump = self.pick("break", "continue") if self.chance(3) else ""
        if jump and self.chance(2):
            self.emit(depth + 1, f"if qd.static({variable} == {self.number(0, 1)}): {jump}")
        elif jump:
            self.emit(depth + 1, f"if qd.static({variable} == {self.number(0, 1)}):")
            self.emit(depth + 2, jump)
        self.body(depth + 1, nesting - 1, False)

    def static_if(self, depth: int, nesting: int, in_loop: bool, can_break: bool) -> None:
        self.emit(depth, f"if qd.static({self.pick(*self.static_conditions)}):")
        self.body(depth + 1, nesting - 1, in_loop, can_break)
        if self.chance(3):
            self.emit(depth, f"elif qd.static({self.pick(*self.static_conditions)}):")
            self.body(depth + 1, nesting - 1, in_loop, can_break)
        if self.chance(2):
            self.emit(depth, "else:")
            self.body(depth + 1, nesting - 1, in_loop, can_break)
