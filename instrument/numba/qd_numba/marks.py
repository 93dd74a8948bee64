"""Marks: the statements of Numba's IR that say that an arc was taken, and the functions they belong to.

A mark becomes a call of `@qdcov.mark.<function>.<number>` in LLVM IR. Its name says all: machine code from a cache, and the code of a callee that was
linked into its caller, are understood by the names alone."""

from __future__ import annotations

import hashlib
import inspect
from dataclasses import dataclass
from types import CodeType
from typing import Any

from .line_arcs import Arc, LineArcs
from .sources import Source

PREFIX = "qdcov.mark."


@dataclass(frozen=True)
class MarkedFunction:
    """A function of Python, as the data names it."""

    key: str
    file: str
    first_line: int
    name: str
    is_kernel: bool
    """Whether it is compiled by itself, as far as the code tells: closures and comprehensions are parts of other functions."""
    arcs: tuple[Arc, ...]
    text_hash: str
    """The SHA-256 of the text of its file when it was compiled."""

    def mark_name(self, arc: Arc) -> str:
        return f"{PREFIX}{self.key}.{self.arcs.index(arc)}"


functions: dict[str, MarkedFunction] = {}
"""The functions that have marks in this process, by their keys."""


def name_of(code: CodeType) -> str:
    """The name of a function in the data."""
    return getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")


def is_kernel(code: CodeType) -> bool:
    """Whether a function is compiled by itself, as far as its code tells."""
    return not code.co_flags & inspect.CO_NESTED


def function_of(code: CodeType, arcs: LineArcs, source: Source) -> MarkedFunction:
    """The entry of a function, which is the same whenever the same text is compiled."""
    name = name_of(code)
    text = f"{source.file}\0{arcs.first_line}\0{name}\0{source.text_hash}\0".encode(errors="surrogateescape")
    key = hashlib.sha256(text + code.co_code).hexdigest()[:16]
    if key not in functions:
        functions[key] = MarkedFunction(key, source.file, arcs.first_line, name, is_kernel(code), tuple(arcs.all()), source.text_hash)
    return functions[key]


def arc_of(mark_name: str) -> tuple[MarkedFunction, Arc]:
    """The function and the arc of a mark."""
    key, _, number = mark_name.removeprefix(PREFIX).partition(".")
    function = functions[key]
    return function, function.arcs[int(number)]


def as_json(keys: list[str]) -> list[Any]:
    """Functions in the form in which compiled code carries them."""
    return [[f.key, f.file, f.first_line, f.name, f.is_kernel, [list(arc) for arc in f.arcs], f.text_hash] for f in map(functions.__getitem__, keys)]


def add_json(entries: list[Any]) -> list[MarkedFunction]:
    """Adds functions of compiled code from a cache."""
    added = []
    for key, file, first_line, name, kernel, arcs, text_hash in entries:
        function = MarkedFunction(key, file, first_line, name, kernel, tuple((start, end) for start, end in arcs), text_hash)
        added.append(functions.setdefault(key, function))
    return added
