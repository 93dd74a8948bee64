"""Funcs of the language itself, written in it. The compiler has their text built in (runtime/frontend/functions/library_calls); here they run on
arch=qd.python and on the host.

They are no part of a program that is measured: none of their lines is one that coverage.py or a kernel's probes record."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numpy as np

from qdcov import _dtypes, _execution
from qdcov._errors import KernelTypeError
from qdcov._kernels import source, source_text
from qdcov._kernels.decorators import Func, Kernel
from qdcov._scalars import semantics
from qdcov._scalars.value import Compound, Reference
from qdcov._values.matrix import Matrix

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
    """A func of the language. Its decorator says the requirements on its arguments and their conversions, which the compiler reads there, too."""

    def __init__(self, function: types.FunctionType, requirements: Requirements | None = None) -> None:
        source.library.add(function.__code__)
        source_text.remember(function, sys._getframe(1))
        super().__init__(function)
        self._requirements = requirements
        code = function.__code__
        self._parameters = [*code.co_varnames[: code.co_argcount]]
        self._least = len(self._parameters) - len(function.__defaults__ or ())

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._requirements is not None:
            if kwargs or not self._least <= len(args) <= len(self._parameters):
                given = inspect.signature(self._function).bind(*args, **kwargs).arguments  # or says what is wrong
            else:
                given = dict(zip(self._parameters, args))
            self._requirements.prepare(self._function.__name__, given, self._parameters)
            return self._run(**given)
        return self._run(*args, **kwargs)

    def _outside(self, *args: Any, **kwargs: Any) -> Any:
        local = _execution.local
        if local.in_library:
            return self._function(*args, **kwargs)
        local.in_library = True
        try:
            with np.errstate(all="ignore"):
                result = self._function(*args, **kwargs)
        finally:
            local.in_library = False
        return result.item() if isinstance(result, np.generic) else result


def _of(given: Any) -> Any:
    return given.of if isinstance(given, Reference) else Matrix(given) if isinstance(given, (list, tuple, np.ndarray)) else given


@dataclasses.dataclass(frozen=True)
class Requirements:
    """Requirements on the arguments of a func. For example, `norm` of a vector of integers computes in the default float::

        @func("tensor", "number", floats="first")
        def norm(v, eps=None):

    `kinds`, of the first parameters: "tensor" (a vector or a matrix), "vector", "square" (a matrix), "like" (of the first one's shape), "column" (a
    vector of as many components as the first one has rows), "number". `rows`: of the first one, the least and the most. `floats`: "first" converts
    all arguments to the first one's float type, "all" to their common one. With a parameter `dt`, the last one, they are converted to this type."""

    kinds: tuple[str, ...]
    rows: tuple[int, int] | None
    floats: str

    def prepare(self, name: str, given: dict[str, Any], parameters: list[str]) -> None:
        """Checks and converts the arguments of a call, in place."""
        if parameters[-1] == "dt":
            dt = _dtypes.Defaults.float if given.get("dt") is None else _dtypes.require(given["dt"])
            if dt not in (_dtypes.f32, _dtypes.f64):
                raise KernelTypeError(f"`{name}` computes in qd.f32 or qd.f64, not in {dt}")
        for kind, parameter in zip(self.kinds, parameters):
            if given.get(parameter) is not None:
                given[parameter] = self.checked(name, kind, given[parameter], given[parameters[0]])
        if parameters[-1] == "dt":
            given.update({parameter: value.cast(dt) for parameter, value in given.items() if parameter != "dt"}, dt=dt)
        elif self.floats:
            given.update(zip(given, _floats([*given.values()], self.floats == "all")))

    def checked(self, name: str, kind: str, value: Any, first: Any) -> Any:
        """An argument of this kind."""
        if kind == "number":
            if semantics.dtype_of(semantics.value(value)) is None:
                raise KernelTypeError(f"`{name}` takes a number, not {_text(value)}")
            return value
        found = _of(value)
        fits = isinstance(found, Matrix) and (found.ndim == 1 or kind in ("tensor", "like", "square"))
        if fits and kind == "square":
            fits = found.ndim == 2 and found.n == found.m
        if fits and kind == "column":
            fits = found.n == first.n
        if fits and self.rows is not None and kind == self.kinds[0]:
            fits = self.rows[0] <= found.n <= self.rows[1]
        if not fits:
            raise KernelTypeError(f"`{name}` takes {self.text(kind, first)}, not {_text(found)}")
        if kind == "like" and found.shape != first.shape:
            raise KernelTypeError(f"`{name}` takes vectors or matrices of one shape, not {_text(first)} and {_text(found)}")
        return found

    def text(self, kind: str, first: Any) -> str:
        """The kind, for messages."""
        if kind in ("tensor", "like"):
            return "a vector or a matrix"
        if kind == "column":
            return f"a vector of {first.n} components with this matrix"
        if kind == "vector":
            return "a vector" if self.rows is None else f"a vector of {self.rows[0]} or {self.rows[1]} components"
        if self.rows is None:
            return "a square matrix"
        least, most = self.rows
        if least == 1:
            return f"a square matrix of at most {most} rows"
        return f"a {least}x{least} matrix" if least == most else f"a square matrix of {least} to {most} rows"


def _text(value: Any) -> str:
    return value._text() if isinstance(value, Compound) else type(value).__name__


def _floats(given: list[Any], of_all: bool) -> list[Any]:
    """Arguments as floats: of the common type of all, or of the first one's."""
    if any(isinstance(value, Matrix) for value in given):  # lists are vectors beside one
        given = [_of(value) for value in given]
    common = None
    for value in given if of_all else given[:1]:
        own = value.dtype if isinstance(value, Matrix) else semantics.dtype_of(semantics.value(value))
        if own is None:
            raise KernelTypeError(f"{_text(value)} is not a number")
        common = own if common is None else _dtypes.promote(common, own)
    if common is None or not common.is_float:
        common = _dtypes.Defaults.float
    return [_as(value, common) for value in given]


def _as(value: Any, dtype: _dtypes.DataType) -> Any:
    if isinstance(value, Matrix):
        return value if value.dtype is dtype else value.cast(dtype)
    return value if value is None else _dtypes.convert(value, dtype)


@overload
def func(function: Callable[..., Any], /) -> LibraryFunc: ...
@overload
def func(*kinds: str, rows: tuple[int, int] | None = ..., floats: str = ...) -> Callable[[Callable[..., Any]], LibraryFunc]: ...
def func(*given: Any, rows: tuple[int, int] | None = None, floats: str = "") -> Any:
    """Makes a function of this package a func of the language, with `Requirements`. A func with requirements does not change its arguments, unless
    it has a parameter `dt`."""
    if len(given) == 1 and callable(given[0]):
        return LibraryFunc(given[0])
    return lambda function: LibraryFunc(function, Requirements(given, rows, floats))
