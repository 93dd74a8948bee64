"""Rewriting for arch=qd.python: expressions, and refusals of constructs that kernels may not contain."""

from __future__ import annotations

import ast
import types
from typing import Any

from qdcov._arrays.annotations import is_template
from qdcov._errors import KernelSyntaxError, KernelTypeError
from qdcov._interpreter import places
from qdcov._interpreter.rewrite_names import BINARY, MATH, MEASURES, PYTHON, UNARY, Names, is_part
from qdcov._kernels import source
from qdcov._kernels.decorators import Func
from qdcov._scalars.value import Compound
from qdcov._values import functions
from qdcov._values.matrix import Matrix
from qdcov._values.matrix_type import MatrixType
from qdcov._values.vector import Vector

_COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
ATOMIC = {getattr(functions, name): name for name in [*places.ATOMICS, "atomic_cas"]}

_REFUSED = {
    "Try": "`try`", "TryStar": "`try`", "Raise": "`raise`", "Import": "`import`", "ImportFrom": "`import`", "Global": "`global`",
    "Nonlocal": "`nonlocal`", "Delete": "`del`", "Yield": "`yield`", "YieldFrom": "`yield`", "Lambda": "`lambda`", "Set": "a set display",
    "SetComp": "a set comprehension", "AsyncFunctionDef": "`async def`", "ClassDef": "`class`",
    "AsyncWith": "`async with`", "AsyncFor": "`async for`", "Match": "`match`", "Await": "`await`", "TypeAlias": "`type`",
}  # fmt: skip
"""Constructs that no kernel may contain, by the name of their node: compiled kernels refuse them, and they would run here."""

_OF_NUMBERS = (Vector, Matrix, Matrix.rows, Matrix.cols)
"""Makers of vectors and matrices from lists of numbers."""


class Expressions(Names):
    """Expressions of one function. `fixed` are the names that it must not assign, with the reason; of those in `whole` it changes no component and no
    member either."""

    def __init__(self, function: types.FunctionType, fixed: dict[str, str], whole: frozenset[str]) -> None:
        super().__init__(function)
        self.whole = whole
        self.fixed = fixed
        self.temporaries = 0
        self.early = False  # may return from inside of ifs and loops
        self.kernel = False
        self.plain = False  # a function that nobody has decorated: what is known is decided by Python
        self.runtime_depth = 0  # ifs and loops around that are no qd.static
        self.decided_ifs = 0  # ifs among these whose test has to be known

    def refused(self, node: Any, message: str) -> KernelSyntaxError:
        return KernelSyntaxError(f"{self.function.__code__.co_filename}:{node.lineno}: {message}")

    def visit(self, node: ast.AST) -> Any:
        what = _REFUSED.get(type(node).__name__)
        if isinstance(node, ast.FunctionDef):
            raise self.refused(node, f"Function definition is not allowed in 'qd.{'kernel' if self.kernel else 'func'}'")
        if what is not None:
            raise self.refused(node, f'Unsupported node "{type(node).__name__}": {what} is not supported in kernels')
        return super().visit(node)

    def bind(self, where: ast.AST, name: str, value: ast.expr) -> ast.expr:
        """The value `value` for the variable `name`: its first value gives a variable its type. `_`, which nobody reads, is another one each time."""
        renewed = name == "_" and name in self.scopes[-1]
        if not renewed and any(name in scope for scope in self.scopes):
            return self.call(where, "assigned", ast.copy_location(ast.Name(name, ast.Load()), where), value)
        self.scopes[-1].add(name)
        return self.call(where, "values", value)

    def check_assignable(self, where: ast.stmt | ast.expr, name: str) -> None:
        if name in self.fixed:
            error = KernelSyntaxError if self.kernel else KernelTypeError
            raise error(f"{self.function.__code__.co_filename}:{where.lineno}: {self.fixed[name]}")

    def check_part(self, where: ast.stmt | ast.expr, target: ast.expr) -> None:
        """Refuses to change components and members of arguments and of values from outside."""
        root = target
        while isinstance(root, (ast.Subscript, ast.Attribute)):
            root = root.value
        if root is target or not isinstance(root, ast.Name):
            return
        if root.id in self.whole:
            self.check_assignable(where, root.id)
        if isinstance(self.resolve(root), Compound):
            message = f"`{root.id}` is a value from outside of the kernel, a constant: assign it to a variable first"
            raise KernelTypeError(f"{self.function.__code__.co_filename}:{where.lineno}: {message}")

    def temporary(self) -> str:
        self.temporaries += 1
        return f"__qd_{self.temporaries}"

    def test(self, node: ast.expr) -> ast.expr:
        """A condition: constants and the shape of `and`, `or`, `not` stay, so that Python compiles the same jumps."""
        if isinstance(node, ast.BoolOp):
            node.values = [self.test(v) for v in node.values]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.test(node.operand)
        else:
            visited: ast.expr = self.visit(node)
            return visited
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        # The operand that decides is the value, in the type of all operands: of those that are not evaluated a value of their type stands in.
        kinds = [kind for part in node.values if (kind := self.kind(part)) is not None]
        parts = [self.visit(part) for part in node.values]
        made: ast.expr = parts[0]
        for part in parts[1:]:
            made = self.either(node, made, part)
        return self.call(node, "number_typed_as_with", made, _all_at(self.together(node, kinds), node)) if kinds else made

    def either(self, node: ast.BoolOp, first: ast.expr, second: ast.expr) -> ast.expr:
        """`first and second`, or `or`. A vector decides nothing, and then both are taken component by component."""
        name, is_and = self.temporary(), ast.copy_location(ast.Constant(isinstance(node.op, ast.And)), node)
        kept = ast.copy_location(ast.NamedExpr(ast.copy_location(ast.Name(name, ast.Store()), first), first), first)
        choice = ast.copy_location(ast.BoolOp(node.op, [self.call(first, "decider", is_and, kept), second]), node)
        return self.call(node, "logic", is_and, choice, ast.copy_location(ast.Name(name, ast.Load()), node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self.call(node, "negation", self.test(node.operand))
        if isinstance(node.operand, ast.Constant) and not isinstance(node.operand.value, bool):
            return node
        return self.call(node, UNARY[type(node.op)], self.visit(node.operand))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.call(node, BINARY[type(node.op)], self.visit(node.left), self.visit(node.right))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            operands = (self.visit(node.left), self.visit(node.comparators[0]))
            found = self.call(node, "found_in", *operands, ast.Constant(self.plain), ast.Constant(str(self.refused(node, _only_static(node)))))
            return found if isinstance(node.ops[0], ast.In) else at(ast.UnaryOp(ast.Not(), found), node)
        if any(type(op) not in _COMPARE for op in node.ops):
            if not asks_for_none(node) and not self.plain:
                raise self.refused(node, _only_static(node))
            self.generic_visit(node)
            if self.plain:
                message = str(self.refused(node, _only_static(node)))
                node.left = self.call(node.left, "decided", node.left, ast.Constant(message))
                node.comparators = [self.call(part, "decided", part, ast.Constant(message)) for part in node.comparators]
            return node
        left = self.visit(node.left)
        parts: list[ast.expr] = []
        for i, (op, right) in enumerate(zip(node.ops, node.comparators)):
            right = self.visit(right)
            next_left = right
            if i + 1 < len(node.ops):  # evaluated once
                name = self.temporary()
                right = at(ast.NamedExpr(ast.Name(name, ast.Store()), right), right)
                next_left = at(ast.Name(name, ast.Load()), right)
            parts.append(self.call(node, _COMPARE[type(op)], left, right))
            left = next_left
        return parts[0] if len(parts) == 1 else ast.copy_location(ast.BoolOp(ast.And(), parts), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        static = self.is_static(node.test) or asks_for_none(node.test)
        # Both arms have one type, and only one of them may be evaluated: of the other a value of its type stands in, where that is easily had.
        kinds = self.kind(node.body), self.kind(node.orelse)
        node.test, node.body, node.orelse = self.test(node.test), self.visit(node.body), self.visit(node.orelse)
        if kinds[1] is not None and not static:
            node.body = self.call(node.body, "typed_as_with", node.body, _all_at(kinds[1], node.body))
        if kinds[0] is not None and not static:
            node.orelse = self.call(node.orelse, "typed_as_with", node.orelse, _all_at(kinds[0], node.orelse))
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        bounds = node.iter.args if self.callee(node.iter, {range}) is not None else None  # type: ignore[attr-defined]
        if bounds is None:
            node.iter = self.visit(node.iter)
        else:
            node.iter = self.call(node.iter, "constant_range", *(self.visit(bound) for bound in bounds))
        node.target = self.visit(node.target)
        node.ifs = [self.test(part) for part in node.ifs]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr not in MEASURES or not isinstance(node.ctx, ast.Load):
            return node
        return self.call(node, "measure", node.value, at(ast.Constant(node.attr), node))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        node.value = self.bind(node, node.target.id, self.visit(node.value))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            self.generic_visit(node)
            return node
        helper = "load_part" if is_part(node) else "load"
        return self.call(node, helper, self.visit(node.value), self.index(node.slice))

    def index(self, node: ast.expr) -> ast.expr:
        """An index, with slices as objects."""
        if isinstance(node, ast.Slice):
            parts = [at(ast.Constant(None), node) if part is None else self.visit(part) for part in (node.lower, node.upper, node.step)]
            return self.call(node, "part", *parts)
        if isinstance(node, ast.Tuple):
            node.elts = [self.index(element) for element in node.elts]
            return node
        visited: ast.expr = self.visit(node)
        return visited

    def place(self, node: ast.expr) -> ast.expr:
        """The place for an assignment to a component, a member or an element of it: not a copy."""
        if isinstance(node, ast.Subscript):
            return self.call(node, "place", self.place(node.value), self.index(node.slice))
        if isinstance(node, ast.Attribute) and self.resolve(node) is None:
            node.value = self.place(node.value)
            return node
        visited: ast.expr = self.visit(node)
        return visited

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if self.is_static(node):
            return node
        name = self.callee(node, PYTHON)
        self.check_top_level(node)
        self.check_place(node)
        if name is None and (of_math := self.callee(node, MATH)) is not None:
            name = f"math_{of_math}"
        if name is not None:
            node.func = self.helper(node.func, name)
        atomic = self.callee(node, ATOMIC)
        if atomic is not None:
            return self.atomic(node, atomic)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format" and isinstance(node.func.value, ast.Constant):
            node.args = [self.call(a, "formatted", self.visit(a)) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.call(keyword.value, "formatted", self.visit(keyword.value))
            return node
        if self.callee(node, {super}) is not None:
            return self.super_call(node)
        references = self.references(node)
        called = self.resolve(node.func)
        if isinstance(node.func, ast.Attribute) and called is None:
            on = self.place(node.func.value)  # a method may change its object
            node.func.value = self.call(node, "receiver", on, ast.Constant(node.func.attr))
            node.func = self.call(node, "callable_in_kernels", node.func)
        elif name is None:
            node.func = self.call(node, "callable_in_kernels", self.visit(node.func))
        else:
            node.func = self.visit(node.func)
        node.args = [self.place(a) if i in references else self.visit(a) for i, a in enumerate(node.args)]
        if isinstance(called, MatrixType) or (called is not None and called in _OF_NUMBERS):
            node.args = [a if isinstance(a, ast.Starred) else self.call(a, "listed_numbers", a) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.call(keyword.value, "listed_numbers", keyword.value)
        for keyword in node.keywords:
            keyword.value = self.place(keyword.value) if keyword.arg in references else self.visit(keyword.value)
        return node

    def super_call(self, node: ast.Call) -> ast.expr:
        """Rewrites ``super()`` and ``super(C, self)``."""
        if node.keywords or len(node.args) not in (0, 2):
            raise self.refused(node, "`super` takes nothing, or a class and an object")
        if node.args:
            return self.call(node, "super_of", *(self.place(argument) for argument in node.args))
        code = self.function.__code__
        if "__class__" not in code.co_freevars or code.co_argcount == 0:
            raise self.refused(node, "`super()` stands in a method of a class, which gets its object as the first parameter")
        return self.call(node, "super_of", *(at(ast.Name(name, ast.Load()), node) for name in ("__class__", code.co_varnames[0])))

    def check_place(self, node: ast.Call) -> None:
        """Refuses the calls that are no expressions."""

    def check_top_level(self, node: ast.Call) -> None:
        """Refuses a call of a func with requires_top_level=True, by way of other funcs too, if it is decided at run time whether it is called."""
        called = self.resolve(node.func)
        conditional = self.runtime_depth > 0 or self.early
        func = _first_top_level(called, set()) if conditional and isinstance(called, Func) else None
        if func is not None:
            what = f"`{func._function.__name__}` has requires_top_level=True: it is called at the top level of a kernel"
            raise self.refused(node, f"{what}, not under a `for`, `if` or `while` that runs, nor in a @qd.real_func")

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        node.value = self.call(node.value, "formatted" if node.conversion == -1 else "printed", self.visit(node.value))
        return node

    def references(self, node: ast.Call) -> set[Any]:
        """Parameters of the called func, by position and by name, that are templates: they stand for the place that is passed."""
        called = self.resolve(node.func)
        if not isinstance(called, Func):
            return set()
        function = called._function
        annotations = source.evaluated_annotations(function)
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        found = [(i, name) for i, name in enumerate(names) if is_template(annotations.get(name))]
        return {key for pair in found for key in pair}

    def atomic(self, node: ast.Call, name: str) -> ast.expr:
        if node.keywords or len(node.args) != (3 if name == "atomic_cas" else 2):
            raise KernelSyntaxError(f"{self.function.__code__.co_filename}:{node.lineno}: qd.{name} takes a place and its operands")
        which = ast.copy_location(ast.Constant(name), node)
        target, operands = node.args[0], [self.visit(a) for a in node.args[1:]]
        self.check_part(node, target)
        if isinstance(target, ast.Subscript):
            return self.call(node, "atomic", which, self.place(target.value), self.index(target.slice), *operands)
        if isinstance(target, ast.Attribute):
            return self.call(node, "atomic_member", which, self.place(target.value), at(ast.Constant(target.attr), target), *operands)
        if not isinstance(target, ast.Name):
            message = f"{self.function.__code__.co_filename}:{node.lineno}: qd.{name} needs an element or a variable to change"
            raise KernelSyntaxError(message)
        self.check_assignable(node, target.id)
        old = ast.copy_location(ast.Name(target.id, ast.Load()), node)
        value = self.call(node, "exchanged", which, old, at(ast.Tuple(operands, ast.Load()), node))
        changed = at(ast.NamedExpr(ast.Name(target.id, ast.Store()), value), node)
        return self.call(node, "first", old, changed)


def _first_top_level(func: Func, seen: set[Func]) -> Func | None:
    """A func with requires_top_level=True that a call of `func` comes to."""
    if func._top_level or func in seen:
        return func if func._top_level else None
    seen.add(func)
    names = Names(func._function)
    called = [names.resolve(node.func) for node in ast.walk(source.definition(func._function)) if isinstance(node, ast.Call)]
    return next((found for other in called if isinstance(other, Func) and (found := _first_top_level(other, seen))), None)


def at(node: Any, where: ast.AST) -> Any:
    return ast.fix_missing_locations(ast.copy_location(node, where))


def _all_at(node: ast.expr, where: ast.AST) -> ast.expr:
    """An expression on the line of another: it has no line of its own."""
    for part in ast.walk(node):
        ast.copy_location(part, where)
    return node


def _only_static(node: ast.Compare) -> str:
    return f"`{'in' if isinstance(node.ops[0], (ast.In, ast.NotIn)) else 'is'}` is only supported under qd.static"


def asks_for_none(node: ast.expr) -> bool:
    """Whether an expression is ``x is None``, which is known at compile time."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.left, ast.Name):
        return False
    right = node.comparators[0]
    return isinstance(node.ops[0], (ast.Is, ast.IsNot)) and isinstance(right, ast.Constant) and right.value is None
