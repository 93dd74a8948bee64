"""Small programs in which every rule of statements, exclusions and arcs shows, and a generator of random ones."""

from __future__ import annotations

import random
from pathlib import Path

N = "# pragma: no cover"
NB = "# pragma: no branch"


def read_vectors() -> dict[str, str]:
    """The programs of analysis_vectors.txt."""
    vectors: dict[str, str] = {}
    name = ""
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("### "):
            name = line[4:].strip()
            vectors[name] = ""
        else:
            vectors[name] += line
    return vectors


VECTORS = read_vectors() | {
    "empty": "",
    "blank": "\n\n",
    "no_newline_at_end": "a = 1\nif a:\n    b = 3",
    "tabs_and_form_feed": "if 1:\n\ta = 2\n\x0c\nb = 4\n",
    "crlf": "a = 1\r\nif a:\r\n    b = 3\r\nc = 4\r",
    "pragma_forms": "a = 1  #pragma:no cover\nb = 2  # PRAGMA NO COVER\nc = 3  # pragma nocover\n"
    "d = 4  # pragma:  no  cover because\ne = 5  # Pragma: no cover\nf = 6  # pragma\xa0no cover\n",
}

# Programs with patterns of their own: (exclude, partial, source).
PATTERN_VECTORS: dict[str, tuple[list[str], list[str], str]] = {
    "none": ([], [], "a = 1\nif a:\n    b = 3\n"),
    "empty": ([""], [""], "a = 1\nif a:\n    b = 3\n"),
    "plain": (
        ["raise NotImplementedError", r"if __name__ == .__main__.:"],
        ["x"],
        "def f():\n    raise NotImplementedError\nif __name__ == '__main__':\n    f()\nif f:\n    x = 6\n",
    ),
    "whole_file": ([r"\A(?s:.*# skip file.*)\Z"], [], "# skip file\na = 2\nif a:\n    b = 4\n"),
    "multiline": ([r"(?s:# begin.*?# end)"], [], "a = 1\n# begin\nb = 3\n# end\nc = 5\n# begin\nd = 7\n"),
    "lookaround": (
        [r"(?<!not )skip(?! no)", r"^\s*except\b"],
        [],
        "a = 'skip'\nb = 'not skip'\nc = 'skip no'\ntry:\n    d = 5\nexcept ValueError:\n    e = 7\n",
    ),
    "ignore_case": (["(?i)# NOCOVER"], ["(?i:# NoBranch)"], "a = 1  # nocover\nif a:  # nobranch\n    b = 3\n"),
    "empty_matches": (["x*$"], ["^"], "a = 1\nb = 'xxx'\n\nif a:\n    c = 5  # xx\n"),
    "quantifiers": ([r"z{2}", r"y{,1}w", r"a{1,}b", r"q{}"], [], "zz = 1\nw = 2\nyw = 3\naab = 4\nq = {}\nz = 'q{}'\n"),
    "classes": ([r"[]x]@", r"[^\W\d]_9", r"[[:z]!", "\\u00e9", r"\x41\x42"], [], "a = ']@'\nb = 'x_9'\nc = '[!'\nd = 'é'\ne = 'AB'\nf = 6\n"),
    "groups": ([r"(?P<q>['\"])end(?P=q)", r"(\w)\1\1"], [], "a = 'end'\nb = \"end'\"\nccc = 3\nd = 4\n"),
    "groups_alone": ([r"(\w)\1\1 ="], [], "a = 1\nccc = 2\n"),
    "unicode_words": ([r"#\w+#", r"\bü\b"], [r"\d#"], "a = 1  #äö#\nü = 2\nüü = 3\nif a: # ٣#\n    b = 5\n"),
    "optional_literals": (
        [r"colou?r", r"ab*c", r"(one|two)x", r"(three)?four", r"a\.b+c"],
        [],
        "color = 1\nac = 2\nonex = 3\nfour = 4\nx = a.bbc\nab = 6\n",
    ),
    "dollar": ([r"end$", r"start\s*$"], [], "end = 1\nthe_end\nstart\n\n\nb = 6\n"),
    "vertical_tab": ([r"a\vb"], [], "x = 'a\x0bb'\ny = 'a b'\n"),
}


class Generator:
    """Random programs: valid Python, with every compound statement, jumps in any place, constant tests and pragmas."""

    TESTS = ["a", "a", "a", "f(b)", "True", "0", "not a", "a and 0", "a or 1", "(\n{i}  a,\n{i})", "not 0", "__debug__", "a if b else 1"]

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []

    def program(self) -> str:
        """The text of a program."""
        # CPython keeps the very first constant of a module even when it is a function in dead code; here it is never one.
        self.lines.append(self.random.choice(['"""Module."""', "first = 0"]))
        self.suite(0, in_function=False, in_loop=False, size=self.random.randint(3, 9))
        return "\n".join(self.lines) + "\n"

    def emit(self, depth: int, text: str) -> None:
        text = text.replace("{i}", "    " * depth)
        pragma = self.random.random()
        if pragma < 0.06:
            text += f"  {N}"
        elif pragma < 0.08:
            text += f"  {NB}"
        self.lines.append("    " * depth + text)
        if self.random.random() < 0.05:
            self.lines.append("")

    def suite(self, depth: int, in_function: bool, in_loop: bool, size: int | None = None) -> None:
        for _ in range(size or self.random.choice([1, 1, 2, 3])):
            self.statement(depth, in_function, in_loop)

    def simple(self, in_function: bool, in_loop: bool) -> str:
        choices = [
            "a = 1",
            "f(a)",
            "pass",
            "x: int",
            "del a",
            "import os",
            "raise E",
            "assert a",
            "1",
            "a = [\n{i}  1,\n{i}]",
            "f(\n{i}  a)",
            "g = lambda: a",
            "b = [i for i in a]",
            "a = 1; b = 2",
        ]
        if in_function:
            choices += ["return a", "return", "yield a"] * 2
        if in_loop:
            choices += ["break", "continue"] * 3
        return self.random.choice(choices)

    def statement(self, depth: int, in_function: bool, in_loop: bool) -> None:
        r = self.random
        if depth >= 4 or r.random() < 0.45:
            self.emit(depth, self.simple(in_function, in_loop))
            return
        test = r.choice(self.TESTS)
        kind = r.choice(["if", "if", "while", "for", "try", "with", "match", "def", "class", "one_line"])
        if kind == "if":
            self.emit(depth, f"if {test}:")
            self.suite(depth + 1, in_function, in_loop)
            while r.random() < 0.3:
                self.emit(depth, f"elif {r.choice(self.TESTS)}:")
                self.suite(depth + 1, in_function, in_loop)
            self.maybe_else(depth, in_function, in_loop)
        elif kind == "while":
            self.emit(depth, f"while {test}:")
            self.suite(depth + 1, in_function, True)
            self.maybe_else(depth, in_function, in_loop)
        elif kind == "for":
            self.emit(depth, "for i in a:")
            self.suite(depth + 1, in_function, True)
            self.maybe_else(depth, in_function, in_loop)
        elif kind == "try":
            self.try_statement(depth, in_function, in_loop)
        elif kind == "with":
            self.emit(depth, r.choice(["with a:", "with a as b, b as c:", "with (\n{i}    a,\n{i}    b,\n{i}):"]))
            self.suite(depth + 1, in_function, in_loop)
        elif kind == "match":
            self.emit(depth, "match a:")
            for pattern in r.sample(["1", "[b, c]", "{'k': 1}", "C(x=1)", "d if d", "1 | 2"], r.randint(1, 3)):
                self.emit(depth + 1, f"case {pattern}:")
                self.suite(depth + 2, in_function, in_loop)
            if r.random() < 0.6:
                self.emit(depth + 1, r.choice(["case _:", "case x:", "case _ if a:", "case (1 | _):"]))
                self.suite(depth + 2, in_function, in_loop)
        elif kind == "one_line":
            self.emit(
                depth,
                r.choice(
                    [
                        f"if a: {self.one_line(in_function, in_loop)}",
                        f"for i in a: {self.one_line(in_function, True)}",
                        "with a: b = 1",
                        "def f(): return 1",
                        "class C: pass",
                    ]
                ),
            )
        else:
            self.definition(depth, kind)

    def one_line(self, in_function: bool, in_loop: bool) -> str:
        while "\n" in (text := self.simple(in_function, in_loop)):
            pass
        return text

    def definition(self, depth: int, kind: str) -> None:
        r = self.random
        while r.random() < 0.2:
            self.emit(depth, r.choice(["@deco", "@deco(\n{i}    1,\n{i})"]))
        if kind == "def":
            self.emit(depth, r.choice(["def f(a):", "def f(\n{i}    a,\n{i}):", "def f(a) -> int:"]))
        else:
            self.emit(depth, r.choice(["class C:", "class C(a,\n{i}        b):"]))
        if r.random() < 0.3:
            self.emit(depth + 1, r.choice(['"""Doc."""', '"""Doc\n{i}more."""']))
        self.suite(depth + 1, kind == "def", False)

    def try_statement(self, depth: int, in_function: bool, in_loop: bool) -> None:
        r = self.random
        self.emit(depth, "try:")
        self.suite(depth + 1, in_function, in_loop)
        handlers = r.randint(0, 2)
        for _ in range(handlers):
            self.emit(depth, r.choice(["except E:", "except (A,\n{i}        B) as e:"]))
            self.suite(depth + 1, in_function, in_loop)
        if handlers:
            self.maybe_else(depth, in_function, in_loop)
        if not handlers or r.random() < 0.4:
            self.emit(depth, "finally:")
            self.suite(depth + 1, in_function, in_loop)

    def maybe_else(self, depth: int, in_function: bool, in_loop: bool) -> None:
        if self.random.random() < 0.35:
            self.emit(depth, "else:")
            self.suite(depth + 1, in_function, in_loop)
