"""Rules for do-whiles, sections, checkpoints and blocks of streams in a kernel: their places and their contents."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable
from typing import Any

from qdcov._interpreter.graph_plan import Flag, Plan
from qdcov._interpreter.rewrite_expressions import Expressions
from qdcov._kernels import graph, graph_source, source
from qdcov._kernels.decorators import Func
from qdcov._values import functions

_ALL = "qd.stream_parallel(), qd.graph.parallel_context(), qd.graph.parallel() or qd.checkpoint(...)"
_AGAIN = "a `while qd.graph.do_while(...)`"
_UNDER = "not under an `if`, `for` or `while`, nor in"
_OF_COMPILER = {functions.static_assert, functions.static_print}
"""Calls that leave nothing to run."""


class Rules(Expressions):
    """The rules for one kernel or func. `around` has the do-whiles and contexts around a statement, the innermost last."""

    def __init__(self, function: types.FunctionType, fixed: dict[str, str], whole: frozenset[str], plan: Plan | None) -> None:
        super().__init__(function, fixed, whole)
        self.kernel = plan is not None
        self.plan = plan or Plan()
        self.around: list[Callable[..., Any]] = []
        self.loops: list[tuple[str, int]] = []  # around, the innermost last: parallel, serial, static or do-while, and runtime_depth in it
        self.top: list[ast.stmt] = []  # the statements of the function itself

    def check_streams(self, tree: ast.FunctionDef) -> None:
        """Refuses statements beside blocks of streams."""
        self.top = list(tree.body)
        blocks = [s for s in tree.body if isinstance(s, ast.With) and self.context_of(s) is graph.stream_parallel]
        other = [s for s in tree.body if s not in blocks and not self.is_of_compiler(s)]
        if self.kernel and blocks and other:
            what = "all statements at the top level of a kernel with qd.stream_parallel are such blocks"
            raise self.refused(other[0], f"{what}: what runs before or behind them belongs into another kernel")

    def context_of(self, node: ast.With) -> Any:
        """The function that a `with` calls, or None."""
        return self.callee(node.items[0].context_expr, graph.CONTEXTS)

    def is_of_compiler(self, node: ast.stmt) -> bool:
        """Whether nothing runs for a statement: docstrings, `pass`, checks and prints at compile time."""
        constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        return constant or isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and self.callee(node.value, _OF_COMPILER) is not None)

    def in_graph(self, of: Callable[..., Any]) -> bool:
        """Whether this is directly in a do-while or a context of one kind, not under something that runs."""
        return self.runtime_depth == 0 and bool(self.around) and self.around[-1] is of

    # --- positions ---

    def check_with(self, node: ast.With) -> Callable[..., Any]:
        """Refuses a `with` that no kernel may have here; gives the function that it calls."""
        if len(node.items) != 1:
            raise self.refused(node, "`with` in a kernel takes one context: write one `with` for each")
        if node.items[0].optional_vars is not None:
            raise self.refused(node, "`with ... as` is not supported in kernels: their contexts have no value")
        call = node.items[0].context_expr
        if not isinstance(call, ast.Call):
            raise self.refused(node, f"`with` in a kernel takes a call: {_ALL}")
        of: Callable[..., Any] | None = self.context_of(node)
        if of is None:
            raise self.refused(node, f"`with` in a kernel takes {_ALL}, not `{ast.unparse(call)}`")
        self.check_decorator(node, of)
        if of is not graph.checkpoint and (call.args or call.keywords):
            raise self.refused(node, f"{graph.NAMES[of]} takes no arguments")
        self.check_position(node, of)
        return of

    def check_decorator(self, node: ast.stmt, of: Callable[..., Any]) -> None:
        name = graph.NAMES[of]
        if not self.kernel:
            raise self.refused(node, f"{name} stands in a @qd.kernel, not in a func")
        if of is graph.stream_parallel:
            if self.plan.graph:
                instead = "write the blocks as `with qd.graph.parallel():` in a `with qd.graph.parallel_context():`"
                raise self.refused(node, f"{name} is not compatible with graph=True: {instead}")
        elif of is graph.checkpoint:
            if not self.plan.checkpoints:
                raise self.refused(node, f"{name} needs @qd.kernel(graph=True, checkpoints=True)")
        elif not self.plan.graph:
            raise self.refused(node, f"{name} requires @qd.kernel(graph=True)")
        elif self.plan.checkpoints and of in (graph.parallel_context, graph.parallel):
            why = "its sections would run whatever a launch has yielded or resumed"
            raise self.refused(node, f"{name} is not supported in a kernel with checkpoints=True: {why}")

    def check_position(self, node: ast.stmt, of: Callable[..., Any]) -> None:
        name = graph.NAMES[of]
        if of is graph.parallel:
            if not self.in_graph(graph.parallel_context):
                raise self.refused(node, f"{name} stands directly in a `with qd.graph.parallel_context():`")
        elif of is graph.stream_parallel:
            if node not in self.top:
                raise self.refused(node, f"{name} stands at the top level of a kernel, {_UNDER} another `with`")
        elif of is graph.checkpoint and of in self.around:
            raise self.refused(node, f"{name} cannot stand in another checkpoint: write them one after the other")
        elif self.runtime_depth > 0 or any(other not in graph.DO_WHILE for other in self.around):
            where = f"another{_AGAIN[1:]}, {_UNDER} a `with`" if of in graph.DO_WHILE else f"{_AGAIN}, {_UNDER} another `with`"
            raise self.refused(node, f"{name} stands at the top level of a kernel or directly in {where}")

    def check_place(self, node: ast.Call) -> None:
        """Refuses these functions outside of their places."""
        of = self.callee(node, graph.NAMES)
        if of is None:
            return
        if self.callee(node, graph.DO_WHILE) is not None:
            raise self.refused(node, f"{of}(...) is the condition of a `while`: write `while {of}(flag):`")
        raise self.refused(node, f"{of}(...) stands in a `with`: write `with {of}({'...' if of == 'qd.checkpoint' else ''}):`")

    # --- contents ---

    def check_body(self, of: Callable[..., Any], statements: Iterable[ast.stmt]) -> None:
        """Checks the contents of a context: sections, or loops; an `if` or `for` with qd.static may be around them."""
        name = f"a `with {graph.NAMES[of]}{'(...)' if of is graph.checkpoint else '()'}:`"
        loops = "`for` loops and calls of funcs" if of is graph.stream_parallel else "`for` loops"
        for node in statements:
            if self.is_of_compiler(node) or (of is graph.stream_parallel and self.calls_func(node)):
                continue
            if isinstance(node, ast.If) and self.is_static(node.test):
                self.check_body(of, [*node.body, *node.orelse])
            elif isinstance(node, ast.For) and self.is_static(node.iter):
                self.check_body(of, node.body)
            elif of is graph.parallel_context:
                if not isinstance(node, ast.With) or self.context_of(node) is not graph.parallel:
                    instead = "write this in a `with qd.graph.parallel():`, or before or behind the context"
                    raise self.refused(node, f"{name} holds sections alone: {instead}")
            elif isinstance(node, (ast.If, ast.While)):
                what = "if" if isinstance(node, ast.If) else "while"
                raise self.refused(node, f"{name} holds {loops} alone: write the `{what}` in a loop")
            elif not isinstance(node, (ast.For, ast.With)) and not self.is_loop_config(node):
                raise self.refused(node, f"{name} holds {loops} alone: write `for _ in range(1):` around this statement")

    def calls_func(self, node: ast.stmt) -> bool:
        """Whether a statement calls a func, or a method: its loops are loops of the block."""
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return False
        called = self.resolve(node.value.func)
        return called is None or isinstance(called, Func)

    def is_loop_config(self, node: ast.stmt) -> bool:
        return isinstance(node, ast.Expr) and self.callee(node.value, {functions.loop_config}) is not None

    def check_loop_config(self, call: ast.Call) -> None:
        """Refuses options that make a loop of a block of streams serial."""
        serial = any(k.arg == "serialize" and isinstance(k.value, ast.Constant) and k.value.value for k in call.keywords)
        if serial and self.in_graph(graph.stream_parallel):
            raise self.refused(call, self.serial_in_a_block)

    serial_in_a_block = "a loop directly in a `with qd.stream_parallel():` runs in parallel: it cannot have qd.loop_config(serialize=True)"

    def check_while(self, node: ast.While) -> None:
        """Refuses a `while` that is no do-while directly in a do-while."""
        if self.around and self.around[-1] in graph.DO_WHILE and all(kind in ("do-while", "static") for kind, _ in self.loops):
            raise self.refused(node, f"a `while` cannot stand directly in {_AGAIN}, nor under an `if` there: write `for _ in range(1):` around it")

    def check_jump(self, node: ast.stmt, name: str) -> None:
        """Refuses `break` and `continue` of a do-while."""
        if self.loops and self.loops[-1][0] == "do-while":
            instead = "set the flag to 0" if name == "break" else "write the rest of the body under an `if`"
            raise self.refused(node, f"`{name}` of {_AGAIN} is not supported: {instead}")

    def check_return(self, node: ast.Return) -> None:
        if self.around:
            raise self.refused(node, f"`return` cannot stand in {_AGAIN} or in a `with`")
        if self.plan.graph and node.value is not None:
            raise self.refused(node, "a kernel with graph=True returns nothing: write what it finds into an ndarray")

    # --- flags and labels ---

    def flag(self, node: ast.expr, of: Callable[..., Any]) -> ast.expr:
        """Notes the flag of a do-while or a checkpoint, which is an argument of the kernel."""
        members: list[str] = []
        root = node
        while isinstance(root, ast.Attribute):
            members.insert(0, root.attr)
            root = root.value
        if not isinstance(root, ast.Name) or root.id not in self.fixed:
            what = "is an argument of the kernel: a parameter, a member of one, or one of self"
            raise self.refused(node, f"the flag of {graph.NAMES[of]} {what}, not `{ast.unparse(node)}`")
        self.plan.flags.append(Flag(root.id, tuple(members), node.lineno, graph.NAMES[of]))
        return node

    def label(self, node: ast.With, call: ast.Call) -> tuple[int, ast.expr | None]:
        """The label and the flag of a checkpoint."""
        given = graph_source.arguments(call)
        if given is None or given[0] is None:
            raise self.refused(node, "qd.checkpoint takes a label and the flag to yield on: `qd.checkpoint(cp_id, yield_on=flag)`")
        label = graph_source.label_of(self.function, given[0])
        if label is source.MISSING:
            what = "is an integer that is known: a number, a member of an IntEnum, or an integer of the module"
            raise self.refused(node, f"the label of qd.checkpoint {what}, not `{ast.unparse(given[0])}`")
        if any(kind == "static" for kind, _ in self.loops):
            raise self.refused(node, "qd.checkpoint cannot stand in a `for` with qd.static: its label would be there more than once")
        if int(label) in self.plan.labels:
            raise self.refused(node, f"the label {ast.unparse(given[0])} of qd.checkpoint is there twice: each checkpoint of a kernel has its own")
        self.plan.labels.append(int(label))
        return int(label), given[1]
