"""Checkpoints in the source of a kernel: their labels, in the program's values, and the names of their flags."""

from __future__ import annotations

import ast
import textwrap
import types
from typing import Any, NamedTuple

from qdcov._kernels import graph, source, source_text


class Checkpoint(NamedTuple):
    """A ``with qd.checkpoint(...)``."""

    label: Any  # an int, as the program has it: a member of an IntEnum, for example
    flag: str  # empty when it has none


def resolve(function: types.FunctionType, node: ast.expr) -> Any:
    """The value of a dotted name that is none of a function's variables: a name of a module, or a member of a class. `source.MISSING` when there
    is no such thing."""
    if isinstance(node, ast.Attribute):
        owner = resolve(function, node.value)
        return getattr(owner, node.attr, source.MISSING) if isinstance(owner, (types.ModuleType, type)) else source.MISSING
    code = function.__code__
    if not isinstance(node, ast.Name) or node.id in code.co_varnames or node.id in code.co_cellvars:
        return source.MISSING
    return source.lookup(function, node.id)


def label_of(function: types.FunctionType, node: ast.expr) -> Any:
    """The label that an expression stands for; `source.MISSING` when it is no constant integer."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        found = node.operand.value
        return -found if type(found) is int else source.MISSING
    found = node.value if isinstance(node, ast.Constant) else resolve(function, node)
    return found if isinstance(found, int) and not isinstance(found, bool) else source.MISSING


def arguments(call: ast.Call) -> tuple[ast.expr | None, ast.expr | None] | None:
    """The label and the flag of a call of qd.checkpoint; None when it has other arguments."""
    given: dict[str | None, ast.expr] = dict(zip(("cp_id", "yield_on"), call.args))
    given.update((keyword.arg, keyword.value) for keyword in call.keywords)
    several = len(given) != len(call.args) + len(call.keywords) or any(isinstance(argument, ast.Starred) for argument in call.args)
    if several or not given.keys() <= {"cp_id", "yield_on"}:
        return None
    flag = given.get("yield_on")
    return given.get("cp_id"), None if isinstance(flag, ast.Constant) and flag.value is None else flag


def checkpoints(function: types.FunctionType) -> dict[int, Checkpoint]:
    """The checkpoints of a kernel by label. The compiler reports errors in them."""
    found: dict[int, Checkpoint] = {}
    for node in ast.walk(source.definition(function)):
        if not isinstance(node, ast.With) or len(node.items) != 1:
            continue
        call = node.items[0].context_expr
        if not isinstance(call, ast.Call) or resolve(function, call.func) is not graph.checkpoint:
            continue
        label, flag = arguments(call) or (None, None)
        known = source.MISSING if label is None else label_of(function, label)
        if isinstance(known, int):
            found.setdefault(int(known), Checkpoint(known, "" if flag is None else ast.unparse(flag)))
    return found


def version(function: types.FunctionType) -> str:
    """A hash of the text of a kernel, wherever it stands in its file."""
    definition = source.definition(function)
    first = definition.decorator_list[0].lineno if definition.decorator_list else definition.lineno
    lines = source_text.of(function).splitlines()[first - 1 : definition.end_lineno]
    text = textwrap.dedent("\n".join(line.rstrip() for line in lines))
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:32]
