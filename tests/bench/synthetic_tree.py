"""A tree of made-up Python packages that looks like a real project: the same for the same seed.

Usage: synthetic_tree.py FOLDER [N_FILES]."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

NOUNS = (
    "account batch buffer cache channel client column config cursor device edge entry event field filter frame graph handle header index item job "
    "key layer ledger limit line link lock message metric model module node offset order packet page parser path payload peer plan point policy "
    "pool port query queue record region report request result route row rule schema scope segment session shard signal slot source span stage "
    "state step store stream table target task tenant token topic trace tree unit user value vector view window worker zone"
).split()
VERBS = (
    "add apply build check clear close collect commit compare compute copy count create decode drop emit encode expand fetch filter find flush "
    "format grow group handle index insert join load lookup merge move normalize open pack parse pick poll prepare pull push read reduce refresh "
    "release remove render replace reset resolve restore rotate save scan schedule seek select send shift sort split start store submit swap sync "
    "trim unpack update validate verify visit walk wrap write"
).split()
ERRORS = "ValueError KeyError TypeError OSError RuntimeError LookupError TimeoutError".split()
PROSE = (
    "The order of calls matters here because earlier results are reused. Nothing is copied unless the caller asks for it. Values outside of the "
    "range are clamped rather than rejected. An empty input gives an empty result. This may be called from several threads. Times are seconds "
    "since the epoch. The cache is dropped when the underlying record changes. Errors of the transport are passed on as they are. See the notes "
    "on retries above"
).split(". ")


class Module:
    """One source file, line by line."""

    def __init__(self, rng: random.Random, package: str) -> None:
        self.rng = rng
        self.package = package
        self.lines: list[str] = []
        self.statements = 0

    def put(self, depth: int, text: str, statement: bool = True) -> None:
        self.lines.append("    " * depth + text)
        self.statements += statement

    def name(self) -> str:
        return self.rng.choice(NOUNS)

    def function_name(self) -> str:
        return f"{self.rng.choice(VERBS)}_{self.rng.choice(NOUNS)}"

    def value(self) -> str:
        rng = self.rng
        choices: list[Callable[[], str]] = [
            lambda: str(rng.randrange(1000)),
            lambda: f'"{rng.choice(NOUNS)} {rng.choice(VERBS)}"',
            lambda: f"self.{self.name()}" if rng.random() < 0.5 else self.name(),
            lambda: f"{self.function_name()}({self.name()}, {self.name()}={rng.randrange(9)})",
            lambda: f"{self.name()}[{self.name()}]",
            lambda: f"[{self.name()}.{self.name()} for {self.name()} in {self.name()}]",
            lambda: f"{{'{self.name()}': {self.name()}, '{self.name()}': {rng.randrange(50)}}}",
            lambda: f'f"{self.name()} {{{self.name()}}} of {{{self.name()}:>{rng.randrange(2, 12)}}}"',
            lambda: f"{self.name()}.{self.rng.choice(VERBS)}({self.name()}).{self.name()}",
            lambda: f"max({self.name()}, key=lambda {self.name()}: {self.name()}.{self.name()})",
            lambda: f"({self.name()} + {self.name()} * {rng.randrange(2, 9)}) // {rng.randrange(1, 7)}",
            lambda: f"None if {self.test()} else {self.name()}",
        ]
        return rng.choice(choices)()

    def test(self) -> str:
        rng = self.rng
        choices: list[Callable[[], str]] = [
            self.name,
            lambda: f"not {self.name()}",
            lambda: f"{self.name()} is None",
            lambda: f"{self.name()}.{self.name()} > {rng.randrange(100)}",
            lambda: f"{self.name()} in self.{self.name()}",
            lambda: f"isinstance({self.name()}, (int, str))",
            lambda: f"{self.name()} and {self.name()} != {self.name()}",
            lambda: f"len({self.name()}) == {rng.randrange(10)} or {self.name()}",
        ]
        return rng.choice(choices)()

    def docstring(self, depth: int, lines: int) -> None:
        if lines <= 1:
            self.put(depth, f'"""{self.rng.choice(PROSE)}."""', False)
            return
        self.put(depth, f'"""{self.rng.choice(VERBS).capitalize()} the {self.name()}.', False)
        self.put(0, "", False)
        for _ in range(lines - 2):
            self.put(depth, f"{self.rng.choice(PROSE)}.", False)
        self.put(depth, '"""', False)

    def long_call(self, depth: int) -> None:
        """A statement of several physical lines."""
        self.put(depth, f"{self.name()} = self.{self.function_name()}(")
        for name in self.rng.sample(NOUNS, self.rng.randrange(2, 6)):
            self.put(depth + 1, f"{name}={self.value()},", False)
        self.put(depth, ")", False)

    def simple(self, depth: int) -> None:
        rng = self.rng
        roll = rng.random()
        if roll < 0.08:
            self.long_call(depth)
        elif roll < 0.5:
            self.put(depth, f"{self.name()} = {self.value()}")
        elif roll < 0.6:
            self.put(depth, f"self.{self.name()} = {self.value()}")
        elif roll < 0.67:
            self.put(depth, f"{self.name()} += {rng.randrange(1, 9)}")
        elif roll < 0.71:
            self.put(depth, f"assert {self.test()}, {self.value()}")
        elif roll < 0.75:
            self.put(depth, f"{self.name()}, {self.name()} = {self.value()}, {self.value()}")
        else:
            self.put(depth, f"{self.name()}.{rng.choice(VERBS)}({self.value()}, {self.value()})")

    def block(self, depth: int, size: int, loop: bool = False) -> None:
        """About `size` statements."""
        goal = self.statements + max(size, 1)
        while self.statements < goal:
            if self.rng.random() < 0.12:
                self.put(depth, f"# {self.rng.choice(PROSE)}.", False)
            left = goal - self.statements
            if left < 3 or depth > 6 or self.rng.random() < 0.68:
                self.simple(depth)
            else:
                self.compound(depth, min(left, self.rng.randrange(2, 14)), loop)
        if loop and self.rng.random() < 0.15:
            self.put(depth, self.rng.choice(["break", "continue"]))

    def compound(self, depth: int, size: int, loop: bool) -> None:
        rng = self.rng
        kind = rng.choices(["if", "if-else", "elif", "for", "while", "try", "with", "match", "guard"], [20, 14, 5, 14, 3, 9, 8, 3, 14])[0]
        half = max(size // 2, 1)
        if kind == "guard":
            self.put(depth, f"if {self.test()}:" + ("  # pragma: no cover" if rng.random() < 0.03 else ""))
            last = ["return " + self.value(), f'raise {rng.choice(ERRORS)}("no {self.name()}")', *(["continue", "break"] if loop else [])]
            self.put(depth + 1, rng.choice(last))
        elif kind in ("if", "if-else", "elif"):
            self.put(depth, f"if {self.test()}:" + ("  # pragma: no branch" if rng.random() < 0.02 else ""))
            self.block(depth + 1, half, loop)
            if kind == "elif":
                self.put(depth, f"elif {self.test()}:")
                self.block(depth + 1, half, loop)
            if kind != "if":
                self.put(depth, "else:", False)
                self.block(depth + 1, half, loop)
        elif kind == "for":
            self.put(depth, f"for {self.name()} in {rng.choice([self.name(), f'range({rng.randrange(2, 90)})', f'self.{self.name()}.items()'])}:")
            self.block(depth + 1, size, True)
            if rng.random() < 0.06:
                self.put(depth, "else:", False)
                self.block(depth + 1, 1, loop)
        elif kind == "while":
            self.put(depth, "while True:" if rng.random() < 0.3 else f"while {self.test()}:")
            self.block(depth + 1, size, True)
            self.put(depth + 1, f"if {self.test()}:")
            self.put(depth + 2, "break")
        elif kind == "try":
            self.put(depth, "try:")
            self.block(depth + 1, half, loop)
            for error in rng.sample(ERRORS, rng.randrange(1, 3)):
                self.put(depth, f"except {error} as error:")
                self.put(depth + 1, rng.choice(["raise", "log.warning('%s', error)", "pass", f"return {self.value()}"]))
            if rng.random() < 0.2:
                self.put(depth, "finally:", False)
                self.block(depth + 1, 1)
        elif kind == "with":
            self.put(depth, f"with self.{self.name()}.{rng.choice(VERBS)}() as {self.name()}:")
            self.block(depth + 1, size, loop)
        else:
            self.put(depth, f"match {self.name()}:")
            for _ in range(rng.randrange(1, 4)):
                pattern = rng.choice([f'"{self.name()}"', f"[{self.name()}, *_]", f'{{"{self.name()}": {self.name()}}}', "int() | None"])
                self.put(depth + 1, f"case {pattern}:")
                self.block(depth + 2, max(half // 2, 1), loop)
            self.put(depth + 1, "case _:")
            self.simple(depth + 2)

    def function(self, depth: int, size: int, method: bool) -> None:
        rng = self.rng
        if method and rng.random() < 0.12:
            self.put(depth, rng.choice(["@property", "@functools.cached_property", "@contextlib.contextmanager"]))
        parameters = ["self"] if method else []
        names = rng.sample(NOUNS, rng.randrange(4))
        parameters += [f"{name}: {rng.choice(['int', 'str', 'list[str]', 'Path | None'])}" for name in names]
        mark = "  # pragma: no cover" if rng.random() < 0.02 else ""
        kind = "async def" if rng.random() < 0.05 else "def"
        self.put(depth, f"{kind} {self.function_name()}({', '.join(parameters)}) -> {rng.choice(['None', 'int', 'str', 'dict[str, int]'])}:{mark}")
        if rng.random() < 0.6:
            self.docstring(depth + 1, rng.choice([1, 1, 1, 4, 6, 9]))
        self.block(depth + 1, size)
        if rng.random() < 0.6:
            self.put(depth + 1, f"return {self.value()}")

    def klass(self, size: int) -> None:
        rng = self.rng
        if rng.random() < 0.15:
            self.put(0, "@dataclass(frozen=True)")
        self.put(0, f"class {self.name().capitalize()}{self.name().capitalize()}({rng.choice(['', 'Base', 'Generic[T]', 'Enum'])}):")
        self.docstring(1, rng.choice([1, 1, 5]))
        for _ in range(rng.randrange(4)):
            self.put(1, f"{self.name()}: {rng.choice(['int', 'str', 'bool'])} = {rng.randrange(100)}")
        goal = self.statements + size
        while self.statements < goal:
            self.put(0, "", False)
            self.function(1, rng.randrange(1, 16), method=True)

    def text(self, size: int) -> str:
        rng = self.rng
        self.docstring(0, rng.choice([1, 1, 5, 12]))
        self.put(0, "from __future__ import annotations")
        self.put(0, "", False)
        self.put(0, "import contextlib")
        self.put(0, "import functools")
        self.put(0, "import logging as log")
        for _ in range(rng.randrange(1, 6)):
            self.put(0, f"from {self.package}.{self.name()} import {self.name()}, {self.name()}")
        if rng.random() < 0.2:
            self.put(0, "if TYPE_CHECKING:")
            self.put(1, "from pathlib import Path")
        self.put(0, "", False)
        for _ in range(rng.randrange(4)):
            self.put(0, f"{self.name().upper()} = {self.value()}")
        while self.statements < size:
            self.put(0, "", False)
            self.put(0, "", False)
            if rng.random() < 0.5:
                self.klass(min(size, rng.randrange(8, 90)))
            else:
                self.function(0, rng.randrange(2, 22), method=False)
        if rng.random() < 0.05:
            self.put(0, "", False)
            self.put(0, 'if __name__ == "__main__":')
            self.put(1, "main()")
        return "\n".join(self.lines) + "\n"


def write_tree(folder: Path, n_files: int = 2000, seed: int = 1, statements: int = 126) -> list[Path]:
    """Makes the tree in `folder`; its files. There are about `statements` statements in a file, in some ten times as many."""
    rng = random.Random(seed)
    files: list[Path] = []
    while len(files) < n_files:
        package = folder / "project"
        for _ in range(rng.randrange(1, 4)):
            package /= rng.choice(NOUNS)
        package.mkdir(parents=True, exist_ok=True)
        for name in [rng.choice(NOUNS) + rng.choice(["", "_types", "_api", "_test", "s"]) for _ in range(rng.randrange(4, 20))]:
            path = package / f"{name}.py"
            if path.exists() or len(files) == n_files:
                continue
            size = min(int(rng.lognormvariate(0, 0.8) * statements / 1.3), statements * 10)
            path.write_text(Module(rng, "project." + package.name).text(size))
            files.append(path)
    return sorted(files)


if __name__ == "__main__":
    write_tree(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
