"""Objects of Python in kernels: each kernel gives what Python gives for the same function."""

from __future__ import annotations

import inspect
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
    return [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]


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
