"""Objects of Python in kernels: each kernel gives what Python gives for the same function."""

from __future__ import annotations

import inspect
import linecache
import types
from collections.abc import Callable
from typing import Any

import kernels_for_captured_objects
import kernels_for_constants
import kernels_for_named_tuples
import kernels_for_object_branches
import kernels_for_object_operators
import kernels_for_object_parameters
import kernels_for_object_protocols
import kernels_for_object_updates
import kernels_refused_as_python
import pytest
import qd

MODULES = (
    kernels_for_captured_objects,
    kernels_for_constants,
    kernels_for_named_tuples,
    kernels_for_object_branches,
    kernels_for_object_operators,
    kernels_for_object_parameters,
    kernels_for_object_protocols,
    kernels_for_object_updates,
)


def _functions(module: types.ModuleType) -> list[Callable[[Any], Any]]:
    written = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]
    return written + [_returning(expression, module) for expression in getattr(module, "EXPRESSIONS", ())]


def _returning(expression: str, module: types.ModuleType) -> Callable[[Any], Any]:
    """A function of the module that returns an expression, with a source as cells of notebooks have one: kernels are made of that."""
    file = f"<{module.__name__}: {expression}>"
    source = f"def returning(n: qd.i32) -> qd.i32:\n    return {expression}\n"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    found: dict[str, Any] = {}
    exec(compile(source, file, "exec"), vars(module), found)
    found["returning"].__name__ = expression
    return found["returning"]


FUNCTIONS = [function for module in MODULES for function in _functions(module)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_python(arch: str, function: Callable[[Any], Any]) -> None:
    assert qd.kernel(function)(3) == function(3)


@pytest.mark.parametrize("function", _functions(kernels_refused_as_python), ids=lambda function: function.__name__)
def test_refused(arch: str, function: Callable[[Any], Any]) -> None:
    if arch == "python" and function.__name__.startswith("index_of_"):  # all indices are known there
        assert qd.kernel(function)(3) == function(3)
        return
    function(3)
    with pytest.raises(qd.KernelCompilationError):
        qd.kernel(function)(3)
