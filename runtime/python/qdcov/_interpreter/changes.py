"""Effects of a checkpoint's statements on variables, for arch=qd.python. The names that they assign are in the source; whether a method changes its
object depends on the type, which is known when the kernel runs."""

from __future__ import annotations

import ast
import types
from typing import Any, NamedTuple

from qdcov._arrays.annotations import is_template
from qdcov._interpreter.rewrite_expressions import ATOMIC
from qdcov._kernels import graph_source, source
from qdcov._scalars.value import Callee
from qdcov._values.struct import Struct


class MethodCall(NamedTuple):
    """A call of a method of a variable, ``v.method()``, or of a member of it, ``v.a.b.method()``."""

    members: tuple[str, ...]
    method: str


def root(node: ast.expr) -> str:
    """The variable that a place is a part of; nothing when it is of none."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def method_call(node: ast.Attribute) -> MethodCall:
    """The method call of this attribute. The members of an element are unknown: it is no struct."""
    members: list[str] = []
    of = node.value
    while isinstance(of, (ast.Subscript, ast.Attribute)):
        members = [of.attr, *members] if isinstance(of, ast.Attribute) else ["[]"]
        of = of.value
    return MethodCall(tuple(members), node.attr)


def changes(variable: Any, call: MethodCall, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a method may change the variable."""
    for member in call.members:
        variable = getattr(variable, member, None) if isinstance(variable, Struct) else None
    function = variable._type.methods.get(call.method) if isinstance(variable, Struct) else None
    if function is None:
        return call.method == "fill"
    function = getattr(function, "_function", function)
    name = function.__code__.co_varnames[0] if function.__code__.co_argcount else ""
    return function not in seen and assigns(function, name, variable, seen | {function})


def assigns(function: types.FunctionType, name: str, value: Any = None, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a func may assign to a parameter or to a part of it; `value` is the parameter's value, if that is known."""
    for node in ast.walk(source.definition(function)):
        if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store) and root(node) == name:
            return True
        if not isinstance(node, ast.Call):
            continue
        called = graph_source.resolve(function, node.func)
        if called is source.MISSING and isinstance(node.func, ast.Attribute) and root(node.func) == name:
            if value is None or changes(value, method_call(node.func), seen):
                return True
        elif any(root(argument) == name for argument in (*node.args, *(keyword.value for keyword in node.keywords))) and _takes_places(called):
            return True
    return False


def _takes_places(called: Any) -> bool:
    """Whether a function may assign to its arguments."""
    if not isinstance(called, Callee):
        return called in ATOMIC if isinstance(called, types.FunctionType) else False
    function: Any = getattr(called, "_function", called)
    return any(map(is_template, source.evaluated_annotations(function).values()))
