"""Rewriting for arch=qd.python: do-whiles, parallel sections, checkpoints and blocks of streams.

A part that runs side by side with others stays a `with`. A checkpoint becomes an `if`, with a statement behind it that stands on the line of the
`with`, where Python comes back to at the end of one. So coverage.py sees the arcs of a `with`, and of one whose body is skipped."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable
from typing import Any

from qdcov._interpreter.changes import MethodCall, assigns, method_call, root
from qdcov._interpreter.graph_rules import Rules
from qdcov._interpreter.rewrite_expressions import ATOMIC, at
from qdcov._kernels import graph


class Graphs(Rules):
    """Statements of graph kernels."""

    numbers = 0
    """Places whose passes and variables are kept over a launch."""

    def scoped(self, statements: list[ast.stmt], names: set[str] | None = None) -> list[ast.stmt]:
        raise NotImplementedError

    def number(self) -> ast.Constant:
        self.numbers += 1
        return ast.Constant(self.numbers)

    def inside(self, of: object, statements: list[ast.stmt]) -> list[ast.stmt]:
        self.around.append(of)  # type: ignore[arg-type]
        done = self.scoped(statements)
        self.around.pop()
        return done

    def do_while(self, node: ast.While, call: ast.Call) -> ast.stmt:
        """Rewrites ``while qd.graph.do_while(flag):``."""
        of = self.callee(call, graph.DO_WHILE)
        self.check_decorator(node, of)
        self.check_position(node, of)
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            raise self.refused(node, f"{graph.NAMES[of]} takes one argument, its flag")
        if of is graph.graph_do_while:
            place = self.function.__code__.co_filename, node.lineno, self.function.__module__
            warnings.warn_explicit("qd.graph_do_while is now written qd.graph.do_while", DeprecationWarning, *place)
        flag = self.flag(call.args[0], of)
        node.test = at(self.call(call, "repeats", self.number(), self.visit(flag)), call)
        self.loops.append(("do-while", self.runtime_depth))
        node.body = self.inside(of, node.body)
        self.loops.pop()
        return node

    def visit_With(self, node: ast.With) -> list[ast.stmt]:
        of = self.check_with(node)
        call = node.items[0].context_expr
        assert isinstance(call, ast.Call)
        if of is graph.checkpoint:
            return self.checkpoint(node, call)
        if of is not graph.parallel:
            self.check_body(of, node.body)
        node.items[0].context_expr = here(self.helper(call, "together" if of is graph.parallel_context else "beside"), call)
        node.body = self.inside(of, node.body)
        return [node]

    def checkpoint(self, node: ast.With, call: ast.Call) -> list[ast.stmt]:
        label, flag = self.label(node, call)
        flag = None if flag is None else self.visit(self.flag(flag, graph.checkpoint))
        self.check_body(graph.checkpoint, node.body)
        number, names = self.number(), self.changed(node.body)
        body = self.inside(graph.checkpoint, node.body)
        entered = self.call(call, "enters", number, ast.Constant(label))
        behind = self.leaves(call, number, names, label, flag)
        return [ast.copy_location(ast.If(here(entered, call), body, []), call), behind]

    def is_gated(self, node: ast.For, static: bool) -> bool:
        """Whether a loop is a checkpoint without a label."""
        return self.plan.checkpoints and not static and self.runtime_depth == 0 and graph.checkpoint not in self.around

    def gated(self, node: ast.For, names: dict[str, list[MethodCall]]) -> list[ast.stmt]:
        """Rewrites such a loop; `names` are the variables that it may change."""
        number = self.number()
        node.iter = self.call(node.iter, "gated", number, node.iter)
        return [node, self.leaves(node.target, number, names)] if names else [node]

    def leaves(
        self, where: ast.expr, number: ast.Constant, names: dict[str, list[MethodCall]], label: int | None = None, flag: ast.expr | None = None
    ) -> ast.stmt:
        """The code behind the body of a checkpoint: it takes variables and flag, and gives the variables."""
        values = [ast.Name(name, ast.Load()) for name in names]
        calls = ast.parse(repr([[tuple(call) for call in calls] for calls in names.values()]), mode="eval").body
        left = self.call(where, "leaves", ast.Constant(number.value), ast.Constant(label), flag or ast.Constant(None), calls, *values)
        targets = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        made: ast.stmt = ast.Assign([targets], left) if names else ast.Expr(left)
        return here(made, where)  # type: ignore[no-any-return]

    def changed(self, statements: Iterable[ast.stmt]) -> dict[str, list[MethodCall]]:
        """The variables from before some statements that these may change: assign, change a part of, or pass to a function that changes it. For a
        variable that only methods may change, the calls of these."""
        assigned: set[str] = set()
        called: dict[str, list[MethodCall]] = {}
        for node in (node for statement in statements for node in ast.walk(statement)):
            if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                assigned.add(root(node))
            elif isinstance(node, ast.Call):
                assigned.update(map(root, self.changed_by_call(node)))
                if isinstance(node.func, ast.Attribute):
                    called.setdefault(root(node.func), []).append(method_call(node.func))
        names = sorted(name for name in assigned | called.keys() if any(name in scope for scope in self.scopes) and name not in self.fixed)
        return {name: [] if name in assigned else called[name] for name in names}

    def changed_by_call(self, node: ast.Call) -> list[ast.expr]:
        if self.callee(node, ATOMIC) is not None:
            return node.args[:1]
        references = self.references(node)
        if not references:
            return []
        function = self.resolve(node.func)._function
        passed = [*enumerate(node.args), *((keyword.arg, keyword.value) for keyword in node.keywords)]
        names = function.__code__.co_varnames
        return [value for key, value in passed if key in references and assigns(function, names[key] if isinstance(key, int) else str(key))]


def here(node: Any, where: ast.AST) -> Any:
    """A statement or an expression with all its parts on the first line of another."""
    for part in ast.walk(node):
        ast.copy_location(part, where)
        if isinstance(part, (ast.expr, ast.stmt)):
            part.end_lineno, part.end_col_offset = part.lineno, part.col_offset  # a call of a member is traced on its last line
    return node
