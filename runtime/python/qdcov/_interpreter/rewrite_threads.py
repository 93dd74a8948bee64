"""Rewriting for arch=qd.python: loops with blocks (qd.simt).

Such a loop becomes a generator that contains the `for` itself, and a call that runs one for each iteration (`simt._block_threads`). Both stand on the
lines of the loop, so that coverage.py sees the lines and arcs of the source, and beside them only those into and out of the generator, which no
source has. A call that may meet other threads has ``yield from``; so a func that does is rewritten a second time, as a generator."""

from __future__ import annotations

import ast
import types

from qdcov._interpreter import thread_uses
from qdcov._interpreter.graph_plan import Plan
from qdcov._interpreter.rewrite_expressions import at
from qdcov._interpreter.rewrite_graphs import Graphs, here
from qdcov._interpreter.thread_uses import Uses
from qdcov.simt._block_threads import Scope

STEPS = "steps_of_"
"""Prefix of an operation's name, in the name of its generator for a thread."""
THREADS = "__qd_threads_"
"""Prefix of the generators' names."""
INDEX = "__qd_index"
"""Name of the list of the one index that a thread has."""


class Threads(Graphs):
    """Code of the threads of a block. `threaded`: the code is that of a thread."""

    def __init__(self, function: types.FunctionType, fixed: dict[str, str], whole: frozenset[str], plan: Plan | None, threaded: bool) -> None:
        super().__init__(function, fixed, whole, plan)
        self.threaded = threaded
        self.serial = False  # the next loop, by qd.loop_config
        self.sized = False  # the next loop's block_dim is given there, too
        self.early = False
        self.comprehensions = 0
        self.block_loops = 0

    def uses(self, *nodes: ast.AST) -> Uses:
        return thread_uses.of_nodes(self, nodes)

    def step(self, call: ast.Call) -> ast.expr:
        """A call that the thread may wait in."""
        if self.comprehensions:
            raise self.refused(call, "operations of qd.simt that threads wait in cannot stand in a comprehension on arch=qd.python: write a loop")
        return ast.copy_location(ast.YieldFrom(call), call)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        self.comprehensions += 1
        self.generic_visit(node)
        self.comprehensions -= 1
        return node

    visit_GeneratorExp = visit_ListComp  # type: ignore[assignment]
    visit_DictComp = visit_ListComp  # type: ignore[assignment]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        uses = Uses() if self.is_static(node) else thread_uses.of_call(self, node)
        if not uses.any:
            return super().visit_Call(node)
        called = self.resolve(node.func)
        operation = thread_uses.is_operation(called)
        if uses.needs and self.early:
            raise self.refused(node, f"{uses.needs} cannot be used in a @qd.real_func")
        # Of a func that does not wait there is one form, for threads and for others.
        if not self.threaded and uses.block and (self.kernel or Scope.BLOCK in uses.meets) and (operation or self.runtime_depth):
            raise self.refused(node, f"{uses.block} is used outside of a parallel loop")
        made = super().visit_Call(node)
        if not self.threaded and self.runtime_depth and not operation and isinstance(made, ast.Call):
            made.func = self.call(made.func, "alone", made.func)
        if not self.threaded or not uses.waits or not isinstance(made, ast.Call):
            return made
        made.func = self.helper(made.func, STEPS + called.__name__) if operation else self.call(made.func, "in_turn", made.func)
        return self.step(made)

    # --- decisions that all threads that meet take alike ---

    def alike(self, test: ast.expr, uses: Uses) -> ast.expr:
        """A condition that is decided already, with operations under it in which threads meet."""
        if not self.threaded or uses.meeting is None:
            return test
        what, scope = uses.meeting
        decision = at(ast.IfExp(test, ast.Constant(True), ast.Constant(False)), test)
        return self.step(self.call(test, "alike", at(ast.Constant(what), test), self.helper(test, f"of_{scope.value}"), decision))

    def as_often(self, things: ast.expr, uses: Uses) -> ast.expr:
        """The iterable of a serial loop with such operations in it."""
        if not self.threaded or uses.meeting is None:
            return things
        what, scope = uses.meeting
        return self.step(self.call(things, "as_often", at(ast.Constant(what), things), self.helper(things, f"of_{scope.value}"), things))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        uses = Uses() if self.is_static(node.test) or not self.threaded else self.uses(node.body, node.orelse)
        made = super().visit_IfExp(node)
        if isinstance(made, ast.IfExp):
            made.test = self.alike(made.test, uses)
        return made

    # --- loops ---

    def has_blocks(self, static: bool, uses: Uses) -> bool:
        """Whether a loop is one with blocks."""
        return uses.any and not (static or self.runtime_depth or self.serial or self.threaded or self.early)

    def block_loop(self, node: ast.For, uses: Uses, things: ast.expr) -> list[ast.stmt]:
        """A loop whose body is rewritten already, as a generator for the index of one thread and the call that runs it. `things` is the loop's
        iterable; its own `for` runs over the list `INDEX`."""
        self.block_loops += 1
        name = f"{THREADS}{self.block_loops}"
        targets = {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
        names = [part for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Name)]
        stored = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        outer = sorted(name for name in stored - targets if any(name in scope for scope in self.scopes))
        body: list[ast.stmt] = [ast.copy_location(ast.Nonlocal(outer), node)] if outer else []
        parameters = ast.arguments(posonlyargs=[], args=[ast.arg(INDEX)], kwonlyargs=[], kw_defaults=[], defaults=[])
        made = ast.FunctionDef(name, parameters, [*body, never_waits(node), node], [])
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]
        for part in (made, parameters, *parameters.args):
            ast.copy_location(part, node)
        known = [at(ast.Constant(uses.block), node), at(ast.Constant(bool(uses.meets)), node), variables_of(node)]
        run = self.call(node, "run_blocks", at(ast.Name(name, ast.Load()), node), things, *known)
        return [made, here(ast.Expr(run), node)]


def never_waits(where: ast.AST) -> ast.stmt:
    """A statement that makes a function a generator although nothing in it waits: a func whose assert does is one without debug mode, too."""
    return at(ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], []), where)  # type: ignore[no-any-return]


def variables_of(node: ast.For) -> ast.expr:
    """The names of a loop's variables, for messages: text, a tuple of texts, or None for other targets."""
    parts = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    known: ast.expr = ast.Constant(None)
    if isinstance(node.target, ast.Name):
        known = ast.Constant(node.target.id)
    elif len(names) == len(parts):
        known = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
    for part in ast.walk(known):
        ast.copy_location(part, node.iter)
    return known
