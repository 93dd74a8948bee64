"""Random statements for functions of Numba, at random depth, on lines of their own or shared."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple


class Place(NamedTuple):
    """The place of a statement, and the kinds that may stand there."""

    depth: int
    """The number of blocks that may still be nested."""
    indent: str
    in_loop: bool = False
    """Whether `break` and `continue` may."""
    may_return: bool = False
    may_try: bool = True
    may_define: bool = True
    """Whether functions may be defined: Numba does not find them in object mode."""

    def inner(self, **changes: bool) -> Place:
        return self._replace(depth=self.depth - 1, indent=self.indent + "    ", **changes)


class Statements:
    """The lines of a function while they are written. Numbers are `a`, `b` and the one that statements change."""

    def __init__(self, chance: random.Random, changed: str, most: int) -> None:
        self.chance = chance
        self.changed = changed
        self.lines: list[str] = []
        self.most = most
        """The number of statements behind which no further block begins."""
        self.names = 0

    # Values

    def new_name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self) -> str:
        return self.chance.choice(["a", "b", self.changed, self.changed, str(self.chance.randint(-2, 6))])

    def comparison(self) -> str:
        if self.chance.random() < 0.1:
            return f"{self.number()} < {self.number()} <= {self.number()}"
        if self.chance.random() < 0.05:
            return f"{self.number()} in ({self.number()}, {self.number()})"
        return f"{self.number()} {self.chance.choice(['<', '>', '==', '!=', '<=', '>='])} {self.number()}"

    def condition(self, indent: str) -> str:
        more = f"\n{indent}        "
        one, two, three = self.comparison(), self.comparison(), self.comparison()
        plain = [one] * 12
        return self.chance.choice(
            [
                *plain,
                f"{one} and {two}",
                f"not {one} or {two}",
                f"not ({one} and {two})",
                f"({one}{more}and {two})",
                f"({one} or{more}{two})",
                f"({one} or{more}{two}{more}and {three})",
                f"({one} and ({two}{more}or {three}))",
                f"({self.new_name('v')} := {self.value(indent)}) > {self.number()}",
                f"({self.number()} <{more}{self.number()}{more}< {self.number()})",
                f"({one} if {two}{more}else {three})",
                "True",
                "0",
                "not __debug__",
            ]
        )

    def value(self, indent: str) -> str:
        more = f"\n{indent}        "
        one, two, three, test = self.number(), self.number(), self.number(), self.comparison()
        plain = [f"{one} + {two}"] * 8
        name = self.new_name("k")
        return self.chance.choice(
            [
                *plain,
                f"{one} if {test} else {two}",
                f"({one}{more}if {test}{more}else {two})",
                f"({one} if {test}{more}else {two} if {self.comparison()} else {three})",
                f"({one}{more}+ {two})",
                f"max({one},{more}{two})",
                f"({one},{more}{two},{more}{three})[{self.chance.randrange(3)}]",
                f"int({test} or{more}{self.comparison()})",
                f"len([{name} for {name} in range({self.chance.randint(0, 4)}) if {name} > {one}])",
                f"({name} := {one})",
                f"(lambda {name}: {name} + 1)({one})",
                f"len('x' if {test} else{more}'yy')",
            ]
        )

    # Statements

    def block(self, place: Place) -> None:
        for _ in range(self.chance.randint(1, 3)):
            if self.statement(place):
                return

    def statement(self, place: Place) -> bool:
        """Writes a statement; True if control never passes it."""
        kinds: list[Callable[[Place], bool]] = [self.assign, self.assign, self.short, self.odd]
        if place.depth > 0 and len(self.lines) < self.most:
            kinds += [self.branch, self.branch, self.counted, self.over_items, self.conditional, self.endless, self.match]
            kinds += [self.attempt] * (2 * place.may_try) + [self.nested] * place.may_define
        if place.in_loop:
            kinds += [self.leave]
        if place.may_return and place.depth < 3:
            kinds += [self.give_back]
        return self.chance.choice(kinds)(place)

    def write(self, place: Place, text: str) -> None:
        self.lines.append(place.indent + text)

    def assign(self, place: Place) -> bool:
        operation = self.chance.choice(["=", "+=", "-=", ": int ="])
        self.write(place, f"{self.changed} {operation} {self.value(place.indent)}")
        return False

    def short(self, place: Place) -> bool:
        own, name = self.changed, self.new_name("j")
        texts = ["pass", f"if {self.comparison()}: {own} += 1", f"{own} += 1; {own} -= 1", f"for {name} in range(2): {own} += 1"]
        texts += [f"while {own} > 3: {own} -= 1; {own} -= 2"]
        self.write(place, self.chance.choice(texts))
        return False

    def odd(self, place: Place) -> bool:
        """A statement that Python leaves out, or that has a form of its own."""
        own, one, two = self.changed, self.new_name("p"), self.new_name("q")
        more = f"\n{place.indent}    "
        texts = [
            f"{one}, {two} = {self.value(place.indent)}, {self.number()}",
            f"{one} = {two} = {self.number()}",
            '"""A text that stands alone."""',
            "...",
            f"({self.number()},{more}{self.number()})",
            f"{own} += 1  # pragma: no cover",
            f"{one} = {{{self.number()}: 1}}; {own} += len({one})",
            f"assert {self.number()} != 77, {more!r}",
            f"{one} = [{self.number()},{more}{self.number()}]; {own} += {one}[0]",
            f"{own} = (  # a call over lines{more}abs({more}    {self.number()},{more}))",
        ]
        self.write(place, self.chance.choice(texts))
        return False

    def branch(self, place: Place) -> bool:
        self.write(place, f"if {self.condition(place.indent)}:{self.chance.choice([''] * 12 + ['  # pragma: no cover', '  # pragma: no branch'])}")
        self.block(place.inner())
        for _ in range(self.chance.choice([0, 0, 1, 2])):
            self.write(place, f"elif {self.condition(place.indent)}:")
            self.block(place.inner())
        if self.chance.random() < 0.5:
            self.write(place, "else:")
            self.block(place.inner())
        return False

    def counted(self, place: Place) -> bool:
        count = self.chance.choice(["3", "a", "1", "0, 4, 2", f"\n{place.indent}        2\n{place.indent}    "])
        self.write(place, f"for {self.new_name('i')} in range({count}):")
        self.loop_body(place)
        return False

    def over_items(self, place: Place) -> bool:
        one, two = self.new_name("i"), self.new_name("x")
        items = f"({self.number()},\n{place.indent}        {self.number()})"
        text = self.chance.choice([f"{one} in {items}", f"{one}, {two} in enumerate({items})", f"{one}, {two} in zip(range(3), {items})"])
        self.write(place, f"for {text}:")
        self.loop_body(place)
        return False

    def conditional(self, place: Place) -> bool:
        counter = self.new_name("w")
        self.write(place, f"{counter} = 0")
        self.write(place, f"while {counter} < 4{self.chance.choice(['', f' and {self.comparison()}'])}:")
        self.write(place, f"    {counter} += 1")
        self.loop_body(place)
        return False

    def endless(self, place: Place) -> bool:
        counter = self.new_name("w")
        self.write(place, f"{counter} = 0")
        self.write(place, f"while {self.chance.choice(['True', '1', 'not 0'])}:")
        self.write(place, f"    {counter} += 1")
        self.write(place, f"    if {counter} > 3:")
        self.write(place, "        break")
        self.block(place.inner(in_loop=True, may_try=False))
        return False

    def loop_body(self, place: Place) -> None:
        self.block(place.inner(in_loop=True))
        if self.chance.random() < 0.3:
            self.write(place, "else:")
            self.block(place.inner())

    def leave(self, place: Place) -> bool:
        self.write(place, f"if {self.comparison()}:")
        self.write(place, f"    {self.chance.choice(['break', 'continue'])}")
        return False

    def give_back(self, place: Place) -> bool:
        more = f"\n{place.indent}        "
        choice = f"({self.number()} if {self.comparison()}{more}else {self.number()})"
        fail = f"raise ValueError({more}'no',{more})"
        self.write(place, self.chance.choice(["return n", "return a", "raise ValueError", f"return {choice}", fail]))
        return True

    def attempt(self, place: Place) -> bool:
        within = place.inner(in_loop=False, may_return=False, may_try=False)
        self.write(place, "try:")
        self.block(within)
        if self.chance.random() < 0.6:
            self.write(place, f"    if {self.comparison()}:")
            self.write(place, "        raise ValueError")
        if self.chance.random() < 0.85:
            self.write(place, f"except{self.chance.choice([' Exception', ''])}:")
            self.block(within)
            if self.chance.random() < 0.3:
                self.write(place, "else:")
                self.block(within)
            ends = self.chance.random() < 0.3
        else:
            ends = True
        if ends:
            self.write(place, "finally:")
            self.block(within)
        return False

    def match(self, place: Place) -> bool:
        self.write(place, f"match {self.number()}:")
        for number in range(self.chance.randint(1, 2)):
            guard = f" if {self.condition(place.indent)}" if self.chance.random() < 0.3 else ""
            self.write(place, f"    case {number} | {number + 3}{guard}:")
            self.block(place.inner()._replace(indent=place.indent + "        "))
        if self.chance.random() < 0.5:
            self.write(place, f"    case {self.chance.choice(['_', self.new_name('c')])}:")
            self.block(place.inner()._replace(indent=place.indent + "        "))
        return False

    def nested(self, place: Place) -> bool:
        """A function within the function, which may be called."""
        name = self.new_name("inner")
        self.write(place, f"def {name}(k):")
        self.write(place, f"    if k > {self.chance.randint(-1, 4)}:")
        self.write(place, "        return k")
        self.write(place, "    return 0")
        if self.chance.random() < 0.7:
            self.write(place, f"{self.changed} += {name}({self.number()})")
        return False
