"""CPython's syntax trees in the text form of dump_ast.cpp."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Callable
from typing import Any

Dump = Callable[[Any], str]

# Fields that the tool does not know or leaves out where they are empty.
OMITTED = {"type_comment", "kind", "type_ignores"}
OPTIONAL = {"type_params", "default_value"}


def _constant(value: object) -> str:
    if value is None or value is True or value is False:
        return repr(value)
    if value is ...:
        return "..."
    if isinstance(value, int):
        return f"i{value:x}"
    if isinstance(value, float):
        return "f" + struct.pack(">d", value).hex()
    if isinstance(value, complex):
        return "j" + struct.pack(">d", value.imag).hex()
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogatepass").hex()
    assert isinstance(value, bytes)
    return "b" + value.hex()


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + " ".join([DUMPS[v.__class__](v) for v in value]) + "]"
    return DUMPS[value.__class__](value)


def _make_dump(cls: type[ast.AST]) -> Dump:
    """A function for nodes of one class: an f-string over its fields, which is several times faster than a loop."""
    if not cls._fields:
        if issubclass(cls, (ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context)):
            name = cls.__name__
            return lambda node: name
    position = ""
    if "lineno" in cls._attributes:
        position = "@{n.lineno}:{n.col_offset}-{n.end_lineno}:{n.end_col_offset}"
    fields = []
    optional = []
    for name in cls._fields:
        if name in OMITTED:
            continue
        if name in OPTIONAL:
            optional.append(name)
        elif cls.__name__ in ("Constant", "MatchSingleton"):
            fields.append("{constant(n.value)}")
        else:
            fields.append("{value(n." + name + ")}")
    source = "lambda n: f'" + cls.__name__ + position + "(" + ",".join(fields)
    for name in optional:
        source += '{"" if not n.' + name + ' else "," + value(n.' + name + ")}"
    source += ")'"
    dump: Dump = eval(source, {"constant": _constant, "value": _value})
    return dump


DUMPS: dict[type, Dump] = {cls: _make_dump(cls) for cls in vars(ast).values() if isinstance(cls, type) and issubclass(cls, ast.AST)}
DUMPS[type(None)] = lambda value: "~"
DUMPS[str] = lambda value: value or "~"
DUMPS[int] = str


def dump(tree: ast.Module) -> str:
    """The whole module as one line."""
    return _value(tree.body)


def without_positions(text: str) -> str:
    """`text` without the positions of its nodes."""
    return re.sub(r"@\d+:-?\d+-\d+:-?\d+", "", text)
