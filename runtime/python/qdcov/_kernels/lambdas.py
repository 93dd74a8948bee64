"""The lambda in a text of which Python has made a function: a line may have several.

Python knows a lambda by the line where it begins. Of several in a line, it is the one whose code is that of the function. Each of them is compiled
with a line number of its own, by which its code is found; the codes are compared as if they had that of the function."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

NAME = "<lambda>"
"""The name of the code of each lambda."""

_MARKS = 1_000_000_000
"""Line numbers from here on are those of no text."""


def in_line(tree: ast.AST, line: int) -> list[ast.Lambda]:
    """The lambdas that begin in a line."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda) and node.lineno == line]


def of_code(code: types.CodeType, modules: Callable[[], Iterable[ast.Module]], flags: int) -> tuple[int, int] | None:
    """Line and column of the lambda of a code; None where there is none in the syntax trees that `modules` makes, each time anew. Where several do
    the same, and the code has no columns (python -X no_debug_ranges, Python 3.10), it is the first of them."""
    line = code.co_firstlineno
    alike = []
    for module in modules():
        nodes = in_line(module, line)
        columns = [node.col_offset for node in nodes]
        for i, node in enumerate(nodes):
            node.lineno = node.end_lineno = _MARKS + i
        made = compile(module, code.co_filename, "exec", flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        for found in _codes_in(made):
            if found.co_firstlineno >= _MARKS and found.co_name == NAME and _content(found) == _content(code):
                alike.append((columns[found.co_firstlineno - _MARKS], found))
    exact = [column for column, found in alike if _positions(found, line) == _positions(code, line)]
    return (line, min(exact or [column for column, _ in alike])) if alike else None


def _codes_in(code: types.CodeType) -> Iterable[types.CodeType]:
    todo = [code]
    while todo:
        code = todo.pop()
        yield code
        todo += (constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _content(code: types.CodeType) -> Any:
    """All of a code but its place."""
    inner = [_content(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    constants = tuple(None if isinstance(constant, types.CodeType) else constant for constant in code.co_consts)
    return code.replace(co_firstlineno=1, co_linetable=b"", co_consts=constants), inner


def _positions(code: types.CodeType, line: int) -> list[Any]:
    """The places of the instructions of a code and of those in it, with the line of a marked lambda as `line`."""

    def unmarked(number: int | None) -> int | None:
        return line if number is not None and number >= _MARKS else number

    def of(one: Any) -> list[Any]:
        return [(unmarked(first), unmarked(last), *columns) for first, last, *columns in one.co_positions()]

    return [of(one) for one in _codes_in(code)] if sys.version_info >= (3, 11) else []


def as_definition(node: ast.Lambda) -> ast.FunctionDef:
    """A lambda as a function that returns its body."""
    body = ast.copy_location(ast.Return(node.body), node.body)
    made = ast.copy_location(ast.FunctionDef(NAME, node.args, [body], []), node)
    if "type_params" in ast.FunctionDef._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return made
