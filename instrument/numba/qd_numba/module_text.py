"""Text of LLVM modules: the functions that it defines, and the calls of marks in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from . import marks

MARK_CALL = re.compile(r"^\s+(?:tail |notail )?call void @(qdcov\.mark\.[0-9a-f]+\.[0-9]+)\(\)")
WHEN_CALL = re.compile(r"^\s+(?:tail |notail )?call void @(qdcov\.when\.[0-9a-f]+\.[0-9]+)\(i1 ([^ )]+)\)")
DECLARED = re.compile(r"^declare void @qdcov\.(?:mark|when)\..*\n", re.MULTILINE)
_PREFIXES = ("@" + marks.PREFIX, "@" + marks.WHEN_PREFIX)
_DEFINITION = re.compile(r'^((?:; Function Attrs: .*\n)?define [^@\n]*@("[^"]*"|[-a-zA-Z$._0-9]+)\(.*)\n((?:.*\n)*?)}$', re.MULTILINE)
_ESCAPED = re.compile(r"\\([0-9A-F]{2})")


class Definition(NamedTuple):
    """A function that a module defines: its first line with the comment on its attributes, its name and its other lines."""

    head: str
    name: str
    body: str


def definitions(text: str) -> Iterator[Definition]:
    """The functions that the text of a module defines."""
    for found in _DEFINITION.finditer(text):
        name = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), found[2].strip('"')).encode("latin-1").decode()
        yield Definition(found[1], name, found[3])


def has_marks(text: str) -> bool:
    """Whether there is a mark in a module."""
    return any(prefix in text for prefix in _PREFIXES)


def without_marks(text: str) -> str:
    """A module that does the same without marks."""
    return "\n".join(line for line in DECLARED.sub("", text).split("\n") if not MARK_CALL.match(line) and not WHEN_CALL.match(line))
