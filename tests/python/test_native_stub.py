"""The stub of the native module, _native.pyi, has the module's names and no others."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from qdcov import _native

STUB = ast.parse((Path(__file__).resolve().parents[2] / "runtime" / "python" / "qdcov" / "_native.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def names(body: list[ast.stmt]) -> set[str]:
    attributes = {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return set(functions(body)) | attributes


def public(owner: Any) -> set[str]:
    return {name for name in vars(owner) if not name.startswith("__")}


def plain(annotation: ast.expr | None) -> str:
    """A type in words that both sides use: nanobind knows sequences where the stub says which, and bare dictionaries."""
    text = ast.unparse(annotation) if annotation else ""
    text = re.sub(r"\b(qdcov\._native|collections\.abc)\.", "", text)
    text = re.sub(r"\btuple\[(\w+), \.\.\.\]|\b(?:list|Sequence)\[(\w+)\]", lambda found: f"Sequence[{found[1] or found[2]}]", text)
    return re.sub(r"^(?:dict|Mapping)\[.*\]$", "dict", text)


def signature(function: ast.FunctionDef) -> list[tuple[str, str, bool]]:
    """Name, type and whether it goes by position alone, of each parameter and of the result."""
    args = function.args
    first = [(arg.arg, plain(arg.annotation), True) for arg in args.posonlyargs if arg.arg != "self"]
    named = [(arg.arg, plain(arg.annotation), False) for arg in [*args.args, *args.kwonlyargs] if arg.arg != "self"]
    return [*first, *named, ("return", plain(function.returns), True)]


def check(stub: ast.FunctionDef, made: Any) -> None:
    text = made.__nb_signature__[0][0]
    (real,) = ast.parse(f"{text}: ...").body
    assert isinstance(real, ast.FunctionDef)
    wanted, given = signature(real), signature(stub)
    assert len(wanted) == len(given), text
    for (name, kind, by_position), (stub_name, stub_kind, stub_by_position) in zip(wanted, given):
        assert by_position == stub_by_position and (by_position or name == stub_name), text
        assert kind == stub_kind or kind == "object", f"{text}: {stub_name}"


def test_the_names_of_the_module() -> None:
    assert names(STUB.body) | set(CLASSES) == public(_native)


@pytest.mark.parametrize("name", CLASSES)
def test_the_names_of_a_class(name: str) -> None:
    assert names(CLASSES[name].body) - {"__call__"} == public(getattr(_native, name))
    assert "__call__" not in names(CLASSES[name].body) or callable(getattr(_native, name).__call__)


@pytest.mark.parametrize("name", functions(STUB.body))
def test_functions(name: str) -> None:
    check(functions(STUB.body)[name], getattr(_native, name))


@pytest.mark.parametrize("owner, name", [(owner, name) for owner, node in CLASSES.items() for name in functions(node.body) if name != "__call__"])
def test_methods(owner: str, name: str) -> None:
    check(functions(CLASSES[owner].body)[name], vars(getattr(_native, owner))[name])
