"""Rewriting for arch=qd.python: meanings of names, calls of helpers, and types of expressions that are not evaluated."""

from __future__ import annotations

import ast
import copy
import math
import types
from typing import Any, TypeGuard

from qdcov._dtypes import DataType
from qdcov._kernels import source
from qdcov._values import functions

SPACE = "__qd__"
BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "power",
    ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor", ast.MatMult: "matmul",
}  # fmt: skip
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
PYTHON = {
    int: "to_int", float: "to_float", bool: "to_bool", abs: "absolute", min: "minimum", max: "maximum", pow: "power", round: "nearest",
    range: "loop_range", print: "show", any: "some", all: "every", sum: "total",
    len: "length",
}  # fmt: skip
MEASURES = ("shape", "size", "offset")
"""Attributes of an array or a view for its extent."""
_OF_NUMBERS = {"to_int", "to_float", "to_bool", "absolute", "minimum", "maximum", "nearest"}
MATH = {getattr(math, name): name for name in functions.MATH if hasattr(math, name)}
STATIC = {functions.static, functions.static_assert, functions.static_print}


class Names(ast.NodeTransformer):
    """Meanings of the names of one function, and calls of helpers in their place."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function
        self.locals = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
        self.scopes: list[set[str]] = [set(source.parameters(function))]

    def call(self, where: ast.AST, name: str, *arguments: ast.expr) -> ast.Call:
        made = ast.Call(self.helper(where, name), list(arguments), [])
        return ast.copy_location(made, where)

    def helper(self, where: ast.AST, name: str) -> ast.expr:
        space = ast.copy_location(ast.Name(SPACE, ast.Load()), where)
        return ast.copy_location(ast.Attribute(space, name, ast.Load()), where)

    def resolve(self, node: ast.expr) -> Any:
        """The value of a dotted name outside the function, or None."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            found = source.lookup(self.function, node.id)
            return None if found is source.MISSING else found
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
        return None

    def callee(self, node: ast.expr, table: Any) -> Any:
        """The entry of `table` (a dict or a set) for the function that a call calls."""
        if not isinstance(node, ast.Call):
            return None
        function = self.resolve(node.func)
        try:
            found = function in table
        except TypeError:  # not hashable
            return None
        return (table[function] if isinstance(table, dict) else function) if found else None

    def is_static(self, node: ast.expr) -> bool:
        return self.callee(node, STATIC) is not None

    # --- types of expressions that are not evaluated ---

    def kind(self, node: ast.expr) -> ast.expr | None:
        """An expression of the type of `node`, without effects and failures: of variables, elements, numbers and operators. None: not known."""
        if is_number(node):
            return copy.deepcopy(node)
        if isinstance(node, ast.Name):
            known = any(node.id in scope for scope in self.scopes) if node.id in self.locals else self.resolve(node) is not None
            return self.call(node, "one_like", copy.deepcopy(node)) if known else None
        if isinstance(node, ast.Subscript):
            of = self.kind(node.value)
            several = len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
            return None if of is None or isinstance(node.slice, ast.Slice) else self.call(node, "element_like", of, ast.Constant(several))
        if isinstance(node, ast.Attribute):
            of = self.kind(node.value)
            if of is not None and node.attr in MEASURES:
                return self.call(node, "measure", of, ast.Constant(node.attr))
            return None if of is None else self.call(node, "one_like", ast.Attribute(of, node.attr, ast.Load()))
        if isinstance(node, ast.BoolOp):
            kinds = [self.kind(part) for part in node.values]
            return None if None in kinds else self.together(node, [kind for kind in kinds if kind is not None])
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return self.call(node, "one_like", ast.Constant(True))
        if isinstance(node, ast.IfExp):
            return self.made_of(node, [node.body, node.orelse], self.helper(node, "typed_as_with"))
        if isinstance(node, ast.UnaryOp):
            return self.made_of(node, [node.operand], self.helper(node, UNARY[type(node.op)]))
        if isinstance(node, ast.BinOp):
            return self.made_of(node, [node.left, node.right], self.helper(node, BINARY[type(node.op)]))
        if not isinstance(node, ast.Call) or node.keywords:
            return None
        known = self.callee(node, PYTHON)
        if known in _OF_NUMBERS:
            return self.made_of(node, node.args, self.helper(node, known))
        called = self.resolve(node.func)
        if isinstance(called, DataType) or any(called is getattr(functions, name) for name in functions.MATH):
            return self.made_of(node, node.args, copy.deepcopy(node.func))
        return None

    def together(self, node: ast.expr, kinds: list[ast.expr]) -> ast.expr:
        """An expression of the type that several have in common."""
        common = kinds[0]
        for kind in kinds[1:]:
            common = self.call(node, "typed_as_with", common, kind)
        return common

    def made_of(self, node: ast.expr, parts: list[ast.expr], function: ast.expr) -> ast.expr | None:
        """The `kind` of the result of a function of operands."""
        made: list[ast.expr] = []
        for part in parts:
            kind = self.kind(part)
            if kind is None:
                return None
            made.append(self.call(node, "one_like", kind))
        return ast.copy_location(ast.Call(function, made, []), node)


def is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def has_slices(index: ast.expr) -> bool:
    """Whether an index is ``:`` or the like, or has such among others."""
    return isinstance(index, ast.Slice) or (isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice) for part in index.elts))


def is_part(node: ast.AST) -> TypeGuard[ast.Subscript]:
    """Whether a node is ``x[a:b, c:d]``, ``x[a:b, c]`` or the like."""
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and has_slices(node.slice)


def is_whole(node: ast.expr) -> TypeGuard[ast.Subscript]:
    """Whether a node is ``x[:]``."""
    index = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(index, ast.Slice) and index.lower is None and index.upper is None and index.step is None


def read(target: ast.expr) -> ast.expr:
    """The target of an assignment as an expression that is read."""
    made = copy.copy(target)
    made.ctx = ast.Load()  # type: ignore[attr-defined]
    return made
