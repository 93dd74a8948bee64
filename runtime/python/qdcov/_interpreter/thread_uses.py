"""Uses of operations of threads (qd.simt) in a part of a kernel, also in the funcs that it calls, for arch=qd.python."""

from __future__ import annotations

import ast
import dataclasses
import threading
import types
import weakref
from collections.abc import Iterable
from typing import Any

from qdcov import _execution
from qdcov._errors import KernelSyntaxError
from qdcov._interpreter.rewrite_names import Names
from qdcov._kernels import decorators, members, source
from qdcov._kernels.decorators import Func
from qdcov._values import functions
from qdcov.simt._block_threads import Scope
from qdcov.simt._operations import MEETINGS, OF_SUBGROUPS, OF_THREADS, SharedArray
from qdcov.simt._tiles import _subtract_outer


@dataclasses.dataclass
class Uses:
    """The operations of threads in some statements.

    `meets` has one for each scope whose threads are known to meet, `needs` one that is known to need a thread, `block` one that is known to need a
    block: those of subgroups also run on one thread alone. `any`: there are operations, or calls of functions that are not known yet and may have
    some; `waits`: threads may meet in them."""

    meets: dict[Scope, str] = dataclasses.field(default_factory=dict)
    needs: str = ""
    block: str = ""
    any: bool = False
    waits: bool = False

    def add(self, other: Uses, certain: bool) -> None:
        self.any |= other.any
        self.waits |= other.waits
        if certain:
            self.meets = {**other.meets, **self.meets}
            self.needs = self.needs or other.needs
            self.block = self.block or other.block

    @property
    def meeting(self) -> tuple[str, Scope] | None:
        """The operation that asks for the most threads to come, if there is one that threads meet in."""
        return next(((self.meets[scope], scope) for scope in (Scope.BLOCK, Scope.SUBGROUP) if scope in self.meets), None)


class _Looking(threading.local):
    """The funcs that this thread looks at now. One may call itself; its uses are then those found so far."""

    def __init__(self) -> None:
        self.uses: dict[Func, Uses] = {}
        self.by_name: dict[str, Uses] = {}  # of all funcs that a name may stand for, so that methods of one name that call it are no deep recursion


_looking = _Looking()
_of_funcs: weakref.WeakKeyDictionary[Func, Uses] = weakref.WeakKeyDictionary()
"""Of funcs that were looked at to the end, with all that they call."""
_run: object = None


def of_func(func: Func) -> Uses:
    """The uses of a func. Kept for a run of qd.init."""
    global _run
    if _run is not _execution.Options.run:
        _of_funcs.clear()
        _run = _execution.Options.run
    looking = _looking.uses
    found = _of_funcs.get(func) or looking.get(func)
    if found is not None:
        return found
    outermost = not looking
    found = looking[func] = Uses()
    try:
        found.add(of_nodes(Names(func._function), source.definition(func._function).body), not func._real)
        if outermost:  # the uses of another one may lack those of a func that calls it back
            _of_funcs[func] = found
    finally:
        if outermost:
            looking.clear()
            _looking.by_name.clear()
    return found


def is_operation(called: Any) -> bool:
    """Whether a function is an operation of threads itself."""
    return isinstance(called, types.FunctionType) and (called is SharedArray or called in MEETINGS or called in OF_THREADS)


def of_nodes(names: Names, nodes: Iterable[ast.AST]) -> Uses:
    """The uses of statements or expressions of a function; `names` are the function's."""
    found = Uses()
    for node in nodes:
        _add(found, names, node, True)
    return found


def _add(found: Uses, names: Names, node: ast.AST, certain: bool) -> None:
    if isinstance(node, ast.Call):
        found.add(of_call(names, node), certain)
    if isinstance(node, (ast.If, ast.IfExp)) and names.is_static(node.test):
        certain = False  # one of the arms is not there
    for part in ast.iter_child_nodes(node):
        _add(found, names, part, certain)


def of_call(names: Names, node: ast.Call) -> Uses:
    """The uses of the function that a call calls."""
    operation = names.callee(node, MEETINGS)
    if operation is not None:
        block = operation.what if operation.scope is Scope.BLOCK else ""
        return Uses({operation.scope: operation.what}, operation.what, block, True, True)
    what = names.callee(node, OF_THREADS)
    if what is not None:
        return Uses({}, what, "" if what in OF_SUBGROUPS else what, True)
    called = names.resolve(node.func)
    if called is SharedArray:
        return Uses(any=True)
    if called is functions.outer:
        return of_func(_subtract_outer)
    if isinstance(called, types.FunctionType):
        called = _plain_func(called)
    if isinstance(called, Func):
        return of_func(called)
    return of_candidates(node.func) if called is None else Uses()


def of_candidates(function: ast.expr) -> Uses:
    """The uses of all funcs that a name may stand for which is known only when the kernel runs."""
    name = function.attr if isinstance(function, ast.Attribute) else ""
    found = _looking.by_name.get(name)
    if found is not None:
        return found
    found = Uses()
    if _looking.uses:
        _looking.by_name[name] = found
    candidates = _candidates(function)
    certain = all(func._function.__code__ in source.library for func in candidates)  # methods of tiles, which no func of programs is called as
    for func in candidates:
        found.add(of_func(func), certain)
    return found


def _plain_func(function: types.FunctionType) -> Any:
    """The func that a function of the program becomes in a call with values of the run; None for one of a package, and for one that has no source."""
    try:
        return None if members.is_installed(function) else members.plain_func_of(function)
    except KernelSyntaxError:
        return None


def _candidates(function: ast.expr) -> list[Any]:
    """The funcs that a name may stand for which is known only when the kernel runs: of a method those with its name, of a parameter all of
    programs. A function that nobody has decorated tells what it does when it is called."""
    if isinstance(function, ast.Attribute):
        return decorators.funcs_named(function.attr)
    return [func for func in decorators.all_funcs() if func._function.__code__ not in source.library]
