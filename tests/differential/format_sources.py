"""Sources that reports get wrong: odd bytes, odd lines, odd names of functions and classes. Those that cannot be parsed are in BROKEN too."""

from __future__ import annotations

ODD_BYTES: dict[str, bytes] = {
    "crlf": b"a = 1\r\nif a:\r\n    b = 3\r\n\r\nelse:\r\n    c = 6\r\n",
    "cr": b"a = 1\rif a:\r    b = 3\r",
    "mixed_ends": b"a = 1\r\nb = 2\rc = 3\nd = '''\r\nx\ry\n'''\ne = 8\n",
    "no_end": b"a = 1\nif a:\n    b = 3",
    "empty": b"",
    "blank": b"\n\n\n",
    "spaces": b"   \n\t\n",
    "comments": b"# nothing\n# at all\n",
    "docstring": b'"""Only a docstring."""\n',
    "mark": b"\xef\xbb\xbfa = 1\nb = 2\n",
    "latin": b"# -*- coding: latin-1 -*-\na = '\xe9\xff'\nb = 2\n",
    "cp1252": b"# coding: cp1252\na = '\x93\x80\x81'\nb = 2\n",
    "utf8": "a = '日本 \U0001f600 e\u0301'\ndef größe():\n    return a\nclass Ünï:\n    def m(self):\n        return größe()\n".encode(),
    "bad_utf8": b"a = '\xff\xfe'\nb = 2\n# \xc3(\n",
    "cut_utf8": b"a = 1  # \xe2\x82\nb = '\xf0\x9f\x98'\n# \xed\xa0\x80 \xc0\xaf \xf5\x80\x80\x80\n",
    "ascii_coding": b"# coding: ascii\na = '\xe9'\n",
    "form_feed": b"a = 1\n\x0c\nb = 3\nc = 4 \x0c\nif a:\n\x0c    d = 6\n",
    "vertical": b"a = 1\n# \x0b x\nb = '\x0b'\nif b:\n    c = 5\nelse:  # x\n    d = 7\n",
    "separators": "a = '\x1c\x1d\x1e'\nb = 2  # \x85 \u2028 \u2029\nif b:\n    c = 4\nelse:\n    d = 6\n".encode(),
    "one_line_separator": b"def f(): pass  # \x1c",
    "tabs": b"if 1:\n\ta = 2\n\tif a:\n\t\tb = 4\n        # odd\n",
    "else_space": "x = 1\nif x:\n  pass\nelse\u00a0:\n  z = 5\n".encode(),
    "long_string": b'x = """\n' + b"line\n" * 50 + b'"""\ny = 2\n',
    "markup": b"a = ']]>' '</script>' \"&amp;\" # <b>\nclass C: '''<i>'''; x = 1\n",
    "nul_in_string": b"a = 1\nb = '\x00'\n",
    "broken": b"a = 1\nif a\n    b = 3\n",
    "utf16": "a = 1\nb = 2\n".encode("utf-16"),
    "indentation": b"if 1:\n        a = 2\n    b = 3\n",
    "unclosed": b"a = (1,\nb = 2\n",
}

ODD_CODE = {
    "elses": """\
a = 1
if a:
    b = 3
else :
    c = 5
for i in []:
    d = 7
else:# x
    e = 9
try:
    f = 11
except E:
    g = 13
else:

    # x
    h = 17
x = {1: 2,
  3:
 4}
if x: pass
else: y = 22
""",
    "semicolons": """\
a = 1; b = 2; c = 3
if a: b = 1; c = 2
def f(): return 1; return 2
""",
    "same_names": """\
def f():
    return 1
def f():
    return 3
class A:
    pass
class A:
    def m(self):
        return 8
    def m(self):
        return 10
if 0:
    def g():
        return 13

def g():
    '''nothing'''
""",
    "nested": """\
def f():
    def g():
        def h(): return 3
        return h
    class C:
        def m(self):
            class D:
                def n(self): pass
            return D
    return g
""",
    "one_line_docstring": """\
x = 1
if x:
    def func(): "A docstring."
    y = 4
z = 5
""",
    "one_function": "def f(): return 1\n",
    "decorated": """\
import functools
@functools.cache
@functools.lru_cache(
    3)
def f(a,
      b=2):
    if a:
        return 8
    while b:
        b -= 1

async def g():
    async with a as b:
        return 14
""",
    "match": """\
def f(x):
    match x:
        case 1:
            return 4
        case [2, *y] if y:
            pass
        case _:
            z = 8
    return z
""",
    "try": """\
def f(x):
    try:
        return x()
    except ValueError:
        raise
    except (KeyError, OSError) as e:
        return e
    else:
        y = 9
    finally:
        z = 11
    return y
""",
    "excluded": """\
a = 1
if a:  # pragma: no cover
    b = 3
else:
    c = 5
def f():  # pragma: no cover
    # x
    return 8
class C:
    def m(self):  # pragma: no cover
        if a:
            return 1
while a:  # pragma: no branch
    break
def g():
    if a:
        return 1  # pragma: no cover
    for b in a:
        raise a  # pragma: no cover
    return 20
""",
    "with": """\
def f():
    with open('x') as g, g:
        if g:
            return 4
    return 5
def h():
    with a:
        for i in b:
            yield i
""",
    "expressions": """\
f = lambda a: (a and
  1)
g = [x for x in f
  if x]
h = (yield_
  if f else g)
""",
    "types": """\
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import a
x: int
y: int = 5
def f() -> None: ...
def g():
    ...
def h(x: int,
      y): ...
""",
}

SOURCES = ODD_BYTES | {name: text.encode() for name, text in ODD_CODE.items()}
BROKEN = ["broken", "indentation", "nul_in_string", "unclosed", "utf16"]
