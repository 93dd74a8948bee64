"""Docstrings: help() describes every public name."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from typing import Any

import qd


def public(thing: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a module or a class of ours, without those that a class has from Python's own."""
    if isinstance(thing, types.ModuleType):
        parts = {name: getattr(thing, name) for name in dir(thing)}
    else:
        parts = {}
        for base in reversed([base for base in thing.__mro__ if base.__module__.startswith("qd")]):
            parts.update(vars(base))
    yield from ((name, part) for name, part in parts.items() if not name.startswith("_") and part is not annotations)


def names(module: Any, path: str = "qd") -> Iterator[tuple[str, Any]]:
    """The public names of the package, of its public modules and classes, with their objects."""
    for name, thing in public(module):
        if isinstance(thing, types.ModuleType):
            if thing.__name__.startswith(("qd.", "qdcov.")):
                yield from names(thing, f"{path}.{name}")
            continue
        yield f"{path}.{name}", thing
        if isinstance(thing, type) and thing.__module__.startswith("qd"):
            yield from ((f"{path}.{name}.{member}", part) for member, part in public(thing))


def described(thing: Any) -> bool:
    """Whether a name is described: a function by its own docstring, a value (qd.f32, qd.math.vec3) at least by that of its class."""
    if isinstance(thing, (staticmethod, classmethod)):
        thing = thing.__func__
    if isinstance(thing, (int, float, str, types.MemberDescriptorType)):
        return True
    return bool(inspect.getdoc(thing))


def test_every_public_name_has_a_docstring() -> None:
    found = dict(names(qd))
    assert len(found) > 200
    assert [name for name, thing in found.items() if not described(thing)] == []


SHORT = 2  # letters of a parameter that mathematics names: x, dt
REFERRED = ("for the arguments", "for the other arguments")


def unexplained(thing: Any) -> list[str]:
    """The parameters of a function that its docstring does not name, but for short ones and those that every function of a kind has."""
    plain = thing.__func__ if isinstance(thing, (staticmethod, classmethod)) else thing
    text = " ".join((inspect.getdoc(plain) or "").split())
    if isinstance(plain, (type, qd.DataType, qd.MatrixType)) or not callable(plain) or any(words in text for words in REFERRED):
        return []
    parameters = [name for name in inspect.signature(plain).parameters if len(name) > SHORT and not name.startswith("_")]
    return [name for name in parameters if name not in ("self", "cls", "args", "kwargs", "operands") and not re.search(rf"\b{name}\b", text)]


def test_docstrings_name_the_parameters() -> None:
    found = {name: unexplained(thing) for name, thing in names(qd)}
    assert {name: parameters for name, parameters in found.items() if parameters} == {}
