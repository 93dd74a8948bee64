"""Marks: the statements of Numba's IR that say that an arc was taken, and the functions they belong to.

A mark becomes a call of `@qdcov.mark.<function>.<number>` in LLVM IR, and the test of a condition one of `@qdcov.when.<function>.<number>` with its
value. The names say all: machine code from a cache, and the code of a callee that was linked into its caller, are understood by them alone. The bits
of compiled code are named after marks, and after outcomes of decisions: `qdcov.way.<function>.<decision>.<outcome>`."""

from __future__ import annotations

import hashlib
import inspect
from dataclasses import dataclass
from types import CodeType
from typing import Any

from .condition_tests import NONE, Conditions, Test, conditions_of
from .decisions import Decision
from .line_arcs import Arc, LineArcs
from .settings import records_conditions
from .sources import Source

PREFIX = "qdcov.mark."
WHEN_PREFIX = "qdcov.when."
WAY_PREFIX = "qdcov.way."


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
    conditions: Conditions = NONE
    """Its decisions, and where their conditions are tested; code from a cache has no such places."""

    def mark_name(self, arc: Arc) -> str:
        return f"{PREFIX}{self.key}.{self.arcs.index(arc)}"

    def when_name(self, offset: int) -> str:
        return f"{WHEN_PREFIX}{self.key}.{offset}"


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
    known = functions.get(key)
    if known is None or records_conditions() and not known.conditions.tests:
        conditions = conditions_of(code, source.text) if records_conditions() else NONE
        functions[key] = MarkedFunction(key, source.file, arcs.first_line, name, is_kernel(code), tuple(arcs.all()), source.text_hash, conditions)
    return functions[key]


def arc_of(mark_name: str) -> tuple[MarkedFunction, Arc]:
    """The function and the arc of a mark."""
    key, _, number = mark_name.removeprefix(PREFIX).partition(".")
    function = functions[key]
    return function, function.arcs[int(number)]


def ways_of(name: str) -> list[str]:
    """The bits of the decisions on which the test of a condition has effects; none for a mark."""
    if not name.startswith(WHEN_PREFIX):
        return []
    function, test = test_of(name)
    numbers = dict.fromkeys(effect.decision for effect in (*test.if_true, *test.if_false))
    return [way_name(function, number, way) for number in numbers for way in range(len(function.conditions.decisions[number].outcomes))]


def test_of(when_name: str) -> tuple[MarkedFunction, Test]:
    """The function, and its test of a condition."""
    key, _, offset = when_name.removeprefix(WHEN_PREFIX).partition(".")
    return functions[key], functions[key].conditions.tests[int(offset)]


def way_name(function: MarkedFunction, decision: int, way: int) -> str:
    """The name of the bit of an outcome."""
    return f"{WAY_PREFIX}{function.key}.{decision}.{way}"


def is_way(name: str) -> bool:
    """Whether a bit is that of an outcome of a decision."""
    return name.startswith(WAY_PREFIX)


def decision_of(way_name: str) -> tuple[str, int]:
    """The key of the function, and the number of its decision, to which an outcome belongs."""
    key, decision, _ = way_name.removeprefix(WAY_PREFIX).split(".")
    return key, int(decision)


def as_json(keys: list[str]) -> list[Any]:
    """Functions in the form in which compiled code carries them."""
    return [
        [f.key, f.file, f.first_line, f.name, f.is_kernel, [list(arc) for arc in f.arcs], f.text_hash, [list(d) for d in f.conditions.decisions]]
        for f in map(functions.__getitem__, keys)
    ]


def add_json(entries: list[Any]) -> list[MarkedFunction]:
    """Adds functions of compiled code from a cache."""
    added = []
    for key, file, first_line, name, kernel, arcs, text_hash, decisions in entries:
        conditions = Conditions(tuple(Decision(*decision) for decision in decisions), {})
        function = MarkedFunction(key, file, first_line, name, kernel, tuple((start, end) for start, end in arcs), text_hash, conditions)
        added.append(functions.setdefault(key, function))
    return added
