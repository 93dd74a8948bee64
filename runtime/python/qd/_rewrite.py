"""arch=qd.python: a kernel's source as Python with the types of a device.

The rewritten function has the file, the first line and the line structure of the original: each statement stays one statement on its lines, and
branches stay branches, so that coverage.py records the lines and arcs of the source. Operators, element access, atomics and the few functions whose
meaning differs become calls of `_semantics`. Arguments of qd.static stay plain Python."""

from __future__ import annotations
import __future__

import ast
import copy
import types
from typing import Any

from qd import _annotations, _builtins, _functions, _places, _semantics, _source
from qd._decorators import Func
from qd._errors import KernelSyntaxError, KernelTypeError
from qd._rewrite_names import BINARY, MATH, PYTHON, SPACE, UNARY, Names
from qd._value import Compound

_COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_ATOMIC = {getattr(_functions, name): name for name in [*_places.ATOMICS, "atomic_cas"]}
_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names if name != "nested_scopes")

_REFUSED = {
    "Try": "`try`", "TryStar": "`try`", "Raise": "`raise`", "Import": "`import`", "ImportFrom": "`import`", "Global": "`global`",
    "Nonlocal": "`nonlocal`", "Delete": "`del`", "Yield": "`yield`", "YieldFrom": "`yield`", "Lambda": "`lambda`", "Set": "a set display",
    "SetComp": "a set comprehension", "FunctionDef": "a nested `def`", "AsyncFunctionDef": "`async def`", "ClassDef": "`class`",
    "With": "`with`", "AsyncWith": "`async with`",
    "AsyncFor": "`async for`", "Match": "`match`", "Await": "`await`", "TypeAlias": "`type`",
}  # fmt: skip
"""What no kernel may contain, by the name of its node: compiled kernels refuse it, and it would run here."""

namespace = types.SimpleNamespace(
    **{name: thing for module in (_semantics, _places, _builtins) for name, thing in vars(module).items()},
    **{f"math_{name}": getattr(_functions, name) for name in _functions.MATH},
)


rewritten: set[types.CodeType] = set()
"""The code of every kernel and func that runs here."""


def rewrite(
    function: types.FunctionType, fixed: dict[str, str], whole: frozenset[str] = frozenset(), kernel: bool = False, early: bool = False
) -> types.FunctionType:
    """The function that runs in place of a kernel or func on arch=qd.python. `fixed` are the names that it must not assign, with the reason; of those
    in `whole` no component or member either. `early`: it may return from inside of ifs and loops."""
    tree = copy.deepcopy(_source.definition(function))
    code = function.__code__
    tree.body = _Rewriter(function, fixed, whole, kernel, early).body(tree)
    if tree.decorator_list:
        # Never evaluated; it keeps the function's first line.
        tree.decorator_list = [ast.copy_location(ast.Name(SPACE, ast.Load()), tree.decorator_list[0])]
    outer = ast.FunctionDef("__qd_outer__", _parameters([*code.co_freevars, SPACE]), [tree], [], lineno=1, col_offset=0)
    if "type_params" in ast.FunctionDef._fields:
        outer.type_params = []  # type: ignore[attr-defined]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    compiled = compile(module, code.co_filename, "exec", flags=code.co_flags & _FUTURE, dont_inherit=True)
    inner = _code_named(_code_named(compiled, "__qd_outer__"), code.co_name)
    if hasattr(code, "co_qualname"):
        inner = inner.replace(co_qualname=code.co_qualname)  # type: ignore[call-arg,unused-ignore]
    rewritten.add(inner)
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[SPACE] = types.CellType(namespace)
    closure = tuple(cells[name] for name in inner.co_freevars)
    return types.FunctionType(inner, function.__globals__, function.__name__, function.__defaults__, closure)


def _parameters(names: list[str]) -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[ast.arg(n) for n in names], kwonlyargs=[], kw_defaults=[], defaults=[])


def _code_named(code: types.CodeType, name: str) -> types.CodeType:
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


class _Rewriter(Names):
    def __init__(self, function: types.FunctionType, fixed: dict[str, str], whole: frozenset[str], kernel: bool, early: bool) -> None:
        super().__init__(function)
        self.kernel = kernel
        self.early = early
        self.loops: list[str] = []  # around, the innermost last: parallel, serial, static
        self.serial = False  # the next loop, by qd.loop_config
        self.whole = whole
        self.fixed = fixed
        self.temporaries = 0
        self.runtime_depth = 0  # ifs and loops around that are no qd.static

    def refused(self, node: Any, message: str) -> KernelSyntaxError:
        return KernelSyntaxError(f"{self.function.__code__.co_filename}:{node.lineno}: {message}")

    def visit(self, node: ast.AST) -> Any:
        what = _REFUSED.get(type(node).__name__)
        if what is not None:
            raise self.refused(node, f"{what} is not supported in kernels")
        return super().visit(node)

    # --- statements ---

    def body(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        return self.block(tree.body)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            done += made if isinstance(made, list) else [made]
        return done

    def scoped(self, statements: list[ast.stmt], names: set[str] | None = None) -> list[ast.stmt]:
        self.scopes.append(names or set())
        done = self.block(statements)
        self.scopes.pop()
        return done

    def bind(self, where: ast.AST, name: str, value: ast.expr) -> ast.expr:
        """`value` as the variable `name` takes it: its first value gives a variable its type."""
        if any(name in scope for scope in self.scopes):
            return self.call(where, "assigned", ast.copy_location(ast.Name(name, ast.Load()), where), value)
        self.scopes[-1].add(name)
        return self.call(where, "values", value)

    def assign(self, where: ast.stmt, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        if isinstance(target, ast.Name):
            self.check_assignable(where, target.id)
            return [ast.copy_location(ast.Assign([target], self.bind(where, target.id, value)), where)]
        self.check_part(where, target)
        if isinstance(target, ast.Subscript):
            stored = self.call(where, "store", value, self.place(target.value), self.index(target.slice))
            return [ast.copy_location(ast.Expr(stored), where)]
        if isinstance(target, ast.Attribute):
            stored = self.call(where, "store_member", value, self.place(target.value), _at(ast.Constant(target.attr), target))
            return [ast.copy_location(ast.Expr(stored), where)]
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [self.temporary() for _ in target.elts]
            places: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
            starred = [isinstance(element, ast.Starred) for element in target.elts]
            parts = ast.Tuple([ast.Starred(p, ast.Store()) if star else p for p, star in zip(places, starred)], ast.Store())
            made: list[ast.stmt] = [_at(ast.Assign([parts], self.call(where, "unpacked", value)), where)]
            for name, element in zip(names, target.elts):
                element = element.value if isinstance(element, ast.Starred) else element
                made += self.assign(where, element, _at(ast.Name(name, ast.Load()), where))
            return made
        raise KernelSyntaxError(f"{self.function.__code__.co_filename}:{where.lineno}: {ast.unparse(target)} cannot be assigned to in a kernel")

    def check_assignable(self, where: ast.stmt | ast.expr, name: str) -> None:
        if name in self.fixed:
            raise KernelTypeError(f"{self.function.__code__.co_filename}:{where.lineno}: {self.fixed[name]}")

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

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self.assign(node, node.targets[0], value)
        name = self.temporary()
        made: list[ast.stmt] = [_at(ast.Assign([ast.Name(name, ast.Store())], value), node)]
        for target in node.targets:
            made += self.assign(node, target, _at(ast.Name(name, ast.Load()), node))
        return made

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is not None and isinstance(node.target, ast.Name):
            self.scopes[-1].add(node.target.id)
            node.value = self.call(node.value, "cast", self.visit(node.value), node.annotation)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        operate = self.helper(node, BINARY[type(node.op)])
        value = self.visit(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            self.check_assignable(node, target.id)
            old = ast.copy_location(ast.Name(target.id, ast.Load()), node)
            return ast.copy_location(ast.Assign([target], self.call(node, "updated", old, operate, value)), node)
        self.check_part(node, target)
        if isinstance(target, ast.Subscript):
            place = [self.place(target.value), self.index(target.slice)]
            return ast.copy_location(ast.Expr(self.call(node, "update", *place, operate, value)), node)
        if isinstance(target, ast.Attribute):
            place = [self.place(target.value), _at(ast.Constant(target.attr), target)]
            return ast.copy_location(ast.Expr(self.call(node, "update_member", *place, operate, value)), node)
        raise KernelSyntaxError(f"{self.function.__code__.co_filename}:{node.lineno}: {ast.unparse(target)} cannot be assigned to in a kernel")

    def visit_Expr(self, node: ast.Expr) -> Any:
        if self.callee(node.value, {_functions.loop_config}) is not None:
            self.serial = any(keyword.arg in ("serialize", "parallelize") for keyword in node.value.keywords)  # type: ignore[attr-defined]
        self.generic_visit(node)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        if self.runtime_depth and not self.early:
            raise self.refused(node, "Return inside non-static if/for is not supported in a kernel")
        self.generic_visit(node)
        return node

    def visit_Break(self, node: ast.Break) -> Any:
        if self.loops[-1] == "parallel":
            raise self.refused(node, "Cannot break in the outermost loop: it runs in parallel; qd.loop_config(serialize=True) makes it serial")
        return node

    def check_orelse(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise self.refused(node.orelse[0], "`else` of a loop is not supported in kernels")

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.check_orelse(node)
        names = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        static = self.is_static(node.iter)
        iterate = "iterate" if self.runtime_depth else "iterate_in_parallel"
        node.iter = self.visit(node.iter) if static else self.call(node.iter, iterate, self.visit(node.iter))
        parallel = self.kernel and not self.runtime_depth and not self.serial
        self.loops.append("static" if static else "parallel" if parallel else "serial")
        self.runtime_depth += not static
        self.serial = self.serial and static
        node.body = self.scoped(node.body, names)
        self.runtime_depth -= not static
        self.loops.pop()
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.check_orelse(node)
        node.test = self.test(node.test)
        self.runtime_depth += 1
        self.loops.append("serial")
        node.body = self.scoped(node.body)
        self.loops.pop()
        self.runtime_depth -= 1
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        static = self.is_static(node.test) or _asks_for_none(node.test)
        node.test = self.test(node.test)
        arms: list[set[str]] = [set(), set()]
        self.runtime_depth += not static
        node.body = self.scoped(node.body, arms[0])
        node.orelse = self.scoped(node.orelse, arms[1])
        self.runtime_depth -= not static
        if static:  # not a scope of its own; what both arms assign is known after it
            self.scopes[-1] |= arms[0] & arms[1]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        if not _semantics.debug():  # as on a device, where only debug mode compiles asserts
            return ast.copy_location(ast.Pass(), node)
        node.test = self.test(node.test)
        if node.msg is not None:
            node.msg = self.visit(node.msg)
        return node

    # --- expressions ---

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
        return self.call(node, "to_bool", self.test(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self.call(node, "negation", self.test(node.operand))
        if isinstance(node.operand, ast.Constant) and not isinstance(node.operand.value, bool):
            return node
        return self.call(node, UNARY[type(node.op)], self.visit(node.operand))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.call(node, BINARY[type(node.op)], self.visit(node.left), self.visit(node.right))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(type(op) not in _COMPARE for op in node.ops):
            if not _asks_for_none(node):
                raise self.refused(node, f"`{'in' if isinstance(node.ops[0], (ast.In, ast.NotIn)) else 'is'}` is only supported under qd.static")
            self.generic_visit(node)
            return node
        left = self.visit(node.left)
        parts: list[ast.expr] = []
        for i, (op, right) in enumerate(zip(node.ops, node.comparators)):
            right = self.visit(right)
            next_left = right
            if i + 1 < len(node.ops):  # evaluated once
                name = self.temporary()
                right = _at(ast.NamedExpr(ast.Name(name, ast.Store()), right), right)
                next_left = _at(ast.Name(name, ast.Load()), right)
            parts.append(self.call(node, _COMPARE[type(op)], left, right))
            left = next_left
        return parts[0] if len(parts) == 1 else ast.copy_location(ast.BoolOp(ast.And(), parts), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        static = self.is_static(node.test) or _asks_for_none(node.test)
        # Both arms have one type, and only one of them may be evaluated: of the other a value of its type stands in, where that is easily had.
        kinds = self.kind(node.body), self.kind(node.orelse)
        node.test, node.body, node.orelse = self.test(node.test), self.visit(node.body), self.visit(node.orelse)
        if kinds[1] is not None and not static:
            node.body = self.call(node.body, "typed_as_with", node.body, _all_at(kinds[1], node.body))
        if kinds[0] is not None and not static:
            node.orelse = self.call(node.orelse, "typed_as_with", node.orelse, _all_at(kinds[0], node.orelse))
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        node.value = self.bind(node, node.target.id, self.visit(node.value))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            self.generic_visit(node)
            return node
        return self.call(node, "load", self.visit(node.value), self.index(node.slice))

    def index(self, node: ast.expr) -> ast.expr:
        """An index, with slices as objects."""
        if isinstance(node, ast.Slice):
            parts = [_at(ast.Constant(None), node) if part is None else self.visit(part) for part in (node.lower, node.upper, node.step)]
            return self.call(node, "part", *parts)
        if isinstance(node, ast.Tuple):
            node.elts = [self.index(element) for element in node.elts]
            return node
        visited: ast.expr = self.visit(node)
        return visited

    def place(self, node: ast.expr) -> ast.expr:
        """What a component, a member or an element of is assigned to: not a copy."""
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
        if name is None and (of_math := self.callee(node, MATH)) is not None:
            name = f"math_{of_math}"
        if name is not None:
            node.func = self.helper(node.func, name)
        atomic = self.callee(node, _ATOMIC)
        if atomic is not None:
            return self.atomic(node, atomic)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format" and isinstance(node.func.value, ast.Constant):
            node.args = [self.call(a, "formatted", self.visit(a)) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.call(keyword.value, "formatted", self.visit(keyword.value))
            return node
        references = self.references(node)
        if isinstance(node.func, ast.Attribute) and self.resolve(node.func) is None:
            called = self.place(node.func.value)  # a method may change what it is called on
            node.func.value = self.call(node, "receiver", called, ast.Constant(node.func.attr))
        else:
            node.func = self.visit(node.func)
        node.args = [self.place(a) if i in references else self.visit(a) for i, a in enumerate(node.args)]
        for keyword in node.keywords:
            keyword.value = self.place(keyword.value) if keyword.arg in references else self.visit(keyword.value)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        node.value = self.call(node.value, "formatted" if node.conversion == -1 else "printed", self.visit(node.value))
        return node

    def references(self, node: ast.Call) -> set[Any]:
        """Which parameters, by position and by name, of the func that is called are templates: they stand for the place that is passed."""
        called = self.resolve(node.func)
        if not isinstance(called, Func):
            return set()
        function = called._function
        annotations = _source.evaluated_annotations(function)
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        found = [(i, name) for i, name in enumerate(names) if _annotations.is_template(annotations.get(name))]
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
            return self.call(node, "atomic_member", which, self.place(target.value), _at(ast.Constant(target.attr), target), *operands)
        if not isinstance(target, ast.Name):
            message = f"{self.function.__code__.co_filename}:{node.lineno}: qd.{name} needs an element or a variable to change"
            raise KernelSyntaxError(message)
        self.check_assignable(node, target.id)
        old = ast.copy_location(ast.Name(target.id, ast.Load()), node)
        value = self.call(node, "exchanged", which, old, _at(ast.Tuple(operands, ast.Load()), node))
        changed = _at(ast.NamedExpr(ast.Name(target.id, ast.Store()), value), node)
        return self.call(node, "first", old, changed)


def _at(node: Any, where: ast.AST) -> Any:
    return ast.fix_missing_locations(ast.copy_location(node, where))


def _all_at(node: ast.expr, where: ast.AST) -> ast.expr:
    """An expression on the line of another: it has no line of its own."""
    for part in ast.walk(node):
        ast.copy_location(part, where)
    return node


def _asks_for_none(node: ast.expr) -> bool:
    """``x is None``, which is known at compile time."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.left, ast.Name):
        return False
    right = node.comparators[0]
    return isinstance(node.ops[0], (ast.Is, ast.IsNot)) and isinstance(right, ast.Constant) and right.value is None
