"""Small programs in which every rule of statements, exclusions and arcs shows, and a generator of random ones."""

from __future__ import annotations

import random

N = "# pragma: no cover"
NB = "# pragma: no branch"

VECTORS: dict[str, str] = {
    "empty": "",
    "blank": "\n\n",
    "comment_only": "# nothing\n",
    "docstring_only": '"""Module."""\n',
    "docstring_lines": '"""Module\nof several\nlines."""\na = 4\n',
    "no_newline_at_end": "a = 1\nif a:\n    b = 3",
    "docstring_on_header": 'def f(): """doc"""\nclass C: """doc"""\na = 3\n',
    "docstring_only_bodies": 'def f():\n    """doc"""\nclass C:\n    """doc"""\ndef g():\n    "doc" "more"\n    "not doc"\n',
    "docstring_after_multiline_header": 'def f(a,\n      b): """doc"""\nx = 3\n',
    "fstring_is_no_docstring": 'def f():\n    f"no {1}"\n    return 3\n',
    "bytes_are_no_docstring": 'def f():\n    b"no"\n    return 3\n',
    "constants": 'def f():\n    1\n    ...\n    "x"\n    None\n    (1, 2)\n',
    "globals": "def f():\n    global a\n    a = 3\n    def g():\n        nonlocal_ = 5\n        return 6\n    return g\n",
    "nonlocal": "def f():\n    a = 2\n    def g():\n        nonlocal a\n        a = 5\n    return g\n",
    "annotations": "x: int\ny: int = 2\ndef f():\n    z: int\n    (w): int\n    f.a: int\n    f[0]: int\n    v: int = 8\nclass C:\n    a: int\n    b: int = 11\n    (c): int\n",
    "future_annotations": "from __future__ import annotations\nx: int\n(y): int\nclass C:\n    a: int\n    (b): int\n",
    "del_nothing": "a = 1\ndel ()\ndel (a)\ndel [()]\n",
    "semicolons": "a = 1; b = 1; c = (\n2)\nif a: b = 3; c = 3\nd = 4\n",
    "backslash": "a = 1 + \\\n    2\nif a and \\\n   a:\n    b = 5\n",
    "multiline_call": "print(\n    1,\n    2,\n)\nx = [\n    1,\n    2,\n]\ny = {\n    'a': 1,\n    **{},\n}\nz = {**{\n'a': 1}}\n",
    "multiline_string": 'a = """\nfoo\n"""\nb = f"""\n{a}\n"""\ndef f(\n    a,\n    b="""x\n""",\n):\n    return a\n',
    "if_else": "a = 1\nif a:\n    b = 3\nelse:\n    b = 5\nc = 6\n",
    "if_chain": "def f(a):\n    if a == 1:\n        return 3\n    elif a == 2:\n        b = 5\n    elif a == 3:\n        raise ValueError\n    else:\n        return 9\n    return b\n",
    "if_at_end": "def f(a):\n    if a:\n        b = 3\n",
    "one_line_suites": "def f(): return 1\nclass C: pass\nif f: a = 3\nif f: a = 4\nelse: a = 5\nfor i in a: b = 6\nwhile a: break\nwith f: c = 8\ntry: d = 9\nexcept: e = 10\nfinally: g = 11\nasync def h(): await f\n",
    "while_true": "while True:\n    a = 2\n    if a:\n        break\nb = 5\nwhile 1:\n    c = 7\nd = 8\n",
    "while_else": "def f(a):\n    while a:\n        if a:\n            break\n        continue\n    else:\n        b = 7\n    return 8\n",
    "while_false": "while 0:\n    a = 2\nelse:\n    b = 4\nwhile False:\n    c = 6\n    break\nd = 8\nwhile not True:\n    e = 10\n",
    "for_else": "for i in range(2):\n    if i:\n        break\n    continue\nelse:\n    a = 6\nb = 7\nfor j in []:\n    pass\n",
    "for_multiline_iter": "for i in (\n    1,\n    2,\n):\n    a = 5\nfor (j,\n     k) in []:\n    b = 8\n",
    "constant_tests": "import typing\nif 0:\n    a = 3\nelif 1:\n    a = 5\nelse:\n    a = 7\nif __debug__:\n    b = 9\nif not __debug__:\n    b = 11\nif None:\n    c = 13\nif 'x' and 1:\n    c = 15\nelse:\n    c = 17\nif a and 0:\n    d = 19\nelse:\n    d = 21\nif a or 1:\n    e = 23\nelse:\n    e = 25\nif 1 if a else 0:\n    f = 27\nif 1 if a else 2:\n    f = 29\nelse:\n    f = 31\nif ():\n    g = 33\nif (1,):\n    g = 35\nelse:\n    g = 37\nif 1 - 1:\n    h = 39\nif -0.0:\n    h = 41\nif ~0:\n    h = 43\nelse:\n    h = 45\nif f'':\n    i = 47\nif f'x':\n    i = 49\nelse:\n    i = 51\nif ...:\n    j = 53\nelse:\n    j = 55\nif 1 == 2:\n    k = 57\nif [1]:\n    k = 59\nif b'':\n    k = 61\nif 0j:\n    k = 63\nif 0x_0:\n    k = 65\nif 1_0 << 3:\n    k = 67\nelse:\n    k = 69\nif 'a' * 0:\n    k = 71\nif 'a' + 'b':\n    k = 73\nelse:\n    k = 75\n",
    "dead_after_jumps": "def f(a):\n    return 1\n    b = 3\n    if b:\n        c = 5\ndef g(a):\n    for i in a:\n        continue\n        b = 9\n    raise ValueError\n    b = 11\nwhile 1:\n    break\n    c = 14\n",
    "dead_definitions": "if 0:\n    def f(a):\n        return a\n    class C:\n        x = 5\n        def g(self):\n            pass\n    y = lambda: 8\n    z = [i for i in\n         y]\n    w = 11\ndef h():\n    return 13\n    @h\n    def k():\n        '''doc'''\n        return 17\n    for q in (lambda: 18)():\n        u = 19\n",
    "annotate": "class C:\n    def __annotate__(self):\n        a = 3\n        def f():\n            return 5\n        return f\n",
    "assert": "def f(a):\n    assert a\n    assert True, 'x'\n    assert 0, 'never'\n    b = 5\n",
    "assert_tuple": "def f(a):\n    assert ()\n    b = 3\n",
    "try_all": "def f():\n    try:\n        a = 3\n        raise ValueError\n    except ValueError as e:\n        a = 6\n    except (TypeError,\n            OSError):\n        a = 9\n    else:\n        a = 11\n    finally:\n        a = 13\n    return a\n",
    "try_returns": "def f(a):\n    try:\n        return 3\n    except ValueError:\n        return 5\n    finally:\n        b = 7\n    c = 8\ndef g(a):\n    for i in a:\n        try:\n            if i:\n                break\n            continue\n        finally:\n            x = 16\n    return 17\n",
    "finally_returns": "def f(a):\n    while True:\n        try:\n            break\n        finally:\n            return 6\n    b = 7\ndef g():\n    try:\n        a = 10\n    finally:\n        raise ValueError\n    b = 13\n",
    "try_raise_in_handler": "def f():\n    try:\n        try:\n            raise A\n        except B:\n            raise\n        finally:\n            x = 8\n    except C:\n        y = 10\n",
    "try_star": "try:\n    a = 2\nexcept* ValueError:\n    b = 4\nelse:\n    c = 6\n",
    "with_simple": "with open('x') as f:\n    a = 2\n    b = 3\nc = 4\n",
    "with_nested": "def f(a):\n    with a as b:\n        with b as c:\n            d = 4\n        with c:\n            if d:\n                return 7\n    return 8\n",
    "with_ends_function": "def f(a):\n    with a:\n        if a:\n            b = 4\n",
    "with_in_loop": "for i in []:\n    with i:\n        a = 3\n        if a:\n            continue\n        if i:\n            break\n        b = 8\nelse:\n    c = 10\nwhile a:\n    with a:\n        raise ValueError\n",
    "with_multiline": "with (\n    open('x') as f,\n    open('y') as g,\n):\n    a = 5\nwith open('x') as f, \\\n     open('y') as g:\n    b = 8\nc = 9\n",
    "with_one_line": "with a: b = 1\nfor i in a:\n    with i: c = 3\nd = 4\n",
    "with_in_finally": "def f():\n    try:\n        return 3\n    finally:\n        with a:\n            b = 6\n",
    "with_return": "def f():\n    with a:\n        return 3\n    b = 4\n",
    "with_async": "async def f():\n    async with a as b:\n        await b\n    async for i in b:\n        yield i\n    else:\n        return\n",
    "match": "def f(x):\n    match x:\n        case 1:\n            a = 4\n        case [1, *_] | (2,\n                          3):\n            return 7\n        case {'a': 1, **kw} if kw:\n            a = 9\n        case C(a=1):\n            pass\n        case _:\n            a = 13\n    return a\n",
    "match_no_default": "match x:\n    case 1:\n        a = 3\n    case y if y:\n        a = 5\nb = 6\n",
    "match_irrefutable": "def f(x):\n    match x:\n        case 1:\n            return 4\n        case (1 | _) as y:\n            return 6\n    a = 7\ndef g(x):\n    match x:\n        case y:\n            return 11\n    a = 12\ndef h(x):\n    match x:\n        case 1 | _ if True:\n            return 16\n    a = 17\n",
    "match_excluded_default": f"def f(x):\n    match x:\n        case 1:\n            a = 4\n        case _:  # other\n            raise ValueError  {N}\n    match x:\n        case 1:\n            a = 9\n        case _:\n            raise ValueError(  {N}\n                x,\n            )\n    match x:\n        case _ if x:\n            a = 16  {N}\n        case (\n            _\n        ):\n            def g():  {N}\n                return 21\n    match x:\n        case 1: pass\n        case _: pass  {N}\n",
    "decorators": "def d(f):\n    return f\n@d\n@d\ndef g():\n    return 6\n@d(\n    1\n)\nclass C:\n    @d\n    async def h(self,\n                b):\n        return 14\n",
    "classes": "class A:\n    '''doc'''\n    x = 3\n    def f(self):\n        return 5\n    class B(A):\n        y = 7\n        if y:\n            z = 9\nclass C(\n    A,\n): x = 12\n",
    "lambdas": "a = lambda x: (\n    x\n)\nb = [\n    i\n    for i in a\n    if i\n]\nc = sum(i\n        for i in b)\nd = {k: v for k, v in\n     c}\n",
    "generators": "def f():\n    x = yield 1\n    y = yield from x\n    return y\n",
    "walrus": "if (a := 1):\n    b = 2\nwhile (c := a) and (\n    a\n):\n    break\n",
    "tabs_and_form_feed": "if 1:\n\ta = 2\n\x0c\nb = 4\n",
    "unicode": "# ünïcödé\nå = 'ß'\nif å:\n    b = '日本語'  # pragma: no cover\nc = 5\n",
    "crlf": "a = 1\r\nif a:\r\n    b = 3\r\nc = 4\r",
    "not_python": "a = 1\nb = = 2\n",
    "bad_indent": "if 1:\na = 1\n",
    # exclusions
    "no_cover_simple": f"a = 1\nb = 2  {N}\nc = 3\n",
    "no_cover_if": f"if a:  {N}\n    b = 2\n    c = 3\nelse:\n    d = 5\ne = 6\n",
    "no_cover_else": f"if a:\n    b = 2\nelif c:  {N}\n    d = 4\nelse:  {N}\n    e = 6\nf = 7\n",
    "no_cover_loops": f"for i in a:  {N}\n    b = 2\nelse:\n    c = 4\nwhile a:\n    d = 6\nelse:  {N}\n    e = 8\n",
    "no_cover_try": f"try:  {N}\n    a = 2\nexcept A:\n    b = 4\nexcept B:  {N}\n    c = 6\nelse:\n    d = 8\nfinally:  {N}\n    e = 10\nf = 11\n",
    "no_cover_with": f"with a:  {N}\n    b = 2\nc = 3\nwith (\n    a,  {N}\n    b,\n):\n    d = 8\n",
    "no_cover_def": f"def f(a):  {N}\n    if a:\n        b = 3\n    # comment\n\n    return b\nc = 7\n",
    "no_cover_def_multiline": f"def f(\n    a,  {N}\n    b,\n):\n    c = 5\ndef g(\n    a,\n):  {N}\n    d = 9\ndef h(\n    a\n) -> (  {N}\n    int\n):\n    e = 15\n",
    "no_cover_decorator": f"@d  {N}\ndef f():\n    a = 3\n@d\n@e(  {N}\n    1\n)\nclass C:\n    b = 9\n    def g(self):\n        c = 11\nd = 12\n",
    "no_cover_class": f"class C:  {N}\n    '''doc'''\n    a = 3\n    def f(self):\n        b = 5\nclass D:\n    def f(self):  {N}\n        c = 8\n    def g(self):\n        d = 10\n",
    "no_cover_nested_def": f"def f():\n    def g():  {N}\n        a = 3\n        def h():\n            b = 5\n    return g\n",
    "no_cover_continuation": f"a = f(\n    1,  {N}\n    2,\n)\nif (\n    a  {N}\n):\n    b = 8\nelse:\n    c = 10\n",
    "no_cover_one_line": f"if a: b = 1  {N}\nelse: c = 2\nfor i in a: b = 3  {N}\ndef f(): pass  {N}\nd = 5\n",
    "no_cover_match": f"match a:\n    case 1:  {N}\n        b = 3\n        c = 4\n    case 2:\n        d = 6  {N}\nmatch b:  {N}\n    case 3:\n        e = 9\n",
    "no_cover_annotation": f"x: int = 1  {N}\ny = 2\nclass C:\n    z: int  {N}\n    w: int\n    def f(self):\n        pass\n",
    "no_cover_lambda": f"f = lambda: 0  {N}\ng = 2\nd = {{\n    'a': 1,  {N}\n}}\ns = a[1:2]  {N}\nt = 7\n",
    "no_cover_deeper": f"if a:\n    if b:  {N}\n        c = 3\n        if d:\n            e = 5\n    f = 6\ng = 7\n",
    "no_cover_string": 'a = """\n# pragma: no cover\n"""\nb = 4\n',
    "no_cover_docstring": f'def f():\n    """doc"""  {N}\n    a = 3\n',
    "no_cover_comment_line": f"a = 1\n{N}\nb = 3\nif a:\n    {N}\n    c = 6\n",
    "no_cover_arcs": f"def f(a):\n    if a:\n        b = 3  {N}\n    else:\n        c = 5\n    for i in a:\n        if i: continue  {N}\n        d = 8\n    return d\n",
    "ellipsis": "def f(): ...\ndef g():\n    ...\nasync def h(a) -> int: ...\nclass P:\n    def m(self,\n          a: int) -> list[int]: ...\n    def n(self): ...  # comment\nx = ...\nif x: ...\n",
    "type_checking": "from typing import TYPE_CHECKING\nimport typing\nif TYPE_CHECKING:\n    import a\nelse:\n    b = 6\nif typing.TYPE_CHECKING:\n    import c\nif not TYPE_CHECKING:\n    d = 10\n",
    "no_branch": f"if a:  {NB}\n    b = 2\nwhile a:  {NB}\n    c = 4\nfor i in (\n    a,  {NB}\n):\n    d = 8\nif True:\n    e = 10\nif 1:\n    f = 12\nwhile 0:\n    g = 14\nx = 'if 1:'\n",
    "pragma_forms": "a = 1  #pragma:no cover\nb = 2  # PRAGMA NO COVER\nc = 3  # pragma nocover\nd = 4  # pragma:  no  cover because\ne = 5  # Pragma: no cover\nf = 6  # pragma\u00a0no cover\n",
}

# Programs with patterns of their own: (exclude, partial, source).
PATTERN_VECTORS: dict[str, tuple[list[str], list[str], str]] = {
    "none": ([], [], "a = 1\nif a:\n    b = 3\n"),
    "empty": ([""], [""], "a = 1\nif a:\n    b = 3\n"),
    "plain": (["raise NotImplementedError", r"if __name__ == .__main__.:"], ["x"], "def f():\n    raise NotImplementedError\nif __name__ == '__main__':\n    f()\nif f:\n    x = 6\n"),
    "whole_file": ([r"\A(?s:.*# skip file.*)\Z"], [], "# skip file\na = 2\nif a:\n    b = 4\n"),
    "multiline": ([r"(?s:# begin.*?# end)"], [], "a = 1\n# begin\nb = 3\n# end\nc = 5\n# begin\nd = 7\n"),
    "lookaround": ([r"(?<!not )skip(?! no)", r"^\s*except\b"], [], "a = 'skip'\nb = 'not skip'\nc = 'skip no'\ntry:\n    d = 5\nexcept ValueError:\n    e = 7\n"),
    "ignore_case": (["(?i)# NOCOVER"], ["(?i:# NoBranch)"], "a = 1  # nocover\nif a:  # nobranch\n    b = 3\n"),
    "empty_matches": (["x*$"], ["^"], "a = 1\nb = 'xxx'\n\nif a:\n    c = 5  # xx\n"),
    "quantifiers": ([r"z{2}", r"y{,1}w", r"a{1,}b", r"q{}"], [], "zz = 1\nw = 2\nyw = 3\naab = 4\nq = {}\nz = 'q{}'\n"),
    "classes": ([r"[]x]@", r"[^\W\d]_9", r"[[:z]!", "\\u00e9", r"\x41\x42"], [], "a = ']@'\nb = 'x_9'\nc = '[!'\nd = 'é'\ne = 'AB'\nf = 6\n"),
    "groups": ([r"(?P<q>['\"])end(?P=q)", r"(\w)\1\1"], [], "a = 'end'\nb = \"end'\"\nccc = 3\nd = 4\n"),
    "groups_alone": ([r"(\w)\1\1 ="], [], "a = 1\nccc = 2\n"),
    "unicode_words": ([r"#\w+#", r"\bü\b"], [r"\d#"], "a = 1  #äö#\nü = 2\nüü = 3\nif a: # ٣#\n    b = 5\n"),
    "optional_literals": ([r"colou?r", r"ab*c", r"(one|two)x", r"(three)?four", r"a\.b+c"], [], "color = 1\nac = 2\nonex = 3\nfour = 4\nx = a.bbc\nab = 6\n"),
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
        choices = ["a = 1", "f(a)", "pass", "x: int", "del a", "import os", "raise E", "assert a", "1", "a = [\n{i}  1,\n{i}]", "f(\n{i}  a)",
                   "g = lambda: a", "b = [i for i in a]", "a = 1; b = 2"]
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
            self.emit(depth, r.choice([f"if a: {self.one_line(in_function, in_loop)}", f"for i in a: {self.one_line(in_function, True)}",
                                       "with a: b = 1", "def f(): return 1", "class C: pass"]))
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
