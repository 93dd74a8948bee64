"""arch=qd.python: runs kernels and funcs as plain Python."""

from __future__ import annotations

import ast
import os
import re
import sys
import threading
import types
import typing
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from qdcov import _execution
from qdcov._arrays.annotations import is_template
from qdcov._arrays.arrays import Array
from qdcov._errors import KernelAssertionError, KernelCompilationError, KernelNameError, KernelSyntaxError, KernelTypeError
from qdcov._interpreter import parameters, rewrite, thread_uses
from qdcov._interpreter.graph_plan import Plan
from qdcov._kernels import source, streams
from qdcov._kernels.arguments import Binder
from qdcov._kernels.decorators import Func, interpret_funcs_with
from qdcov._scalars import callstack, checks, semantics
from qdcov._scalars.value import Compound, Memory
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType
from qdcov.simt import _block_threads

_UNKNOWN = re.compile(r"name '(\w+)' is not defined")
"""Python's message on an unknown name; that of kernels is another."""

_DEEPEST = 8000
"""Python's frames, of which a call of a func takes four: as many as fit on the stack of a thread as most are made."""

try:
    from qdcov._native import stack_left as _stack_left
except ImportError:  # arch=qd.python needs nothing of it but this

    def _stack_left() -> int:
        return 1


class _RecursionLimit:
    """Python's limit, which is one of all threads: higher while any of them is in a kernel."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.inside = 0
        self.before = 0
        os.register_at_fork(after_in_child=self.of_child)

    def enter(self) -> None:
        with self.lock:
            if self.inside == 0:
                self.before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self.before, _DEEPEST))
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            self.restore()

    def restore(self) -> None:
        if self.inside == 0 and sys.getrecursionlimit() == max(self.before, _DEEPEST):  # else the program has set another one
            sys.setrecursionlimit(self.before)

    def of_child(self) -> None:
        """Other threads are not there any more, and the lock may be one of theirs."""
        self.lock = threading.RLock()
        if self.inside > 0:
            self.inside = _execution.local.depth
            self.restore()


_limit = _RecursionLimit()


class InterpretedFunction:
    """A kernel or a func that was rewritten for this run of qd.init."""

    kind = "Kernel"

    threaded = False
    """Whether it is a generator for a thread of a block."""

    def __init__(self, function: types.FunctionType, early: bool = False, plain: bool = False, plan: Plan | None = None) -> None:
        self.name = function.__name__
        self.early = early
        self.binder = Binder(function, self.kind)
        self.method = source.is_method(function)
        annotations = source.evaluated_annotations(function)
        self.result = annotations.pop("return", None)
        self.kinds = [annotations.get(name, Binder) for name in self.binder.all_names]
        fixed = {name: why for name, kind in zip(self.binder.all_names, self.kinds) if (why := self.fixed(name, kind))}
        values = frozenset(name for name, kind in zip(self.binder.all_names, self.kinds) if isinstance(kind, (MatrixType, StructType)))
        self.run = rewrite.rewrite(function, fixed, values & fixed.keys(), plan, early, plain, self.threaded)

    def fixed(self, name: str, kind: Any) -> str:
        """The reason why a parameter cannot be assigned, or nothing."""
        if is_template(kind):
            return f"`{name}` is a template: assigning it would change the caller's variable, which is not supported on arch=qd.python"
        return ""

    def typed(self, result: Any) -> Any:
        """The result in the types of the return annotation; as it is where a func, which is inlined, returns something of another form."""
        if self.result is None and isinstance(result, np.generic):
            return result
        try:
            return self._in_annotated_types(result)
        except KernelTypeError:
            if self.kind == "Kernel" or self.early:
                raise
            return semantics.values(result)

    def _in_annotated_types(self, result: Any) -> Any:
        if result is None:
            return None
        if isinstance(result, tuple):
            wanted = typing.get_args(self.result) or self.result
            if isinstance(wanted, tuple) and len(wanted) == len(result):
                return tuple(semantics.cast(item, dtype) for item, dtype in zip(result, wanted))
        if isinstance(self.result, MatrixType) and not isinstance(result, (Compound, list, tuple, np.ndarray)):
            raise KernelTypeError(f"a number is no {self.result!r}")
        if self.result is None and type(result) in semantics.PLAIN:
            return result  # still a constant
        return semantics.values(result) if self.result is None else semantics.cast(result, self.result)


class InterpretedFunc(InterpretedFunction):
    kind = "Func"

    def __init__(self, func: Func) -> None:
        function = func._function
        super().__init__(function, func._real, func._plain)
        self.binder.check_func()
        stored = (node for node in ast.walk(source.definition(function)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        assigned = {node.id for node in stored}
        names = self.binder.all_names
        self.conversions = [(parameters.of_func(kind), kind is Binder and name not in assigned) for name, kind in zip(names, self.kinds)]
        self.of_whole_arrays = function.__code__ in source.of_whole_arrays

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        by_position, by_name = self.binder.passed(self.bound(args, kwargs))
        if not self.early:
            return self.typed(self.run(*by_position, **by_name))
        before, _execution.local.routine = _execution.local.routine, True
        result = self.typed(self.run(*by_position, **by_name))
        _execution.local.routine = before  # after a failure it stays, for the message
        return result

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments of a call, for the func."""
        if _stack_left() < 0:
            raise RecursionError
        values = self.binder.bind(args, kwargs)
        if self.of_whole_arrays:
            values = [value._from_first() if isinstance(value, Memory) else value for value in values]
        for i, (convert, keeps_constants) in enumerate(self.conversions):
            if not (keeps_constants and type(values[i]) in semantics.PLAIN):
                values[i] = convert(values[i])
        return values


class ThreadedFunc(InterpretedFunc):
    """A func as the generator of a thread of a block, which may meet others in it."""

    threaded = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        by_position, by_name = self.binder.passed(self.bound(args, kwargs))
        return self.typed((yield from self.run(*by_position, **by_name)))


def _steps(func: Func) -> Callable[..., Any]:
    """The generator of a func, for a thread of a block."""
    if not thread_uses.of_func(func).waits:
        return _block_threads.in_turn(func.__call__)
    return ThreadedFunc(func)


class InterpretedKernel(InterpretedFunction):
    observations: ClassVar[dict[str, int]] = {"num_offloaded_tasks": 1}
    """For `_kernels.observations`: Python runs a kernel as one serial task."""

    def __init__(self, function: types.FunctionType, plan: Plan | None = None) -> None:
        super().__init__(function, plan=plan or Plan())
        self.binder.check_kernel()
        for name, kind in zip(self.binder.names, self.kinds):
            if kind is Binder and not (name == self.binder.names[0] and self.method):
                raise KernelSyntaxError(f"Kernel {self.name}: parameter '{name}' needs a type annotation")
        returns = any(isinstance(node, ast.Return) for node in ast.walk(source.definition(function)))
        if self.result is not None and not returns:
            raise KernelSyntaxError(f"Kernel {self.name} has a return type but does not have a return statement")

    def fixed(self, name: str, kind: Any) -> str:
        return f'Kernel argument "{name}" is immutable in the kernel'

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.launch(self.bound(args, kwargs))

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments of a call, for the kernel."""
        if _execution.inside():
            message = "is called in a kernel: kernels cannot call kernels; what both need belongs into a @qd.func"
            raise KernelCompilationError(f"kernel '{self.name}' {message}")
        if "qd_stream" in kwargs:  # a launch is over when its call returns, whatever its stream
            streams.of_call(kwargs.pop("qd_stream"), self.name)
        values = self.binder.bind(args, kwargs)
        for i, kind in enumerate(self.kinds):
            if kind is not Binder:
                values[i] = parameters.of_kernel(f'Argument "{self.binder.names[i]}" of kernel {self.name}', kind, values[i])
        return values

    def launch(self, values: list[Any]) -> Any:
        local = _execution.local
        local.arguments, local.iteration, local.serial, local.fork = tuple(zip(self.binder.names, values)), None, False, None
        local.block_dim, local.thread, local.alone, local.routine = None, None, False, False
        local.depth += 1
        _limit.enter()
        try:
            with np.errstate(all="ignore"):
                result = self.typed(self.run(*values))
        except (KernelAssertionError, KernelNameError):
            raise
        except NameError as error:
            file, line, function = callstack.lines_of(error)[-1]
            message = _UNKNOWN.sub(r'Name "\1" is not defined', str(error))
            raise KernelNameError(f"{file}:{line}: {message} (in {function})").with_traceback(error.__traceback__) from None
        except ValueError as error:
            if "read-only" not in str(error):
                raise
            raise ValueError(self.read_only(values, error)) from None
        except RecursionError as error:
            raise checks.too_deep(error) from None
        except AssertionError as error:
            raise checks.failed(error).with_traceback(error.__traceback__) from None
        finally:
            _limit.leave()
            local.depth -= 1
            local.arguments, local.fork, local.thread = (), None, None
        return self.given(result)

    def read_only(self, values: list[Any], error: ValueError) -> str:
        """The message for a write to an array that may not be written."""
        names = [name for name, given in zip(self.binder.names, values) if _is_read_only(given)]
        file, line, function = callstack.lines_of(error)[-1]
        which = " or ".join(f'"{name}"' for name in names)
        return f"Argument {which} of kernel {self.name}: the array is read-only, and {os.path.basename(file)}:{line} in {function} writes it"

    def given(self, result: Any) -> Any:
        """The result for the host."""
        if result is None and self.result is not None:
            raise KernelSyntaxError(f"Kernel {self.name} has a return type, but this call came to no return statement with a value")
        if result is None:
            return None
        if self.result is None:
            raise KernelSyntaxError(f"Kernel {self.name} returns a value, but has no return annotation")
        return tuple(_returned(item) for item in result) if isinstance(result, tuple) else _returned(result)


def _is_read_only(given: Any) -> bool:
    array = given._live() if isinstance(given, Array) else given
    return isinstance(array, np.ndarray) and not array.flags.writeable


def _returned(result: Any) -> Any:
    """A result for the host."""
    return result if isinstance(result, Compound) else result.item()


interpret_funcs_with(InterpretedFunc, _steps)
