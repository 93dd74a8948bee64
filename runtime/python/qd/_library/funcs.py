"""Funcs of the language itself, written in it. The compiler has their text built in (runtime/frontend/functions/library_calls); here they run on
arch=qd.python and on the host.

They are no part of a program that is measured: none of their lines is one that coverage.py or a kernel's probes record."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar, overload

from qd import _dtypes
from qd._errors import KernelTypeError
from qd._kernels import source, source_text
from qd._kernels.decorators import Func, Kernel
from qd._values.matrix import Matrix

_Own = TypeVar("_Own", Func, Kernel)


def own(thing: _Own) -> _Own:
    """Marks a func or kernel as one of the package: nothing of it is measured."""
    source.library.add(thing._function.__code__)
    if isinstance(thing, Func) and thing._top_level:
        source.of_whole_arrays.add(thing._function.__code__)
    return thing


def checking(thing: _Own) -> _Own:
    """Marks a func whose asserts are compiled without debug mode, too: checks of arguments that keep others' memory whole."""
    source.checking.add(thing._function.__code__)
    return own(thing)


class LibraryFunc(Func):
    """A func of the language. Its matrix, if it takes one, is a square one with so many rows (the least and the most), and comes in the type `dt`."""

    def __init__(self, function: types.FunctionType, rows: tuple[int, int] | None) -> None:
        source.library.add(function.__code__)
        source_text.remember(function, sys._getframe(1))
        super().__init__(function)
        self._rows = rows
        code = function.__code__
        self._parameters = code.co_varnames[: code.co_argcount]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._rows is not None:
            args, kwargs = self._prepared(args, kwargs, *self._rows)
        return self._run(*args, **kwargs)

    def _prepared(self, args: tuple[Any, ...], kwargs: dict[str, Any], least: int, most: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The matrix, the vector and the type, for the func."""
        name = self._function.__name__
        given = dict(zip(self._parameters, args), **kwargs)
        if len(args) > len(self._parameters) or given.keys() | {"dt"} != {*self._parameters}:
            return args, kwargs  # Python says what is wrong
        dt = _dtypes.Defaults.float if given.get("dt") is None else _dtypes.require(given["dt"])
        if dt not in (_dtypes.f32, _dtypes.f64):
            raise KernelTypeError(f"`{name}` computes in qd.f32 or qd.f64, not in {dt}")
        matrix = _of(given["A"])
        if not isinstance(matrix, Matrix) or matrix.ndim != 2 or matrix.n != matrix.m or not least <= matrix.n <= most:
            sizes = f"a {least}x{least} matrix" if least == most else f"a square matrix of {least} to {most} rows"
            raise KernelTypeError(f"`{name}` takes {sizes}, not {matrix._text() if isinstance(matrix, Matrix) else type(matrix).__name__}")
        made = {"A": matrix.cast(dt), "dt": dt}
        if "b" in self._parameters:
            vector = _of(given["b"])
            if not isinstance(vector, Matrix) or vector.ndim != 1 or vector.n != matrix.n:
                found = vector._text() if isinstance(vector, Matrix) else type(vector).__name__
                raise KernelTypeError(f"`{name}` takes a vector of {matrix.n} components with this matrix, not {found}")
            made["b"] = vector.cast(dt)
        return tuple(made[parameter] for parameter in self._parameters), {}

    def _outside(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


def _of(given: Any) -> Any:
    return Matrix(given) if isinstance(given, (list, tuple)) else given


@overload
def func(function: Callable[..., Any], /) -> LibraryFunc: ...
@overload
def func(*, rows: tuple[int, int]) -> Callable[[Callable[..., Any]], LibraryFunc]: ...
def func(function: Any = None, /, *, rows: tuple[int, int] | None = None) -> Any:
    """Makes a function of this package a func of the language. `rows`: of the square matrix that it takes as `A`, the least and the most."""
    return (lambda plain: LibraryFunc(plain, rows)) if function is None else LibraryFunc(function, rows)
