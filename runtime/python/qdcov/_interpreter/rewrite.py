"""arch=qd.python: a kernel's source as Python with the types of a device.

The rewritten function has the file, the first line and the line structure of the original: each statement stays one statement on its lines, and
branches stay branches, so that coverage.py records the lines and arcs of the source. Operators, element access, atomics and the few functions whose
meaning differs become calls of `_scalars.semantics`. Arguments of qd.static stay plain Python."""

from __future__ import annotations
import __future__

import ast
import types
from typing import Any

from qdcov import _execution
from qdcov._errors import KernelSyntaxError
from qdcov._interpreter import claims, gates, objects, parts, places
from qdcov._interpreter.graph_plan import Plan
from qdcov._interpreter.rewrite_expressions import asks_for_none, at
from qdcov._interpreter.rewrite_names import BINARY, SPACE, has_slices, is_part, is_whole, read
from qdcov._interpreter.rewrite_threads import INDEX, STEPS, THREADS, Threads, never_waits, variables_of
from qdcov._kernels import graph, source
from qdcov._scalars import builtins, callstack, loops, semantics
from qdcov._values import functions
from qdcov.simt import _block_threads
from qdcov.simt._operations import MEETINGS

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names if name != "nested_scopes")

MODULES = (semantics, places, objects, parts, loops, builtins, gates, claims, _block_threads)
"""Modules of the helpers that rewritten code calls."""

_NO_RETURN = "Return inside non-static if/for is not supported in a kernel"

namespace = types.SimpleNamespace(
    **{name: thing for module in MODULES for name, thing in vars(module).items()},
    **{f"math_{name}": objects.exactly(name, getattr(functions, name)) for name in functions.MATH},
    **{STEPS + function.__name__: operation.steps for function, operation in MEETINGS.items()},
)


def rewrite(
    function: types.FunctionType,
    fixed: dict[str, str],
    whole: frozenset[str] = frozenset(),
    plan: Plan | None = None,
    early: bool = False,
    plain: bool = False,
    threaded: bool = False,
) -> types.FunctionType:
    """The function that runs in place of a kernel or func on arch=qd.python. `fixed` are the names that it must not assign, with the reason; of those
    in `whole` no component or member either. `plan` is a kernel's, None for a func. `early`: it may return from inside of ifs and loops.
    `plain`: nobody has decorated it. `threaded`: it is for a thread of a block, a generator."""
    tree = _copied(source.definition(function))
    code = function.__code__
    tree.body = _Rewriter(function, fixed, whole, plan, early, plain, threaded).body(tree)
    if threaded:
        first = 1 if ast.get_docstring(tree) is not None and len(tree.body) > 1 else 0
        tree.body.insert(first, never_waits(tree.body[first]))
    if tree.decorator_list:
        # Never evaluated; it keeps the function's first line.
        tree.decorator_list = [ast.copy_location(ast.Name(SPACE, ast.Load()), tree.decorator_list[0])]
    # A function of the module that calls itself means the one that the module has under its name.
    names: list[ast.stmt] = [] if code.co_name in code.co_freevars else [ast.Global([tree.name])]
    outer = ast.FunctionDef("__qd_outer__", _parameters([*code.co_freevars, SPACE]), [*names, tree], [], lineno=1, col_offset=0)
    if "type_params" in ast.FunctionDef._fields:
        outer.type_params = []  # type: ignore[attr-defined]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    compiled = compile(module, code.co_filename, "exec", flags=code.co_flags & _FUTURE, dont_inherit=True)
    inner = _named(_code_named(_code_named(compiled, "__qd_outer__"), code.co_name), code)
    nested = {c: _named(c, code) for c in inner.co_consts if isinstance(c, types.CodeType) and c.co_name.startswith(THREADS)}
    inner = inner.replace(co_consts=tuple(nested.get(c, c) if isinstance(c, types.CodeType) else c for c in inner.co_consts))
    if code not in source.library:
        callstack.rewritten.update([inner, *nested.values()])
        callstack.of_threads.update(nested.values())
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[SPACE] = types.CellType(namespace)
    closure = tuple(cells[name] for name in inner.co_freevars)
    return types.FunctionType(inner, function.__globals__, function.__name__, function.__defaults__, closure)


def _copied(part: Any) -> Any:
    """A copy of a syntax tree; `copy.deepcopy` takes five times as long."""
    if isinstance(part, ast.AST):
        made = type(part).__new__(type(part))  # a call of newer versions warns of fields that come later
        vars(made).update({name: _copied(inner) for name, inner in vars(part).items()})
        return made
    return [_copied(inner) for inner in part] if isinstance(part, list) else part


def _parameters(names: list[str]) -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[ast.arg(n) for n in names], kwonlyargs=[], kw_defaults=[], defaults=[])


def _code_named(code: types.CodeType, name: str) -> types.CodeType:
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def _named(made: types.CodeType, code: types.CodeType) -> types.CodeType:
    """Code that was made for a function, with its name."""
    made = made.replace(co_name=code.co_name)
    if hasattr(code, "co_qualname"):
        made = made.replace(co_qualname=code.co_qualname)  # type: ignore[call-arg,unused-ignore]
    if code in source.library:
        made = made.replace(co_filename=f"<qd {code.co_filename}>")  # which coverage.py takes for no file, and messages for no call of the program
    return made


class _Rewriter(Threads):
    """Statements, too."""

    def __init__(
        self, function: types.FunctionType, fixed: dict[str, str], whole: frozenset[str], plan: Plan | None, early: bool, plain: bool, threaded: bool
    ) -> None:
        super().__init__(function, fixed, whole, plan, threaded)
        self.early = early
        self.plain = plain
        self.checking = function.__code__ in source.checking

    def body(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        self.check_streams(tree)
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

    def assign(self, where: ast.stmt, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        if isinstance(target, ast.Name):
            self.check_assignable(where, target.id)
            return [ast.copy_location(ast.Assign([target], self.bind(where, target.id, value)), where)]
        self.check_part(where, target)
        if isinstance(target, ast.Subscript):
            helper = "store_part" if has_slices(target.slice) else "store"
            stored = self.call(where, helper, value, self.place(target.value), self.index(target.slice))
            return [ast.copy_location(ast.Expr(stored), where)]
        if isinstance(target, ast.Attribute):
            stored = self.call(where, "store_member", value, self.place(target.value), at(ast.Constant(target.attr), target))
            return [ast.copy_location(ast.Expr(stored), where)]
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [self.temporary() for _ in target.elts]
            targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
            starred = [isinstance(element, ast.Starred) for element in target.elts]
            pattern = ast.Tuple([ast.Starred(p, ast.Store()) if star else p for p, star in zip(targets, starred)], ast.Store())
            made: list[ast.stmt] = [at(ast.Assign([pattern], self.call(where, "unpacked", value)), where)]
            for name, element in zip(names, target.elts):
                element = element.value if isinstance(element, ast.Starred) else element
                made += self.assign(where, element, at(ast.Name(name, ast.Load()), where))
            return made
        raise KernelSyntaxError(f"{self.function.__code__.co_filename}:{where.lineno}: {ast.unparse(target)} cannot be assigned to in a kernel")

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        target, part = node.targets[0], node.value
        if len(node.targets) == 1 and is_whole(target) and is_part(part):
            self.check_part(node, target)
            loaded = self.call(node, "load_tile", self.place(target.value), self.visit(part.value), self.index(part.slice))
            return [ast.copy_location(ast.Expr(loaded), node)]
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self.assign(node, node.targets[0], value)
        name = self.temporary()
        made: list[ast.stmt] = [at(ast.Assign([ast.Name(name, ast.Store())], value), node)]
        for target in node.targets:
            made += self.assign(node, target, at(ast.Name(name, ast.Load()), node))
        return made

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            raise self.refused(node, "only a variable can have an annotation in kernels")
        if node.value is not None and isinstance(node.target, ast.Name):
            self.scopes[-1].add(node.target.id)
            node.value = self.call(node.value, "cast", self.visit(node.value), node.annotation)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if self.callee(node.value, {functions.outer}) is not None:
            return self.outer_update(node, node.value)  # type: ignore[arg-type]
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
            place = [self.place(target.value), at(ast.Constant(target.attr), target)]
            return ast.copy_location(ast.Expr(self.call(node, "update_member", *place, operate, value)), node)
        raise KernelSyntaxError(f"{self.function.__code__.co_filename}:{node.lineno}: {ast.unparse(target)} cannot be assigned to in a kernel")

    def outer_update(self, node: ast.AugAssign, product: ast.Call) -> ast.stmt:
        """``tile += qd.outer(a, b)`` and ``tile -= qd.outer(a, b)``."""
        method = places.OUTER.get(type(node.op))
        if method is None:
            raise self.refused(node, f"`+=` and `-=` with qd.outer(a, b) change a tile, not `{ast.unparse(node)}`")
        self.check_part(node, node.target)
        call = ast.Call(at(ast.Attribute(read(node.target), method, ast.Load()), node), product.args, product.keywords)
        made: ast.Expr = self.visit(ast.copy_location(ast.Expr(ast.copy_location(call, product)), node))
        return made

    def visit_Expr(self, node: ast.Expr) -> Any:
        if self.is_loop_config(node):
            self.check_loop_config(node.value)  # type: ignore[arg-type]
            names = {keyword.arg for keyword in node.value.keywords}  # type: ignore[attr-defined]
            self.serial, self.sized = not names.isdisjoint({"serialize", "parallelize"}), "block_dim" in names
        self.generic_visit(node)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        if self.runtime_depth > self.decided_ifs and not self.early:
            raise self.refused(node, _NO_RETURN)
        self.check_return(node)
        self.generic_visit(node)
        return node

    def visit_Break(self, node: ast.Break) -> Any:
        if self.loops[-1][0] == "parallel":
            raise self.refused(node, "Cannot break in the outermost loop: it runs in parallel; qd.loop_config(serialize=True) makes it serial")
        return self.visit_jump(node, "break")

    def visit_Continue(self, node: ast.Continue) -> Any:
        return self.visit_jump(node, "continue")

    def visit_jump(self, node: ast.stmt, name: str) -> Any:
        self.check_jump(node, name)
        kind, depth = self.loops[-1]
        if kind == "static" and self.runtime_depth > depth:
            raise self.refused(node, f"`{name}` of a static `for` cannot stand under an `if` that is decided at run time")
        return node

    def check_orelse(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise self.refused(node.orelse[0], "`else` of a loop is not supported in kernels")

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.check_orelse(node)
        names = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        static = self.is_static(node.iter)
        gated = self.is_gated(node, static)
        changed = self.changed(node.body) if gated else {}
        uses = self.uses(*node.body)
        if self.sized:  # a part of an array may be a column, with a number for each thread
            uses.any |= any(is_part(part) for statement in node.body for part in ast.walk(statement))
        self.sized = False
        blocks = self.has_blocks(static, uses)
        iterate = "iterate" if self.runtime_depth or self.threaded else "iterate_in_parallel"
        things = self.visit(node.iter)
        if static:
            node.iter = self.call(node.iter, "unrolled", things) if self.is_gated(node, False) else things
            if self.threaded and uses.any:
                node.iter = self.call(node.iter, "unrolled_in_thread", node.iter)
        else:
            if self.in_graph(graph.stream_parallel):
                message = ast.Constant(str(self.refused(node, self.serial_in_a_block)))
                things = self.call(node.iter, "concurrent", message, things)
            known = [variables_of(node)] if iterate == "iterate_in_parallel" else []
            node.iter = things if blocks else self.as_often(self.call(node.iter, iterate, things, *known), uses)
        if blocks:
            things, node.iter = node.iter, at(ast.Name(INDEX, ast.Load()), node.iter)
        if not static and isinstance(node.target, ast.Tuple) and len(node.target.elts) == 1:
            node.iter = self.call(node.iter, "singles", node.iter)
        parallel = self.kernel and not self.runtime_depth and not self.serial
        self.runtime_depth += not static
        self.loops.append(("static" if static else "parallel" if parallel else "serial", self.runtime_depth))
        self.serial = self.serial and static
        self.threaded |= blocks
        node.body = self.scoped(node.body, names)
        self.threaded &= not blocks
        self.runtime_depth -= not static
        self.loops.pop()
        if not blocks:
            return self.gated(node, changed) if gated else [node]
        if not gated:
            return self.block_loop(node, uses, things)
        checkpoint = ast.copy_location(ast.For(node.target, things, [], []), node)
        _, *behind = self.gated(checkpoint, changed)
        return [*self.block_loop(node, uses, checkpoint.iter), *behind]

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.check_orelse(node)
        if self.callee(node.test, graph.DO_WHILE) is not None:
            return self.do_while(node, node.test)  # type: ignore[arg-type]
        self.check_while(node)
        node.test = self.alike(self.test(node.test), self.uses(node.test, *node.body))
        self.runtime_depth += 1
        self.loops.append(("serial", self.runtime_depth))
        node.body = self.scoped(node.body)
        self.loops.pop()
        self.runtime_depth -= 1
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        static = self.is_static(node.test) or asks_for_none(node.test)
        decided = self.plain and not static and any(isinstance(part, ast.Return) for part in ast.walk(node))
        node.test = self.test(node.test) if static else self.alike(self.test(node.test), self.uses(*node.body, *node.orelse))
        if decided:
            node.test = self.call(node.test, "decided", node.test, ast.Constant(str(self.refused(node, _NO_RETURN))))
        self.decided_ifs += decided
        arms: list[set[str]] = [set(), set()]
        self.runtime_depth += not static
        node.body = self.scoped(node.body, arms[0])
        node.orelse = self.scoped(node.orelse, arms[1])
        self.runtime_depth -= not static
        self.decided_ifs -= decided
        if static:  # not a scope of its own; variables that both arms assign are known after it
            self.scopes[-1] |= arms[0] & arms[1]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        if not _execution.debug() and not self.checking:  # as on a device, where only debug mode compiles asserts
            return ast.copy_location(ast.Pass(), node)
        node.test = self.test(node.test)
        if node.msg is not None:
            node.msg = self.visit(node.msg)
        return node
