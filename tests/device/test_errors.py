"""Kernels that do not compile: the exception, and its place."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import qd


@qd.kernel
def unknown_names(n: qd.i32):
    for i in range(n):
        x = nowhere + i  # noqa: F821, F841
    y = nothing_either  # noqa: F821, F841


@qd.kernel
def untyped(n):
    pass


@qd.kernel
def raises(n: qd.i32):
    try:
        pass
    except ValueError:
        pass


@qd.kernel
def adds_text(n: qd.i32):
    x = n + "a"  # noqa: F841


@qd.kernel
def static_check(n: qd.template()):
    qd.static_assert(n > 3, "n is too small")


@qd.kernel
def uses_what_is_not_there(n: qd.i32):
    x = qd.Mesh(n)  # noqa: F841


def error_of(kernel: Any, *arguments: Any) -> Any:
    with pytest.raises(qd.KernelCompilationError) as caught:
        kernel(*arguments)
    return caught.value


def line_of(kernel: Any, text: str) -> int:
    import inspect

    lines, first = inspect.getsourcelines(kernel._function)
    return first + next(i for i, line in enumerate(lines) if text in line)


def test_all_errors_at_once_with_their_places(back_end: str) -> None:
    error = error_of(unknown_names, 1)
    assert isinstance(error, qd.KernelNameError) and isinstance(error, NameError)
    text = str(error)
    for name in ("nowhere", "nothing_either"):
        line = line_of(unknown_names, name)
        assert re.search(rf"{re.escape(__file__)}\D+{line}\b", text), text
        assert name in text
    assert "        x = nowhere + i" in text and "^" in text


def test_classes_of_errors(back_end: str) -> None:
    assert isinstance(error_of(untyped, 1), qd.KernelSyntaxError)
    assert isinstance(error_of(raises, 1), SyntaxError)
    assert isinstance(error_of(adds_text, 1), TypeError)
    assert "n is too small" in str(error_of(static_check, 1))
    static_check(4)
    assert "qd.Mesh (which is not supported yet)" in str(error_of(uses_what_is_not_there, 1))


def test_an_error_is_raised_at_each_call(back_end: str) -> None:
    assert str(error_of(unknown_names, 1)) == str(error_of(unknown_names, 1))


def test_parameters_that_kernels_do_not_have(arch: str) -> None:
    @qd.kernel
    def with_default(n: qd.i32 = 3):
        pass

    @qd.kernel
    def with_rest(*n: qd.i32):
        pass

    assert isinstance(error_of(with_default, 1), qd.KernelSyntaxError)
    assert isinstance(error_of(with_rest, 1), qd.KernelSyntaxError)


def test_only_functions_become_kernels() -> None:
    with pytest.raises(qd.KernelSyntaxError, match="decorates a function"):
        qd.kernel(np.zeros(3))  # type: ignore[call-overload]
    with pytest.raises(qd.KernelSyntaxError, match="lambda"):
        qd.kernel(lambda x: x)


def test_arguments_are_immutable(arch: str) -> None:
    @qd.kernel
    def assigns(n: qd.i32):
        n = 3  # noqa: F841

    @qd.kernel
    def adds(n: qd.i32):
        n += 3

    for kernel in (assigns, adds):
        assert 'Kernel argument "n" is immutable in the kernel' in str(error_of(kernel, 1))
